-- doctor, secret_exposure: no log of the server shows a bound value of the two logins.
--
-- No other test may change the settings of striatum_bootstrap: the role is the whole server's, and
-- two transactions that change it at once fail.
begin;
select plan(14);

-- given
create temp table at as select 'striatumd_rw_' || current_database() as login,
  current_database() as database;
create function pg_temp.after(p_statement text) returns jsonb language sql as $$
  select tap.after(replace(replace(p_statement, ':login', login), ':database', database),
    'select striatumd.check_secret_exposure()')::jsonb from at
$$;

-- does
select is(striatumd.check_secret_exposure(), '{"plane": "availability", "name": "secret_exposure",
  "ok": true, "message": "no log of the server shows a bound value", "affected": [], "next": []}',
  'as installed');
select is(pg_temp.after(format('alter role %s reset %s', role, split_part(setting, '=', 1)))
    - 'message' - 'plane', jsonb_build_object('name', 'secret_exposure', 'ok', false,
      'affected', jsonb_build_array(format('%s: %s', replace(role, ':login', login), setting)),
      'next', '["striatum db apply"]'::jsonb), format('%s lost %s', role, setting))
  from at, unnest(array[':login', 'striatum_bootstrap']) as role,
       unnest(array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0',
         'plan_cache_mode=force_generic_plan']) as setting;
select is(pg_temp.after(format('alter role :login set %s', other)) -> 'affected',
  jsonb_build_array(format('%s: %s', login, setting)), 'set otherwise: ' || other)
  from at, (values ('log_parameter_max_length = 1', 'log_parameter_max_length=0'),
    ('plan_cache_mode = auto', 'plan_cache_mode=force_generic_plan')) as others (other, setting);
select is(pg_temp.after('alter role :login in database :database set ' || other) -> 'affected',
  jsonb_build_array(format('%s: %s', login, setting)), 'in this database: ' || other)
  from at, (values ('log_parameter_max_length = -1', 'log_parameter_max_length=0'),
    ('log_parameter_max_length_on_error = -1', 'log_parameter_max_length_on_error=0')
    ) as others (other, setting);
select is(pg_temp.after('alter role :login reset all') #>> '{affected,2}',
  login || ': plan_cache_mode=force_generic_plan', 'all of it at once') from at;

-- at the boundary
select is(pg_temp.after('alter role :login in database :database
  set log_parameter_max_length = 0') -> 'ok', 'true', 'the same once more is no fault');
select is(pg_temp.after('alter role :login in database :database set work_mem = 64') -> 'ok',
  'true', 'nor is what has nothing to do with it');

select * from finish();
rollback;
