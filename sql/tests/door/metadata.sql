-- STR-AUTHZ-24: an audit row says that something was asked, by whom and with which outcome, and
-- nothing of what was said: no word of a request, a reply or a secret.
begin;
select plan(5);

-- given
select tap.open_door();
create temp view words as
  select string_agg(a::text, ' ') as all_rows from striatumd.audit_log a;

-- does
select is(tap.code(tap.ask('ada', 'repo.add', '{"path": "/srv/wordone", "display_name": "wordtwo"}',
  tap.folder('/srv/wordone'))), 'ok', 'what is done');
select is(tap.code(tap.ask('ada', 'repo.add', '{"path": "wordthree"}')), 'path_not_absolute',
  'what is refused');
select is(tap.code(tap.ask(null, 'repo.add', '{"path": "wordfour"}', '{}', jsonb_build_object(
  'phase', 'reject', 'refusal', striatumd.refusal('schema_invalid', 'wordfive', '{"k": "wordsix"}',
    '{wordseven}')))), 'schema_invalid', 'and what ended before the door');
select is((select count(*) from striatumd.audit_log), 3::bigint, 'each has its row');
select unalike(all_rows, '%word%', 'and no row says a word of it') from words;

select * from finish();
rollback;
