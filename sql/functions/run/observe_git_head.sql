-- Where the call's repository stands: the observer is told its root and answers `{state, branch,
-- commit, is_dirty}`: state is present, unborn (no commit yet) or unknown (with `problem`), branch
-- null where no branch is checked out.
create function striatumd.observe_git_head(p_call striatumd.call_context, p jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform striatumd.assert_daemon_authority();
  return (select jsonb_build_object('root', root)
            from striatumd.repositories where repository_id = p_call.repository_id);
end
$$;
