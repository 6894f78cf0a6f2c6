-- Whether a call may act as a session: a client that is bound to one acts as that one alone; one
-- that is bound to none, as any that its capabilities reach. A call that names none may.
create function striatumd.may_act_as_session(p_call striatumd.call_context, p_session_id text)
  returns boolean
  language sql immutable parallel safe
as $$
  select p_session_id is null or (p_call).session_id is null or (p_call).session_id = p_session_id
$$;
