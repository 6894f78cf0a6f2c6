//! How many jobs of a run are worked on at once.

use serde_json::{Value, json};
use striatum_testkit::until_asked;

use crate::stage::{Stage, text};
use crate::workflow::Workflow;

/// Five jobs that wait for nothing, three of them on one lane, and one at a time.
const LANES: [&str; 5] = ["draft", "draft", "draft", "ledger", "synthesis"];

fn one_at_a_time() -> Workflow {
    let mut workflow = Workflow::quick().with_all(&["--pace-ms", "150"]);
    let draft = workflow.0["jobs"][0].clone();
    let jobs = LANES.iter().enumerate().map(|(n, lane)| {
        let mut job = draft.clone();
        let folder = format!("docs/{n}/");
        job["id"] = json!(format!("job-{n}"));
        job["lane_id"] = json!(lane);
        job["write_scope"]["allowed_paths"] = json!([folder]);
        job["expected_artifacts"][0]["path"] = json!(format!("{folder}it.md"));
        job["expected_artifacts"][0]["logical_name"] = json!(format!("it-{n}"));
        job
    });
    workflow.0["jobs"] = jobs.collect();
    for key in ["edges", "cycles"] {
        workflow.0[key] = json!([]);
    }
    workflow.0["parallelism"]["max_active_jobs"] = json!(1);
    workflow
}

/// B021: five agents that all ask at once get one job at a time, also right after the daemon was killed; those that
/// wait for the others stay, and all is done.
#[tokio::test(flavor = "multi_thread")]
async fn no_more_jobs_are_active_than_the_workflow_allows() {
    let mut stage = Stage::set(&one_at_a_time()).await;
    let run_id = stage.run_id.clone();
    let status = stage.json(&format!("status --run-id {run_id}"));
    let held = |job: &Value| job["held_back"]["reason"].clone();
    let waits: Vec<Value> = status["claimable_jobs"].as_array().expect("a list").iter().map(held).collect();
    let at_limit = json!("active_jobs_at_limit");
    assert_eq!(waits, [&[Value::Null][..], &vec![at_limit; 4]].concat());

    let agents = LANES.map(|lane| {
        let session = stage.json(&format!("session register {run_id} author {lane}"));
        let session_id = text(&session["session_id"]);
        stage.json(&format!("supervise start --session-id {session_id}"))
    });
    let ended = "select count(*) from striatumd.leases where state <> 'active'";
    for done in [1, 3] {
        until_asked("jobs are done", async || stage.number(ended).await >= done).await;
        stage.daemon.kill().expect("a crash");
        stage.daemon.restart().expect("a start");
    }
    let state = format!("select state::text from striatumd.runs where run_id = '{run_id}'");
    until_asked("the run is completed", async || stage.found(&state).await == "completed").await;

    let beside = "select count(*) from striatumd.leases one join striatumd.leases other
                      on other.lease_id > one.lease_id
                     and other.acquired_at < one.ended_at and one.acquired_at < other.ended_at";
    assert_eq!((stage.number(beside).await, stage.number(ended).await), (0, 5));
    let told = agents
        .iter()
        .filter(|agent| stage.terminal(&agent["supervisor_id"]).contains("no work: active_jobs_at_limit"));
    assert!(told.count() > 0, "nobody was told to wait");
    stage.assert_proven();
}
