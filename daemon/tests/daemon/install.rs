//! Installing: what it makes, what it leaves alone, what it refuses.

use std::time::Duration;

use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::{Database, server};
use striatumd::install::{self, Applied, DatabaseName, InstallError};

const NOTHING: Applied = Applied { preamble: Vec::new(), bundles: Vec::new(), functions: false };

async fn apply(connection: &mut PgConnection) -> Result<Applied, InstallError> {
    install::apply(connection, Duration::from_secs(60)).await
}

/// The names of the files below `sql/owner`, in order.
#[expect(clippy::disallowed_methods, reason = "the test lists the source tree")]
fn bundle_files() -> Vec<String> {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../sql/owner")).expect("the folder");
    let mut names: Vec<String> = folder
        .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").display().to_string())
        .collect();
    names.sort();
    names
}

/// An empty database on the server of the tests, and a superuser's connection to it.
async fn empty(host: &Database, name: &str) -> PgConnection {
    let create = format!("create database {name}");
    host.admin()
        .await
        .expect("a connection")
        .execute(sqlx::raw_sql(AssertSqlSafe(create)))
        .await
        .expect("a database");
    host.admin_of(name).await.expect("a connection")
}

/// What `status` and doctor compare, and what a refusal must not have changed.
async fn fingerprint(connection: &mut PgConnection) -> String {
    sqlx::query_scalar(
        "select (select string_agg(p.proname, ',' order by p.proname) from pg_proc p
                  where pronamespace = 'striatumd'::regnamespace)
             || (select string_agg(b::text, ',' order by version) from striatumd.owner_bundles b)
             || (select i.functions_sha256 from striatumd.installation i)",
    )
    .fetch_one(connection)
    .await
    .expect("an installed database")
}

#[tokio::test]
async fn an_empty_database_gets_everything_and_a_second_apply_changes_nothing() {
    let host = Database::fresh().await.expect("a server");
    let mut connection = empty(&host, "from_nothing").await;

    let first = apply(&mut connection).await.expect("the first apply");
    assert!(first.preamble.contains(&"schema striatumd exists"), "{first:?}");
    assert_eq!(first.bundles, bundle_files());
    assert!(first.functions);
    let stamp = install::stamp(&mut connection).await.expect("a stamp");
    assert_eq!(stamp, Some(install::functions_sha256()));
    let kind: String = sqlx::query_scalar("select kind::text from striatumd.installation")
        .fetch_one(&mut connection)
        .await
        .expect("a row");
    assert_eq!(kind, "production");

    let before = fingerprint(&mut connection).await;
    assert_eq!(apply(&mut connection).await.expect("the second apply"), NOTHING);
    assert_eq!(fingerprint(&mut connection).await, before);
    let role: String =
        sqlx::query_scalar("select current_user::text").fetch_one(&mut connection).await.expect("a role");
    assert_eq!(role, "postgres", "the connection is handed back as it came");
}

/// B084: of two at once on an empty database one installs and the other waits.
#[tokio::test]
async fn of_two_applies_at_once_one_waits() {
    let host = Database::fresh().await.expect("a server");
    let mut one = empty(&host, "for_two").await;
    let mut other = host.admin_of("for_two").await.expect("a connection");
    let (one, other) = tokio::join!(apply(&mut one), apply(&mut other));
    let mut both = [one.expect("one apply"), other.expect("the other apply")];
    both.sort_by_key(|applied| applied.functions);
    assert_eq!(both[0], NOTHING);
    assert_eq!(both[1].bundles, bundle_files());
}

