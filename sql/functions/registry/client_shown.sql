-- A client as replies show it; nothing of its secret.
create function striatumd.client_shown(p_client_id text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return jsonb_build_object('client_id', c.client_id, 'display_name', c.display_name,
           'created_at', striatumd.utc_micros(c.created_at),
           'expires_at', striatumd.utc_micros(c.expires_at),
           'revoked_at', striatumd.utc_micros(c.revoked_at),
           'session_id', s.session_id, 'principal_id', l.principal_id,
           'grants', coalesce((
             select jsonb_agg(jsonb_build_object('capability', g.capability,
                      'repository_id', g.repository_id) order by g.capability, g.repository_id)
               from striatumd.client_capabilities g
              where g.client_id = c.client_id and g.revoked_at is null), '[]'))
    from striatumd.clients c
    left join striatumd.client_sessions s on s.client_id = c.client_id
    left join striatumd.principal_clients l on l.client_id = c.client_id and l.unlinked_at is null
   where c.client_id = p_client_id;
end
$$;
