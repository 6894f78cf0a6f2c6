//! The facts of the preamble: one list.

/// One thing that must hold around the schema.
pub(super) struct Fact {
    /// The sentence that then holds.
    pub(super) says: &'static str,
    /// How it is brought about. All SQL sees the columns `database` and `login`.
    pub(super) way: Way,
}

/// How a fact is brought about.
pub(super) enum Way {
    /// A superuser's apply makes it.
    Make {
        /// A condition.
        holds: &'static str,
        /// A statement or more; `{database}` and `{login}` stand for checked names.
        text: &'static str,
    },
    /// Somebody gave something away on purpose: a person looks at that and takes it back, an installer does not.
    TakeBack {
        /// A query for the exact statements that take it back; the fact holds where there are none.
        statements: &'static str,
    },
}

use Way::{Make, TakeBack};

/// The body of the one function that sets the password of the runtime login: to a SCRAM verifier, never to a text.
macro_rules! rotator {
    () => {
        "
declare
  v_login text := 'striatumd_rw_' || current_database();
begin
  if to_regrole(v_login) is null then
    raise exception 'there is no login of this database';
  end if;
  if p_verifier is null or p_verifier !~
     '^SCRAM-SHA-256[$][0-9]{4,7}:[A-Za-z0-9+/]{16,}={0,2}[$][A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$' then
    raise exception 'what is to be the password is not a SCRAM verifier';
  end if;
  execute format('alter role %I password %L', v_login, p_verifier);
end
"
    };
}

