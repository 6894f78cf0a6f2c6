//! A daemon that may not serve says why, and serves by itself once that is mended.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use striatum_contract::refusal::ERROR_CODES;
use striatum_testkit::{Client, Daemon, Database, Setup, Shutdown, server, until, until_asked};

use crate::stage::{STRIATUMD, Stage, code, folder};

/// What a parked daemon answers to anybody, and that it says the command.
fn assert_parked(daemon: &Daemon, parked: &Value, reason: &str, next: &str) {
    assert!(parked["message"].as_str().is_some_and(|message| !message.is_empty()), "{parked}");
    let says = |steps: &Value| steps.as_array().is_some_and(|steps| steps.contains(&json!(next)));
    assert!(says(&parked["next"]), "{parked}");
    let (mut client, hello) = Client::greeted(&daemon.setup().socket()).expect("a client");
    assert_eq!((&hello["envelope"], &hello["framing"]), (&json!(1), &json!("json")));
    for (method, params) in
        [("daemon.describe", json!({})), ("repo.add", json!({"path": "/"})), ("no.such", json!({}))]
    {
        let reply = client.ask(method, params).expect("a reply");
        assert_eq!(
            (code(&reply), &reply["error"]["details"]["reason"]),
            ("daemon_parked", &json!(reason)),
            "{reply}"
        );
        assert_eq!(reply["error"]["details"]["audit"], "unavailable");
        assert!(says(&reply["error"]["next"]) && reply.get("audit_id").is_none(), "{reply}");
    }
    let known = ERROR_CODES.iter().find(|known| known.code == "daemon_parked").expect("a code");
    assert_eq!((known.exit_code, known.is_retryable), (11, true));
}

