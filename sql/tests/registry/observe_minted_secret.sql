-- What the observer of a new secret is told: nothing.
begin;
select plan(3);

select is(striatumd.observe_minted_secret(null, p), '{}', 'whatever is asked: ' || p::text)
  from unnest(array['{}', '{"capabilities": ["read"]}']::jsonb[]) as p;

-- around: the methods that give out a token ask it, and no other
select rows_are($$ select method from striatumd.methods
    where 'minted_secret' = any (observers) and (capability = 'admin' or internal) order by 1 $$,
  'select method from striatumd.methods where ''minted_secret'' = any (observers) order by 1',
  'a token is given out by an administrator or by the daemon');

select * from finish();
rollback;
