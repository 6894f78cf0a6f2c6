-- Beside pgTAP, in its schema: assertions that our tests share.

-- The statement is refused by this constraint, and by no other.
create function tap.refused(p_statement text, p_constraint text) returns text language plpgsql as $$
declare
  v_constraint text;
begin
  execute p_statement;
  return tap.fail('not refused: ' || p_constraint);
exception when integrity_constraint_violation then
  get stacked diagnostics v_constraint = constraint_name;
  return tap.is(v_constraint, p_constraint, 'refused: ' || p_constraint);
end
$$;

-- Two queries answer the same rows in the same order, as their text: pgTAP's results_eq tells a
-- column of a domain from one of its base type.
create function tap.rows_are(p_have text, p_want text, p_says text) returns text
  language plpgsql as $$
declare
  v_have text[];
  v_want text[];
begin
  execute format('select array(select r::text from (%s) as r)', p_have) into v_have;
  execute format('select array(select r::text from (%s) as r)', p_want) into v_want;
  return tap.is(v_have, v_want, p_says);
end
$$;
create function tap.rows_are(p_have text, p_want anyarray, p_says text) returns text
  language sql as $$
  select tap.rows_are(p_have, format('select unnest(%L::%s)', p_want, pg_typeof(p_want)), p_says)
$$;

-- The statement that puts a row into a table of ours; p_change overrides.
create function tap.row_of(p_table text, p_row jsonb, p_change jsonb) returns text
  language sql as $$
  select format('insert into striatumd.%1$I (%3$s) overriding system value
                 select %3$s from jsonb_populate_record(null::striatumd.%1$I, %2$L)',
    p_table, p_row || p_change, string_agg(quote_ident(attname), ', ' order by attnum))
    from pg_attribute
   where attrelid = format('striatumd.%I', p_table)::regclass and attnum > 0
     and not attisdropped and attgenerated = ''
$$;

-- Schema trap: what a function finds that does not qualify its names, if trap is first on the path.
create function tap.set_trap() returns void language plpgsql as $$
begin
  create schema trap;
  create function trap.to_char(timestamp, text) returns text
    language sql as $sql$ select 'trapped' $sql$;
  create function trap.timezone(text, timestamptz) returns timestamp
    language sql as $sql$ select '1999-01-01'::timestamp $sql$;
  create function trap.concat(variadic "any") returns text language internal as 'text_concat';
  create function trap.octet_length(text) returns int language sql as 'select 7';
  create function trap.joined(int, text) returns text language sql as $sql$ select 'trapped' $sql$;
  create function trap.joined(text, text) returns text language sql as $sql$ select 'trapped' $sql$;
  create operator trap.|| (leftarg = int, rightarg = text, function = trap.joined);
  create operator trap.|| (leftarg = text, rightarg = text, function = trap.joined);
end
$$;

-- The stage of a test of the door: a serving daemon whose secret is known, and administrator ada.
create function tap.open_door() returns void language plpgsql as $$
begin
  insert into striatumd.daemon_authority
  values (true, 'i-1', repeat('salt', 8)::bytea,
          sha256(repeat('secret', 6)::bytea || repeat('salt', 8)::bytea), 1, now());
  perform tap.client('ada', enum_range(null::striatumd.capability));
end
$$;

-- The id that a test's client of this name has.
create function tap.client_id(p_name text) returns text language sql as $$
  select 'client_' || left(md5(p_name), 16)
$$;

-- A client whose secret is its name.
create function tap.client(p_name text, p_capabilities striatumd.capability[],
    p_repository_id text default null)
  returns text language plpgsql as $$
begin
  insert into striatumd.clients values (tap.client_id(p_name), p_name,
    sha256(convert_to(p_name, 'UTF8') || repeat('salt', 4)::bytea), repeat('salt', 4)::bytea,
    '2026-01-01Z', null, null);
  insert into striatumd.client_capabilities (client_id, capability, repository_id, granted_at)
  select tap.client_id(p_name), unnest(p_capabilities), p_repository_id, '2026-01-01Z';
  return tap.client_id(p_name);
end
$$;

-- Asks the door as the daemon would. A null client sends no token; p_more overrides.
create function tap.ask(p_client text, p_method text, p_params jsonb, p_observed jsonb default '{}',
    p_more jsonb default '{}')
  returns jsonb language sql as $$
  select striatumd.call(repeat('secret', 6)::bytea, jsonb_build_object('schema_version', 1,
    'request_id', 'r-' || gen_random_uuid(), 'method', p_method, 'params', p_params,
    'phase', 'decide', 'deadline_ms', 5000, 'transport', 'rpc', 'observed', p_observed,
    'token', case when p_client is not null then
      jsonb_build_object('client_id', tap.client_id(p_client), 'secret', p_client) end,
    'daemon', '{"instance_id": "i-1", "version": "0.1.0"}'::jsonb) || p_more)
