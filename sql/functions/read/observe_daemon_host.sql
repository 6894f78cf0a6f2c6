-- What doctor has to know of the daemon's host: the observer answers `{user, uid, version}`.
create function striatumd.observe_daemon_host(p_call striatumd.call_context, p jsonb) returns jsonb
  language sql immutable parallel safe
as $$
  select '{}'::jsonb
$$;
