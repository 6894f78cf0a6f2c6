-- The hash over every function of ours as the catalogue has it now: text, settings, rights, owner;
-- and over what the functions go by, the rows of the methods and the error codes. It holds names
-- and no oids, so a copy of a database has the same. The installer stores it at the end of an
-- apply, and asks with the text of this body, whatever stands in the database.
create function striatumd.functions_live_sha256() returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(convert_to(
           coalesce(string_agg(line, e'\n' order by line collate "C"), ''), 'UTF8')), 'hex')
    from (
      select jsonb_build_array(n.nspname, p.proname, pg_get_function_arguments(p.oid),
               format_type(p.prorettype, null), p.proretset, p.prokind, l.lanname, p.prosrc,
               p.probin, pg_get_function_sqlbody(p.oid), p.provolatile, p.proparallel,
               p.proisstrict, p.prosecdef, p.proleakproof, p.procost, p.prorows, p.proconfig,
               pg_get_userbyid(p.proowner),
               (select jsonb_agg(jsonb_build_array(
                         case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end,
                         a.privilege_type, a.is_grantable)
                         order by a.grantee = 0, pg_get_userbyid(a.grantee), a.privilege_type,
                                  a.is_grantable)
                  from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a))::text as line
        from pg_proc p
        join pg_language l on l.oid = p.prolang
        join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('striatumd', 'striatum_roles')
      union all select jsonb_build_array('methods', to_jsonb(m))::text from striatumd.methods m
      union all select jsonb_build_array('error_codes', to_jsonb(e))::text
        from striatumd.error_codes e) as functions
$$;
