-- A file that does not keep the contract of its kind.
-- STR-FRONTMATTER-03: it ends with 6.
-- STR-ARTIFACT-24: and so does a kind that there is not.
begin;
select plan(7);

select tap.open_door();
select tap.authorize();
create function pg_temp.refusal(p_contract jsonb) returns jsonb language plpgsql as $$
declare
  v_detail text;
begin
  perform striatumd.refuse_by_contract(jsonb_build_object('contract', p_contract),
    '{"logical_name": "review", "kind": "finding", "path": "docs/a b.md"}',
    'striatum publish-artifact lease_1 ''docs/a b.md''');
  return null;
exception when sqlstate 'ST001' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail::jsonb || jsonb_build_object('code', sqlerrm);
end
$$;

select is(pg_temp.refusal('{"problems": [], "more": 0}'), null, 'one that keeps it passes');
create temp table two as select pg_temp.refusal('{"problems": [{"code": "field_missing"},
  {"code": "field_type"}], "more": 0, "corrected": "---\nx\n---\n"}') as said;
select is(said ->> 'code', 'artifact_front_matter_invalid', 'one that does not is refused')
  from two;
select is(said ->> 'message', 'docs/a b.md does not keep the contract of finding: 2 problems',
  'by name') from two;
select is(said -> 'details', '{"logical_name": "review", "kind": "finding", "path": "docs/a b.md",
  "problems": [{"code": "field_missing"}, {"code": "field_type"}], "corrected": "---\nx\n---\n"}',
  'with all that is wrong, and the block that is offered') from two;
select is(said -> 'next', jsonb_build_array(
  'striatum artifact check ''docs/a b.md'' --kind finding',
  'striatum artifact contract finding', 'striatum publish-artifact lease_1 ''docs/a b.md'''),
  'and the next step') from two;
select is(pg_temp.refusal('{"problems": [{}], "more": 7}') #>> '{details,more}', '7',
  'more than are listed are counted');
select is(pg_temp.refusal('{"problems": [{"code": "kind_unknown"}]}') ->> 'code',
  'artifact_kind_unknown', 'a kind that nobody knows is refused as such');

select * from finish();
rollback;
