//! The preamble: each way to loosen what must hold around the schema, and what the next apply makes of it.
//!
//! Roles belong to the whole server, so this has one of its own, and one test that does all in a row.

use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::{PrivateCluster, Provider as _};
use striatumd::install::{self, InstallError};

/// What somebody did, and the sentence that the next apply makes true again.
const MADE: &[(&str, &str)] = &[
    ("alter role striatum_owner login", "role striatum_owner has no attribute and cannot log in"),
    ("alter role striatum_owner superuser", "role striatum_owner has no attribute and cannot log in"),
    ("alter role striatum_owner createrole", "role striatum_owner has no attribute and cannot log in"),
    ("alter role striatumd_rw login", "role striatumd_rw has no attribute and cannot log in"),
    ("alter role striatumd_rw superuser", "role striatumd_rw has no attribute and cannot log in"),
    ("alter role striatumd_rw bypassrls", "role striatumd_rw has no attribute and cannot log in"),
    ("alter role {login} nologin", LOGIN),
    ("alter role {login} noinherit", LOGIN),
    ("alter role {login} superuser", LOGIN),
    ("alter role {login} createrole", LOGIN),
    ("alter role {login} createdb", LOGIN),
    ("alter role {login} replication", LOGIN),
    ("alter role {login} bypassrls", LOGIN),
    ("revoke striatumd_rw from {login}", MEMBER),
    ("alter role {login} reset log_parameter_max_length", LOGGED),
    ("alter role {login} set log_parameter_max_length_on_error = -1", LOGGED),
    ("alter role {login} set plan_cache_mode = auto", "no printed plan of the login shows a bound value"),
    (
        "alter role {login} in database {db} set log_parameter_max_length = -1",
        "no setting of the login in this database stands before these",
    ),
    ("grant temp on database {db} to public", "nobody has a right to the database by being anybody"),
    ("grant temp on database {db} to {login}", DATABASE),
    ("grant create on database {db} to striatumd_rw", DATABASE),
    ("revoke connect on database {db} from {login}", DATABASE),
    ("grant create on schema public to public", "nobody may create in schema public by being anybody"),
    (
        "alter default privileges for role striatum_owner grant execute on functions to public",
        "a new function of striatum_owner is nobody else's to execute",
    ),
];

/// What somebody did, the sentence that the next apply refuses with, and how it is taken back.
const UNMET: &[(&str, &str, &str)] = &[
    ("grant pg_read_all_data to striatumd_rw", NO_MEMBER, "revoke pg_read_all_data from striatumd_rw"),
    ("grant striatum_owner to striatumd_rw", NO_MEMBER, "revoke striatum_owner from striatumd_rw"),
    (
        "grant pg_execute_server_program to striatum_owner",
        NO_MEMBER,
        "revoke pg_execute_server_program from striatum_owner",
    ),
    (
        "create role eve in role striatumd_rw",
        "only logins of striatum are members of striatumd_rw",
        "drop role eve",
    ),
    ("grant pg_write_all_data to {login}", MEMBER, "revoke pg_write_all_data from {login}"),
    (
        "grant striatumd_rw to {login} with admin option",
        MEMBER,
        "revoke admin option for striatumd_rw from {login}",
    ),
    ("create role eve in role {login}", "nobody is a member of the login of this database", "drop role eve"),
    (
        "alter database {db} owner to {login}",
        "the database belongs to none of the logins of striatum",
        "alter database {db} owner to postgres",
    ),
    (
        "create role striatumd_rw_other login; grant connect on database {db} to striatumd_rw_other",
        DATABASE,
        "revoke connect on database {db} from striatumd_rw_other; drop role striatumd_rw_other",
    ),
    (
        "create schema mine; grant create on schema mine to {login}",
        "the login may create in no schema",
        "drop schema mine",
    ),
    ("create table striatumd.mine ()", BELONGS, "drop table striatumd.mine"),
    ("create type striatumd.mine as enum ()", BELONGS, "drop type striatumd.mine"),
    (
        "create operator striatumd.## (rightarg = int, function = int4abs)",
        BELONGS,
        "drop operator striatumd.## (none, int)",
    ),
    ("grant usage on schema striatumd to public", RIGHTS, "revoke all on schema striatumd from public"),
    (
        "grant select on striatumd.installation to striatumd_rw",
        RIGHTS,
        "revoke all on striatumd.installation from striatumd_rw",
    ),
    (
        "grant update (kind) on striatumd.installation to {login}",
        RIGHTS,
        "revoke update (kind) on striatumd.installation from {login}",
    ),
    (
        "grant execute on function striatumd.now() to public",
        RIGHTS,
        "revoke all on function striatumd.now() from public",
    ),
    (
        "alter default privileges for role striatum_owner grant select on tables to striatumd_rw",
        "nothing new of striatum_owner is somebody else's by default",
        "alter default privileges for role striatum_owner revoke select on tables from striatumd_rw",
    ),
];

