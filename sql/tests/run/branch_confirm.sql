-- branch.confirm, and the outcome of making a branch.
-- STR-BRANCH-08: use_current takes the branch that is checked out; another one named is refused.
-- STR-BRANCH-03: where a branch could not be made the run waits, and can be confirmed by hand.
-- STR-RUN-21: the branch of a run is settled once.
begin;
select plan(27);

-- given
select tap.open_door();
create function pg_temp.waiting(p_name text) returns void language plpgsql as $$
begin
  perform tap.run_stage(p_name);
  update striatumd.runs set state = 'needs_branch_confirmation', started_at = null
   where run_id = tap.id('run', p_name);
end
$$;
create function pg_temp.confirm(p_name text, p_params jsonb default '{}',
    p_branch text default 'main', p_client text default 'ada')
  returns jsonb language sql as $$
  select tap.ask(p_client, 'branch.confirm', jsonb_build_object('repository_id',
    tap.id('repo', 'app'), 'run_id', tap.id('run', p_name)) || p_params,
    jsonb_build_object('git_head', jsonb_build_object('state', 'present', 'branch', p_branch)))
$$;
create function pg_temp.record(p_effect text, p_more jsonb default '{"is_done": true}',
    p_attempt int default 1)
  returns jsonb language sql as $$
  select tap.ask(null, 'effect.record', jsonb_build_object('effect_id', p_effect,
    'attempt', p_attempt) || p_more, '{}', '{"transport": "internal", "phase": "record"}')
$$;
create function pg_temp.state(p_name text) returns text language sql as $$
  select concat_ws(' ', state, branch_name) from striatumd.runs where run_id = tap.id('run', p_name)
$$;
select pg_temp.waiting('r');
select pg_temp.waiting('s');
select pg_temp.waiting('t');

-- create
create temp table created as select pg_temp.confirm('r') as reply;
select is(reply #- '{data,next}' -> 'data', jsonb_build_object('run_id', tap.id('run', 'r'),
  'state', 'needs_branch_confirmation', 'mode', 'create', 'branch', 'striatum/r',
  'current_git_branch', 'main', 'warning', 'another branch is checked out'),
  'the branch on record is to be made') from created;
select is(args, jsonb_build_object('root', '/srv/app', 'branch', 'striatum/r',
  'commit', repeat('a', 40), 'run_id', tap.id('run', 'r')), 'at the base commit')
  from striatumd.effects;
select is(pg_temp.state('r'), 'needs_branch_confirmation striatum/r', 'until then the run waits');
select is(pg_temp.record(reply #>> '{effects,0}', '{"is_done": false, "problem": "no room"}')
  #>> '{data,state}',
  'failed', 'an attempt that failed') from created;
select is(pg_temp.state('r'), 'needs_branch_confirmation striatum/r', 'changes nothing');
select is(pg_temp.record(reply #>> '{effects,0}', '{"is_done": true}', 2) #>> '{data,state}',
  'done', 'one that did not') from created;
select is(pg_temp.state('r'), 'ready striatum/r', 'makes the run ready');
select rows_are(
  $$ select event_type, run_id, payload_json::jsonb #> '{changes,0,from}',
            payload_json::jsonb #> '{changes,0,to}', payload_json::jsonb ->> 'by'
       from striatumd.events $$,
  format($$ values ('branch.confirmed', %L, '{"state": "needs_branch_confirmation"}'::jsonb,
    '{"state": "ready"}'::jsonb, 'striatumd-i-1') $$, tap.id('run', 'r')), 'which is an event');
select is(pg_temp.state('s'), 'needs_branch_confirmation striatum/s', 'a neighbour waits on');

-- another one
create temp table hopeless as select pg_temp.confirm('s', '{"branch_name": "taken"}') as reply;
select is(pg_temp.record(reply #>> '{effects,0}',
  '{"is_done": false, "is_hopeless": true, "problem": "it leads elsewhere"}') #>> '{data,state}',
  'abandoned', 'a branch that cannot be made') from hopeless;
select is(pg_temp.state('s'), 'needs_branch_confirmation striatum/s', 'leaves the run waiting');
create temp table other as select pg_temp.confirm('s', '{"branch_name": "free"}') as reply;
select is(pg_temp.record(reply #>> '{effects,0}') #>> '{data,state}', 'done', 'another one')
  from other;
select is(pg_temp.state('s'), 'ready free', 'becomes the branch of the run');

-- use_current
select is(tap.code(pg_temp.confirm('t', '{"mode": "use_current", "branch_name": "other"}')),
  'branch_differs', 'another branch than the one checked out');
select is(tap.code(pg_temp.confirm('t', '{"mode": "use_current"}', null)), 'git_head_missing',
  'or none');
select is(pg_temp.state('t'), 'needs_branch_confirmation striatum/t', 'is not taken');
create temp table current as select pg_temp.confirm('t', '{"mode": "use_current"}') as reply;
select is(concat_ws(' ', reply #>> '{data,state}', reply #>> '{data,branch}',
  reply #>> '{data,warning}'), 'ready main', 'the one that is checked out is') from current;
select is(reply -> 'effects', '[]', 'and nothing is made') from current;
select is(pg_temp.state('t'), 'ready main', 'the run is ready with it');
select is((select array_agg(event_type::text order by event_id) from striatumd.events),
  '{branch.confirmed,branch.confirmed,branch.confirmed}', 'which is an event too');

-- at the boundary
create temp table late as select pg_temp.confirm('t') as reply;
select is(tap.code(reply), 'run_not_waiting', 'a branch is settled once') from late;
select pg_temp.waiting('u');
create temp table race as select pg_temp.confirm('u') as reply;
select is(tap.code(pg_temp.confirm('u', '{"mode": "use_current"}')), 'ok',
  'a run that went on while its branch was made');
select is(pg_temp.record(reply #>> '{effects,0}') #>> '{data,state}', 'done', 'is left alone')
  from race;
select is(pg_temp.state('u'), 'ready main', 'with the branch that it has');

-- refuses
select pg_temp.waiting('v');
select is(tap.code(pg_temp.confirm('v', '{"branch_name": "a b"}')), 'branch_name_invalid',
  'a name that git has not');
select is(tap.code(pg_temp.confirm('none')), 'run_not_found', 'a run that there is not');
select tap.client('bob', '{read}');
select is(tap.code(pg_temp.confirm('v', '{}', 'main', 'bob')), 'capability_missing',
  'who only reads');

select * from finish();
rollback;
