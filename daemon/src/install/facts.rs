//! The facts of the preamble: one list.

/// One thing that must hold, and how a superuser makes it so.
pub(super) struct Fact {
    /// The sentence that then holds.
    pub(super) says: &'static str,
    /// An SQL condition over the two columns `database` and `login`.
    pub(super) holds: &'static str,
    /// SQL text; `{database}` and `{login}` stand for checked names. `None` where somebody gave something away on
    /// purpose: a person looks at that and takes it back, an installer does not.
    pub(super) make: Option<&'static str>,
}

/// All of them, in the order in which they are made: roles, the login, the database, the schema.
pub(super) const FACTS: &[Fact] = &[
    Fact {
        says: "role striatum_owner exists",
        holds: "to_regrole('striatum_owner') is not null",
        make: Some("create role striatum_owner nologin"),
    },
    Fact {
        says: "role striatum_owner has no attribute and cannot log in",
        holds: "(select not (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or \
                rolbypassrls) from pg_roles where rolname = 'striatum_owner')",
        make: Some(
            "alter role striatum_owner nologin nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        ),
    },
    Fact {
        says: "role striatumd_rw exists",
        holds: "to_regrole('striatumd_rw') is not null",
        make: Some("create role striatumd_rw nologin"),
    },
    Fact {
        says: "role striatumd_rw has no attribute and cannot log in",
        holds: "(select not (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or \
                rolbypassrls) from pg_roles where rolname = 'striatumd_rw')",
        make: Some(
            "alter role striatumd_rw nologin nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        ),
    },
    Fact {
        says: "roles striatum_owner and striatumd_rw are members of no other role",
        holds: "not exists (select from pg_auth_members \
                where member in (to_regrole('striatum_owner'), to_regrole('striatumd_rw')))",
        make: None,
    },
    Fact {
        says: "only logins of striatum are members of striatumd_rw",
        holds: "not exists (select from pg_auth_members m join pg_roles r on r.oid = m.member \
                where m.roleid = to_regrole('striatumd_rw') and r.rolname not like 'striatumd\\_rw\\_%')",
        make: None,
    },
    Fact {
        says: "the login of this database exists",
        holds: "to_regrole(login) is not null",
        make: Some("create role {login} login"),
    },
    Fact {
        says: "the login of this database can log in and has no attribute beside",
        holds: "(select rolcanlogin and rolinherit and not (rolsuper or rolcreaterole or rolcreatedb or \
                rolreplication or rolbypassrls) from pg_roles where rolname = login)",
        make: Some(
            "alter role {login} login inherit nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
        ),
    },
    Fact {
        says: "the login of this database is a member of striatumd_rw and of nothing else, and may not pass it on",
        holds: "(select array_agg(distinct roleid::regrole::text) = array['striatumd_rw'] \
                and not bool_or(admin_option) from pg_auth_members where member = to_regrole(login))",
        make: Some("grant striatumd_rw to {login}"),
    },
    Fact {
        says: "nobody is a member of the login of this database",
        holds: "not exists (select from pg_auth_members where roleid = to_regrole(login))",
        make: None,
    },
    Fact {
        says: "no logged statement of the login shows a bound value",
        holds: "(select setconfig @> array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0'] \
                from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
        make: Some(
            "alter role {login} set log_parameter_max_length = 0; \
             alter role {login} set log_parameter_max_length_on_error = 0",
        ),
    },
    Fact {
        says: "no printed plan of the login shows a bound value",
        holds: "(select setconfig @> array['plan_cache_mode=force_generic_plan'] \
                from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
        make: Some("alter role {login} set plan_cache_mode = force_generic_plan"),
    },
    Fact {
        says: "no setting of the login in this database stands before these",
        holds: "not exists (select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase \
                where s.setrole = to_regrole(login) and d.datname = database)",
        make: Some("alter role {login} in database {database} reset all"),
    },
    Fact {
        says: "the database belongs to none of the logins of striatum",
        holds: "(select r.rolname not like 'striatumd\\_rw%' from pg_database d join pg_roles r on r.oid = d.datdba \
                where d.datname = database)",
        make: None,
    },
    Fact {
        says: "nobody has a right to the database by being anybody",
        holds: "not exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a \
                where d.datname = database and a.grantee = 0)",
        make: Some("revoke all on database {database} from public"),
    },
    Fact {
        says: "of the logins of striatum only this one has a right to the database, and that is to connect",
        holds: "(select array_agg(distinct r.rolname || ' ' || a.privilege_type) \
                from pg_database d, aclexplode(d.datacl) a join pg_roles r on r.oid = a.grantee \
                where d.datname = database and r.rolname like 'striatumd\\_rw%') = array[login || ' CONNECT']",
        make: Some(
            "revoke all on database {database} from {login}, striatumd_rw; \
             grant connect on database {database} to {login}",
        ),
    },
    Fact {
        says: "nobody may create in schema public by being anybody",
        holds: "not exists (select from pg_namespace n, aclexplode(n.nspacl) a \
                where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE')",
        make: Some("revoke create on schema public from public"),
    },
    Fact {
        says: "the login may create in no schema",
        holds: "not exists (select from pg_namespace n \
                where n.nspname not like 'pg\\_%' and has_schema_privilege(to_regrole(login), n.oid, 'CREATE'))",
        make: None,
    },
    Fact {
        says: "schema striatumd exists",
        holds: "to_regnamespace('striatumd') is not null",
        make: Some("create schema striatumd authorization striatum_owner"),
    },
    // Never adopted: what somebody else put there would run with the rights of whoever installs.
    Fact {
        says: "schema striatumd and all that is in it belong to striatum_owner",
        holds: "not exists (select from (
                  select nspowner as owner from pg_namespace where nspname = 'striatumd'
                  union all select relowner from pg_class where relnamespace = to_regnamespace('striatumd')
                  union all select proowner from pg_proc where pronamespace = to_regnamespace('striatumd')
                  union all select typowner from pg_type where typnamespace = to_regnamespace('striatumd')
                  union all select oprowner from pg_operator where oprnamespace = to_regnamespace('striatumd')
                ) all_of_it where owner is distinct from to_regrole('striatum_owner'))",
        make: None,
    },
    Fact {
        says: "nobody but striatum_owner has a right to anything in schema striatumd",
        holds:
            "not exists (select from (
                  select nspacl as acl from pg_namespace where nspname = 'striatumd'
                  union all select relacl from pg_class where relnamespace = to_regnamespace('striatumd')
                  union all select attacl from pg_attribute a join pg_class c on c.oid = a.attrelid
                             where c.relnamespace = to_regnamespace('striatumd')
                  union all select proacl from pg_proc where pronamespace = to_regnamespace('striatumd')
                ) all_of_it, aclexplode(acl) a where a.grantee is distinct from to_regrole('striatum_owner'))",
        make: None,
    },
    Fact {
        says: "a new function of striatum_owner is nobody else's to execute",
        holds: "exists (select from pg_default_acl where defaclrole = to_regrole('striatum_owner') \
                and defaclnamespace = 0 and defaclobjtype = 'f' \
                and not exists (select from aclexplode(defaclacl) a where a.grantee = 0))",
        make: Some(
            "alter default privileges for role striatum_owner revoke execute on functions from public",
        ),
    },
    Fact {
        says: "nothing new of striatum_owner is somebody else's by default",
        holds: "not exists (select from pg_default_acl, aclexplode(defaclacl) a \
                where defaclrole = to_regrole('striatum_owner') and a.grantee <> defaclrole)",
        make: None,
    },
];