/// Whatever the login or the database sets by default, an installation means the same.
#[tokio::test]
async fn odd_settings_change_nothing() {
    let host = Database::fresh().await.expect("a server");
    let mut admin = empty(&host, "oddly_set").await;
    admin
        .execute(
            "create schema trap;
             create function trap.to_regrole(text) returns regrole language sql as 'select 10::oid::regrole';
             create view trap.pg_roles as select 'nobody'::name as rolname, true as rolsuper;
             alter database oddly_set set search_path = trap, pg_catalog;
             alter database oddly_set set default_transaction_read_only = on;
             alter database oddly_set set default_transaction_isolation = 'serializable';
             alter database oddly_set set standard_conforming_strings = off",
        )
        .await
        .expect("settings");
    let mut connection = host.admin_of("oddly_set").await.expect("a connection");
    let applied = apply(&mut connection).await.expect("an apply");
    assert!(applied.functions && !applied.bundles.is_empty(), "{applied:?}");
    // How a definition is shown depends on the setting as well, and the connection has the odd one again.
    let mut reader = host.admin_of("oddly_set").await.expect("a connection");
    reader.execute("set standard_conforming_strings = on").await.expect("a setting");
    let constraints = "select array_agg(conname || pg_get_constraintdef(oid) order by conname)
                         from pg_constraint where connamespace = 'striatumd'::regnamespace";
    let mut ordinary = host.admin().await.expect("a connection");
    let ordinary: Vec<String> =
        sqlx::query_scalar(constraints).fetch_one(&mut ordinary).await.expect("a list");
    let oddly: Vec<String> = sqlx::query_scalar(constraints).fetch_one(&mut reader).await.expect("a list");
    assert_eq!(oddly, ordinary, "text was read as it was written");
    let shown: String =
        sqlx::query_scalar("show search_path").fetch_one(&mut connection).await.expect("a setting");
    assert_eq!(shown, "trap, pg_catalog", "the connection is handed back as it came");
}

/// STR-STORE-15: an owner bundle that was edited after it was applied is refused, and nothing else happens.
#[tokio::test]
async fn an_edited_bundle_is_refused() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    connection
        .execute("update striatumd.owner_bundles set checksum = '1' where version = 1")
        .await
        .expect("an edit");
    let before = fingerprint(&mut connection).await;

    let refusal = apply(&mut connection).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "bundle_differs");
    assert_eq!(refusal.details["bundle"], "V0001__domains");
    assert_eq!(refusal.exit_code(), 9);
    assert_eq!(fingerprint(&mut connection).await, before);
}

/// A database that a newer program was at is refused, and nothing else happens.
#[tokio::test]
async fn a_newer_database_is_refused() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    connection
        .execute(
            "insert into striatumd.owner_bundles values (9999, 'of_tomorrow', '2026-11-30T00:00:00Z', '7')",
        )
        .await
        .expect("a record of tomorrow");
    let before = fingerprint(&mut connection).await;

    let refusal = apply(&mut connection).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "database_ahead");
    assert_eq!(refusal.details["bundle"], "V9999__of_tomorrow");
    assert_eq!(fingerprint(&mut connection).await, before);
}

/// The current text of every function is its file: what was changed by hand is not there after an apply.
#[tokio::test]
async fn functions_are_made_anew_by_every_apply() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    connection
        .execute(
            "set role striatum_owner;
             drop function striatumd.new_id(text);
             create or replace function striatumd.now() returns timestamptz language sql as 'select null::timestamptz';
             create aggregate striatumd.left_over(int) (sfunc = int4larger, stype = int);
             delete from striatumd.error_codes;
             reset role",
        )
        .await
        .expect("another set of functions");
    assert_eq!(apply(&mut connection).await.expect("an apply"), NOTHING, "the stamp was the same");
    let (names, is_null, codes): (Vec<String>, bool, i64) = sqlx::query_as(
        "select (select array_agg(proname::text) from pg_proc where pronamespace = 'striatumd'::regnamespace),
                striatumd.now() is null, (select count(*) from striatumd.error_codes)",
    )
    .fetch_one(&mut connection)
    .await
    .expect("an answer");
    assert!(names.contains(&"new_id".to_owned()) && !names.contains(&"left_over".to_owned()), "{names:?}");
    assert!(!is_null && codes > 0);
}

