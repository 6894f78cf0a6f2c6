//! B087: a daemon that ends finishes what it has begun; nobody hears half a reply.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use striatum_testkit::{Client, is_socket, until, until_asked};

use crate::stage::{Stage, code, init};

/// Asks until the connection ends; the audit ids of what was done. Whatever else is heard says that the daemon drains.
fn poll(mut client: Client, asked: &AtomicU32) -> Vec<String> {
    let mut done = Vec::new();
    loop {
        // An end is clean: the client panics over half a line, or a reply of another shape.
        let Ok(reply) = client.ask("daemon.describe", json!({"method": "repo.add"})) else { return done };
        asked.fetch_add(1, Ordering::Relaxed);
        match reply["ok"].as_bool() {
            Some(true) => done.push(reply["audit_id"].as_str().expect("an id").to_owned()),
            _ => assert_eq!(code(&reply), "daemon_draining", "{reply}"),
        }
    }
}

/// Every reply that was heard has its row, and the daemon ended as told.
async fn ends_under_load(stage: &mut Stage, end: impl FnOnce(&Stage) + Send) {
    let asked = AtomicU32::new(0);
    let clients: Vec<Client> = (0..4).map(|_| stage.client()).collect();
    let done: Vec<String> = std::thread::scope(|scope| {
        let polls: Vec<_> = clients.into_iter().map(|client| scope.spawn(|| poll(client, &asked))).collect();
        until("requests are answered", || asked.load(Ordering::Relaxed) >= 40);
        end(stage);
        polls.into_iter().flat_map(|poll| poll.join().expect("a client")).collect()
    });
    let ended = stage.daemon.ended().expect("an end");
    assert_eq!(ended.told(), (0, ""), "{:?}", stage.daemon.log());
    assert!(!is_socket(&stage.daemon.setup().socket()), "it took its socket away");
    assert!(done.len() >= 30);
    for audit_id in done {
        let rows: i64 =
            sqlx::query_scalar("select count(*) from striatumd.audit_log where audit_id = $1::bigint")
                .bind(&audit_id)
                .fetch_one(&mut stage.admin)
                .await
                .expect("a count");
        assert_eq!(rows, 1, "{audit_id}");
    }
}

/// SIGTERM while clients ask as fast as they can, again and again.
#[tokio::test]
async fn sigterm_under_load_ends_it_with_whole_replies() {
    let mut stage = Stage::set().await;
    for _ in 0..8 {
        ends_under_load(&mut stage, |stage| stage.daemon.terminate().expect("a signal")).await;
        stage.daemon.restart().expect("a start");
    }
}

/// `daemon.shutdown` does the same, and its own reply is heard.
#[tokio::test]
async fn shutdown_under_load_ends_it_with_whole_replies() {
    let mut stage = Stage::set().await;
    ends_under_load(&mut stage, |stage| {
        let reply = stage.client().ask("daemon.shutdown", json!({})).expect("a reply");
        assert_eq!(reply["data"], json!({"is_draining": true}), "{reply}");
    })
    .await;
}

/// What was begun is done and answered; what comes after it is told that the daemon is about to stop.
#[tokio::test]
async fn a_request_that_was_begun_is_finished_and_none_is_begun() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    let (mut waits, mut late) = (stage.client(), stage.client());
    stage
        .run(&format!(
            "begin; select pg_advisory_xact_lock(hashtextextended('striatum:root:{}', 0))",
            root.display()
        ))
        .await;
    waits.say(waits.request("begun", "repo.add", init(&root)).to_string().as_bytes()).expect("a connection");
    let mut watcher = stage.database.admin().await.expect("a connection");
    let query = "select count(*) from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
    until_asked("the call waits", async || {
        sqlx::query_scalar::<_, i64>(query).fetch_one(&mut watcher).await.expect("a number") == 1
    })
    .await;
    stage.daemon.terminate().expect("a signal");
    let socket = stage.daemon.setup().socket();
    until("it drains", || !is_socket(&socket));
    let mut reply = Value::Null;
    until("nothing new is begun", || {
        reply = late.ask("daemon.describe", json!({})).expect("a reply");
        reply["ok"] == false
    });
    assert_eq!(code(&reply), "daemon_draining", "{reply}");
    assert!(late.hear().expect("an end").is_none());
    stage.run("commit").await;
    let reply = waits.hear().expect("a connection").expect("a reply");
    assert_eq!((&reply["ok"], &reply["data"]["is_new"]), (&json!(true), &json!(true)), "{reply}");
    assert_eq!(stage.daemon.ended().expect("an end").told(), (0, ""));
    // Its effect was brought about, or the reply says that it is still to come.
    let done = stage.number("select count(*) from striatumd.effects where state = 'done'").await;
    assert_eq!(done == 1, reply.get("effects").is_none(), "{reply}");
}
