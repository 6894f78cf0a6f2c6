-- The one rule about sessions: a token that is bound to one acts as that one alone.
-- STR-SESSION-08: so does a helper of the agent's that nobody registered: it has no other token.
begin;
select plan(6);

create function pg_temp.may(p_own text, p_asked text) returns boolean language sql as $$
  select striatumd.may_act_as_session(
    (null, null, p_own, null, null, null, null, null, null)::striatumd.call_context, p_asked)
$$;
select is(pg_temp.may(own, asked), may, what)
  from (values ('sess_1', 'sess_1', true, 'as its own'), ('sess_1', 'sess_2', false, 'as no other'),
    ('sess_1', '', false, 'nor as one without a name'),
    ('sess_1', null, true, 'where none is asked for'),
    (null, 'sess_1', true, 'bound to none, as any'), (null, null, true, 'or as none')
    ) as rule (own, asked, may, what);

select * from finish();
rollback;