#[tokio::test]
async fn functions_that_something_stands_on_are_not_half_replaced() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    connection
        .execute(
            "create view public.stands_on_it as select striatumd.now();
             update striatumd.installation set functions_sha256 = repeat('0', 64)",
        )
        .await
        .expect("a view that should not be");
    let before = fingerprint(&mut connection).await;

    let error = apply(&mut connection).await.expect_err("PostgreSQL's refusal to drop");
    assert!(matches!(error, InstallError::Database(_)), "{error:?}");
    assert_eq!(error.refusal().code, "internal_error");
    assert!(!error.refusal().message.contains("stands_on_it"), "no text from the inside");
    assert_eq!(fingerprint(&mut connection).await, before);
}

/// A DBA who is a member of `striatum_owner` and no superuser can apply, and is told all that only one can make.
#[tokio::test]
async fn a_member_of_the_owner_applies_what_needs_no_superuser() {
    let database = Database::fresh().await.expect("a database");
    let (name, login) = (database.name().as_str(), database.name().login());
    let mut admin = database.admin().await.expect("a connection");
    let dba = format!("dba_of_{name}");
    admin
        .execute(sqlx::raw_sql(AssertSqlSafe(format!(
            "create role {dba} login password 'dba' in role striatum_owner;
             update striatumd.installation set functions_sha256 = repeat('0', 64)"
        ))))
        .await
        .expect("a DBA");
    let mut member = database.as_somebody(&dba, "dba").connect().await.expect("the DBA's connection");
    assert_eq!(apply(&mut member).await.expect("an apply"), Applied { functions: true, ..NOTHING });

    admin
        .execute(sqlx::raw_sql(AssertSqlSafe(format!("alter role {login} reset all"))))
        .await
        .expect("a drift");
    let refusal = apply(&mut member).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "owner_rights_missing");
    assert_eq!(
        refusal.details["missing"],
        serde_json::json!([
            "no logged statement of the login shows a bound value",
            "no printed plan of the login shows a bound value"
        ])
    );
    assert_eq!(apply(&mut admin).await.expect("a superuser's apply").preamble.len(), 2);
}

/// B086: all reasons at once, before anything is made.
#[tokio::test]
async fn an_unsuitable_database_is_refused_with_every_reason() {
    let host = Database::fresh().await.expect("a server");
    let mut admin = host.admin().await.expect("a connection");
    admin
        .execute("create database \"Odd-Name\" template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'")
        .await
        .expect("a database");
    let mut connection = host.admin_of("Odd-Name").await.expect("a connection");

    let refusal = apply(&mut connection).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "database_unsuitable");
    assert_eq!(refusal.exit_code(), 78);
    assert!(
        refusal.message.contains("SQL_ASCII") && refusal.message.contains("\"Odd-Name\""),
        "{}",
        refusal.message
    );
    let schemas: i64 = sqlx::query_scalar("select count(*) from pg_namespace where nspname = 'striatumd'")
        .fetch_one(&mut connection)
        .await
        .expect("a count");
    assert_eq!(schemas, 0);
}

#[test]
fn a_database_name_needs_no_quoting_and_leaves_room_for_its_login() {
    for good in ["striatum", "a", "a_1", &"a".repeat(50)] {
        let name = DatabaseName::parse(good).expect("a good name");
        assert!(name.login().len() <= 63);
    }
    for bad in ["", "1a", "_a", "A", "a-b", "a\"b", "a;b", "é", "a b", &"a".repeat(51)] {
        DatabaseName::parse(bad).expect_err(bad);
    }
}

/// Whoever holds a lock is waited for, but not without end, and the refusal says that a later try may succeed.
#[tokio::test]
async fn a_lock_held_by_somebody_else_ends_as_busy() {
    let database = Database::fresh().await.expect("a database");
    let mut holder = database.admin().await.expect("a connection");
    let mut connection = database.admin().await.expect("a connection");
    for lock in ["lock striatumd.installation", "lock striatumd.owner_bundles", "lock striatumd.error_codes"]
    {
        holder.execute(sqlx::raw_sql(AssertSqlSafe(format!("begin; {lock}")))).await.expect("a lock");
        // No patience at all is a wait with an end, too.
        let refused = install::apply(&mut connection, Duration::ZERO).await.expect_err("a refusal");
        assert_eq!(
            (refused.refusal().code.as_ref(), refused.refusal().exit_code()),
            ("busy", 75),
            "{lock}: {}",
            refused.log_line()
        );
        holder.execute("rollback").await.expect("the lock given back");
    }
    apply(&mut connection).await.expect("an apply");
}

