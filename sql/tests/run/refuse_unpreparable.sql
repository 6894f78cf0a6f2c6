-- What stands against preparing a run: what is said, and what to do.
begin;
select plan(8);

select tap.open_door();
select tap.authorize();
create function pg_temp.said(p_file jsonb, p_head jsonb, p_accepts boolean default false)
  returns text language plpgsql as $$
declare
  v_said text;
begin
  perform striatumd.refuse_unpreparable('a wf.json', p_file, p_head, p_accepts);
  return 'nothing';
exception when sqlstate 'ST001' then
  get stacked diagnostics v_said = pg_exception_detail;
  return concat_ws(' | ', v_said::jsonb ->> 'message', v_said::jsonb #>> '{next,0}');
end
$$;

select is(pg_temp.said('{"state": "present", "problems": []}', '{"state": "present"}'), 'nothing',
  'nothing against a good file and a checkout with a commit');
select is(pg_temp.said(null, null), 'a wf.json could not be read as a workflow: it was not looked'
  ' at | striatum run prepare ''a wf.json''', 'what was not looked at is not taken');
select is(pg_temp.said('{"state": "present", "problems": [{"pointer": "/name", "message": "is bad"},
  {}, {}]}', '{}'), 'a wf.json: /name is bad (and 2 more) | striatum workflow validate '
  '''a wf.json''',
  'the first problem is told, and how many there are');
select is(pg_temp.said('{"state": "present", "problems": [], "advice": [{"pointer": "/edges/0",
  "message": "is odd"}]}', '{"state": "present"}', accepts), said, 'advice, accepted: ' || accepts)
  from (values (false, 'a wf.json: /edges/0 is odd | striatum workflow validate ''a wf.json'''),
    (true, 'nothing')) as advice (accepts, said);
select is(pg_temp.said('{"state": "present", "problems": []}', '{"state": "unborn"}'),
  'the repository has no commit yet | git commit', 'a commit is missing');
select is(pg_temp.said('{"state": "present", "problems": [], "workflow": {"branch":
  {"allow_dirty": false}}}', '{"state": "present"}'), 'the workflow allows no uncommitted changes'
  ' (branch.allow_dirty), and there are some | git status', 'what is not known to be clean is not');
select is(pg_temp.said('{"state": "present", "problems": [], "workflow": {"branch":
  {"allow_dirty": true}}}', '{"state": "present", "is_dirty": true}'), 'nothing',
  'where the workflow allows them changes do not matter');

select * from finish();
rollback;
