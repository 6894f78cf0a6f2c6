//! No answer leaves the door before the transaction that made it is on disk (docs/decisions/0001-acknowledgement.md).

use std::time::Duration;

use serde_json::Map;
use serde_json::value::RawValue;
use sqlx::{ConnectOptions as _, Executor as _, PgConnection};
use striatum_testkit::{Database, server};
use striatumd::bootstrap::{self, Serving};
use striatumd::config::{Config, Place};
use striatumd::door::{Answer, Ask, CallError, Door, Phase, Transport};
use striatumd::install;
use tokio::time::{Instant, sleep};

/// At the end of a transaction with a call of that name: fails, or waits for a lock that the test holds.
const AT_COMMIT: &str = "
    create function public.at_commit() returns trigger language plpgsql as $$
    begin
      if new.request_id = 'fails' then
        raise exception 'the commit fails';
      end if;
      perform pg_advisory_xact_lock(42);
      return null;
    end $$;
    create constraint trigger at_commit after insert on striatumd.audit_log_1
      deferrable initially deferred for each row when (new.request_id in ('fails', 'waits'))
      execute function public.at_commit();";

/// A database in which commits can be made to fail, and this process as its daemon.
async fn serving(database: &Database) -> Serving {
    let mut admin = database.admin().await.expect("a connection");
    admin.execute(sqlx::raw_sql(AT_COMMIT)).await.expect("a trigger");
    let options = database.bootstrap();
    let socket = options.get_socket().expect("a socket").display().to_string();
    let url = format!("postgres:///{}?host={socket}", database.name().as_str());
    bootstrap::start(&config(&url)).await.expect("this process serves")
}

fn config(url: &str) -> Config {
    Config {
        database: Place::parse(url).expect("a place"),
        bootstrap: Place::parse(&format!("{url}&user=striatum_bootstrap")).expect("a place"),
        runtime_dir: "/nowhere".into(),
        log_level: tracing::Level::WARN,
        reads: 1,
        line_bytes: 1 << 20,
    }
}

/// A call of the daemon's own, among those that change.
async fn call(door: Door, request_id: String) -> Result<Answer, CallError> {
    let ask = Ask {
        request_id: Some(request_id),
        method: Some("effect.due".to_owned()),
        params: RawValue::from_string("{}".to_owned()).expect("an object"),
        phase: Phase::Decide,
        deadline: Instant::now() + Duration::from_secs(20),
        token: None,
        transport: Transport::Internal,
        observed: Map::new(),
        refusal: None,
        is_final: true,
        is_read: false,
    };
    door.call(&ask).await
}

async fn rows(admin: &mut PgConnection, request_id: &str) -> i64 {
    sqlx::query_scalar("select count(*) from striatumd.audit_log where request_id = $1")
        .bind(request_id)
        .fetch_one(admin)
        .await
        .expect("a count")
}

