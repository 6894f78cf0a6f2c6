-- artifact.publish: what it makes an artifact, what it refuses, what it leaves alone.
-- STR-ARTIFACT-01: the file, its path, the scope, the kind, the hash.
-- STR-ARTIFACT-02: no transcripts.
-- STR-ARTIFACT-04: a name is published once an attempt. STR-ARTIFACT-07: path and hash anchor it.
-- STR-ARTIFACT-05: a placement is one of three. STR-ARTIFACT-09: what is no exhaust lies in git.
-- STR-ARTIFACT-14: of a session that has ended, before its lease is looked at.
-- STR-FRONTMATTER-03: and whether it keeps the contract of its kind.
-- STR-FRONTMATTER-29: of what it claims nothing is run.
-- STR-BYLINE-08: the line that was read is kept.
-- STR-BYLINE-10: another than the packet's is refused.
-- STR-QUEUE-05: whose lease it is. STR-REVIEW-19, STR-REVIEW-23: a lane that has to be attested.
-- STR-AUTHZ-05: not under the lease of another attempt, whoever asks.
begin;
select plan(65);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('s', 'author');
select tap.session('other', 'author');
select tap.leased('s', 'r.draft');
create function pg_temp.file(p_path text, p_more jsonb default '{}') returns jsonb
  language sql as $$
  select jsonb_build_object('artifact_file', jsonb_build_object('root', '/srv/app', 'path', p_path,
    'state', 'present', 'sha256', repeat('d', 64), 'octets', 12, 'author_lines', '[]'::jsonb,
    'contract', jsonb_build_object('problems', '[]'::jsonb, 'kind',
      case p_path when 'docs/draft.md' then 'handoff' else 'other' end)) || p_more)
$$;
create function pg_temp.publish(p_path text, p_params jsonb default '{}', p_file jsonb default '{}',
    p_lane jsonb default '{}', p_session text default 's')
  returns jsonb language sql as $$
  select tap.ask(p_session, 'artifact.publish', jsonb_build_object(
    'lease_id', tap.id('lease', 'sr.draft'), 'path', p_path) || p_params,
    pg_temp.file(p_path, p_file) || tap.attested(p_session, p_lane))
$$;
create function pg_temp.signed(p_line text, p_place text default 'front_matter') returns jsonb
  language sql as $$
  select jsonb_build_object('author_lines',
    jsonb_build_array(jsonb_build_object('place', p_place, 'line', p_line)))
$$;
create temp view published as
  select logical_name::text, kind::text, repo_path::text, author_line::text
    from striatumd.artifacts order by published_at, logical_name;

-- refuses: who
create function pg_temp.code_after(p_change text, p_more text default '') returns text
  language sql as $$
  select tap.after(p_change,
    format('select tap.code(pg_temp.publish(''docs/draft.md'' %s))', p_more))
$$;
select is(pg_temp.code_after(
  'update striatumd.sessions set state = ''lost'', closed_at = now()'), 'session_inactive',
  'a session that is lost');
