//! Looking at what an apply would do: it sees all of it, and changes nothing.

use std::time::Duration;

use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::{Database, server};
use striatumd::install::{self, Functions, Plan};

use crate::program::{Program, said};

const PATIENCE: Duration = Duration::from_secs(60);

async fn plan(connection: &mut PgConnection) -> Plan {
    install::plan(connection, PATIENCE).await.expect("a look")
}

async fn run(connection: &mut PgConnection, text: &str) {
    let ran = connection.execute(sqlx::raw_sql(AssertSqlSafe(text))).await;
    ran.unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// A look at an empty database sees what the apply after it does, and takes no transaction id: it wrote nothing.
#[tokio::test]
async fn what_is_planned_is_what_is_applied_and_the_plan_writes_nothing() {
    let cluster = server(&["autovacuum = off"]).expect("a server");
    let mut anywhere = cluster.admin().database("postgres").connect().await.expect("a connection");
    run(&mut anywhere, "create database the_one").await;
    run(&mut anywhere, "create database the_other").await;
    let mut connection = cluster.admin().database("the_one").connect().await.expect("a connection");
    let mut other = cluster.admin().database("the_other").connect().await.expect("a connection");

    let next_id = "select pg_snapshot_xmax(pg_current_snapshot())::text";
    let before: String = sqlx::query_scalar(next_id).fetch_one(&mut anywhere).await.expect("an id");
    let empty = plan(&mut connection).await;
    let after: String = sqlx::query_scalar(next_id).fetch_one(&mut anywhere).await.expect("an id");
    assert_eq!(before, after, "no transaction was given an id");
    assert!(!empty.holds() && empty.is_superuser && !empty.is_serving);
    assert_eq!(empty.functions, Functions::Missing);

    let applied = install::apply(&mut connection, PATIENCE).await.expect("an apply");
    assert_eq!(empty.bundles.to_apply, applied.bundles);
    for made in &applied.preamble {
        assert!(empty.preamble.to_make.contains(made), "{made} was not planned");
    }
    assert_eq!(empty.preamble.to_take_back, []);
    let full = plan(&mut connection).await;
    assert!(full.holds(), "{full:?}");
    assert_eq!(full.bundles.on_record, applied.bundles.len());

    // Where roles are there already, and the schemas are not.
    let second = plan(&mut other).await;
    assert!(!second.preamble.to_make.contains(&"role striatum_owner exists"), "{second:?}");
    assert!(second.preamble.to_make.contains(&"schema striatum_roles exists"), "{second:?}");
}

/// The stamp is the same after each of these, and the functions are not.
#[tokio::test]
async fn a_function_that_was_changed_by_hand_is_seen_whatever_was_changed() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    for change in [
        "create or replace function striatumd.now() returns timestamptz language sql stable security definer
           set search_path = pg_catalog, pg_temp as 'select null::timestamptz'",
        "alter function striatumd.now() reset all",
        "alter function striatumd.now() security invoker",
        "alter function striatumd.now() immutable",
        "alter function striatumd.now() owner to postgres",
        "grant execute on function striatumd.now() to striatumd_rw",
        "drop function striatumd.new_id(text)",
        "create function striatumd.mine() returns int language sql as 'select 1'",
        "create or replace function striatumd.append_only() returns trigger language plpgsql security definer
           set search_path = pg_catalog, pg_temp as 'begin return new; end'",
    ] {
        assert_eq!(plan(&mut connection).await.functions, Functions::AsCarried);
        run(&mut connection, "begin").await;
        run(&mut connection, change).await;
        run(&mut connection, "commit").await;
        assert_eq!(plan(&mut connection).await.functions, Functions::Changed, "{change}");
        run(&mut connection, "alter routine striatumd.now() owner to striatum_owner").await;
        run(&mut connection, "revoke all on function striatumd.now() from striatumd_rw").await;
        run(&mut connection, "drop function if exists striatumd.mine()").await;
        if change.contains("append_only") {
            // A trigger function is a bundle's: no apply makes it anew.
            continue;
        }
        install::apply(&mut connection, PATIENCE).await.expect("an apply");
    }
    run(&mut connection, "update striatumd.installation set functions_sha256 = repeat('0', 64)").await;
    assert_eq!(plan(&mut connection).await.functions, Functions::OfAnotherVersion);
}

