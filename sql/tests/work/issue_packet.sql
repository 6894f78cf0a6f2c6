-- A packet is written down.
-- STR-QUEUE-03, STR-QUEUE-04: with its hash, and for good.
begin;
select plan(4);

select set_config('striatum.test_now', '2026-11-30T10:00:00Z', true);
select tap.open_door(), tap.run_stage(), tap.session('one', 'author');
select tap.ask('one', 'work.claim_next', '{}', tap.claiming('one'));
select is(packet_sha256::text, encode(sha256(convert_to(packet_json, 'UTF8')), 'hex'),
  'its hash is that of its text') from striatumd.work_packets;
select is(packet_json::jsonb ->> 'packet_id', packet_id::text, 'it names itself')
  from striatumd.work_packets;
select throws_ok('update striatumd.work_packets set packet_json = ''{}''', '23514', null,
  'and never changes');

-- around
select set_config('striatum.daemon_auth', '', true);
select throws_ok('select striatumd.issue_packet(null, null)', '28000',
  'daemon_authority_missing', 'not without the daemon''s secret');

select * from finish();
rollback;