/// All of them, in the order in which they are made: roles, the login, the database, the schema.
pub(super) const FACTS: &[Fact] = &[
    Fact {
        says: "role striatum_owner exists",
        way: Make {
            holds: "to_regrole('striatum_owner') is not null",
            text: "create role striatum_owner nologin",
        },
    },
    Fact {
        says: "role striatum_owner has no attribute and cannot log in",
        way: Make {
            holds: "(select not (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or \
                    rolbypassrls) from pg_roles where rolname = 'striatum_owner')",
            text: "alter role striatum_owner nologin nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        },
    },
    Fact {
        says: "role striatumd_rw exists",
        way: Make {
            holds: "to_regrole('striatumd_rw') is not null",
            text: "create role striatumd_rw nologin",
        },
    },
    Fact {
        says: "role striatumd_rw has no attribute and cannot log in",
        way: Make {
            holds: "(select not (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or \
                    rolbypassrls) from pg_roles where rolname = 'striatumd_rw')",
            text: "alter role striatumd_rw nologin nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        },
    },
    Fact {
        says: "role striatum_bootstrap exists",
        way: Make {
            holds: "to_regrole('striatum_bootstrap') is not null",
            text: "create role striatum_bootstrap login",
        },
    },
    Fact {
        says: "role striatum_bootstrap can log in and has no attribute beside",
        way: Make {
            holds: "(select rolcanlogin and not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or \
                    rolbypassrls) from pg_roles where rolname = 'striatum_bootstrap')",
            text: "alter role striatum_bootstrap login nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        },
    },
    Fact {
        says: "role striatum_rotator exists",
        way: Make {
            holds: "to_regrole('striatum_rotator') is not null",
            text: "create role striatum_rotator nologin createrole",
        },
    },
    Fact {
        says: "role striatum_rotator may alter roles, has no attribute beside and cannot log in",
        way: Make {
            holds: "(select rolcreaterole and not (rolcanlogin or rolsuper or rolcreatedb or rolreplication or \
                    rolbypassrls) from pg_roles where rolname = 'striatum_rotator')",
            text: "alter role striatum_rotator nologin nosuperuser createrole nocreatedb noreplication nobypassrls",
        },
    },
    Fact {
        says: "roles striatum_owner, striatumd_rw and striatum_bootstrap are members of no other role",
        way: TakeBack {
            statements: "select format('revoke %I from %I', pg_get_userbyid(roleid), pg_get_userbyid(member)) \
                         from pg_auth_members where member in (to_regrole('striatum_owner'), \
                         to_regrole('striatumd_rw'), to_regrole('striatum_bootstrap'))",
        },
    },
    Fact {
        says: "nobody is a member of striatum_bootstrap or striatum_rotator",
        way: TakeBack {
            statements: "select format('revoke %I from %I', pg_get_userbyid(roleid), pg_get_userbyid(member)) \
                         from pg_auth_members \
                         where roleid in (to_regrole('striatum_bootstrap'), to_regrole('striatum_rotator'))",
        },
    },
    Fact {
        says: "only logins of striatum are members of striatumd_rw",
        way: TakeBack {
            statements: "select format('revoke striatumd_rw from %I', r.rolname) \
                         from pg_auth_members m join pg_roles r on r.oid = m.member \
                         where m.roleid = to_regrole('striatumd_rw') and r.rolname not like 'striatumd\\_rw\\_%'",
        },
    },
    Fact {
        says: "the login of this database exists",
        way: Make { holds: "to_regrole(login) is not null", text: "create role {login} login" },
    },
    Fact {
        says: "the login of this database can log in and has no attribute beside",
        way: Make {
            holds: "(select rolcanlogin and rolinherit and not (rolsuper or rolcreaterole or rolcreatedb or \
                    rolreplication or rolbypassrls) from pg_roles where rolname = login)",
            text: "alter role {login} login inherit nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        },
    },
    Fact {
        says: "the login of this database is a member of striatumd_rw",
        way: Make {
            holds: "exists (select from pg_auth_members \
                    where member = to_regrole(login) and roleid = to_regrole('striatumd_rw'))",
            text: "grant striatumd_rw to {login}",
        },
    },
    Fact {
        says: "the login of this database is a member of nothing else, and may pass nothing on",
        way: TakeBack {
            statements: "select format(case when roleid = to_regrole('striatumd_rw') \
                                       then 'revoke admin option for %I from %I' else 'revoke %I from %I' end, \
                                       pg_get_userbyid(roleid), login) \
                         from pg_auth_members where member = to_regrole(login) \
                         and (roleid <> to_regrole('striatumd_rw') or admin_option)",
        },
    },
    // Since PostgreSQL 16 CREATEROLE alone alters no role that somebody else made.
    Fact {
        says: "striatum_rotator may alter the login of this database",
        way: Make {
            holds: "current_setting('server_version_num')::int < 160000 or exists (select from pg_auth_members \
                    where roleid = to_regrole(login) and member = to_regrole('striatum_rotator') and admin_option)",
            text: "grant {login} to striatum_rotator with admin true, inherit false, set false",
        },
    },
    Fact {
        says: "nobody else is a member of the login of this database",
        way: TakeBack {
            statements: "select format('revoke %I from %I', login, pg_get_userbyid(member)) \
                         from pg_auth_members where roleid = to_regrole(login) and not \
                         (current_setting('server_version_num')::int >= 160000 \
                          and member = to_regrole('striatum_rotator'))",
        },
    },
    Fact {
        says: "no logged statement of the login shows a bound value",
        way: Make {
            holds: "(select setconfig @> array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0'] \
                    from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
            text: "alter role {login} set log_parameter_max_length = 0; \
                   alter role {login} set log_parameter_max_length_on_error = 0",
        },
    },
    Fact {
        says: "no logged statement and no printed plan of striatum_bootstrap shows a bound value",
        way: Make {
            holds: "(select setconfig @> array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0', \
                    'plan_cache_mode=force_generic_plan'] from pg_db_role_setting \
                    where setrole = to_regrole('striatum_bootstrap') and setdatabase = 0)",
            text: "alter role striatum_bootstrap set log_parameter_max_length = 0; \
                   alter role striatum_bootstrap set log_parameter_max_length_on_error = 0; \
                   alter role striatum_bootstrap set plan_cache_mode = force_generic_plan",
        },
    },
    Fact {
        says: "no printed plan of the login shows a bound value",
        way: Make {
            holds: "(select setconfig @> array['plan_cache_mode=force_generic_plan'] \
                    from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
            text: "alter role {login} set plan_cache_mode = force_generic_plan",
        },
    },
    Fact {
        says: "the login has no setting beside these",
        way: Make {
            holds: "not exists (select from pg_db_role_setting \
                    where setrole = to_regrole(login) and setdatabase = 0 and not setconfig <@ \
                    array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0', \
                    'plan_cache_mode=force_generic_plan'])",
            text: "alter role {login} reset all; \
                   alter role {login} set log_parameter_max_length = 0; \
                   alter role {login} set log_parameter_max_length_on_error = 0; \
                   alter role {login} set plan_cache_mode = force_generic_plan",
        },
    },
    Fact {
        says: "no setting of the login in this database stands before these",
        way: Make {
            holds: "not exists (select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase \
                    where s.setrole = to_regrole(login) and d.datname = database)",
            text: "alter role {login} in database {database} reset all",
        },
    },
    Fact {
        says: "the database belongs to none of the logins of striatum",
        way: TakeBack {
            statements: "select format('alter database %I owner to striatum_owner', d.datname) \
                         from pg_database d join pg_roles r on r.oid = d.datdba \
                         where d.datname = database and r.rolname like 'striatumd\\_rw%'",
        },
    },
    Fact {
        says: "nobody has a right to the database by being anybody",
        way: Make {
            holds: "not exists (select from pg_database d, \
                    aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a \
                    where d.datname = database and a.grantee = 0)",
            text: "revoke all on database {database} from public",
        },
    },
    Fact {
        says: "members of striatum_owner may connect to the database",
        way: Make {
            holds: "has_database_privilege(to_regrole('striatum_owner'), database, 'connect')",
            text: "grant connect on database {database} to striatum_owner",
        },
    },
    Fact {
        says: "striatum_bootstrap may connect to the database and do nothing else to it",
        way: Make {
            holds: "(select array_agg(distinct a.privilege_type) from pg_database d, aclexplode(d.datacl) a \
                    where d.datname = database and a.grantee = to_regrole('striatum_bootstrap')) = array['CONNECT']",
            text: "revoke all on database {database} from striatum_bootstrap; \
                   grant connect on database {database} to striatum_bootstrap",
        },
    },
    Fact {
        says: "the login may connect to the database and do nothing else to it",
        way: Make {
            holds: "(select array_agg(distinct a.privilege_type) from pg_database d, aclexplode(d.datacl) a \
                    where d.datname = database and a.grantee = to_regrole(login)) = array['CONNECT']",
            text: "revoke all on database {database} from {login}; grant connect on database {database} to {login}",
        },
    },
    Fact {
        says: "no other login of striatum has a right to the database",
        way: TakeBack {
            statements: "select distinct format('revoke all on database %I from %I', database, r.rolname) \
                         from pg_database d, aclexplode(d.datacl) a join pg_roles r on r.oid = a.grantee \
                         where d.datname = database and r.rolname like 'striatumd\\_rw%' and r.rolname <> login",
        },
    },
    Fact {
        says: "nobody may create in schema public by being anybody",
        way: Make {
            holds: "not exists (select from pg_namespace n, aclexplode(n.nspacl) a \
                    where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE')",
            text: "revoke create on schema public from public",
        },
    },
    Fact {
        says: "the login may create in no schema but its own",
        way: TakeBack {
            statements: "select format('revoke create on schema %I from public, striatumd_rw, %I', nspname, login) \
                         from pg_namespace where nspname not like 'pg\\_%' and nspowner <> to_regrole(login) \
                         and has_schema_privilege(to_regrole(login), oid, 'CREATE')",
        },
    },
    // The door ends the secret's setting when it returns, by a SET clause, which PostgreSQL lets nobody else write.
    Fact {
        says: "striatum_owner may write functions that set striatum.daemon_auth",
        way: Make {
            holds: "exists (select from pg_parameter_acl p, aclexplode(p.paracl) a \
                    where p.parname = 'striatum.daemon_auth' and a.privilege_type = 'SET' \
                    and a.grantee = to_regrole('striatum_owner'))",
            text: "grant set on parameter striatum.daemon_auth to striatum_owner",
        },
    },
    Fact {
        says: "schema striatumd exists",
        way: Make {
            holds: "to_regnamespace('striatumd') is not null",
            text: "create schema striatumd authorization striatum_owner",
        },
    },
    // Never adopted: what somebody else put there would run with the rights of whoever installs.
    Fact {
        says: "schema striatumd belongs to striatum_owner",
        way: TakeBack {
            statements: "select 'alter schema striatumd rename to striatumd_of_somebody' from pg_namespace \
                         where nspname = 'striatumd' and nspowner is distinct from to_regrole('striatum_owner')",
        },
    },
    Fact {
        says: "all that is in schema striatumd belongs to striatum_owner",
        way: TakeBack {
            statements: "select format('alter %s %s set schema public', kind, name) from (
                           select relowner as owner, oid::regclass::text as name,
                                  case relkind when 'v' then 'view' when 'm' then 'materialized view'
                                               when 'S' then 'sequence' when 'f' then 'foreign table'
                                               else 'table' end as kind
                             from pg_class where relnamespace = to_regnamespace('striatumd')
                                             and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
                           union all
                           select proowner, oid::regprocedure::text, 'routine'
                             from pg_proc where pronamespace = to_regnamespace('striatumd')
                           union all
                           select typowner, oid::regtype::text, 'type' from pg_type t
                            where typnamespace = to_regnamespace('striatumd') and typcategory <> 'A'
                              and (typrelid = 0 or (select relkind = 'c' from pg_class c where c.oid = t.typrelid))
                           union all
                           select oprowner, oid::regoperator::text, 'operator'
                             from pg_operator where oprnamespace = to_regnamespace('striatumd')
                         ) all_of_it where owner is distinct from to_regrole('striatum_owner')",
        },
    },
    Fact {
        says: "nobody but striatum_owner has a right to anything in schema striatumd, but for the two doors",
        way: TakeBack {
            statements: "select distinct format('revoke all %s from %s', what,
                                case a.grantee when 0 then 'public' else a.grantee::regrole::text end) from (
                           select 'on schema striatumd' as what, nspacl as acl from pg_namespace
                            where nspname = 'striatumd'
                           union all
                           select 'on ' || oid::regclass, relacl from pg_class
                            where relnamespace = to_regnamespace('striatumd')
                           union all
                           select format('(%I) on %s', attname, attrelid::regclass), attacl
                             from pg_attribute a join pg_class c on c.oid = a.attrelid
                            where c.relnamespace = to_regnamespace('striatumd')
                           union all
                           select 'on routine ' || oid::regprocedure, proacl from pg_proc
                            where pronamespace = to_regnamespace('striatumd')
                         ) all_of_it, aclexplode(acl) a
                         where a.grantee is distinct from to_regrole('striatum_owner')
                           and not (a.grantee = to_regrole('striatumd_rw') and
                                    (what, a.privilege_type) in
                                      (('on schema striatumd', 'USAGE'),
                                       ('on routine striatumd.call(bytea,jsonb)', 'EXECUTE')))
                           and not (a.grantee = to_regrole('striatum_bootstrap') and
                                    (what, a.privilege_type) in
                                      (('on schema striatumd', 'USAGE'),
                                       ('on routine striatumd.bootstrap_instance(text,bytea,text,jsonb)', 'EXECUTE')))",
        },
    },
    Fact {
        says: "a new function of striatum_owner is nobody else's to execute",
        way: Make {
            holds: "exists (select from pg_default_acl where defaclrole = to_regrole('striatum_owner') \
                    and defaclnamespace = 0 and defaclobjtype = 'f' \
                    and not exists (select from aclexplode(defaclacl) a where a.grantee = 0))",
            text: "alter default privileges for role striatum_owner revoke execute on functions from public",
        },
    },
    Fact {
        says: "nothing new of striatum_owner is somebody else's by default",
        way: TakeBack {
            statements: "select distinct format('alter default privileges for role striatum_owner%s revoke all on %s \
                                                 from %s', \
                                ' in schema ' || nullif(defaclnamespace, 0)::regnamespace, \
                                case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' \
                                                   when 'f' then 'functions' when 'T' then 'types' else 'schemas' end, \
                                case a.grantee when 0 then 'public' else a.grantee::regrole::text end) \
                         from pg_default_acl, aclexplode(defaclacl) a \
                         where defaclrole = to_regrole('striatum_owner') and a.grantee <> defaclrole",
        },
    },
    Fact {
        says: "schema striatum_roles exists",
        way: Make {
            holds: "to_regnamespace('striatum_roles') is not null",
            text: "create schema striatum_roles authorization striatum_rotator",
        },
    },
    Fact {
        says: "schema striatum_roles belongs to striatum_rotator and holds one function of its",
        way: TakeBack {
            statements: "select 'alter schema striatum_roles rename to striatum_roles_of_somebody' from pg_namespace n
                          where nspname = 'striatum_roles' and
                            (nspowner is distinct from to_regrole('striatum_rotator')
                             or exists (select from pg_class where relnamespace = n.oid)
                             or exists (select from pg_type where typnamespace = n.oid)
                             or exists (select from pg_operator where oprnamespace = n.oid)
                             or exists (select from pg_proc where pronamespace = n.oid and
                                         (proname <> 'set_runtime_password' or proowner <> nspowner)))",
        },
    },
    Fact {
        says: "striatum_roles.set_runtime_password is as this program has it",
        way: Make {
            holds: concat!(
                "exists (select from pg_proc where pronamespace = to_regnamespace('striatum_roles') \
                 and prosecdef and proconfig = array['search_path=pg_catalog, pg_temp'] \
                 and proowner = to_regrole('striatum_rotator') and prosrc = $body$",
                rotator!(),
                "$body$)"
            ),
            text: concat!(
                "drop function if exists striatum_roles.set_runtime_password(text); \
                 create function striatum_roles.set_runtime_password(p_verifier text) returns void \
                 language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$",
                rotator!(),
                "$body$; \
                 revoke all on function striatum_roles.set_runtime_password(text) from public; \
                 alter function striatum_roles.set_runtime_password(text) owner to striatum_rotator"
            ),
        },
    },
    Fact {
        says: "striatum_owner may set the password of the login",
        way: Make {
            holds: "has_schema_privilege(to_regrole('striatum_owner'), to_regnamespace('striatum_roles'), 'usage') \
                    and exists (select from pg_proc where pronamespace = to_regnamespace('striatum_roles') \
                                and proname = 'set_runtime_password' \
                                and has_function_privilege(to_regrole('striatum_owner'), oid, 'execute'))",
            text: "grant usage on schema striatum_roles to striatum_owner; \
                   grant execute on function striatum_roles.set_runtime_password(text) to striatum_owner",
        },
    },
    Fact {
        says: "nobody else may set the password of the login",
        way: TakeBack {
            statements: "select distinct format('revoke all %s from %s', what,
                                case a.grantee when 0 then 'public' else a.grantee::regrole::text end) from (
                           select 'on schema striatum_roles' as what, nspacl as acl from pg_namespace
                            where nspname = 'striatum_roles'
                           union all
                           select 'on routine ' || oid::regprocedure, coalesce(proacl, acldefault('f', proowner))
                             from pg_proc where pronamespace = to_regnamespace('striatum_roles')
                         ) all_of_it, aclexplode(acl) a
                         where a.grantee not in (to_regrole('striatum_rotator'), to_regrole('striatum_owner'))",
        },
    },
];
