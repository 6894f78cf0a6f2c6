-- doctor, stale_queue_message_claim.
begin;
select plan(5);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('ann', 'author');
select tap.leased('ann', 'r.draft', 'claimed');
create function pg_temp.found(p_statement text) returns text language sql as $$
  select tap.after(p_statement,
    'select c ->> ''ok'' || '' '' || (c ->> ''affected'') from striatumd.check_message_claims() c')
$$;
create function pg_temp.over() returns text language sql as $$
  select $q$ update striatumd.leases
    set state = 'released', ended_at = now(), release_reason = 'x'; $q$
$$;

-- does
select is(striatumd.check_message_claims() - 'message', '{"plane": "availability",
  "name": "stale_queue_message_claim", "ok": true, "affected": [], "next": []}',
  'a claim that a lease holds');
select is(pg_temp.found(pg_temp.over()), format('false ["%s"]', message_id),
    'one whose lease is over')
  from striatumd.leases;
select is(pg_temp.found(pg_temp.over()
  || $$ update striatumd.queue_messages set state = 'pending' $$), 'true []', 'nobody''s claim');
select is(pg_temp.found(pg_temp.over() || $$ select tap.ended('r', 'failed') $$), 'true []',
  'what of a run that ended');
select is(tap.after(pg_temp.over(), 'select striatumd.check_message_claims() -> ''next'''),
  format('["striatum why %s"]', message_id), 'with what to do next') from striatumd.leases;

select * from finish();
rollback;
