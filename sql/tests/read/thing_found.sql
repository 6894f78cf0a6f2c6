-- The thing that an id of a repository names.
-- STR-INTROSPECT-04: run, job, queue message, blocker, artifact, verdict, session and process ids.
begin;
select plan(15);

-- given: one of each
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft');
select tap.published('ann', 'r.draft');
select tap.judged('ann', 'r.draft', 'accept');
select striatumd.open_blocker(tap.call(), tap.id('job', 'r.draft'), 'blocked', 'test', 'Why', '{}');
insert into striatumd.effects values ('eff_0123456789abcdef', 'thing_there', '{}',
  tap.id('repo', 'app'), 'c', 'r', 'failed', 3, '2026-01-01Z', '2026-01-01Z', null, 'no room');
create temp table found as
  select kind, striatumd.thing_found(tap.id('repo', 'app'), id) as thing from (
    select 'run' as kind, tap.id('run', 'r') as id
    union all select 'job', tap.id('job', 'r.draft')
    union all select 'session', tap.id('sess', 'ann')
    union all select 'message', message_id from striatumd.queue_messages
    union all select 'lease', lease_id from striatumd.leases
    union all select 'packet', packet_id from striatumd.work_packets
    union all select 'artifact', artifact_id from striatumd.artifacts
    union all select 'verdict', verdict_id from striatumd.verdicts
    union all select 'blocker', blocker_id from striatumd.blockers
    union all select 'supervisor', tap.id('sup', 'ann')
    union all select 'effect', 'eff_0123456789abcdef') as ids;

-- does
select is(thing ->> 'kind', kind, kind) from found order by kind collate "C";
select is(thing - 'columns' - 'id', jsonb_build_object('kind', 'lease',
  'run_id', tap.id('run', 'r'), 'job_id', tap.id('job', 'r.draft'),
  'session_id', tap.id('sess', 'ann'), 'state', 'active',
  'what', 'lease of attempt 1, until ' || striatumd.utc_micros(expires_at)),
  'with what it belongs to, how it stands, and what it is')
  from found, striatumd.leases where kind = 'lease';
select is(thing -> 'columns', striatumd.job_folded(j), 'and its columns as events carry them')
  from found, striatumd.jobs j where kind = 'job' and j.job_id = thing ->> 'id';

-- at the boundary
select is(striatumd.thing_found(tap.id('repo', 'app'), 'job_0000000000000000'), null,
  'an id that names nothing');
select is(striatumd.thing_found(tap.id('repo', 'other'), tap.id('run', 'r')), null,
  'one of another repository');

select * from finish();
rollback;
