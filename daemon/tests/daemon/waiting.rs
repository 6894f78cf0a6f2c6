//! Requests that wait: woken, at their end, without their caller, and with a daemon that ends.
#![expect(clippy::disallowed_methods, reason = "a test is itself the process that is looked at")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use striatum_testkit::{Client, new_request_id, until, until_asked};

use crate::stage::Stage;

/// A run of which the draft waits for `one`, while nothing waits for `critic`; both are this very process, and live
/// under a helper that does, too: agents whose helper is gone are ended.
async fn set() -> Stage {
    let mut stage = Stage::set().await;
    let root = stage.world.display().to_string();
    stage
        .run(&format!(
            "select tap.run_stage();
             select tap.session('one', 'author'), tap.session('critic', 'reviewer');
             update striatumd.repositories set root = '{root}'"
        ))
        .await;
    agents_are(&mut stage, std::process::id()).await;
    stage
}

/// Every agent is this process, under its start token.
async fn agents_are(stage: &mut Stage, pid: u32) {
    let (helper, agent) = (helper(), start_token(pid));
    stage
        .run(&format!(
            "update striatumd.process_supervisors
                set agent_pid = {pid}, agent_start_token = '{agent}',
                    helper_pid = {helper}, helper_start_token = '{}'",
            start_token(helper)
        ))
        .await;
}

fn start_token(pid: u32) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let start = stat.rsplit(')').next().expect("fields").split_ascii_whitespace().nth(19).expect("a start");
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("a boot");
    format!("{}:{start}", boot.trim())
}

/// A process that lives as long as this one.
fn helper() -> u32 {
    let helper = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn();
    let helper = helper.expect("a process");
    let pid = helper.id();
    // Its input ends with this process.
    std::mem::forget(helper);
    pid
}

/// Sends a request in the name of a session, and does not wait for its answer.
async fn say(stage: &mut Stage, client: &mut Client, method: &str, session: &str, more: Value) {
    let [repository_id, session_id] = [("repo", "app"), ("sess", session)];
    let id = async |stage: &mut Stage, (prefix, name): (&str, &str)| -> String {
        sqlx::query_scalar("select tap.id($1, $2)")
            .bind(prefix)
            .bind(name)
            .fetch_one(&mut stage.admin)
            .await
            .expect("an id")
    };
    let mut params = more;
    params["repository_id"] = id(stage, repository_id).await.into();
    params["session_id"] = id(stage, session_id).await.into();
    let mut request = client.request(&new_request_id(), method, params);
    request["deadline_ms"] = json!(600_000);
    client.say(request.to_string().as_bytes()).expect("it is sent");
}

async fn ask(stage: &mut Stage, client: &mut Client, method: &str, session: &str, more: Value) -> Value {
    say(stage, client, method, session, more).await;
    client.hear().expect("a connection").expect("an answer")
}

const AWAIT: &str = "work.await_packet";
const LONG: Duration = Duration::from_secs(10);

/// STR-QUEUE-07: the same claim, as soon as there is something to claim.
#[tokio::test]
async fn who_waits_is_woken_by_what_comes_into_the_queue() {
    let mut stage = set().await;
    let (mut critic, mut author) = (stage.client(), stage.client());
    let begun = Instant::now();
    say(&mut stage, &mut critic, AWAIT, "critic", json!({"wait_ms": 600_000})).await;
    let claimed = ask(&mut stage, &mut author, AWAIT, "one", json!({})).await;
    assert_eq!(claimed["data"]["status"], "claimed", "{claimed}");
    stage.run("select tap.queued('r.review')").await;
    let lease_id = claimed["data"]["lease_id"].clone();
    // What hands the draft back says so to all who wait in the run.
    let more = json!({"lease_id": lease_id, "reason": "another will"});
    let released = ask(&mut stage, &mut author, "work.release", "one", more).await;
    assert_eq!(released["ok"], true, "{released}");
    let woken = critic.hear().expect("a connection").expect("an answer");
    assert_eq!(woken["data"]["packet"]["job"]["workflow_job_id"], "review", "{woken}");
    assert!(begun.elapsed() < LONG, "before it would have looked again anyway");
    let rows = "select count(*) from striatumd.audit_log where method = 'work.await_packet'";
    assert_eq!(stage.number(rows).await, 2, "a request that waited has one row");
}

/// STR-QUEUE-07: at the end of its window it is told to go.
#[tokio::test]
async fn at_the_end_of_the_window_there_is_an_answer() {
    let mut stage = set().await;
    let mut critic = stage.client();
    let idle = ask(&mut stage, &mut critic, AWAIT, "critic", json!({"wait_ms": 300})).await;
    assert_eq!(idle["data"]["idle_behavior"], "exit_session", "{idle}");
    assert_eq!(stage.last_row().await.1, "allowed");
    stage.run("update striatumd.process_supervisors set state = 'starting'").await;
    let starting = ask(&mut stage, &mut critic, AWAIT, "critic", json!({"wait_ms": 0})).await;
    assert_eq!(starting["data"]["reason"], "session_backend_not_ready", "{starting}");
    let at_once = ask(&mut stage, &mut critic, "work.claim_next", "critic", json!({})).await;
    assert_eq!(at_once["error"]["code"], "session_backend_not_ready", "{at_once}");
}

