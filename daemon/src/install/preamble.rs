//! The preamble: what must hold around the schema before anything is put into it.
//!
//! One list of facts. A superuser makes those that do not hold; any other login can only be told which they are.

use sqlx::{AssertSqlSafe, PgConnection};

use super::{DatabaseName, InstallError};

/// The oldest server: 15, as `server_version_num` writes it.
const OLDEST_SERVER: i32 = 150_000;

/// One thing that must hold, and how a superuser makes it so.
struct Fact {
    /// The sentence that then holds.
    says: &'static str,
    /// An SQL condition over the two columns `database` and `login`.
    holds: &'static str,
    /// SQL text; `{database}` and `{login}` stand for checked names.
    make: &'static str,
}

const FACTS: &[Fact] = &[
    Fact {
        says: "role striatum_owner exists",
        holds: "to_regrole('striatum_owner') is not null",
        make: "create role striatum_owner nologin",
    },
    Fact {
        says: "nobody can log in as striatum_owner",
        holds: "not (select rolcanlogin from pg_roles where rolname = 'striatum_owner')",
        make: "alter role striatum_owner nologin",
    },
    Fact {
        says: "role striatumd_rw exists",
        holds: "to_regrole('striatumd_rw') is not null",
        make: "create role striatumd_rw nologin",
    },
    Fact {
        says: "nobody can log in as striatumd_rw",
        holds: "not (select rolcanlogin from pg_roles where rolname = 'striatumd_rw')",
        make: "alter role striatumd_rw nologin",
    },
    Fact {
        says: "the login of this database exists",
        holds: "to_regrole(login) is not null",
        make: "create role {login} login",
    },
    Fact {
        says: "the login of this database can log in and has no attribute beside",
        holds: "(select rolcanlogin and rolinherit and not (rolsuper or rolcreaterole or rolcreatedb or \
                rolreplication or rolbypassrls) from pg_roles where rolname = login)",
        make: "alter role {login} login inherit nosuperuser nocreaterole nocreatedb noreplication nobypassrls",
    },
    Fact {
        says: "the login of this database is a member of striatumd_rw and of nothing else",
        holds: "(select array_agg(roleid::regrole::text) from pg_auth_members where member = to_regrole(login)) \
                = array['striatumd_rw']",
        make: "grant striatumd_rw to {login}",
    },
    Fact {
        says: "no logged statement of the login shows a bound value",
        holds: "(select setconfig @> array['log_parameter_max_length=0', 'log_parameter_max_length_on_error=0'] \
                from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
        make: "alter role {login} set log_parameter_max_length = 0; \
               alter role {login} set log_parameter_max_length_on_error = 0",
    },
    Fact {
        says: "no printed plan of the login shows a bound value",
        holds: "(select setconfig @> array['plan_cache_mode=force_generic_plan'] \
                from pg_db_role_setting where setrole = to_regrole(login) and setdatabase = 0)",
        make: "alter role {login} set plan_cache_mode = force_generic_plan",
    },
    Fact {
        says: "nobody has a right to the database by being anybody",
        holds: "not exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a \
                where d.datname = database and a.grantee = 0)",
        make: "revoke all on database {database} from public",
    },
    Fact {
        says: "the login may connect to the database and do nothing else to it",
        holds: "(select array_agg(a.privilege_type) from pg_database d, aclexplode(d.datacl) a \
                where d.datname = database and a.grantee = to_regrole(login)) = array['CONNECT']",
        make: "revoke all on database {database} from {login}; grant connect on database {database} to {login}",
    },
    Fact {
        says: "nobody may create in schema public by being anybody",
        holds: "not exists (select from pg_namespace n, aclexplode(n.nspacl) a \
                where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE')",
        make: "revoke create on schema public from public",
    },
    Fact {
        says: "schema striatumd exists",
        holds: "to_regnamespace('striatumd') is not null",
        make: "create schema striatumd authorization striatum_owner",
    },
    Fact {
        says: "schema striatumd belongs to striatum_owner",
        holds: "(select nspowner = to_regrole('striatum_owner') from pg_namespace where nspname = 'striatumd')",
        make: "alter schema striatumd owner to striatum_owner",
    },
    Fact {
        says: "a new function of striatum_owner is nobody else's to execute",
        holds: "exists (select from pg_default_acl where defaclrole = to_regrole('striatum_owner') \
                and defaclnamespace = 0 and defaclobjtype = 'f' \
                and not exists (select from aclexplode(defaclacl) a where a.grantee = 0))",
        make: "alter default privileges for role striatum_owner revoke execute on functions from public",
    },
];

/// Refuses a server or a database that cannot hold striatum, all reasons at once; answers the database's name.
pub(super) async fn suitable(connection: &mut PgConnection) -> Result<DatabaseName, InstallError> {
    let (name, version, encoding): (String, i32, String) = sqlx::query_as(
        "select current_database()::text, current_setting('server_version_num')::int, \
         current_setting('server_encoding')",
    )
    .fetch_one(connection)
    .await?;
    let mut reasons = Vec::new();
    if version < OLDEST_SERVER {
        reasons
            .push(format!("the server is version {}, and 15 is the oldest that will do", version / 10_000));
    }
    if encoding != "UTF8" {
        reasons.push(format!("the database is in {encoding}, and text is hashed as UTF-8"));
    }
    match DatabaseName::parse(&name) {
        Ok(database) if reasons.is_empty() => return Ok(database),
        Ok(_) => {}
        Err(reason) => reasons.push(reason),
    }
    Err(InstallError::Unsuitable(reasons.join("; ")))
}

/// Makes what does not hold and says what that was; refuses with the whole list where this login is no superuser.
pub(super) async fn establish(
    connection: &mut PgConnection,
    database: &DatabaseName,
) -> Result<Vec<&'static str>, InstallError> {
    let is_superuser: bool = sqlx::query_scalar("select rolsuper from pg_roles where rolname = current_user")
        .fetch_one(&mut *connection)
        .await?;
    let mut lacking = Vec::new();
    for fact in FACTS {
        if fact.holds(connection, database).await? {
            continue;
        }
        if is_superuser {
            fact.make(connection, database).await?;
        }
        lacking.push(fact.says);
    }
    if is_superuser || lacking.is_empty() {
        Ok(lacking)
    } else {
        Err(InstallError::OwnerRightsMissing(lacking))
    }
}

impl Fact {
    async fn holds(
        &self,
        connection: &mut PgConnection,
        database: &DatabaseName,
    ) -> Result<bool, sqlx::Error> {
        let query = format!(
            "select coalesce(({}), false) from (select $1::text as database, $2::text as login) as named",
            self.holds
        );
        sqlx::query_scalar(AssertSqlSafe(query))
            .bind(database.as_str())
            .bind(database.login())
            .fetch_one(connection)
            .await
    }

    async fn make(&self, connection: &mut PgConnection, database: &DatabaseName) -> Result<(), InstallError> {
        let text = self.make.replace("{database}", database.as_str()).replace("{login}", &database.login());
        sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *connection).await?;
        if self.holds(connection, database).await? {
            Ok(())
        } else {
            Err(InstallError::PreambleUnmet(self.says))
        }
    }
}
