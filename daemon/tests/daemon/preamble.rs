//! The preamble: each way to loosen what must hold around the schema, and what the next apply makes of it.
//!
//! Roles belong to the whole server, so this has one of its own, and one test that does all in a row.

use std::time::Duration;

use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::server;
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
    (
        "revoke connect on database {db} from striatum_owner",
        "members of striatum_owner may connect to the database",
    ),
    ("revoke connect on database {db} from {login}", DATABASE),
    ("grant create on schema public to public", "nobody may create in schema public by being anybody"),
    (
        "alter default privileges for role striatum_owner grant execute on functions to public",
        "a new function of striatum_owner is nobody else's to execute",
    ),
];

/// What somebody did, and the sentence that the next apply refuses with. What it says to do next is then done.
const TAKEN_BACK: &[(&str, &str)] = &[
    ("grant pg_read_all_data to striatumd_rw", NO_MEMBER),
    ("grant striatum_owner to striatumd_rw", NO_MEMBER),
    ("grant pg_execute_server_program to striatum_owner", NO_MEMBER),
    ("create role eve in role striatumd_rw", "only logins of striatum are members of striatumd_rw"),
    ("grant pg_write_all_data to {login}", NOTHING_ELSE),
    ("grant striatumd_rw to {login} with admin option", NOTHING_ELSE),
    (
        "create role \"Eve \"\"2\"\"\" in role {login}",
        "nobody else is a member of the login of this database",
    ),
    ("alter database {db} owner to {login}", "the database belongs to none of the logins of striatum"),
    ("create role striatumd_rw_other login; grant connect on database {db} to striatumd_rw_other", NO_OTHER),
    ("grant create on database {db} to striatumd_rw", NO_OTHER),
    (
        "create schema \"Mine\"; grant create on schema \"Mine\" to {login}",
        "the login may create in no schema but its own",
    ),
    ("create table striatumd.\"My table\" ()", BELONGS),
    ("create view striatumd.my_view as select 1", BELONGS),
    ("create sequence striatumd.my_sequence", BELONGS),
    ("create type striatumd.my_kind as enum ()", BELONGS),
    ("create type striatumd.my_pair as (a int, b int)", BELONGS),
    ("create domain striatumd.my_number as int", BELONGS),
    ("create function striatumd.mine(int) returns int language sql as 'select 1'", BELONGS),
    ("create operator striatumd.## (rightarg = int, function = int4abs)", BELONGS),
    ("grant usage on schema striatumd to public", RIGHTS),
    ("grant create on schema striatumd to striatumd_rw", RIGHTS),
    ("grant select on striatumd.installation to striatumd_rw", RIGHTS),
    ("grant update (kind) on striatumd.installation to {login}", RIGHTS),
    ("grant execute on function striatumd.now() to public", RIGHTS),
    ("grant execute on function striatumd.now() to striatumd_rw", RIGHTS),
    ("alter default privileges for role striatum_owner grant select on tables to striatumd_rw", BY_DEFAULT),
    (
        "alter default privileges for role striatum_owner in schema striatumd grant execute on functions to {login}",
        BY_DEFAULT,
    ),
];

const PATIENCE: Duration = Duration::from_secs(60);

const LOGIN: &str = "the login of this database can log in and has no attribute beside";
const MEMBER: &str = "the login of this database is a member of striatumd_rw";
const NOTHING_ELSE: &str = "the login of this database is a member of nothing else, and may pass nothing on";
const LOGGED: &str = "no logged statement of the login shows a bound value";
const DATABASE: &str = "the login may connect to the database and do nothing else to it";
const NO_OTHER: &str = "no other login of striatum has a right to the database";
const NO_MEMBER: &str =
    "roles striatum_owner, striatumd_rw and striatum_bootstrap are members of no other role";
const BELONGS: &str = "all that is in schema striatumd belongs to striatum_owner";
const RIGHTS: &str =
    "nobody but striatum_owner has a right to anything in schema striatumd, but for the two doors";
const BY_DEFAULT: &str = "nothing new of striatum_owner is somebody else's by default";

async fn run(connection: &mut PgConnection, text: &str) {
    let text = text.replace("{db}", "the_one").replace("{login}", "striatumd_rw_the_one");
    let ran = connection.execute(sqlx::raw_sql(AssertSqlSafe(text.as_str()))).await;
    ran.unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// STR-AUTHZ-03: whatever was loosened is tightened by the next apply, or refused by name.
#[tokio::test]
async fn whatever_was_loosened_is_made_again_or_refused() {
    let cluster = server(&[]).expect("a server");
    let mut anywhere = cluster.admin().database("postgres").connect().await.expect("a connection");
    run(&mut anywhere, "create database the_one").await;
    let mut connection = cluster.admin().database("the_one").connect().await.expect("a connection");
    install::apply(&mut connection, PATIENCE).await.expect("the first apply");

    for (loosened, sentence) in MADE {
        run(&mut connection, loosened).await;
        let applied = install::apply(&mut connection, PATIENCE)
            .await
            .unwrap_or_else(|error| panic!("{loosened}: {error}"));
        assert_eq!(applied.preamble, [*sentence], "{loosened}");
    }
    for (loosened, sentence) in TAKEN_BACK {
        run(&mut connection, loosened).await;
        let refused = install::apply(&mut connection, PATIENCE).await.expect_err(loosened);
        assert_eq!(refused.refusal().code, "preamble_unmet", "{loosened}: {refused}");
        let InstallError::Preamble(lacking) = &refused else { panic!("{loosened}: {refused:?}") };
        assert!(lacking.sentences().contains(sentence), "{loosened}: {refused}");
        // The refusal's next steps, verbatim; the last of them is the apply itself.
        let mut next = refused.refusal().next;
        assert_eq!(next.pop().as_deref(), Some("striatum db apply"));
        for statement in next {
            run(&mut connection, &statement).await;
        }
        install::apply(&mut connection, PATIENCE).await.unwrap_or_else(|error| panic!("{loosened}: {error}"));
    }
}

/// A schema that somebody else made is never adopted: a trigger in it would run with the rights of whoever installs.
#[tokio::test]
async fn a_schema_of_somebody_else_is_not_adopted() {
    let cluster = server(&[]).expect("a server");
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
    let refusal = install::apply(&mut connection, PATIENCE).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "preamble_unmet");
    assert!(
        refusal.next.contains(&"alter schema striatumd rename to striatumd_of_somebody".to_owned()),
        "{refusal:?}"
    );
    let is_super: bool = sqlx::query_scalar("select rolsuper from pg_roles where rolname = 'bob'")
        .fetch_one(&mut connection)
        .await
        .expect("bob");
    assert!(!is_super);
}