/// STR-SESSION-05: a process that is another one than was started is told by its start.
#[tokio::test]
async fn an_agent_that_is_gone_gets_no_work() {
    let mut stage = set().await;
    let mut author = stage.client();
    stage.run("update striatumd.process_supervisors set agent_start_token = 'another-boot:1'").await;
    let gone = ask(&mut stage, &mut author, "work.claim_next", "one", json!({})).await;
    assert_eq!(gone["error"]["code"], "session_backend_gone", "{gone}");
    assert_eq!(
        stage.text("select state::text from striatumd.sessions where role_id = 'author'").await,
        "lost"
    );
}

/// STR-SESSION-05: one that has ended is gone, also where nobody has waited for it yet.
#[tokio::test]
async fn an_agent_that_has_ended_and_was_not_waited_for_is_gone() {
    let mut stage = set().await;
    let mut author = stage.client();
    let mut agent = std::process::Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("a process");
    agents_are(&mut stage, agent.id()).await;
    let claimed = ask(&mut stage, &mut author, "work.claim_next", "one", json!({})).await;
    assert_eq!(claimed["data"]["status"], "claimed", "while it lives: {claimed}");
    drop(agent.stdin.take());
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut agent.stdout.take().expect("its end"), &mut rest).expect("it ends");
    until("it has ended", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", agent.id())).expect("a process");
        stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with('Z'))
    });
    let gone = ask(&mut stage, &mut author, "work.claim_next", "one", json!({})).await;
    assert_eq!(gone["error"]["code"], "session_backend_gone", "{gone}");
    agent.wait().expect("it ended");
}

#[tokio::test]
async fn nothing_is_claimed_for_a_caller_who_has_gone() {
    let mut stage = set().await;
    let mut critic = stage.client();
    say(&mut stage, &mut critic, AWAIT, "critic", json!({"wait_ms": 600_000})).await;
    drop(critic);
    let mut watcher = stage.database.admin().await.expect("a connection");
    let ended = "select count(*) from striatumd.audit_log
                  where method = 'work.await_packet' and denial_reason = 'deadline_exceeded'";
    until_asked("its end is on record", async || {
        let rows: i64 = sqlx::query_scalar(ended).fetch_one(&mut watcher).await.expect("a count");
        rows == 1
    })
    .await;
    stage.run("select tap.queued('r.review')").await;
    assert_eq!(stage.number("select count(*) from striatumd.leases").await, 0);
}

/// B087: a daemon that ends keeps nobody waiting.
#[tokio::test]
async fn a_daemon_that_ends_answers_who_waits() {
    let mut stage = set().await;
    let (mut critic, mut author) = (stage.client(), stage.client());
    say(&mut stage, &mut critic, AWAIT, "critic", json!({"wait_ms": 600_000})).await;
    // A call that came later was answered, so the first try of the one that waits is over.
    let later = ask(&mut stage, &mut author, AWAIT, "one", json!({})).await;
    assert_eq!(later["ok"], true, "{later}");
    let begun = Instant::now();
    stage.daemon.terminate().expect("a signal");
    let told = critic.hear().expect("a connection").expect("an answer");
    assert_eq!(told["data"]["status"], "no_work", "{told}");
    assert_eq!(stage.daemon.ended().expect("an end").told(), (0, ""));
    assert!(begun.elapsed() < LONG);
}

/// B010: a heartbeat that meets a slow change of its job's rows looks again once that is over; it is refused where
/// that took the lease away, and there alone.
#[tokio::test]
async fn a_heartbeat_outwaits_a_slow_change_of_the_same_rows() {
    let mut stage = set().await;
    let mut author = stage.client();
    let claimed = ask(&mut stage, &mut author, "work.claim_next", "one", json!({})).await;
    let lease_id = claimed["data"]["lease_id"].clone();
    assert!(lease_id.is_string(), "{claimed}");
    for (change, answer) in [
        ("update striatumd.leases set expires_at = expires_at - interval '1 minute'", Value::Null),
        (
            "update striatumd.leases set state = 'released', ended_at = now(), release_reason = 'taken'",
            json!("lease_not_held"),
        ),
    ] {
        let mut slow = stage.database.admin().await.expect("a connection");
        let begin = format!("begin; update striatumd.jobs set title = title || '.'; {change}");
        slow.execute(sqlx::raw_sql(AssertSqlSafe(begin))).await.expect("a change");
        say(&mut stage, &mut author, "work.heartbeat", "one", json!({"lease_id": lease_id})).await;
        until_asked("the heartbeat waits", async || stage.number(WAITING).await == 1).await;
        slow.execute("commit").await.expect("its end");
        let beat = author.hear().expect("a connection").expect("an answer");
        assert_eq!(beat["error"]["code"], answer, "{beat}");
    }
}

/// How many sessions of this database wait for a lock.
const WAITING: &str = "select count(*) from pg_stat_activity
                        where wait_event_type = 'Lock' and datname = current_database()";
