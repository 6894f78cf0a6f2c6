-- What an operator can do now.
begin;
select plan(11);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
create function pg_temp.shown() returns text language sql as $$
  select string_agg(a ->> 'action' || ': ' || replace(replace(a ->> 'command',
           tap.id('run', 'r'), 'R'), tap.id('sess', 'ann'), 'ANN'), ', ' order by n)
    from jsonb_array_elements(striatumd.next_actions(tap.id('repo', 'app'), null))
      with ordinality as e (a, n)
$$;
create function pg_temp.after(p_statement text) returns text language sql as $$
  select tap.after(p_statement, 'select pg_temp.shown()')
$$;

-- does
select is(pg_temp.after($$ update striatumd.runs set state = 'needs_branch_confirmation' $$),
  'confirm_branch: striatum branch confirm R', 'a run whose branch waits');
select is(pg_temp.after($$ update striatumd.runs set state = 'ready' $$),
  'start_run: striatum run start R', 'a run that is ready');
select is(pg_temp.shown(), 'drive_run: striatum run drive R, '
  'register_session: striatum session register R author author', 'work that nobody could take');
select is(pg_temp.after($$ select tap.session('ann', 'author', 'r', null) $$),
  'drive_run: striatum run drive R, '
  'start_supervisor: striatum supervise start --session-id ANN', 'a session without its agent');
select tap.session('ann', 'author');
select is(pg_temp.shown(), 'inspect_agent: striatum why ANN',
  'an agent that could take work, and has not yet');
select is(pg_temp.after($$ update striatumd.queue_messages set is_fresh = true;
  insert into striatumd.work_packets (packet_id, repository_id, run_id, session_id, message_id,
    lease_id, job_id, attempt, packet_json, packet_sha256, issued_at)
  select tap.id('pkt', 'x'), repository_id, run_id, tap.id('sess', 'ann'), message_id,
         tap.id('lease', 'x'), tap.id('job', 'r.review'), 1, '{}', repeat('c', 64), now()
    from striatumd.queue_messages $$), null, 'one that may not take it is not in question');
select tap.leased('ann', 'r.draft');
select is(pg_temp.after($$ update striatumd.process_supervisors
    set state = 'lost', ended_at = started_at $$),
  'recover_orphan_supervisor: striatum why ANN', 'a lost agent that holds work');
select is(pg_temp.after($$ select tap.ended('r', 'failed') $$), null, 'a run that ended');
select is(pg_temp.after($$ update striatumd.runs
    set state = 'needs_operator', stop_reason = 'provenance_gate_failed' $$),
  'inspect_run: striatum why R', 'a run that needs somebody');

-- does: what blocks comes before what a person decides, and each names itself
select striatumd.open_blocker(tap.call('r', '2026-01-01Z'), tap.id('job', 'r.review'),
  'human_checkpoint', 'test', 'Test', '{}');
select striatumd.open_blocker(tap.call('r', '2026-01-02Z'), null, 'blocked', 'test', 'Test', '{}');
select is(jsonb_path_query_array(actions, '$[*].action'),
  '["inspect_blocker", "resolve_human_checkpoint"]', 'in the order of how much they press')
  from striatumd.next_actions(tap.id('repo', 'app'), null) as actions;
select is(striatumd.next_actions(tap.id('repo', 'app'), null) -> 0, jsonb_build_object(
  'action', 'inspect_blocker', 'about', blocker_id, 'command', 'striatum why ' || blocker_id),
  'each with what it is about and its command')
  from striatumd.blockers where severity = 'blocked';

select * from finish();
rollback;
