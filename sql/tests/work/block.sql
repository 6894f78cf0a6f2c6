-- work.block: work cannot go on.
-- STR-QUEUE-17: the lease is released, and the blocker keeps striatum.blocker_payload.v1.
-- STR-QUEUE-18: it is blocked, or a person decides; the payload holds facts and no prose.
begin;
select plan(12);

-- given
select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.run_stage('s');
select tap.session('one', 'author'), tap.session('two', 'author'),
       tap.session('far', 'author', 's'), tap.leased('one', 'r.draft'),
       tap.leased('far', 's.draft');
create function pg_temp.block(p_session text, p_run text, p_severity text,
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'work.block', jsonb_build_object('lease_id', tap.id('lease',
    case p_run when 'r' then 'oner.draft' else 'fars.draft' end), 'severity', p_severity,
    'kind', 'scope_too_small', 'description', 'docs/ will not do') || p_more)
$$;

-- refuses
select is(tap.code(pg_temp.block('two', 'r', 'blocked')), 'lease_not_held', 'not another''s');
select is_empty('select from striatumd.blockers', 'which opens none');

-- does
create temp table reply as select pg_temp.block('one', 'r', 'blocked',
  '{"payload": {"paths": ["src/"], "exit_code": 1}}') as is;
select is(("is" -> 'data') - 'blocker_id', jsonb_build_object('lease_id',
  tap.id('lease', 'oner.draft'), 'job_id', tap.id('job', 'r.draft'), 'workflow_job_id', 'draft',
  'job_state', 'blocked', 'severity', 'blocked', 'kind', 'scope_too_small'), 'the job is blocked')
  from reply;
select rows_are('select * from tap.events()', array['job.blocked: lease active -> released, '
  'message acked -> blocked, job running -> blocked, blocker -> open'], 'with one event');
select is(payload_json::jsonb, jsonb_build_object('schema_version', 'striatum.blocker_payload.v1',
  'severity', 'blocked', 'kind', 'scope_too_small', 'run_id', tap.id('run', 'r'),
  'job_id', tap.id('job', 'r.draft'), 'workflow_job_id', 'draft', 'attempt', 1,
  'session_id', tap.id('sess', 'one'), 'lease_id', tap.id('lease', 'oner.draft'),
  'facts', '{"paths": ["src/"], "exit_code": 1}'::jsonb), 'its payload holds facts')
  from striatumd.blockers;
select is(description, 'docs/ will not do', 'what it says stands beside them')
  from striatumd.blockers;
select is(session_id::text, tap.id('sess', 'one'), 'and whose it is') from striatumd.blockers;
select is_empty($$ select from striatumd.events where payload_json like '%will not do%' $$,
  'no prose is on record');
select is(blocker_id::text, "is" #>> '{data,blocker_id}', 'the reply names it')
  from reply, striatumd.blockers;
select is(pg_temp.block('far', 's', 'human_checkpoint') #>> '{data,job_state}', 'waiting_human',
  'where a person decides, it waits for one');
select is(params #> '{properties,severity,enum}', to_jsonb(enum_range(
  null::striatumd.blocker_severity)), 'there are these two') from striatumd.methods
 where method = 'work.block';
update striatumd.sessions set state = 'lost', closed_at = now();
select is(tap.code(pg_temp.block('one', 'r', 'blocked')), 'session_inactive',
  'who has ended holds nothing');

select * from finish();
rollback;
