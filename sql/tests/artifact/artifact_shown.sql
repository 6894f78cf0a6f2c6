-- An artifact as replies show it.
begin;
select plan(1);

select is(striatumd.artifact_shown(jsonb_populate_record(null::striatumd.artifacts, '{
  "artifact_id": "art_0123456789abcdef", "job_id": "job_0123456789abcdef", "attempt": 2,
  "logical_name": "draft", "kind": "handoff", "repo_path": "docs/draft.md", "octets": 12,
  "placement": "git_publication", "published_at": "2026-01-01Z"}')), '{
  "artifact_id": "art_0123456789abcdef", "job_id": "job_0123456789abcdef", "attempt": 2,
  "logical_name": "draft", "kind": "handoff", "path": "docs/draft.md", "content_sha256": null,
  "octets": 12, "author_line": null, "placement": "git_publication",
  "published_at": "2026-01-01T00:00:00.000000Z"}', 'all of it but whose it was');

select * from finish();
rollback;