$$;

-- ok, or the code of the refusal.
create function tap.code(p_reply jsonb) returns text language sql as $$
  select case when p_reply -> 'ok' = 'true' then 'ok' else p_reply #>> '{error,code}' end
$$;

-- What the observer of repo.add answers about a good folder; p_more overrides.
create function tap.folder(p_path text, p_more jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('repository_root', jsonb_build_object('path', p_path,
    'state', 'present', 'real_path', p_path, 'symlink', null, 'inode', '4711', 'has_git', true,
    'has_scratch', true, 'is_ignored', true, 'legacy_state', null) || p_more)
$$;

-- What the observer of a method that gives out a token answers about this secret.
create function tap.minted(p_secret text) returns jsonb language sql as $$
  select jsonb_build_object('minted_secret', jsonb_build_object(
    'salt', encode(repeat('pepper', 3)::bytea, 'hex'),
    'hash', encode(sha256(convert_to(p_secret || repeat('pepper', 3), 'UTF8')), 'hex')))
$$;

-- For p_more of tap.ask: the token of a client that the door has made.
create function tap.token(p_client_id text, p_secret text) returns jsonb language sql as $$
  select jsonb_build_object('token',
    jsonb_build_object('client_id', p_client_id, 'secret', p_secret))
$$;

-- From here to the end of the transaction, functions that ask for the daemon's secret find it.
create function tap.authorize() returns void language sql as $$
  select set_config('striatum.daemon_auth', encode(repeat('secret', 6)::bytea, 'hex'), true)
$$;

-- The SQLSTATE that a statement raises for a role, or null; whatever it did is undone.
create function tap.sqlstate_of(p_statement text, p_role text default current_user) returns text
  language plpgsql as $$
begin
  execute format('set local role %I', p_role);
  execute p_statement;
  raise exception using errcode = 'TAP00';
exception
  when sqlstate 'TAP00' then return null;
  when others then return sqlstate;
end
$$;

-- Whether this session holds the advisory lock of a key.
create function tap.holds(p_key text) returns boolean language sql as $$
  select exists (
    select from pg_locks
     where locktype = 'advisory' and granted and pid = pg_backend_pid() and objsubid = 1
       and (classid::bigint << 32 | objid::bigint) = hashtextextended(p_key, 0))
$$;

-- A repository under an id that its name gives.
create function tap.repository(p_name text) returns text language sql as $$
  insert into striatumd.repositories
  values ('repo_' || left(md5(p_name), 16), '/srv/' || p_name, '4711', p_name, 'active', true,
          '2026-01-01Z', null)
  returning repository_id
$$;

-- A method for one test: anybody who may read may ask for it; p_change overrides its registration,
-- p_body is what it does. It answers its parameters where nothing else is said.
create function tap.plant(p_method text, p_change jsonb default '{}',
    p_body text default 'return striatumd.decided(p, ''[]'', ''[]'');')
  returns void language plpgsql as $$
begin
  execute format('create function striatumd.%I(p_call striatumd.call_context, p jsonb)
                  returns striatumd.decision language plpgsql as %L',
    replace(p_method, '.', '_'), 'begin ' || p_body || ' end');
  execute tap.row_of('methods', jsonb_build_object('method', p_method, 'summary', 'Planted',
    'capability', 'read', 'scope', 'daemon_global', 'lock_class', 'none', 'changes', false,
    'internal', false, 'lane', false, 'human_only', false,
    'params', '{"type": "object", "additionalProperties": false}'::jsonb, 'observers', '{}'::text[],
    'effects', '{}'::text[], 'error_codes', '{}'::text[], 'cli_positionals', '{}'::text[],
    'cli_shows', '{}'::text[], 'examples', '{}'::text[]), p_change);
end
$$;

-- What a query answers once a statement was run; the statement is undone.
create function tap.after(p_statement text, p_query text) returns text language plpgsql as $$
declare
  v_answer text;
begin
  execute p_statement;
  execute p_query into v_answer;
  raise exception using errcode = 'TAP00';
exception when sqlstate 'TAP00' then
  return v_answer;
end
$$;
