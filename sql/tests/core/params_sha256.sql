-- The hash over a request's parameters.
begin;
select plan(8);

select is(striatumd.params_sha256('{}'),
  '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 'of none: sha256 of {}');
select is(striatumd.params_sha256(null), striatumd.params_sha256('{}'), 'missing ones are none');
select is(striatumd.params_sha256('{"b": 1, "a": "é"}'),
  encode(sha256(convert_to('{"a": "é", "b": 1}', 'UTF8')), 'hex'),
  'of their text as jsonb, in UTF-8');
select is(striatumd.params_sha256('{"aa":1,"b":2}'), striatumd.params_sha256('{ "b": 2, "aa": 1 }'),
  'neither order nor space matters');
select isnt(striatumd.params_sha256('{"a": 1}'), striatumd.params_sha256(other::jsonb),
  'but ' || other || ' is another')
  from unnest(array['{"a": 2}', '{"a": "1"}', '{"a": 1.0}']) as other;

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.params_sha256('{}') as text;
set local search_path = tap, public;
select is((select text from said), encode(sha256('{}'), 'hex'), 'none of them is heard');

select * from finish();
rollback;
