-- daemon.describe: the methods that a client may see.
-- STR-RPC-04: what is registered is what can be asked for, by whom and where, and its hash is told.
-- STR-RPC-06: each method says whether it acts on one repository or on the daemon.
begin;
select plan(33);

-- given
select tap.open_door();
create temp table app as select tap.repository('app') as id;
select tap.client('bob', '{read}', id), tap.client('lane', '{read}', id),
       tap.client('writer', '{write}') from app;
insert into striatumd.client_sessions
select tap.client_id('lane'), 'sess_0123456789abcdef', id, '2026-01-01Z' from app;
create function pg_temp.described(p_client text, p_params jsonb default '{}') returns text[]
  language sql as $$
  select array_agg(value ->> 'method' order by n)
    from jsonb_array_elements(tap.ask(p_client, 'daemon.describe', p_params) #> '{data,methods}')
      with ordinality as m (value, n)
$$;
create function pg_temp.etag(p_client text default 'bob') returns text language sql as $$
  select tap.ask(p_client, 'daemon.describe', '{}') #>> '{data,methods_etag}'
$$;
create temp table before as select pg_temp.etag() as etag;
select matches(etag, '^sha256:[0-9a-f]{64}$', 'the methods have a hash') from before;
select is(pg_temp.etag(), etag, 'which is the same each time') from before;
select is(tap.code(tap.ask('ada', 'test.one', '{}')), 'method_unknown',
  'a method that is not there');
select tap.plant('test.one'), tap.plant('test.lane', '{"lane": true}'), tap.plant('test.One', '{
  "method": "test.inside", "internal": true, "capability": null}');
create temp table after as select pg_temp.etag() as etag;
select isnt(after.etag, before.etag, 'more methods have another hash') from before, after;
select is(pg_temp.etag('lane'), etag, 'which is one for all, whatever they see') from after;

-- does
select is(tap.ask('bob', 'daemon.describe', '{"method": "test.one"}') #> '{data,methods}', '[{
  "method": "test.one", "summary": "Planted", "capability": "read", "scope": "daemon_global",
  "lock_class": "none", "changes": false, "lane": false, "human_only": false,
  "params": {"type": "object", "additionalProperties": false}, "observers": [], "effects": [],
  "error_codes": [], "cli_path": null, "cli_positionals": [],
  "cli_shows": [], "cli_note": null, "examples": []}]',
  'one method is described as it is registered');
select is(pg_temp.described('bob'), (select array_agg(method order by method collate "C")
    from striatumd.methods where not internal), 'all of them in the order of their names');
select ok('{test.one, test.lane, daemon.hello, repo.add}' <@ pg_temp.described('bob'),
  'an operator sees whatever is there');
select is(pg_temp.described('lane') @> '{test.lane, daemon.describe, daemon.hello, repo.resolve}',
  true, 'a session sees what is there for lanes');
select is(pg_temp.described('lane') && '{test.one, test.inside, repo.add, repo.list, repo.remove,
  daemon.shutdown, daemon.token.create, daemon.token.list, daemon.token.revoke,
  daemon.token.rotate}', false, 'and nothing of what is not');
select is(pg_temp.described('lane', '{"method": "test.lane"}'), '{test.lane}',
  'one of those alone');
select is(pg_temp.described(who) && '{test.inside, client.bootstrap, effect.due, effect.record}',
  false, 'what is the daemon''s own is not seen by ' || who)
  from unnest(array['ada', 'lane']) as who;

-- refuses
select is(tap.ask('bob', 'daemon.describe', '{"method": "test.two"}') -> 'error', '{
  "code": "method_unknown", "message": "there is no method test.two",
  "details": {"method": "test.two"}, "next": ["striatum describe"]}', 'one that there is not');
select is(tap.code(tap.ask(who, 'daemon.describe', jsonb_build_object('method', method))),
  'method_unknown', format('nor is there %s for %s', method, who))
  from (values ('bob', 'test.inside'), ('lane', 'test.one'), ('bob', ''), ('bob', 'test_one'),
    ('bob', 'TEST.ONE'), ('bob', 'test.%')) as asked (who, method);
select is(tap.code(tap.ask('writer', 'daemon.describe', '{}')), 'capability_missing',
  'who may write alone');
select is(tap.code(tap.ask(null, 'daemon.describe', '{}')), 'token_missing', 'nobody');

-- around: the registry decides what can be asked for, and the description says the same
create function pg_temp.as_registered(p_client text) returns text language sql as $$
  select format('%s, as %s in %s', tap.code(tap.ask(p_client, 'test.one', '{}')),
           m ->> 'capability', m ->> 'scope')
    from tap.ask('bob', 'daemon.describe', '{"method": "test.one"}') as r,
         lateral (values (r #> '{data,methods,0}')) as methods (m)
$$;
select is(pg_temp.as_registered('bob'), 'ok, as read in daemon_global', 'a method as registered');
update striatumd.methods set capability = 'write' where method = 'test.one';
select is(pg_temp.as_registered('bob'), 'capability_missing, as write in daemon_global',
  'under another capability');
select is(pg_temp.as_registered('writer'), 'ok, as write in daemon_global', 'whose holders may');
update striatumd.methods set scope = 'single_repo' where method = 'test.one';
select is(pg_temp.as_registered('writer'), 'repo_not_registered, as write in single_repo',
  'in another scope');
select isnt(pg_temp.etag(), etag, 'another registration is another hash') from after;
update striatumd.methods set capability = 'read', scope = 'daemon_global'
 where method = 'test.one';
select is(pg_temp.etag(), etag, 'and the same one the same') from after;
delete from striatumd.methods where method = 'test.one';
select is(tap.code(tap.ask('bob', method, params)), 'method_unknown',
  'what is registered no more is no more, whatever functions there are: ' || method)
  from (values ('test.one', '{}'::jsonb), ('daemon.describe', '{"method": "test.one"}')
  ) as asked (method, params);
select enum_has_labels('striatumd', 'scope_mode', '{single_repo, daemon_global}',
  'there are two scopes');
select is_empty($$ select value from jsonb_array_elements(
    tap.ask('ada', 'daemon.describe', '{}') #> '{data,methods}')
   where value ->> 'scope' is null or value ->> 'scope' not in ('single_repo', 'daemon_global') $$,
  'and each method says one');
select rows_are($$ select distinct value ->> 'scope' from jsonb_array_elements(
    tap.ask('ada', 'daemon.describe', '{}') #> '{data,methods}') order by 1 $$,
  array['daemon_global', 'single_repo'], 'of which there are both');

select * from finish();
rollback;
