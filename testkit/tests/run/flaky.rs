//! Agents that fail and come back, or that leave without a result.

use serde_json::{Value, json};
use striatum_testkit::{until, until_asked};

use crate::stage::{Stage, text};
use crate::workflow::{JOBS, Workflow};

/// A line of sh in the place of a lane's agent.
pub(crate) fn with_script(mut workflow: Workflow, lane: &str, script: &str) -> Workflow {
    workflow.0["lanes"][lane]["command"] = json!(["sh", "-c", script]);
    workflow
}

const AGENT: &str = "exec scripted-agent --pace-ms 20 --wait-ms 1000";

/// B025: an agent that is slow to start, one that exits with 1 before it asks for work, and one that does so with work
/// in hand: each is followed by a fresh one, or waited for, and nobody is asked.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_fails_once_or_starts_slowly_is_no_reason_to_ask_anybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let once = |name: &str, does: &str| {
        format!("if mkdir {}/{name} 2>/dev/null; then {does}; fi; {AGENT}", folder.path().display())
    };
    let workflow = with_script(Workflow::quick(), "draft", &once("slow", "sleep 3"));
    let workflow = with_script(workflow, "review-a", &once("a", "exit 1"));
    let workflow = with_script(workflow, "review-b", &once("b", "striatum await-packet --json; exit 1"));
    let stage = Stage::set(&workflow).await;
    assert_eq!(stage.complete(), [""; 0]);
    let summary = stage.summary();
    let jobs = summary["jobs"].as_array().expect("a list");
    for job in JOBS {
        let row = jobs.iter().find(|row| row["job"] == job).expect("the job");
        let requeues = i32::from(job == "review-b");
        assert_eq!((&row["attempt"], &row["requeues"]), (&json!(1), &json!(requeues)), "{row}");
    }
    assert_eq!(summary["blockers"], json!([]));
    assert_eq!(stage.supervisors().len(), 8, "two agents more than jobs");
    stage.assert_proven();
}

/// B045: an agent that asks a question and exits with 0 in the middle of its work frees its place at once; its review
/// goes to another within the budget, and then waits for a person, who is told how it ended and where its last words
/// are.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_without_a_result_is_followed_by_another_and_then_by_a_person() {
    let script = "striatum await-packet --json >/dev/null; echo 'Should I use A or B?'";
    let stage = Stage::set(&with_script(Workflow::quick(), "review-b", script)).await;
    let driven = stage.drive().ended();
    assert_eq!(driven.code, Some(4), "{driven:?}");
    let blocked = stage.json(&format!("status --run-id {}", stage.run_id))["open_blockers"][0].clone();
    assert_eq!((&blocked["job"], &blocked["kind"]), (&json!("review-b"), &json!("recovery_exhausted")));
    let why = stage.json(&format!("why {}", text(&blocked["blocker_id"])));
    let payload = &why["payload"];
    assert_eq!(
        (&payload["ended"], &payload["exit_code"], &payload["requeues"]),
        (&json!("exited_without_result"), &json!(0), &json!(2)),
        "{why}"
    );
    let log = text(&payload["terminal_log"]);
    assert!(
        driven.err.contains(&format!("exited without result, what its terminal showed: tail {log}")),
        "{driven:?}"
    );
    let shown = std::fs::read_to_string(stage.repository().join(&log)).expect("its log");
    assert!(shown.contains("Should I use A or B?"), "{shown}");
    let of_review: Vec<Value> = stage.supervisors().into_iter().filter(|row| row["exit_code"] == 0).collect();
    assert!(of_review.len() >= 3, "{of_review:?}");
    let held = "select count(*) from striatumd.leases where state = 'active'";
    until_asked("no place is taken", async || stage.number(held).await == 0).await;
    stage.assert_proven();
}

/// B072: a run's row that somebody else holds for longer than the lock timeout is waited for a few times, then the
/// answer is busy and nothing has changed; later the same call is done, at the first attempt.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_somebody_holds_costs_no_attempt() {
    use sqlx::Connection as _;
    let stage = Stage::set(&Workflow::quick().with("draft", &["--pace-ms", "1500"])).await;
    let drive = stage.drive();
    let running = "select count(*) from striatumd.jobs where workflow_job_id = 'draft' and state = 'running'";
    until_asked("the draft is under way", async || stage.number(running).await == 1).await;
    let mut other = stage.admin().await;
    let mut held = other.begin().await.expect("a transaction");
    sqlx::query("select from striatumd.runs for update").execute(&mut *held).await.expect("a row");
    let supervisor_id = stage.supervisors()[0]["supervisor_id"].clone();
    until("it is told that it has to wait", || stage.terminal(&supervisor_id).contains("(busy)"));
    let lease = "select count(*) from striatumd.leases where state = 'active' and attempt = 1";
    assert_eq!((stage.number(running).await, stage.number(lease).await), (1, 1), "nothing has changed");
    held.rollback().await.expect("an end");

    assert_eq!(drive.ended().code, Some(0));
    let draft = stage.summary()["jobs"][0].clone();
    assert_eq!(
        (&draft["job"], &draft["attempt"], &draft["requeues"]),
        (&json!("draft"), &json!(1), &json!(0))
    );
    assert_eq!(stage.supervisors().len(), 6);
    stage.assert_proven();
}