/// A daemon that serves holds a lock that an apply does not get; nothing is changed under it.
#[tokio::test]
async fn under_a_serving_daemon_nothing_is_applied() {
    let database = Database::fresh().await.expect("a database");
    let mut daemon = database.admin().await.expect("a connection");
    daemon
        .execute("select pg_advisory_lock(hashtextextended('striatum:serving', 0))")
        .await
        .expect("the serving lock");
    let mut connection = database.admin().await.expect("a connection");
    connection.execute("drop function striatumd.now()").await.expect("something to repair");
    let before = fingerprint(&mut connection).await;
    let refusal = apply(&mut connection).await.expect_err("a refusal").refusal();
    assert_eq!((refusal.code.as_ref(), refusal.exit_code()), ("daemon_serving", 4));
    assert_eq!(fingerprint(&mut connection).await, before);
}

/// Roles belong to the whole server: databases that are installed at once, the first ones of a server, all succeed.
#[tokio::test]
async fn the_first_databases_of_a_server_may_be_installed_at_once() {
    let own = server(&[]).expect("a server");
    let mut anywhere = own.admin().database("postgres").connect().await.expect("a connection");
    let mut connections = Vec::new();
    for name in ["one", "two", "three"] {
        let create = format!("create database {name}");
        anywhere.execute(sqlx::raw_sql(AssertSqlSafe(create))).await.expect("a database");
        connections.push(own.admin().database(name).connect().await.expect("a connection"));
    }
    let [one, two, three] = connections.as_mut_slice() else { unreachable!("three were made") };
    let (one, two, three) = tokio::join!(apply(one), apply(two), apply(three));
    for applied in [one, two, three] {
        assert!(applied.expect("an apply").functions);
    }
}

/// A login that is neither superuser nor member of the owner is told that, and nothing was tried.
#[tokio::test]
async fn somebody_else_is_told_what_is_lacking() {
    let database = Database::fresh().await.expect("a database");
    let mut login = database.login().await.expect("a connection");
    let refusal = apply(&mut login).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "owner_rights_missing");
    assert_eq!(refusal.details["missing"], serde_json::json!(["this login is a member of striatum_owner"]));
}

/// STR-AUTHZ-03, STR-READSCOPE-01: with the runtime login in hand nothing is readable,
/// nothing writable, and no other database can be entered.
#[tokio::test]
async fn the_runtime_login_can_connect_and_nothing_else() {
    let (database, neighbour) =
        (Database::fresh().await.expect("a database"), Database::fresh().await.expect("another"));
    let mut login = database.login().await.expect("a connection");
    for attempt in [
        "select * from striatumd.installation",
        "insert into striatumd.error_codes values ('a', 3, 404, false, 'No.')",
        "update striatumd.installation set kind = 'test'",
        "select striatumd.now()",
        "create table striatumd.mine ()",
        "create table public.mine ()",
        "create temp table mine ()",
        "create schema mine",
        "set role striatum_owner",
    ] {
        let error = login.execute(attempt).await.expect_err(attempt);
        let code = error.as_database_error().and_then(|said| said.code()).map(|code| code.into_owned());
        assert_eq!(code.as_deref(), Some("42501"), "{attempt}: {error}");
    }
    let plans: String =
        sqlx::query_scalar("show plan_cache_mode").fetch_one(&mut login).await.expect("a setting");
    assert_eq!(plans, "force_generic_plan");

    let password = format!("test-{}", database.name().as_str());
    let error = neighbour
        .as_somebody(&database.name().login(), &password)
        .connect()
        .await
        .expect_err("a closed door");
    assert_eq!(error.as_database_error().and_then(|said| said.code()).as_deref(), Some("42501"), "{error}");
}
