-- A packet as a claim answers it.
begin;
select plan(1);

select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
select tap.leased('one', 'r.draft');
select is(striatumd.packet_shown(p, 'held'), jsonb_build_object('type', 'work', 'status', 'held',
  'packet_id', packet_id, 'packet_sha256', repeat('c', 64), 'lease_id',
  tap.id('lease', 'oner.draft'), 'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'packet',
  '{}'::jsonb), 'with what identifies it') from striatumd.work_packets p;

select * from finish();
rollback;
