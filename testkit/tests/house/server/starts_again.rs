//! Stopped or killed, and started again on the same data.

use sqlx::{ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::{Provider, Shutdown, server, skipped_in_container};

async fn admin(server: &Provider) -> sqlx::Result<PgConnection> {
    server.admin().database("postgres").connect().await
}

async fn text(connection: &mut PgConnection, query: &'static str) -> String {
    sqlx::query_scalar(query).fetch_one(connection).await.expect("an answer")
}

#[tokio::test]
async fn what_was_committed_before_a_crash_is_there_after_it() {
    let server = server(&["fsync = on"]).expect("a server");
    let (mut one, mut other) =
        (admin(&server).await.expect("a connection"), admin(&server).await.expect("another"));
    assert_eq!(text(&mut one, "show fsync").await, "on", "the line of the test is the later one");
    one.execute("create table kept (what text)").await.expect("a table");
    one.execute("insert into kept values ('committed')").await.expect("a row");
    other.execute("begin; insert into kept values ('open')").await.expect("a row of an open transaction");

    server.kill_postmaster().expect("a crash");
    one.execute("select").await.expect_err("a backend that is gone");
    admin(&server).await.map(drop).expect_err("nobody listens");
    server.kill_postmaster().expect_err("nothing to kill");

    server.start_again().expect("a start");
    let mut again = admin(&server).await.expect("the same socket");
    assert_eq!(text(&mut again, "select string_agg(what, ' ') from kept").await, "committed");
    assert_eq!(text(&mut again, "show fsync").await, "on");
    server.start_again().expect_err("it runs already");
    assert_eq!(text(&mut again, "select 'undisturbed'").await, "undisturbed");
}

#[tokio::test]
async fn a_server_stops_in_both_ways_and_starts_again() {
    let server = server(&["log_checkpoints = on", "work_mem = 1MB", "work_mem = 2MB"]).expect("a server");
    for how in [Shutdown::Fast, Shutdown::Immediate] {
        let mut connection = admin(&server).await.expect("a connection");
        let name = format!("after_{how:?}").to_lowercase();
        connection
            .execute(sqlx::raw_sql(sqlx::AssertSqlSafe(format!("create table {name} ()"))))
            .await
            .expect("a table");
        server.stop(how).expect("a stop");
        connection.execute("select").await.expect_err("a backend that is gone");
        server.stop(how).expect_err("nothing to stop");
        server.start_again().expect("a start");
    }
    let mut connection = admin(&server).await.expect("a connection");
    let tables =
        "select string_agg(relname::text, ' ' order by relname) from pg_class where relname like 'after_%'";
    assert_eq!(text(&mut connection, tables).await, "after_fast after_immediate");
    assert_eq!(text(&mut connection, "show work_mem").await, "2MB", "of two lines the later one wins");
}

/// A backend that never looks up from its work does not notice that its postmaster is gone.
#[tokio::test]
async fn a_backend_does_not_outlive_a_killed_server() {
    if skipped_in_container("no process there outlives the postmaster, which is the first one") {
        return;
    }
    let server = server(&[]).expect("a server");
    let mut busy = admin(&server).await.expect("a connection");
    let mut admin = admin(&server).await.expect("another");
    let works =
        tokio::spawn(async move { busy.execute("do 'begin loop null; end loop; end'").await.map(drop) });
    let working = "select count(*)::text from pg_stat_activity where state = 'active' and query like 'do %'";
    while text(&mut admin, working).await != "1" {
        tokio::task::yield_now().await;
    }
    server.kill_postmaster().expect("a crash");
    server.start_again().expect("nobody holds the memory of the old server");
    works.await.expect("a task").expect_err("it did not end by itself");
}
