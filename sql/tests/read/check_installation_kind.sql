-- doctor, installation_kind: whether time comes from the clock of the database alone.
begin;
select plan(2);

-- does
select is(striatumd.check_installation_kind(), '{"plane": "provenance", "name": "installation_kind",
  "ok": true, "is_warning": true, "affected": [], "next": [], "message":
  "a test installation: a setting stops its clock, so no time proves anything"}',
  'as tests have it');
select is(tap.after('update striatumd.installation set kind = ''production''',
    'select striatumd.check_installation_kind()')::jsonb, '{"plane": "provenance",
  "name": "installation_kind", "ok": true, "is_warning": false, "affected": [], "next": [],
  "message": "time comes from the clock of the database alone"}', 'as people have it');

select * from finish();
rollback;
