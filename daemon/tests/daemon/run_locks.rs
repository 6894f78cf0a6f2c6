//! Two sessions of the server and the locks of runs.

use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _};
use striatum_testkit::{new_request_id, until_asked};

use crate::stage::Stage;

/// STR-LOCK-04: while a run is locked, another run goes on, in its repository as in the next one; it alone waits.
#[tokio::test]
async fn a_run_that_is_locked_keeps_no_other_run_waiting() {
    let mut stage = Stage::set().await;
    stage.run("select tap.run_stage(), tap.run_stage('beside'), tap.run_stage('far', 'next')").await;
    let mut admin = stage.database.admin().await.expect("a connection");
    let mut holder = admin.begin().await.expect("a transaction");
    holder
        .execute(
            "select pg_advisory_xact_lock(hashtextextended(
               concat_ws(':', 'striatum:run', tap.id('repo', 'app'), tap.id('run', 'r')), 0))",
        )
        .await
        .expect("the lock of a run");

    let mut waiting = stage.client();
    let request_id = new_request_id();
    let cancel = cancel(&mut stage, "app", "r").await;
    let mut request = waiting.request(&request_id, "run.cancel", cancel.clone());
    request["deadline_ms"] = json!(60_000);
    waiting.say(request.to_string().as_bytes()).expect("it is sent");
    until_asked("it waits for the lock", async || {
        let waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted";
        stage.number(waits).await == 1
    })
    .await;

    // What it has for itself alone while it waits is the lock of its own request.
    let held = "select count(*) from pg_locks held join pg_locks wanted using (pid)
                 where not wanted.granted and wanted.locktype = 'advisory' and held.granted
                   and held.locktype = 'advisory' and held.mode = 'ExclusiveLock'";
    assert_eq!(stage.number(held).await, 1, "another could wait for it");

    for (repository, run) in [("app", "beside"), ("next", "far")] {
        let params = self::cancel(&mut stage, repository, run).await;
        let mut client = stage.client();
        let canceled = client.ask("run.cancel", params).expect("an answer");
        assert_eq!(canceled["data"]["state"], "canceled", "{run}: {canceled}");
    }
    let states = "select string_agg(state::text, ' ' order by state::text) from striatumd.runs";
    assert_eq!(stage.text(states).await, "canceled canceled running", "while it waits");

    holder.rollback().await.expect("the lock is free");
    let answer = waiting.hear().expect("a connection").expect("an answer");
    // Where it had waited for as long as a call does, it is told to ask again.
    let answer = if answer["error"]["code"] == "busy" {
        waiting.ask_as(&request_id, "run.cancel", cancel).expect("an answer")
    } else {
        answer
    };
    assert_eq!(answer["data"]["state"], "canceled", "{answer}");
}

async fn cancel(stage: &mut Stage, repository: &str, run: &str) -> Value {
    let ids = sqlx::query_as("select tap.id('repo', $1), tap.id('run', $2)").bind(repository).bind(run);
    let (repository_id, run_id): (String, String) = ids.fetch_one(&mut stage.admin).await.expect("ids");
    json!({"repository_id": repository_id, "run_id": run_id, "reason": "no more of it"})
}
