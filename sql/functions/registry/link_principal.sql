-- Links a client to a principal, and makes the principal where it is new.
--
-- Errors:  principal_unknown       no such principal, and its kind was not given
--          principal_kind_differs  the principal is there, of another kind
-- Locks:   the principal's id
create function striatumd.link_principal(p_call striatumd.call_context, p_client_id text,
    p_principal_id text, p_kind text, p_display_name text)
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_principal striatumd.principals;
begin
  perform striatumd.assert_daemon_authority();

  -- lock
  perform pg_advisory_xact_lock(hashtextextended('striatum:principal:' || p_principal_id, 0));

  -- read
  select * into v_principal from striatumd.principals where principal_id = p_principal_id;

  -- refuse
  if not found and p_kind is null then
    perform striatumd.refuse('principal_unknown',
      format('there is no principal %s, and its kind was not given', p_principal_id),
      jsonb_build_object('principal_id', p_principal_id),
      array['the same request with principal_kind']);
  end if;
  if v_principal.kind::text <> p_kind then
    perform striatumd.refuse('principal_kind_differs',
      format('principal %s is of kind %s', p_principal_id, v_principal.kind),
      jsonb_build_object('principal_id', p_principal_id, 'kind', v_principal.kind),
      array['the same request without principal_kind']);
  end if;

  -- change
  if v_principal.principal_id is null then
    insert into striatumd.principals
    values (p_principal_id, p_kind::striatumd.principal_kind,
            coalesce(p_display_name, p_principal_id), p_call.at);
  end if;
  insert into striatumd.principal_clients (principal_id, client_id, linked_at)
  values (p_principal_id, p_client_id, p_call.at);
end
$$;
