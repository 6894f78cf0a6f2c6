-- Which checkout is looked at.
begin;
select plan(2);

-- through the door
select tap.open_door();
select tap.run_stage();
select is(tap.ask('ada', 'branch.confirm', jsonb_build_object('repository_id',
  tap.id('repo', 'app'), 'run_id', tap.id('run', 'r')), '{}', '{"phase": "preflight"}')
  -> 'observe', '{"git_head": {"root": "/srv/app"}}', 'the one of the call''s repository');

-- around
select throws_ok($$ select striatumd.observe_git_head(null, '{}') $$, '28000',
  'daemon_authority_missing', 'and none without the daemon''s secret');

select * from finish();
rollback;
