-- What holds for every registered method, and for every function that writes, at once. A rule is a
-- view of its offenders, and each rule is shown to see one.
-- STR-AUTHZ-01: whoever writes a protected table asks for authority first.
-- STR-LOCK-02: what claims, ends, judges, cancels and recovers has the lock of its run.
-- STR-LOCK-03: and so has every method that changes or locks what is a run's.
-- STR-LOCK-05: but for the claim, which passes over what another one has locked.
-- STR-QUEUE-14: each transition has its command. STR-SUPERVISE-41: a lane is offered its own.
begin;
select plan(60);

create temp view source as        -- without comments, and in one case
  select proname::text as name, provolatile = 'i' as is_pure,
         regexp_replace(prosrc, '--[^\n]*', '', 'g') as text
    from pg_proc where pronamespace = 'striatumd'::regnamespace
     and prorettype <> 'trigger'::regtype;
create temp view method as
  select m.*, replace(m.method, '.', '_') as function from striatumd.methods m;
create temp view calls as         -- whom a function calls; the door calls whatever is registered
  select distinct name as caller, found[1] as callee
    from source, regexp_matches(text, '\mstriatumd\.([a-z0-9_]+)\(', 'g') as found
   where found[1] <> 'dispatch';
create temp view method_source as -- its own function, and the helpers that it calls
  select m.method, s.name, s.text, s.is_pure from method m
    join lateral (select m.function as name
      union select callee from calls where caller = m.function) own on true
    join source s on s.name = own.name;
create temp view method_reach as  -- with the helpers of helpers, however far
  with recursive reached (method, name, text) as (
    select method, name, text from method_source
    union
    select r.method, s.name, s.text from reached r
      join calls on caller = r.name join source s on s.name = callee)
  select method, name, text from reached;
