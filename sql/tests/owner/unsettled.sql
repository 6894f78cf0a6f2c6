-- Bundle V0012__unsettled: what a decision says that ends no request.
begin;
select plan(5);

select is(array(select attname::text from pg_attribute
                 where attrelid = 'striatumd.decision'::regclass and attnum > 0
                   and not attisdropped order by attnum),
  array['data', 'refusal', 'events', 'effects', 'wakes', 'unsettled'],
  'a decision has one more attribute, at its end');
select col_type_is('striatumd', 'decision', 'unsettled', 'text', 'which is a word');
select is((striatumd.decided('{}', '[]', '[]')).unsettled, null,
  'a decision that settles something has none');
select is((striatumd.unsettled(word, null, null)).unsettled, word,
  'one that settles nothing says what to do: ' || word) from unnest(array['wait', 'look']) as word;

select * from finish();
rollback;
