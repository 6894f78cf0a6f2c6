-- What the jobs of a run have published.
-- STR-BYLINE-09: the author line is the stored one, or missing.
begin;
select plan(4);

-- given
select tap.open_door();
select tap.run_stage();
select tap.run_stage('s');
select tap.session('ann', 'author');
select tap.published('ann', 'r.synthesis', 'author: author-m-author-1');
select tap.published('ann', 'r.draft');
select tap.published('ann', 's.draft');
create temp table shown as select striatumd.run_artifacts(tap.id('run', 'r')) as list;

-- does
select is(jsonb_path_query_array(list, '$[*].job'), '["draft", "synthesis"]',
  'of the run alone, in the order of its workflow') from shown;
select is(list -> 0, jsonb_build_object('artifact_id', tap.id('art', 'r.draft'),
  'job_id', tap.id('job', 'r.draft'), 'job', 'draft', 'attempt', 1, 'logical_name', 'draft',
  'kind', 'handoff', 'path', 'docs/draft.md', 'content_sha256', repeat('d', 64),
  'author', 'author: <missing>', 'placement', 'git_publication',
  'published_at', '2026-01-02T00:00:00.000000Z'), 'a file without an author line lacks one')
  from shown;
select is(list #>> '{1,author}', 'author: author-m-author-1', 'else it is as it was read')
  from shown;
select is(striatumd.run_artifacts('run_0000000000000000'), '[]', 'of nothing nothing');

select * from finish();
rollback;
