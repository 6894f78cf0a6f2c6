-- doctor, audit_chain: each audit row follows from the one before.
create function striatumd.check_audit_chain(p_most bigint) returns jsonb
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select striatumd.finding('provenance', 'audit_chain', b.ids is null, case
      when b.ids is not null then 'the audit chain is broken'
      when h.audit_id is null then 'the audit chain is empty'
      when h.audit_id > p_most then format('the newest %s of %s audit rows follow one from another',
        p_most, h.audit_id)
      else format('all %s audit rows follow one from another', h.audit_id) end,
    b.ids, array['striatum db export-chains DIR, and striatum-verify DIR'])
    from (select jsonb_agg(id::text order by id) as ids from striatumd.audit_breaks(p_most) as id) b
    left join striatumd.audit_chain_head h on true
$$;