/// The server has said what the call answers, and that its statement is complete, when the commit fails: nobody is told
/// the answer, and the others are answered, once.
#[tokio::test]
async fn a_commit_that_fails_answers_nobody() {
    let database = Database::fresh().await.expect("a database");
    let Serving { door, lock: _lock, .. } = serving(&database).await;
    let others = (0..20).map(|n| format!("other-{n}"));
    let names: Vec<String> = ["fails".to_owned()].into_iter().chain(others).collect();
    let calls: Vec<_> =
        names.iter().map(|name| (name, tokio::spawn(call(door.clone(), name.clone())))).collect();
    let mut admin = database.admin().await.expect("a connection");
    for (name, call) in calls {
        match call.await.expect("a call ends") {
            Ok(answer) => {
                assert!(answer.ok && name != "fails", "{name}");
                assert_eq!(rows(&mut admin, name).await, 1, "{name}");
            }
            Err(CallError::Internal(said)) => {
                assert!(name == "fails" && said.contains("the commit fails"), "{name}: {said}");
                assert_eq!(rows(&mut admin, name).await, 0, "{name}");
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// As long as the commit has not ended there is no answer.
#[tokio::test]
async fn a_commit_that_waits_has_its_answer_wait() {
    let database = Database::fresh().await.expect("a database");
    let Serving { door, lock: _lock, .. } = serving(&database).await;
    let mut admin = database.admin().await.expect("a connection");
    let mut holder = database.admin().await.expect("a connection");
    holder.execute("select pg_advisory_lock(42)").await.expect("a lock");
    let waiting = tokio::spawn(call(door.clone(), "waits".to_owned()));
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let waits: bool = sqlx::query_scalar(
            "select exists (select from pg_locks where locktype = 'advisory' and objid = 42 and not granted)",
        )
        .fetch_one(&mut admin)
        .await
        .expect("an answer");
        if waits {
            break;
        }
        assert!(Instant::now() < until, "the commit never came to the trigger");
        sleep(Duration::from_millis(5)).await;
    }
    assert!(!waiting.is_finished(), "answered before the commit");
    assert_eq!(rows(&mut admin, "waits").await, 0);
    holder.execute("select pg_advisory_unlock(42)").await.expect("the lock given back");
    assert!(waiting.await.expect("a call ends").expect("an answer").ok);
    assert_eq!(rows(&mut admin, "waits").await, 1);
}

/// A server whose every wait for the disk is without end: it waits for a second server too, and there is none. Calls
/// that come together are committed and seen by others; not one is answered. Once the flush can end, all are.
#[tokio::test]
async fn committed_calls_are_answered_when_they_are_flushed() {
    let server = server(&["synchronous_standby_names = 'nobody'"]).expect("a server");
    let here = |database: &str| server.admin().database(database).options([("synchronous_commit", "local")]);
    let mut anywhere = here("postgres").connect().await.expect("a connection");
    anywhere.execute("create database striatum").await.expect("a database");
    let mut admin = here("striatum").connect().await.expect("a connection");
    install::apply(&mut admin, Duration::from_secs(60)).await.expect("striatum installed");
    admin.execute("alter role striatum_bootstrap set synchronous_commit = local").await.expect("a setting");
    let url = format!("postgres:///striatum?host={}", server.socket().display());
    let Serving { door, lock: _lock, .. } =
        bootstrap::start(&config(&url)).await.expect("this process serves");

    let names: Vec<String> = (0..8).map(|n| format!("n-{n}")).collect();
    let calls: Vec<_> = names.iter().map(|name| tokio::spawn(call(door.clone(), name.clone()))).collect();
    let until = Instant::now() + Duration::from_secs(10);
    // Those that are not committed wait behind the first one, which was alone and waits by itself.
    while committed(&mut admin).await == 0 && Instant::now() < until {
        sleep(Duration::from_millis(5)).await;
    }
    assert!(calls.iter().all(|call| !call.is_finished()), "answered before it was flushed");
    admin.execute("alter system set synchronous_standby_names = ''").await.expect("a setting");
    admin.execute("select pg_reload_conf()").await.expect("a reload");
    for call in calls {
        assert!(call.await.expect("a call ends").expect("an answer").ok);
    }
    assert_eq!(committed(&mut admin).await, 8);
}

/// When the session that flushes ends, nothing that waits for it is given out: all is asked again, and each request
/// that changes something has one row of its own and at most one of a replay.
#[tokio::test]
async fn without_its_session_a_flush_does_not_count() {
    let database = Database::fresh().await.expect("a database");
    let Serving { door, lock: _lock, .. } = serving(&database).await;
    let mut admin = database.admin().await.expect("a connection");
    let calls: Vec<_> = (0..200).map(|n| tokio::spawn(call(door.clone(), format!("n-{n}")))).collect();
    while calls.iter().any(|call| !call.is_finished()) {
        admin
            .execute(
                "select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and query like '%pg_logical_emit_message%'
                    and pid <> pg_backend_pid()",
            )
            .await
            .expect("an end");
        sleep(Duration::from_millis(30)).await;
    }
    for call in calls {
        assert!(call.await.expect("a call ends").expect("an answer").ok);
    }
    assert!(committed(&mut admin).await >= 200);
}

async fn committed(admin: &mut PgConnection) -> i64 {
    sqlx::query_scalar("select count(*) from striatumd.audit_log where request_id like 'n-%'")
        .fetch_one(admin)
        .await
        .expect("a count")
}

/// The shapes against which the bench measures are in no program that users get.
#[cfg(not(feature = "bench"))]
#[test]
#[expect(clippy::disallowed_methods, reason = "the program is looked at")]
fn the_program_has_no_switch_for_durability() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_striatumd")).expect("the program");
    let holds = |word: &[u8]| program.windows(word.len()).any(|window| window == word);
    assert!(holds(b"STRIATUM_DAEMON_DB_URL"), "the search finds what is there");
    assert!(!holds(b"STRIATUM_BENCH"), "a bench's switch is in the program");
}
