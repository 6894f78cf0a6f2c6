-- A ledger that comes to another verdict than is handed in with it.
-- STR-FRONTMATTER-37
begin;
select plan(7);

select tap.open_door();
select tap.authorize();
create function pg_temp.refusal(p_ledger text, p_verdict text,
    p_kind text default 'collaboration_ledger') returns jsonb language plpgsql as $$
declare
  v_call   striatumd.call_context;
  v_detail text;
begin
  v_call.observed := jsonb_build_object('artifact_file', jsonb_build_object('contract',
    jsonb_build_object('verdict', p_ledger)));
  perform striatumd.refuse_other_verdict(v_call, jsonb_build_object('kind', p_kind),
    jsonb_build_object('path', 'l.md', 'lease_id', 'lease_1', 'verdict', p_verdict));
  return null;
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail::jsonb || jsonb_build_object('code', sqlerrm);
end
$$;

select is(pg_temp.refusal('accept', 'accept'), null, 'the same verdict passes');
select is(pg_temp.refusal('reject', 'accept', 'finding'), null,
  'a finding only says what it means');
select is(pg_temp.refusal('accept', 'accept_with_findings') ->> 'code', 'review_verdict_differs',
  'another does not');
select is(pg_temp.refusal(null, 'accept') ->> 'code', 'review_verdict_differs',
  'nor does one that was not read');
select is(pg_temp.refusal('reject', 'accept') ->> 'message',
  'l.md comes to reject, and accept was handed in with it: one of both has to change',
  'both are named');
select is(pg_temp.refusal('reject', 'accept') #>> '{next,0}',
  'striatum submit-review lease_1 l.md reject', 'and the request that would agree');

select is(pg_temp.refusal('reject', 'accept') #>> '{next,1}',
  'striatum submit-review lease_1 l.md accept', 'or the same once more, with a mended ledger');

select * from finish();
rollback;
