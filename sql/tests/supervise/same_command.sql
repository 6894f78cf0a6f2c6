-- Whether the command that was executed is the one that a workflow names.
begin;
select plan(16);

select is(striatumd.same_command(observed::jsonb, command::jsonb), is_same,
  concat_ws(' ', observed, case when is_same then 'is' else 'is not' end, command))
  from (values
    ('["/usr/bin/agent", "a"]', '["agent", "a"]', true),
    ('["/usr/bin/agent", "a"]', '["/usr/bin/agent", "a"]', true),
    ('["agent"]', '["agent"]', true),
    ('["/srv/app/./bin/x"]', '["./bin/x"]', true),
    ('["/usr/bin/agent", "b"]', '["agent", "a"]', false),
    ('["/usr/bin/agent"]', '["agent", "a"]', false),
    ('["/usr/bin/agent", "a", "a"]', '["agent", "a"]', false),
    ('["/usr/bin/myagent", "a"]', '["agent", "a"]', false),
    ('["/usr/bin/agent", "a"]', '["/opt/bin/agent", "a"]', false),
    ('["/usr/bin/agent.real"]', '["agent"]', false),
    ('["/srv/app/bin/x"]', '["./bin/x"]', false),
    ('["a", "/usr/bin/agent"]', '["agent", "a"]', false),
    ('[]', '["agent"]', false),
    ('null', '["agent"]', false),
    (null, '["agent"]', false)) as pairs (observed, command, is_same);

-- around: a path of the caller's that puts other functions first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.same_command('["/b/x"]', '["x"]')::text as text;
set local search_path = tap, public;
select is((select text from said), 'true', 'none of them is heard');

select * from finish();
rollback;