create temp view refused as       -- what is passed to refuse() or made into a refusal, and in a
  select method, code             -- helper's lists whatever is a code
    from method_source, regexp_matches(text, '\mrefus(?:e|al)\(\s*''([^'']+)''', 'g') as found,
         unnest(found) as code
  union
  select method, code from method_source, striatumd.error_codes
   where is_pure and text ~ ('''' || code || '''');
create temp view property as
  select m.*, p.key as property, p.value as schema
    from method m, jsonb_each(m.params -> 'properties') p;
create temp view integers as
  select distinct method, function, schema
    from method, jsonb_path_query(params, 'lax $.** ? (@.type == "integer")') as schema;
create temp view opening as       -- the first statements of a function
  select name, text, (regexp_match(text, '\mbegin\M\s*(.*)'))[1] as first from source;
create temp view guarded as       -- what may stand before the question for authority, by name
  select name, text, first ~ case name
      when 'call' then '^perform striatumd\.prelude\(p_authority, p_request\);'
      when 'append_audit' then '^perform pg_advisory_xact_lock\(hashtextextended\([^;]*\)\);'
        '\s*perform striatumd\.assert_daemon_authority\(\);'
      else '^perform striatumd\.assert_daemon_authority\(\);' end as is_guarded
    from opening;

create temp view not_listed as
  select method, code from refused r
   where code <> all (select unnest(error_codes) from method m where m.method = r.method);
create temp view not_known as
  select method, code from method, unnest(error_codes) as code
   where code not in (select e.code from striatumd.error_codes e);
create temp view not_used as
  select method, code from method m, unnest(error_codes) as code
   where not exists (select from method_reach s where s.method = m.method
                        and text ~ ('''' || code || ''''));
create temp view without_maximum as       -- JSON's own end: no number beyond 2^53 comes through
  select method, schema from integers
   where coalesce((schema ->> 'maximum')::numeric, 'infinity') > 9007199254740992;
create temp view wider_than_cast as
  select method, property from property join source on name = function
   where text ~ format('->> ''%s''\)::int(eger|4)?\M', property)
     and coalesce((schema ->> 'maximum')::numeric, 'infinity') > 2147483647;
create temp view not_described as
  select method, property from property
   where not internal and coalesce(schema ->> 'description', '') = '';
create temp view not_closed as    -- what an effect saw is its kind's own
  select method, schema from method,
         jsonb_path_query(case method when 'effect.record' then params #- '{properties,seen}'
           else params end, 'strict $.** ? (@.type == "object")') as schema
   where coalesce(schema -> 'additionalProperties', 'true') <> 'false';
create temp view effect_not_listed as
  select method, kind from method_source s,
         (select substring(name from '^effect_(.*)_recorded$') as kind from source) as k
   where text ~ ('''kind'',\s*''' || kind || '''')
     and kind <> all (select unnest(effects) from method m where m.method = s.method);
create temp view effect_not_there as
  select method, kind from method, unnest(effects) as kind
   where not exists (select from source where name = format('effect_%s_recorded', kind));
create temp view observer_not_there as
  select method, observer from method, unnest(observers) as observer
   where not exists (select from source where name = 'observe_' || observer);
create temp view observer_not_listed as   -- whose answer is read, however far down; a checkpoint's
                                          -- verdict is under no lease, and of no agent
  select method, observer from method_reach r,
         (select substring(name from '^observe_(.*)$') as observer from source) as o
   where text ~ ('observed\s*(->>?\s*''|#>>?\s*''\{)' || observer || '\M')
     and method <> 'checkpoint.resolve'
     and observer <> all (select unnest(observers) from method m where m.method = r.method);
create temp view not_required_there as
  select method, name from method, jsonb_array_elements_text(params -> 'required') as name
   where not coalesce(params -> 'properties' ? name, false);
create temp view not_a_property as
  select method, name from method, unnest(cli_positionals) as name
   where not coalesce(params -> 'properties' ? name, false);
create temp view optional_before_required as
  select a.method, a.name from
    (select method, name, n, coalesce(params -> 'required' ? name, false) as is_required
       from method, unnest(cli_positionals) with ordinality as p (name, n)) a
    join (select method, n, coalesce(params -> 'required' ? name, false) as is_required
            from method, unnest(cli_positionals) with ordinality as p (name, n)) b
      on b.method = a.method and b.n > a.n
   where b.is_required and not a.is_required;
create temp view list_before_another as   -- a list takes every word that is left
  select method, name from (select m.*, p.name, p.n from method m,
    unnest(cli_positionals) with ordinality as p (name, n)) as positional
   where params #>> array['properties', name, 'type'] = 'array'
     and n < cardinality(cli_positionals);
create temp view not_an_example as
  select method, example from method, unnest(examples) as example
   where not starts_with(example, concat('striatum ', array_to_string(cli_path, ' ')));
create temp view changing_for_anybody as  -- a reply is kept for whoever proved who they are
  select method from method where changes and capability is null and not internal;
create temp view writing_unguarded as
  select name from guarded
   where text ~* '\m(insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+striatumd\.'
     and not coalesce(is_guarded, false) and name <> 'bootstrap_instance';
create temp view method_unguarded as
  select name from guarded join method on function = name where not coalesce(is_guarded, false);
create temp view holding_a_chain as
  select name from source where text ~ 'striatum:(events|audit)'
     and name not in ('append_audit', 'append_events', 'bootstrap_instance');

create temp view touching as      -- what is a run's: written, or its rows locked
  select name from source, concat('(runs|sessions|jobs|leases|queue_messages|verdicts|blockers|',
    'artifacts|work_packets|process_supervisors|job_[a-z]+|workflow_snapshots)\M') as of_a_run
   where text ~* concat('\m(insert\s+into|update|delete\s+from)\s+striatumd\.', of_a_run)
      or text ~* '\mfor\s+(no\s+key\s+)?update\M' and text ~* concat('striatumd\.', of_a_run);
create temp view not_under_its_lock as    -- an effect and what prepares a run have the repository
  select distinct method from method_reach r join method m using (method) join touching t
      on t.name = r.name
   where lock_class not in ('run', 'session', 'job', 'blocker', 'supervisor', 'repository_run')
     and method not in ('run.prepare', 'effect.record');
create temp view touching_by_itself as    -- neither a method reaches it nor what records an effect
  with recursive recorded (name) as (
    select name from source where name ~ '^effect_.*_recorded$'
    union
    select callee from recorded join calls on caller = name)
  select name from touching
   where name not in (select name from method_reach) and name not in (select name from recorded);
select cmp_ok((select count(*) from method), '>', 2::bigint, 'there are methods to look at');
select cmp_ok((select count(*) from refused), '>', 9::bigint, 'and refusals');
select isnt_empty($$ select from refused where method = 'repo.add' and code = 'path_traversal' $$,
  'also those of a helper');
select isnt_empty('select * from integers', 'and integers');
select isnt_empty($$ select from guarded where is_guarded and text ~* 'insert into striatumd' $$,
  'and functions that write');
select is_empty('select * from ' || rule, holds) from (values
  ('not_listed', 'what a method refuses with, its registration lists'),
  ('not_known', 'what it lists is a code'),
  ('not_used', 'what it lists, it or a helper refuses with'),
  ('without_maximum', 'an integer has a maximum'),
  ('wider_than_cast', 'which fits the type that it is cast to'),
  ('not_described', 'a property has a description'),
  ('not_closed', 'an object takes no unknown keys, however deep'),
  ('effect_not_listed', 'an effect that it orders is listed'),
  ('effect_not_there', 'and one whose outcome can be recorded'),
  ('observer_not_listed', 'an observer whose answer it reads is listed'),
  ('observer_not_there', 'and one that knows what to look at'),
  ('not_required_there', 'what is required is a property'),
  ('not_a_property', 'what the command takes by position is a property'),
  ('optional_before_required', 'the required ones first'),
  ('list_before_another', 'a list last'),
  ('not_an_example', 'an example is a command line of its method'),
  ('changing_for_anybody', 'whoever changes something proves who they are'),
  ('writing_unguarded', 'who writes asks for authority first'),
  ('method_unguarded', 'and so does every method'),
  ('holding_a_chain', 'none but the door holds a chain'),
  ('not_under_its_lock', 'what touches a run has the lock of a run'),
  ('touching_by_itself', 'and nothing else does')) as rules (rule, holds);

select set_eq($$ select method from method where lock_class = 'repository' and not internal
    and method in (select r.method from method_reach r join touching using (name)) $$,
  '{run.prepare}'::text[], 'what makes a run is alone in its repository');
select set_has($$ select method from method
   where lock_class in ('run', 'session', 'job', 'blocker') $$, $$ select unnest(array[
    'work.claim_next', 'work.await_packet', 'review.submit', 'review.verdict', 'work.complete',
    'run.cancel', 'run.retry_job', 'checkpoint.resolve', 'recovery.sweep', 'recovery.tend']) $$,
  'these have the lock of their run');
select set_eq($$ select name from source where text ~* '\mskip\s+locked\M' $$,
  '{claim_work}'::text[], 'the claim alone passes over what is locked');
select set_has('select array_to_string(cli_path, '' '') from method where lane and changes',
  $$ select unnest(array['claim-next', 'ack', 'heartbeat', 'release', 'block', 'complete',
    'publish-artifact', 'submit-review', 'verdict']) $$, 'each transition is a command of a lane');

-- The checkers, checked: a method that breaks every rule is seen by each.
select tap.plant('test.bad', '{"changes": true, "capability": null, "cli_path": ["test", "bad"],
  "cli_positionals": ["maybe", "path", "open", "lost"], "examples": ["striatum test good"],
  "error_codes": ["token_missing", "no_such_code"], "effects": ["no_such_effect"],
  "observers": ["no_such_observer"],
  "params": {"type": "object", "additionalProperties": false, "required": ["path", "gone"],
    "properties": {"maybe": {"type": "string", "description": ""}, "path": {"type": "string"},
      "n": {"type": "integer", "maximum": 9007199254740993}, "small": {"type": ["integer", "null"],
      "maximum": 2147483648, "description": "x"},
      "open": {"type": "array", "items": {"type": "object", "properties": {}}}}}}', $$
  perform striatumd.refuse(  'busy', '', '{}', '{}');
  perform striatumd.test_bad_helper();
  perform striatumd.test_bad_run();
  perform jsonb_build_object('kind', 'agent_stopped'), p_call.observed -> 'lane_attestation';
  perform pg_advisory_xact_lock(hashtextextended('striatum:events:' || (p ->> 'small')::int, 0));
  perform striatumd.assert_daemon_authority();
  delete   from striatumd.clients;
$$);
create function striatumd.test_bad_helper() returns jsonb immutable language sql as
  $$ select '{}'::jsonb where 'symlink_refused' <> 'x' $$;
create function striatumd.test_bad_run() returns void language sql as
  $$ update striatumd.jobs set attempt = 1 $$;
select tap.plant('test.locking', '{"changes": true, "scope": "single_repo",
  "lock_class": "repository"}', $$
  perform striatumd.assert_daemon_authority();
  perform from striatumd.sessions for no key update;
$$);
create function striatumd.planted_run() returns void language sql as
  $$ select from striatumd.runs for update $$;
create function striatumd.planted() returns void language sql as
  $$ update striatumd.clients set revoked_at = null $$;
select isnt_empty(format('select * from %s as o where o::text ~ %L', rule, seen),
  format('the rule %s sees %s', rule, seen)) from (values
  ('not_listed', 'test.bad,busy'), ('not_listed', 'test.bad,symlink_refused'),
  ('not_known', 'no_such_code'), ('not_used', 'token_missing'), ('without_maximum', '740993'),
  ('wider_than_cast', 'small'), ('not_described', 'path'), ('not_described', 'maybe'),
  ('effect_not_listed', 'test.bad,agent_stopped'), ('effect_not_there', 'no_such_effect'),
  ('observer_not_listed', 'test.bad,lane_attestation'), ('observer_not_there', 'no_such_observer'),
  ('not_closed', '"properties"'), ('not_required_there', 'gone'), ('not_a_property', 'lost'),
  ('optional_before_required', 'maybe'),
  ('list_before_another', 'open'), ('not_an_example', 'striatum test good'),
  ('changing_for_anybody', 'test.bad'), ('writing_unguarded', 'test_bad'),
  ('writing_unguarded', 'planted'), ('method_unguarded', 'test_bad'),
  ('holding_a_chain', 'test_bad'), ('not_under_its_lock', 'test.bad'),
  ('not_under_its_lock', 'test.locking'), ('touching_by_itself', 'planted_run'))
  as rules (rule, seen);

-- A comment is no guard, and a later question comes too late.
create function striatumd.late() returns void language plpgsql as $$
begin
  -- perform striatumd.assert_daemon_authority();
  delete from striatumd.principals;
  begin
    perform striatumd.assert_daemon_authority();
  end;
end
$$;
select isnt_empty('select from writing_unguarded where name = ''late''', 'who asks late is seen');
create function striatumd.early() returns void language plpgsql as $$
declare
  v_at timestamptz;
begin
  perform striatumd.assert_daemon_authority();
  delete from striatumd.principals;
end
$$;
select is_empty('select from writing_unguarded where name = ''early''', 'who asks first is not');
create or replace function striatumd.append_audit(p_call striatumd.call_context, p_request jsonb,
  p_denial_reason text) returns bigint language plpgsql as $$
begin
  perform striatumd.assert_daemon_authority();
  perform pg_advisory_xact_lock(hashtextextended('striatum:audit', 0));
  insert into striatumd.audit_log default values;
end
$$;
select isnt_empty('select from writing_unguarded where name = ''append_audit''',
  'the audit chain asks under its lock, and not before');

select * from finish();
rollback;
