-- STR-AUTHZ-24: an audit row says that something was asked, by whom and with which outcome, and
-- nothing of what was said: no word of a request, a reply or a secret.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.client('wordzero', '{admin}');  -- which is its secret as well
create temp view words as
  select string_agg(a::text, ' ') as all_rows from striatumd.audit_log a;

-- does
select is(tap.code(tap.ask('wordzero', 'repo.add',
  '{"path": "/srv/wordone", "display_name": "wordtwo"}', tap.folder('/srv/wordone'))), 'ok',
  'what is done');
select is(tap.code(tap.ask('wordzero', 'repo.add', '{"path": "wordthree"}')), 'path_not_absolute',
  'what is refused');
select is(tap.code(tap.ask(null, 'repo.add', '{"path": "wordfour"}', '{}', jsonb_build_object(
  'phase', 'reject', 'refusal', striatumd.refusal('schema_invalid', 'wordfive', '{"k": "wordsix"}',
    '{wordseven}')))), 'schema_invalid', 'and what ended before the door');
select is(tap.code(tap.ask(null, 'repo.add', '{"path": "wordeight"}', '{}', jsonb_build_object(
  'token', jsonb_build_object('client_id', 'wordnine', 'secret', 'wordten')))), 'token_invalid',
  'and who is nobody');
select is((select count(*) from striatumd.audit_log), 4::bigint, 'each has its row');
select unalike(all_rows, '%word%', 'and no row says a word of it') from words;
select ok(not exists (
  select from unnest(array['wordzero', 'wordten', repeat('secret', 6)]) as secret,
    unnest(array[secret, encode(secret::bytea, 'hex'), encode(secret::bytea, 'base64')]) as form
   where position(form in all_rows) > 0), 'nor of a secret, however written') from words;

select * from finish();
rollback;
