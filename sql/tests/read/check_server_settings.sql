-- doctor, server_settings: what is committed stays so after a crash of the machine.
--
-- fsync and full_page_writes belong to the server, which no test can change within its transaction:
-- here they are held against what this server has. synchronous_commit goes through every state.
begin;
select plan(7);

-- given
create function pg_temp.off(p_name text) returns text[] language sql as $$
  select case when current_setting(p_name) = 'off' then array[p_name] else '{}' end
$$;
create temp table servers as
  select pg_temp.off('fsync') || pg_temp.off('full_page_writes') as off;
create function pg_temp.found(p_commit text) returns jsonb language sql as $$
  select tap.after(format('set local synchronous_commit = %s', p_commit),
    'select striatumd.check_server_settings()')::jsonb
$$;

-- does
select is(pg_temp.found('on') -> 'affected', coalesce((select jsonb_agg(name || ' = off')
    from unnest(off) as name), '[]'), 'what the server does not do is named') from servers;
select is(pg_temp.found('on') -> 'ok', to_jsonb(off = '{}'), 'and is a fault') from servers;
select is(pg_temp.found('off') - 'affected', jsonb_build_object('plane', 'availability',
    'name', 'server_settings', 'ok', false,
    'message', 'a crash of the machine can lose or tear what was acknowledged',
    'next', (select jsonb_agg(format('alter system set %s = on; select pg_reload_conf();', name)
      order by name) from unnest(off || '{synchronous_commit}') as name)),
  'commits that do not wait for the disk, with what mends them') from servers;
select is(pg_temp.found('off') -> 'affected', (select jsonb_agg(name || ' = off' order by name)
    from unnest(off || '{synchronous_commit}') as name), 'all are named') from servers;

-- at the boundary
select is(pg_temp.found(wait) -> 'affected', pg_temp.found('on') -> 'affected',
  wait || ' waits for the disk')
  from unnest(array['local', 'remote_write', 'remote_apply']) as wait;

select * from finish();
rollback;
