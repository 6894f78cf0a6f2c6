-- What was seen of a body.
begin;
select plan(7);

-- given
select tap.open_door(), tap.run_stage();
select tap.session('one', 'author'), tap.published('one', 'r.draft');
create function pg_temp.readback(p_seen jsonb) returns text language plpgsql as $$
declare
  v_call striatumd.call_context := tap.call();
begin
  v_call.observed := jsonb_build_object('artifact_copies', jsonb_build_object('files',
    jsonb_build_array('{"path": "docs/draft.md"}' || p_seen)));
  return (select striatumd.artifact_readback(v_call, a) from striatumd.artifacts a);
end
$$;
create function pg_temp.seen(p_state text, p_published text, p_more jsonb default '{}')
  returns text language sql as $$
  select pg_temp.readback(jsonb_build_object('state', p_state, 'published_sha256',
    repeat(p_published, 64)) || p_more)
$$;

-- does
select is(pg_temp.seen('present', 'd', jsonb_build_object('sha256', repeat('d', 64))), 'present',
  'as it was published');
select is(pg_temp.seen('present', 'd', '{"sha256": "x"}'), 'differs', 'otherwise');
select is(pg_temp.seen('missing', 'd', '{"is_committed": false}'), 'missing', 'not at all');
select is(pg_temp.seen('missing', 'd', '{"is_committed": true}'), 'committed', 'but in a commit');
select is(pg_temp.seen('missing', 'e', '{"is_committed": true}'), 'missing',
  'which was asked for another content');
select is(pg_temp.readback('{"path": "docs/other.md", "state": "present"}'), 'unseen',
  'another file');
select is((select striatumd.artifact_readback(tap.call(), a) from striatumd.artifacts a), 'unseen',
  'nothing');

select * from finish();
rollback;
