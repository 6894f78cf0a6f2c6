-- The sessions of a run.
-- STR-SESSION-17: how each stands and ended, in the order of their registration.
begin;
select plan(8);

-- given: two, of which the second was registered first and holds the draft
select tap.open_door();
select tap.run_stage();
select tap.session('rev', 'reviewer', 'r', null);
select tap.session('ann', 'author');
update striatumd.sessions set registered_at = '2025-12-31Z', operator_label = 'mine',
    non_fresh_reason = 'nobody else' where session_id = tap.id('sess', 'ann');
create function pg_temp.shown() returns jsonb language sql as $$
  select striatumd.run_sessions(tap.id('run', 'r'))
$$;

-- does
select is(pg_temp.shown() #>> '{0,idle_at}', '2026-01-01T00:00:00.000000Z',
  'an agent that has claimed nothing since its start');
select tap.leased('ann', 'r.draft');
select is(jsonb_path_query_array(pg_temp.shown(), '$[*].session'),
  '["author-author-1", "reviewer-reviewer-1"]', 'in the order of their registration');
select is(pg_temp.shown() -> 0, jsonb_build_object('session_id', tap.id('sess', 'ann'),
  'session', 'author-author-1', 'role_id', 'author', 'lane_id', 'author', 'state', 'active',
  'supervisor_state', 'attached', 'holds', 'draft', 'idle_at', null,
  'registered_at', '2025-12-31T00:00:00.000000Z', 'closed_at', null, 'close_reason', null,
  'lane_attestation', null, 'operator_label', 'mine', 'non_fresh_reason', 'nobody else'),
  'before the end nothing is said of what a lane proved');
select is(pg_temp.shown() #> '{1,supervisor_state}', 'null', 'one without a supervisor');

-- does: once the run has ended, as it was frozen
select tap.ended('r', 'completed', jsonb_build_object('sessions', jsonb_build_array(
  jsonb_build_object('session_id', tap.id('sess', 'ann'), 'lane_attestation', 'attested'),
  jsonb_build_object('session_id', tap.id('sess', 'rev'), 'lane_attestation', 'unattested'))));
update striatumd.sessions set state = 'closed', close_reason = 'run_completed',
  closed_at = '2026-01-03Z';
update striatumd.process_supervisors set state = 'lost', ended_at = '2026-01-03Z';
select is(jsonb_path_query_array(pg_temp.shown(), '$[*].lane_attestation'),
  '["attested", "unattested"]', 'whatever became of the supervisors');
select is(jsonb_path_query_array(pg_temp.shown(), '$[*].close_reason'),
  '["run_completed", "run_completed"]', 'with why each was closed');
select is(jsonb_path_query_array(pg_temp.shown(), '$[*].closed_at'),
  '["2026-01-03T00:00:00.000000Z", "2026-01-03T00:00:00.000000Z"]', 'and when');
select is(striatumd.run_sessions('run_0000000000000000'), '[]', 'of nothing nothing');

select * from finish();
rollback;
