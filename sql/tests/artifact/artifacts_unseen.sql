-- Whether to look again.
begin;
select plan(3);

-- given
select tap.open_door(), tap.run_stage(), tap.authorize();
select tap.session('one', 'author'), tap.published('one', 'r.draft');
create function pg_temp.unseen(p_more jsonb) returns striatumd.decision language plpgsql as $$
declare
  v_call striatumd.call_context := tap.call();
begin
  v_call.observed := tap.copies(p_more);
  return striatumd.artifacts_unseen(v_call, tap.id('job', 'r.draft'));
end
$$;

-- does
select ok(pg_temp.unseen('{}') is not distinct from null, 'not where all was looked at');
select ok(pg_temp.unseen('{"state": "missing"}') is not distinct from null,
  'nor where it is gone');
select is((d).unsettled || ' ' || ((d).refusal #>> '{details,paths,0}'), 'look docs/draft.md',
  'where it was not') from pg_temp.unseen('{"path": "x"}') as d;

select * from finish();
rollback;
