-- What a session calls next.
begin;
select plan(5);

-- given
select tap.open_door(), tap.run_stage(), tap.session('one', 'author'),
       tap.session('two', 'reviewer');
select tap.leased('one', 'r.draft'), tap.queued('r.review'), tap.leased('two', 'r.review');
create function pg_temp.commands(p_job text) returns setof text language sql as $$
  select value ->> 'command' from striatumd.jobs j join striatumd.leases l using (job_id),
         jsonb_array_elements(striatumd.packet_commands(l, j))
   where j.workflow_job_id = p_job
$$;
create function pg_temp.with_lease(p_lease text, p_commands text[]) returns text language sql as $$
  select format('select unnest(%L::text[])',
    array(select replace(c, 'LEASE', tap.id('lease', p_lease)) from unnest(p_commands) as c))
$$;
select rows_are($$ select pg_temp.commands('draft') $$, pg_temp.with_lease('oner.draft', array[
  'striatum ack LEASE', 'striatum heartbeat LEASE',
  'striatum publish-artifact LEASE docs/draft.md', 'striatum complete LEASE',
  'striatum block LEASE --severity blocked|human_checkpoint --kind KIND --description TEXT',
  'striatum release LEASE --reason TEXT']), 'to write and complete');
update striatumd.jobs set spec = jsonb_set(spec, '{expected_artifacts,1}',
  '{"logical_name": "notes", "path": "docs/my notes.md"}') where workflow_job_id = 'review';
select rows_are($$ select pg_temp.commands('review') offset 2 limit 2 $$,
  pg_temp.with_lease('twor.review', array['striatum publish-artifact LEASE ''docs/my notes.md''',
  'striatum submit-review LEASE docs/review.md accept|accept_with_findings|needs_revision|reject '
  '--rationale TEXT']), 'to judge, at last');
select is_empty($$ select from pg_temp.commands('review') as c where c ~ 'complete' $$,
  'which ends the job');
select is_empty($$ select value ->> 'method' from striatumd.jobs j
    join striatumd.leases l using (job_id),
    jsonb_array_elements(striatumd.packet_commands(l, j))
   where value ->> 'method' not in (select method from striatumd.methods)
     and value ->> 'method' not in ('artifact.publish', 'review.submit') $$,
  'each is a method that there is');
update striatumd.jobs set spec = jsonb_set(spec, '{expected_artifacts}', '[]')
 where workflow_job_id = 'review';
select rows_are($$ select pg_temp.commands('review') offset 2 limit 1 $$,
  pg_temp.with_lease('twor.review', array['striatum submit-review LEASE PATH '
  'accept|accept_with_findings|needs_revision|reject --rationale TEXT']),
  'a review that names no finding, too');

select * from finish();
rollback;
