-- What a check found.
begin;
select plan(4);

-- does
select is(striatumd.finding('provenance', 'thing', false, 'broken', '["a"]', array['mend a']),
  '{"plane": "provenance", "name": "thing", "ok": false, "message": "broken", "affected": ["a"],
    "next": ["mend a"]}', 'a finding names what is affected and what mends it');
select is(
  striatumd.finding('availability', 'thing', true, 'well', '[]', array['mend it']) -> 'next', '[]',
  'where all is well there is nothing to mend');

-- at the boundary
select is(striatumd.finding('availability', 'thing', true, 'well', null, null) -> 'affected', '[]',
  'nothing affected is an empty list');
select is(striatumd.finding('availability', 'thing', true, 'well', null, null) -> 'next', '[]',
  'nothing to do as well');

select * from finish();
rollback;
