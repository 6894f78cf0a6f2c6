-- What is to be looked at before a file becomes an artifact.
-- STR-ARTIFACT-24: as of which kind.
begin;
select plan(5);

select tap.open_door();
select tap.run_stage();
select tap.session('s', 'author');
select tap.leased('s', 'r.draft');
create function pg_temp.look(p_path text, p_method text default 'artifact.publish',
    p_lease text default 'sr.draft', p_more jsonb default '{}') returns jsonb
  language sql as $$
  select tap.ask('s', p_method, jsonb_build_object('lease_id', tap.id('lease', p_lease),
    'path', p_path) || p_more, '{}', '{"phase": "preflight"}') #> '{observe,artifact_file}'
$$;

select is(pg_temp.look('docs/x.md'), '{"root": "/srv/app", "path": "docs/x.md", "kind": "other"}',
  'the path, below the root of the session''s repository');
select is(pg_temp.look('docs/draft.md') ->> 'kind', 'handoff',
  'as what the workflow expects there');
select is(pg_temp.look('docs/draft.md', p_more => '{"kind": "finding"}') ->> 'kind', 'handoff',
  'whatever the request says');
select is(pg_temp.look('docs/draft.md', p_lease => 'none') ->> 'kind', 'other',
  'for a lease that is not there');
select tap.authorize();
select is(striatumd.observe_artifact_file(null, '{"path": "docs/r.md", "verdict": "accept"}')
  ->> 'kind', 'finding', 'and as a finding where a verdict comes with it');

select * from finish();
rollback;