const LOGIN: &str = "the login of this database can log in and has no attribute beside";
const MEMBER: &str =
    "the login of this database is a member of striatumd_rw and of nothing else, and may not pass it on";
const LOGGED: &str = "no logged statement of the login shows a bound value";
const DATABASE: &str =
    "of the logins of striatum only this one has a right to the database, and that is to connect";
const NO_MEMBER: &str = "roles striatum_owner and striatumd_rw are members of no other role";
const BELONGS: &str = "schema striatumd and all that is in it belong to striatum_owner";
const RIGHTS: &str = "nobody but striatum_owner has a right to anything in schema striatumd";

async fn run(connection: &mut PgConnection, text: &str) {
    let text = text.replace("{db}", "the_one").replace("{login}", "striatumd_rw_the_one");
    let ran = connection.execute(sqlx::raw_sql(AssertSqlSafe(text.as_str()))).await;
    ran.unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// STR-AUTHZ-03: whatever was loosened is tightened by the next apply, or refused by name.
#[tokio::test]
async fn whatever_was_loosened_is_made_again_or_refused() {
    let cluster = PrivateCluster::start(&[]).expect("a server");
    let mut anywhere = cluster.admin().database("postgres").connect().await.expect("a connection");
    run(&mut anywhere, "create database the_one").await;
    let mut connection = cluster.admin().database("the_one").connect().await.expect("a connection");
    install::apply(&mut connection).await.expect("the first apply");

    for (loosened, sentence) in MADE {
        run(&mut connection, loosened).await;
        let applied =
            install::apply(&mut connection).await.unwrap_or_else(|error| panic!("{loosened}: {error}"));
        assert_eq!(applied.preamble, [*sentence], "{loosened}");
    }
    for (loosened, sentence, taken_back) in UNMET {
        run(&mut connection, loosened).await;
        match install::apply(&mut connection).await {
            Err(InstallError::PreambleUnmet(unmet)) => {
                assert!(unmet.contains(sentence), "{loosened}: {unmet:?}")
            }
            other => panic!("{loosened}: {other:?}"),
        }
        run(&mut connection, taken_back).await;
        install::apply(&mut connection).await.unwrap_or_else(|error| panic!("{taken_back}: {error}"));
    }
}

/// A schema that somebody else made is never adopted: a trigger in it would run with the rights of whoever installs.
#[tokio::test]
async fn a_schema_of_somebody_else_is_not_adopted() {
    let cluster = PrivateCluster::start(&[]).expect("a server");
    let mut anywhere = cluster.admin().database("postgres").connect().await.expect("a connection");
    run(&mut anywhere, "create role bob").await;
    run(&mut anywhere, "create database the_one owner bob").await;
    let mut connection = cluster.admin().database("the_one").connect().await.expect("a connection");
    run(
        &mut connection,
        "set role bob;
         create schema striatumd;
         create table striatumd.owner_bundles (version int4 primary key, name text, applied_on text, checksum text);
         grant all on schema striatumd to public;
         grant all on striatumd.owner_bundles to public;
         create function striatumd.spring() returns trigger language plpgsql as
           'begin reset role; alter role bob superuser; set role striatum_owner; return new; end';
         create trigger spring before insert on striatumd.owner_bundles
           for each row execute function striatumd.spring();
         reset role",
    )
    .await;
    let refusal = install::apply(&mut connection).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "preamble_unmet");
    assert_eq!(
        refusal.details["unmet"],
        serde_json::json!(["the login may create in no schema", BELONGS, RIGHTS])
    );
    let is_super: bool = sqlx::query_scalar("select rolsuper from pg_roles where rolname = 'bob'")
        .fetch_one(&mut connection)
        .await
        .expect("bob");
    assert!(!is_super);
}