#[tokio::test]
async fn bundles_that_are_missing_edited_or_of_tomorrow_are_told_apart() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    let last = plan(&mut connection).await.bundles.on_record;
    run(&mut connection, &format!("delete from striatumd.owner_bundles where version = {last}")).await;
    let missing = plan(&mut connection).await.bundles;
    assert_eq!((missing.to_apply.len(), missing.differing.len(), missing.unknown.len()), (1, 0, 0));
    run(
        &mut connection,
        "insert into striatumd.owner_bundles values (9999, 'of_tomorrow', '2026-11-30T00:00:00Z', '7')",
    )
    .await;
    assert_eq!(plan(&mut connection).await.bundles.unknown, ["V9999__of_tomorrow"]);
    run(&mut connection, "update striatumd.owner_bundles set checksum = '1' where version = 1").await;
    assert_eq!(plan(&mut connection).await.bundles.differing, ["V0001__domains"]);
}

#[tokio::test]
async fn who_is_neither_superuser_nor_member_of_the_owner_sees_nothing() {
    let database = Database::fresh().await.expect("a database");
    let mut login = database.login().await.expect("a connection");
    let refusal = install::plan(&mut login, PATIENCE).await.expect_err("a refusal").refusal();
    assert_eq!(refusal.code, "owner_rights_missing");
    let role: String = sqlx::query_scalar("select current_setting('search_path')")
        .fetch_one(&mut login)
        .await
        .expect("the connection is usable");
    assert_eq!(role, "\"$user\", public", "and as it was");
}

/// A member who does not inherit what the owner may looks as the owner.
#[tokio::test]
async fn a_member_of_the_owner_sees_all() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    let dba = format!("looker_of_{}", database.name().as_str());
    run(&mut admin, &format!("create role {dba} login noinherit password 'dba' in role striatum_owner"))
        .await;
    run(&mut admin, &format!("grant connect on database {} to {dba}", database.name().as_str())).await;
    let mut member = database.as_somebody(&dba, "dba").connect().await.expect("the DBA's connection");
    let seen = plan(&mut member).await;
    assert!(seen.holds() && !seen.is_superuser, "{seen:?}");
}

#[tokio::test]
async fn plan_and_status_say_what_a_person_does_next() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    let program = Program::of(&database);
    let holds = format!("database {}: holds all that this program needs", database.name().as_str());

    let status = said(&program.run(&["db", "status"]));
    assert!(status.starts_with(&holds), "{status}");
    assert!(status.ends_with("no daemon serves from it\nnext:  striatum daemon start\n"), "{status}");
    let plan = said(&program.run(&["db", "plan"]));
    assert!(plan.ends_with(": nothing to do\nnext:  striatum daemon start\n"), "{plan}");

    run(&mut admin, "grant select on striatumd.clients to striatumd_rw").await;
    run(&mut admin, "drop function striatumd.now()").await;
    let status = said(&program.run(&["db", "status"]));
    let lines: Vec<&str> = status.lines().collect();
    assert_eq!(lines.len(), 2, "{status}");
    assert!(lines[0].contains("1 fact around the schema does not hold, the functions were changed by hand;"));
    assert_eq!(lines[1], "next:  revoke all on striatumd.clients from striatumd_rw; then striatum db apply");
    let plan = said(&program.run(&["db", "plan"]));
    for line in [
        "  replace   functions that were changed by hand since the last apply\n",
        "              revoke all on striatumd.clients from striatumd_rw;\n",
        "next:  revoke all on striatumd.clients from striatumd_rw\nnext:  striatum db apply\n",
    ] {
        assert!(plan.contains(line), "{line}: {plan}");
    }
    let data: serde_json::Value =
        serde_json::from_str(&said(&program.run(&["db", "plan", "--json"]))).expect("JSON");
    assert_eq!(data["data"]["functions"], "changed");
    assert_eq!(
        data["data"]["preamble"]["to_take_back"][0]["statements"],
        serde_json::json!(["revoke all on striatumd.clients from striatumd_rw"])
    );
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_a_refusal_for_both_kinds_of_reader() {
    let program = Program::at("postgres:///nowhere?user=postgres&host=%2Fnowhere");
    let refused = program.run(&["db", "status"]);
    assert_eq!(refused.status.code(), Some(11));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.starts_with("error: database nowhere cannot be reached: "), "{text}");
    assert!(text.contains(" (database_unreachable)\nnext:  striatum local up\n"), "{text}");
    let refused = program.run(&["db", "plan", "--json"]);
    let refused: serde_json::Value = serde_json::from_slice(&refused.stderr).expect("JSON");
    assert_eq!(refused["error"]["code"], "database_unreachable");
}