select is(tap.after('update striatumd.sessions set state = ''expired'', closed_at = now()',
  $$ select pg_temp.publish('docs/draft.md', '{"lease_id": "lease_0"}') #>> '{error,next,2}' $$),
  'striatum claim-next, in the name of the new session',
  'whatever its lease, and what to do instead');
select is(pg_temp.code_after('select 1', ', p_session => ''other'''), 'lease_not_held',
  'a lease of another session');
select is(pg_temp.code_after('update striatumd.leases set state = ''released'', ended_at = now(),
  release_reason = ''x'''), 'lease_not_held', 'a lease that has ended');
select is(pg_temp.code_after('update striatumd.jobs set attempt = 2'), 'lease_not_held',
  'a lease of the attempt before');
select is(tap.code(pg_temp.publish('docs/draft.md', '{"session_id": "sess_0"}')),
  'capability_denied', 'a session that the token is not');

-- refuses: where
select is(tap.code(pg_temp.publish('/srv/app/docs/draft.md')), 'path_not_relative',
  'B054: a path from the top');
select is(tap.code(pg_temp.publish(path)), 'path_traversal', 'B054: a path like ' || to_json(path))
  from unnest(array['docs/../draft.md', './docs/draft.md', 'docs//draft.md', 'docs/', '..',
    E'docs/two\nlines.md']) path;
select is(tap.code(pg_temp.publish(path)), 'path_outside_scope', 'out of its scope: ' || path)
  from unnest(array['src/draft.md', 'docs.md', 'docs/.git/config', '.striatum/x',
                    'docs/sub/.GIT/x']) path;
select is(tap.after($$ update striatumd.job_attempts set write_scope =
    '{"allowed_paths": ["docs"], "forbidden_paths": ["docs/draft.md"]}' $$,
  $$ select tap.code(pg_temp.publish('docs/draft.md')) $$), 'path_outside_scope',
  'what was forbidden to the attempt');

-- refuses: what
select is(tap.code(pg_temp.publish('docs/draft.md', more)), 'artifact_not_expected',
  concat('expected otherwise: ', more)) from unnest(array['{"kind": "finding"}',
    '{"logical_name": "another"}']::jsonb[]) as more;
select is(tap.code(pg_temp.publish('docs/elsewhere.md', '{"logical_name": "draft"}')),
  'artifact_not_expected', 'at another path than expected');
select is(tap.code(pg_temp.publish('docs/elsewhere.md', '{"kind": "finding"}')),
  'artifact_not_expected', 'a kind that nobody expects');
select is(tap.code(pg_temp.publish('docs/x.md', more)), 'artifact_transcript_refused',
  concat('a transcript: ', more)) from unnest(array['{"logical_name": "stdout"}',
    '{"logical_name": "agent-transcript"}', '{"kind": "transcript"}',
    '{"logical_name": "raw_output.1"}']::jsonb[]) as more;
select is(tap.code(pg_temp.publish('docs/stderr.log')), 'artifact_transcript_refused',
  'also by its file''s name');
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', jsonb_build_object('state', state))),
  code,
  'a file that is ' || state) from (values ('missing', 'artifact_file_missing'),
    ('escapes', 'symlink_refused'), ('no_file', 'artifact_unreadable'),
    ('too_large', 'artifact_unreadable'), ('unknown', 'artifact_unreadable')) as s (state, code);
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', '{"path": "docs/other.md"}')),
  'artifact_unreadable', 'a file that was not looked at');
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', '{"root": "/srv/other"}')),
  'artifact_unreadable', 'nor in another repository');
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', more)), 'artifact_unreadable',
  concat('a file that was not looked at as what it is: ', more))
  from unnest(array['{"contract": null}',
    '{"contract": {"kind": "other", "problems": []}}']::jsonb[]) as more;
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', jsonb_build_object('contract',
  '{"kind": "handoff", "problems": [{"code": "field_missing"}]}'::jsonb))),
  'artifact_front_matter_invalid', 'a file that does not keep its contract');

-- refuses: who signed
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', pg_temp.signed(line))),
  'artifact_author_differs', 'signed ' || line) from unnest(array['author: operator',
    'author: author-m-author-002', 'Author: author-m-author-001',
    'author: author-m-author-001 ']) as line;
select is(tap.code(pg_temp.publish('docs/draft.md', '{}', '{"author_lines": [
  {"place": "front_matter", "line": "author: author-m-author-001"},
  {"place": "title_block", "line": "author: somebody"}]}')), 'artifact_author_differs',
  'and once more otherwise');
select is(tap.code(pg_temp.publish('docs/draft.md', '{}',
  pg_temp.signed('author: author-m-author-001'), '{"state": "unknown"}')),
  'artifact_author_differs', 'by a lane that is not attested any more');
select is(pg_temp.publish('docs/draft.md', '{}', pg_temp.signed('author: x'))
  #>> '{error,details,expected}', 'author: author-m-author-001', 'and how it has to be');
select is((select count(*) from striatumd.artifacts) + (select count(*) from striatumd.events),
  0::bigint, 'nothing came of all that');
select is(bool_or(has_published), false, 'nor of the lease') from striatumd.leases;

-- does
create temp table first as select pg_temp.publish('docs/draft.md', '{}',
  pg_temp.signed('author: author-m-author-001')) as reply;
select is(reply #- '{data,artifact_id}' #- '{data,published_at}' -> 'data', jsonb_build_object(
  'job_id', tap.id('job', 'r.draft'), 'attempt', 1, 'logical_name', 'draft', 'kind', 'handoff',
  'path', 'docs/draft.md', 'content_sha256', repeat('d', 64), 'octets', 12,
  'author_line', 'author: author-m-author-001', 'placement', 'git_publication', 'is_new', true),
  'the file is an artifact, as the workflow expects it') from first;
select enum_has_labels('striatumd', 'placement',
  '{blob_exhaust,git_publication,git_pointer_manifest}', 'there is no placement but these');
select rows_are('select * from published',
  $$ values ('draft', 'handoff', 'docs/draft.md', 'author: author-m-author-001') $$, 'and kept');
select rows_are($$
  select event_type, job_id, artifact_id = (select artifact_id from striatumd.artifacts), lease_id,
         actor_session_id, payload_json::jsonb #>> '{changes,0,to,attempt}',
         payload_json::jsonb #> '{changes,1,to}'
    from striatumd.events $$, format(
  $$ values ('artifact.published'::text, %L::text, true, %L::text, %L::text, '1',
             '{"has_published": true}'::jsonb) $$, tap.id('job', 'r.draft'),
    tap.id('lease', 'sr.draft'), tap.id('sess', 's')), 'its event names all of it');
select is(has_published, true, 'the lease has published') from striatumd.leases;
select is((select count(*) from striatumd.effects), 0::bigint,
  'and whatever it claims, nothing is started');

-- again
select is(pg_temp.publish('docs/draft.md', '{"kind": "handoff", "logical_name": "draft"}')
  #- '{data,is_new}' -> 'data', first.reply #- '{data,is_new}' -> 'data',
  'the very same again is the one that there is') from first;
select is(tap.code(pg_temp.publish('docs/draft.md', '{}',
  jsonb_build_object('sha256', repeat('e', 64)))), 'artifact_already_published',
  'another content is refused');
select is((select count(*) from striatumd.events), 1::bigint, 'and neither is an event');

-- what nobody expects
select is(pg_temp.publish('docs/notes/My notes.md') #>> '{data,logical_name}', 'My-notes',
  'a file that nobody expects gets its own name');
select is(kind, 'other', 'and is of no special kind') from published
 where logical_name = 'My-notes';

select is(pg_temp.publish(path) #>> '{data,path}', path, 'B054: stored as it is: ' || path)
  from unnest(array['docs/CON.md', 'docs/Übersicht (1).md',
    'docs/' || repeat('n', 300)]) as path;
select is(count(distinct repo_path), 3::bigint, 'each as a file of its own') from published
 where repo_path not in ('docs/draft.md', 'docs/notes/My notes.md');

-- signed by an operator
select is(tap.after($$ update striatumd.sessions set operator_label = 'eve' $$, format(
  $$ select pg_temp.publish('docs/old.md', '{}', %L, '{"state": "unknown"}')
            #>> '{data,author_line}' $$,
  pg_temp.signed('author: operator [self-declared: eve]', 'title_block'))),
  'author: operator-self-declared-eve', 'the form of old is kept in the form of today');

-- a lane that has to be attested
update striatumd.jobs set spec = spec || '{"require_attested_lane": true}';
select is(tap.code(pg_temp.publish('docs/more.md', p_lane => '{"state": "gone"}')),
  'session_backend_unattested', 'a job that wants an attested lane');
select is(state::text, 'active', 'ends no session') from striatumd.sessions
 where session_id = tap.id('sess', 's');

select * from finish();
rollback;