/// `striatumd db apply` as a superuser; it has to succeed while a daemon is parked.
fn apply(setup: &Setup, database: &Database) {
    let mut setup = setup.clone();
    setup.url = database.admin_url();
    let said = setup.command().args(["db", "apply"]).output().expect("the program runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
}

/// STR-STORE-16: an empty database: the daemon parks instead of ending again and again, holds no lock that an apply
/// needs, and serves after it without a restart.
#[tokio::test]
async fn over_an_empty_database_it_parks_and_serves_after_an_apply() {
    let own = server(&[]).expect("a server");
    let mut anywhere = own.admin().database("postgres").connect().await.expect("a connection");
    anywhere.execute("create database striatum").await.expect("a database");
    let folder = folder();
    let setup = Setup::new(STRIATUMD, &own.url("striatum"), folder.path());
    let mut daemon = Daemon::spawn(setup.clone()).expect("a daemon");
    // Not even the role for it is there.
    let parked = daemon.until_parked("database_unreachable").expect("it parks");
    assert_parked(&daemon, &parked, "database_unreachable", "striatum db apply");
    let mut by_hand = setup.clone();
    by_hand.url += "&user=postgres";
    let said = by_hand.command().args(["db", "apply"]).output().expect("the program runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    daemon.until_serving().expect("it serves");
    assert_eq!(
        daemon.client().expect("a client").ask("daemon.describe", json!({})).expect("a reply")["ok"],
        true
    );
    // The other way round, nothing is applied under it.
    let said = by_hand.command().args(["db", "apply"]).output().expect("the program runs");
    assert_eq!(said.status.code(), Some(4), "{}", String::from_utf8_lossy(&said.stderr));
}

/// STR-STORE-10: bundles or functions that are not those of the program: parked under the name of what differs, and
/// serving once they are.
/// STR-READSCOPE-05: meanwhile it reads nothing in another way; the code and the message say what is missing.
/// STR-STORE-12: and no request applies anything.
#[tokio::test]
async fn what_the_database_holds_has_to_be_what_the_program_carries() {
    const NEWER: &str =
        "insert into striatumd.owner_bundles values (9999, 'of_tomorrow', '2026-11-30T00:00:00Z', '7')";
    const OLDER: &str = "create table public.kept as select * from striatumd.owner_bundles where version = 6;
                         delete from striatumd.owner_bundles where version = 6";
    const OTHERS: &str = "update striatumd.installation set functions_sha256 = repeat('0', 64)";
    for (reason, change, mend, next) in [
        ("database_ahead", NEWER, Some("delete from striatumd.owner_bundles where version = 9999"), AHEAD),
        (
            "database_behind",
            OLDER,
            Some("insert into striatumd.owner_bundles select * from public.kept; drop table public.kept"),
            "striatum db apply",
        ),
        ("functions_differ", OTHERS, None, "striatum db apply"),
    ] {
        let database = Database::fresh().await.expect("a database");
        let mut admin = database.admin().await.expect("a connection");
        admin.execute(change).await.expect("a change");
        let before = applied(&mut admin).await;
        let folder = folder();
        let mut daemon =
            Daemon::spawn(Setup::new(STRIATUMD, database.url(), folder.path())).expect("a daemon");
        let parked = daemon.until_parked(reason).expect("it parks");
        assert_parked(&daemon, &parked, reason, next);
        assert_eq!(applied(&mut admin).await, before, "{reason}");
        let starts = "select count(*) from striatumd.audit_log where method = 'bootstrap_instance'";
        let starts: i64 = sqlx::query_scalar(starts).fetch_one(&mut admin).await.expect("a count");
        assert_eq!(starts, 0, "{reason}: a look is no start");
        match mend {
            Some(mend) => {
                admin.execute(sqlx::raw_sql(AssertSqlSafe(mend))).await.expect("it is mended");
            }
            None => apply(daemon.setup(), &database),
        }
        daemon.until_serving().unwrap_or_else(|error| panic!("{reason}: {error:#}"));
        let described =
            daemon.client().expect("a client").ask("daemon.describe", json!({})).expect("a reply");
        assert_eq!(described["ok"], true, "{reason}");
    }
}

/// What was applied, as the database has it on record and as it is.
async fn applied(admin: &mut PgConnection) -> String {
    let all = "select concat((select jsonb_agg(b order by version) from striatumd.owner_bundles b),
                             (select i from striatumd.installation i), striatumd.functions_live_sha256(),
                             (select array_agg(xmin order by method) from striatumd.methods))";
    sqlx::query_scalar(all).fetch_one(admin).await.expect("a text")
}

const AHEAD: &str = "striatum daemon start, of the version that applied it";

/// An apply that runs holds the serving lock: a parked daemon that looks meanwhile does not take it for another daemon.
#[tokio::test]
async fn it_waits_for_an_apply_that_runs() {
    let database = Database::fresh().await.expect("a database");
    let mut installer = database.admin().await.expect("a connection");
    installer
        .execute(
            "select pg_advisory_lock(hashtextextended('striatum:install', 0)),
                    pg_advisory_lock(hashtextextended('striatum:serving', 0))",
        )
        .await
        .expect("the locks of an apply");
    let folder = folder();
    let mut daemon = Daemon::spawn(Setup::new(STRIATUMD, database.url(), folder.path())).expect("a daemon");
    daemon.until_hello("it is parked", |data| data["parked"].is_object()).expect("it parks");
    installer.execute("select pg_advisory_unlock_all()").await.expect("the end of the apply");
    daemon.until_serving().expect("it serves");
}

/// The other way round: a parked daemon holds the lock for the moment in which it looks, and an apply outlasts that.
#[tokio::test]
async fn an_apply_waits_for_a_parked_daemon_that_looks() {
    let database = Database::fresh().await.expect("a database");
    let mut looks = database.admin().await.expect("a connection");
    let mut watcher = database.admin().await.expect("a connection");
    looks
        .execute("select pg_advisory_lock(hashtextextended('striatum:serving', 0))")
        .await
        .expect("the lock");
    let folder = folder();
    let mut setup = Setup::new(STRIATUMD, &database.admin_url(), folder.path());
    setup.arguments = vec!["db".to_owned(), "apply".to_owned()];
    let mut applies = Daemon::spawn(setup).expect("an apply");
    let locked = "select count(*) from pg_locks where locktype = 'advisory' and granted
                     and database = (select oid from pg_database where datname = current_database())";
    until_asked("the apply is under way", async || {
        sqlx::query_scalar::<_, i64>(locked).fetch_one(&mut watcher).await.expect("a number") == 2
    })
    .await;
    looks.execute("select pg_advisory_unlock_all()").await.expect("the lock given back");
    assert_eq!(applies.ended().expect("an end").told(), (0, ""));
}

/// A server that stops under a daemon parks it, whoever asks is told at once, and it goes on by itself when the server
/// does: under the same epoch, as nobody took its place.
#[tokio::test]
async fn it_parks_while_the_server_is_down_and_goes_on_by_itself() {
    let own = server(&[]).expect("a server");
    let mut stage = Stage::on(Database::on(&own).await.expect("a database")).await;
    let epoch = stage.daemon.until_serving().expect("a hello")["boot_epoch"].clone();
    let pid = stage.daemon.pid();
    let mut client = stage.client();
    own.stop(Shutdown::Fast).expect("a stop");
    let parked = stage.daemon.until_parked("database_unreachable").expect("it parks");
    assert_parked(&stage.daemon, &parked, "database_unreachable", "striatum db status");
    assert_eq!(code(&client.ask("daemon.describe", json!({})).expect("a reply")), "daemon_parked");
    own.start_again().expect("a start");
    assert_eq!(stage.daemon.until_serving().expect("it serves")["boot_epoch"], epoch);
    assert_eq!(
        (stage.daemon.pid(), &client.ask("daemon.describe", json!({})).expect("a reply")["ok"]),
        (pid, &json!(true))
    );

    // One that is started while the server is down parks, and serves once it is up.
    own.stop(Shutdown::Fast).expect("a stop");
    stage.daemon.kill().expect("a crash");
    stage.daemon = Daemon::spawn(stage.daemon.setup().clone()).expect("a daemon");
    stage.daemon.until_parked("database_unreachable").expect("it parks");
    own.start_again().expect("a start");
    let hello = stage.daemon.until_serving().expect("it serves");
    assert_ne!(hello["boot_epoch"], epoch);
}

/// A parked daemon ends when it is told to.
#[tokio::test]
async fn a_parked_daemon_ends_when_told_to() {
    let folder = folder();
    let nowhere = format!("postgres:///striatum?host={}", folder.path().display());
    let mut daemon = Daemon::spawn(Setup::new(STRIATUMD, &nowhere, folder.path())).expect("a daemon");
    daemon.until_parked("database_unreachable").expect("it parks");
    daemon.terminate().expect("a signal");
    assert_eq!(daemon.ended().expect("an end").told(), (0, ""));
    let socket = daemon.setup().socket();
    until("its socket is gone", || !striatum_testkit::is_socket(&socket));
}
