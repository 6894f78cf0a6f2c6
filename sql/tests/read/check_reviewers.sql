-- doctor, reviewer_independence_unverified.
-- STR-REVIEW-13: two active sessions of one run whose supervisors have the same pid.
-- STR-REVIEW-14: an active reviewer without a supervisor where the run's author has one.
begin;
select plan(9);

-- given: an author and a reviewer, each with a process of its own; and a neighbour of the same pid
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.session('rev', 'reviewer');
select tap.session('next', 'reviewer', 's');
update striatumd.process_supervisors set agent_pid = 4712
 where supervisor_id = tap.id('sup', 'rev');
create function pg_temp.found(p_statement text) returns text language sql as $$
  select coalesce(tap.after(p_statement, $q$ select string_agg(name, ' ' order by name)
    from striatumd.check_reviewers() c, jsonb_array_elements_text(c -> 'affected') as id
    join unnest('{ann,rev,next}'::text[]) as name on tap.id('sess', name) = id $q$), '')
$$;
create function pg_temp.without(p_name text) returns text language sql as $$
  select format('update striatumd.process_supervisors set state = ''lost'', ended_at = started_at
    where supervisor_id = %L;', tap.id('sup', p_name))
$$;

-- does
select is(striatumd.check_reviewers() - 'message', '{"plane": "provenance",
  "name": "reviewer_independence_unverified", "ok": true, "is_warning": false, "affected": [],
  "next": []}',
  'each is a process of its own');
select is(pg_temp.found('update striatumd.process_supervisors set agent_pid = 4711'), 'ann rev',
  'two sessions of one run with one process');
select is(pg_temp.found('update striatumd.process_supervisors set agent_pid = 4711;'
  || pg_temp.without('ann')), '', 'one of which is over');
select is(pg_temp.found(pg_temp.without('rev')), 'rev', 'a reviewer without an agent');
select is(pg_temp.found(pg_temp.without('rev') || pg_temp.without('ann')), '',
  'where nobody has one');
select is(pg_temp.found(pg_temp.without('ann')), '', 'an author without an agent');
select is(pg_temp.found(pg_temp.without('next')), '', 'a run without an author');
select is(pg_temp.found(pg_temp.without('rev') || format('update striatumd.sessions
  set state = ''lost'', closed_at = now() where session_id = %L', tap.id('sess', 'rev'))), '',
  'a reviewer who has gone');
select is(tap.after(pg_temp.without('rev'), 'select striatumd.check_reviewers() -> ''next'''),
  format('["striatum why %s"]', tap.id('sess', 'rev')), 'with what to do next');

select * from finish();
rollback;
