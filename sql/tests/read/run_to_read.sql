-- The run that a reading call names.
begin;
select plan(5);

-- given: two runs of a repository, one of another; a session of the first
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.run_stage('s');
select tap.run_stage('z', 'other');
select tap.session('ann', 'author');
create function pg_temp.found(p_run text, p_session text default null) returns text
  language sql as $$
  select (striatumd.run_to_read(jsonb_populate_record(tap.call(), jsonb_build_object(
    'session_id', tap.id('sess', p_session))), tap.id('run', p_run))).run_id
$$;

-- does
select is(pg_temp.found('r'), tap.id('run', 'r'), 'a run of the repository');
select is(pg_temp.found('r', 'ann'), tap.id('run', 'r'), 'which a session of it sees');

-- refuses
select throws_ok(format('select pg_temp.found(%L, %L)', run, session), 'ST001', null, says)
  from (values ('z', null, 'a run of another repository'), ('x', null, 'a run that there is not'),
    ('s', 'ann', 'another run than the session''s')) as bad (run, session, says);

select * from finish();
rollback;
