-- Refuses a file that does not keep the contract of the kind under which it is to be published,
-- with all that is wrong and the block that is offered instead. `p_seen` is what the observer
-- artifact_file saw, `p_about` names the artifact: logical_name, kind and path,
-- `p_again` is the command that asks once more.
--
-- Errors: artifact_kind_unknown           there is no such kind
--         artifact_front_matter_invalid   its front matter is not as the kind wants it
create function striatumd.refuse_by_contract(p_seen jsonb, p_about jsonb, p_again text)
  returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_problems jsonb := p_seen #> '{contract,problems}';
  v_more     integer := coalesce((p_seen #>> '{contract,more}')::integer, 0);
  v_count    integer := jsonb_array_length(v_problems) + v_more;
  v_kind     text := striatumd.shell_word(p_about ->> 'kind');
begin
  perform striatumd.assert_daemon_authority();
  if v_count = 0 then
    return;
  end if;
  if v_problems #>> '{0,code}' = 'kind_unknown' then
    perform striatumd.refuse('artifact_kind_unknown',
      format('there is no kind %s of artifacts', v_kind), p_about,
      array['striatum artifact kinds']);
  end if;
  perform striatumd.refuse('artifact_front_matter_invalid',
    format('%s does not keep the contract of %s: %s %s', p_about ->> 'path', v_kind, v_count,
      case v_count when 1 then 'problem' else 'problems' end),
    p_about || jsonb_build_object('problems', v_problems, 'corrected',
        p_seen #> '{contract,corrected}')
      || case when v_more > 0 then jsonb_build_object('more', v_more) else '{}' end,
    array[format('striatum artifact check %s --kind %s',
            striatumd.shell_word(p_about ->> 'path'), v_kind),
          format('striatum artifact contract %s', v_kind),
          p_again]);
end
$$;
