-- Refuses to hand out what a client does not hold itself, everywhere: nobody grants more than that.
--
-- Errors:  capability_scope_mismatch  it lacks some of the capabilities
create function striatumd.refuse_ungrantable(p_client_id text,
    p_capabilities striatumd.capability[])
  returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_lacking striatumd.capability[];
begin
  perform striatumd.assert_daemon_authority();
  select array_agg(c order by c) into v_lacking from unnest(p_capabilities) as c
   where not exists (
     select from striatumd.client_capabilities g
      where g.client_id = p_client_id and g.revoked_at is null and g.capability = c
        and g.repository_id is null);
  if v_lacking is not null then
    perform striatumd.refuse('capability_scope_mismatch',
      format('you cannot grant what you do not hold everywhere: %s',
        array_to_string(v_lacking, ', ')),
      jsonb_build_object('lacking', v_lacking),
      array['the same request from a client that holds them']);
  end if;
end
$$;
