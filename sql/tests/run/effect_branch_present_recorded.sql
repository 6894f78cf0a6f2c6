-- The outcome of making a branch: only once it is there, and only for a run that waits for it.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.record(p_state text, p_repository text default 'app') returns text
  language sql as $$
  select (striatumd.effect_branch_present_recorded(null, jsonb_build_object('state', p_state,
    'repository_id', tap.id('repo', p_repository), 'args', jsonb_build_object('branch', 'b',
      'run_id', tap.id('run', 'r'))))).events #>> '{0,event_type}'
$$;

select is(pg_temp.record('done'), null, 'a run that is under way is left alone');
update striatumd.runs set state = 'needs_branch_confirmation', started_at = null;
select is(pg_temp.record('failed'), null, 'an attempt that failed changes nothing');
select is(pg_temp.record('done', 'other'), null, 'nor does one of another repository');
select is(pg_temp.record('done'), 'branch.confirmed', 'one that was done is an event');
select is((select concat_ws(' ', state, branch_name) from striatumd.runs), 'ready b',
  'and the run is ready with the branch that was made');
select set_config('striatum.daemon_auth', '', true);
select throws_ok($$ select pg_temp.record('done') $$, '28000', 'daemon_authority_missing',
  'not without the daemon''s secret');

select * from finish();
rollback;
