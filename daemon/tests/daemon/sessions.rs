//! The daemon's sessions in the database: their times, and what they hold while nothing is asked.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use striatum_testkit::{Daemon, Database, Setup, until_asked};

use crate::stage::{STRIATUMD, Stage, code, folder, init};

/// B078: whatever zone the database has, API times are UTC, say so, and are the instants of the rows.
#[tokio::test]
async fn times_are_right_in_every_zone() {
    for zone in ["Asia/Kolkata", "America/New_York"] {
        let database = Database::fresh().await.expect("a database");
        let mut admin = database.admin().await.expect("a connection");
        let set = format!("alter database {} set timezone = '{zone}'", database.name().as_str());
        admin.execute(sqlx::raw_sql(AssertSqlSafe(set))).await.expect("a setting");
        let mut stage = Stage::on(database).await;
        let set = "select array_to_string(setconfig, ' ') from pg_db_role_setting
                    join pg_database on pg_database.oid = setdatabase
                   where datname = current_database() and setrole = 0";
        assert_eq!(stage.text(set).await, format!("TimeZone={zone}"));
        let reply = stage.client().ask("repo.add", init(&stage.repository("app"))).expect("a reply");
        let shown = reply["data"]["added_at"].as_str().expect("a time").to_owned();
        let row = "select to_char(added_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')
                     from striatumd.repositories";
        assert_eq!(stage.text(row).await, shown, "{zone}");
        let near = "select count(*) from striatumd.repositories where added_at <= clock_timestamp()
                      and added_at > clock_timestamp() - interval '10 minutes'";
        assert_eq!(stage.number(near).await, 1, "{zone}: the instant is today's");
        let payload: Value = serde_json::from_str(
            &stage.text("select payload_json from striatumd.events where event_id = 1").await,
        )
        .expect("a payload");
        assert_eq!(payload["changes"][0]["to"]["added_at"], shown, "{zone}");
        let revoke = "update striatumd.clients
                         set revoked_at = '2026-07-01 12:00:00+00', created_at = '2026-01-01'";
        stage.run(revoke).await;
        let refused = stage.client().ask("daemon.describe", json!({})).expect("a reply");
        assert_eq!(code(&refused), "token_revoked");
        assert_eq!(refused["error"]["details"]["revoked_at"], "2026-07-01T12:00:00.000000Z", "{zone}");
    }
}

/// B075: while nothing is asked no transaction is open, no snapshot held, nothing listened to: nothing keeps vacuum.
#[tokio::test]
async fn an_idle_daemon_holds_no_transaction_open() {
    let mut stage = Stage::set().await;
    let root = init(&stage.repository("app"));
    let mut client = stage.client();
    assert_eq!(client.ask("repo.add", root).expect("a reply")["ok"], true);
    assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
    let sessions =
        "from pg_stat_activity where datname = current_database() and application_name = 'striatumd'";
    let mut watcher = stage.database.admin().await.expect("a connection");
    let mut count = async |condition: &str| -> i64 {
        sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {sessions} and {condition}")))
            .fetch_one(&mut watcher)
            .await
            .expect("a count")
    };
    // The lock's, the flusher's, of changes one at least, and of reads.
    let sessions = count("true").await;
    assert!(sessions >= 4, "{sessions}");
    until_asked("all are idle", async || count("state = 'idle'").await == sessions).await;
    let busy = "xact_start is not null or backend_xmin is not null or backend_xid is not null
                or query ilike '%listen%' or query ilike '%notify%'";
    assert_eq!(count(&format!("({busy})")).await, 0);
    // Paused for as long as it may be, it keeps nobody.
    stage.daemon.pause().expect("a signal");
    assert_eq!(count(&format!("({busy})")).await, 0);
    stage.run("vacuum striatumd.effects").await;
    stage.daemon.resume().expect("a signal");
    assert_eq!(client.ask("daemon.describe", json!({})).expect("a reply")["ok"], true);
}

/// The settings under which the door is asked, whatever the database or the login has by default.
#[tokio::test]
async fn the_doors_sessions_have_the_settings_of_the_door() {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    let name = database.name().as_str();
    let set = format!(
        "alter database {name} set default_transaction_isolation = 'serializable';
         alter database {name} set default_transaction_read_only = on;
         alter database {name} set search_path = public"
    );
    admin.execute(sqlx::raw_sql(AssertSqlSafe(set))).await.expect("settings");
    let folder = folder();
    let daemon = Daemon::start(Setup::new(STRIATUMD, database.url(), folder.path())).expect("a daemon");
    assert_eq!(
        daemon.client().expect("a client").ask("daemon.describe", json!({})).expect("a reply")["ok"],
        true
    );
}
