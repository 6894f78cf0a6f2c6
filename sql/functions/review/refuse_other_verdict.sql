-- Refuses a collaboration ledger that comes to another verdict than is handed in with it.
--
-- Errors: review_verdict_differs
create function striatumd.refuse_other_verdict(p_call striatumd.call_context, p_as jsonb, p jsonb)
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_verdict text := p_call.observed #>> '{artifact_file,contract,verdict}';
begin
  perform striatumd.assert_daemon_authority();
  if p_as ->> 'kind' = 'collaboration_ledger' and v_verdict is distinct from p ->> 'verdict' then
    perform striatumd.refuse('review_verdict_differs',
      format('%s comes to %s, and %s was handed in with it: one of both has to change',
        p ->> 'path', v_verdict, p ->> 'verdict'),
      p_as || jsonb_build_object('path', p -> 'path', 'verdict', p -> 'verdict',
        'ledger_verdict', v_verdict),
      (select array_agg(format('striatum submit-review %s %s %s',
                striatumd.shell_word(p ->> 'lease_id'), striatumd.shell_word(p ->> 'path'), verdict)
                order by n)
         from unnest(array[v_verdict, p ->> 'verdict']) with ordinality as verdicts (verdict, n)
        where verdict is not null));
  end if;
end
$$;
