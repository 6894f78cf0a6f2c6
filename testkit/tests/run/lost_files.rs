//! Files that are gone although a run relies on them.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use striatum_testkit::until_asked;

use crate::stage::{Stage, text};
use crate::workflow::Workflow;

const HELD: &str = "select j.workflow_job_id from striatumd.leases l join striatumd.jobs j using (job_id)
                     where l.state = 'active' and j.workflow_job_id = 'final-review'";

/// B053: what an ignore rule kept out of git and somebody took away is nowhere any more: the run does not complete
/// over it, names it, and completes once it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_does_not_complete_over_a_file_that_is_gone() {
    let stage = Stage::set(&Workflow::quick().with("final-review", &["--pace-ms", "1500"])).await;
    fs::write(stage.repository().join(".git/info/exclude"), "docs/\n.striatum/\n").expect("an ignore rule");
    let drive = stage.drive();
    until_asked("the last job is begun", async || !stage.found(HELD).await.is_empty()).await;
    let file = stage.repository().join("docs/rfc/draft/rfc.md");
    let body = fs::read(&file).expect("the draft");
    fs::remove_file(&file).expect("it goes");

    let driven = drive.ended();
    assert_eq!(driven.code, Some(4), "{driven:?}");
    let run = stage.json(&format!("status --run-id {}", stage.run_id));
    let state = (&run["runs"][0]["state"], &run["runs"][0]["stop_reason"]);
    assert_eq!(state, (&"needs_operator".into(), &"artifact_unreachable".into()));
    let blocker = &run["open_blockers"][0];
    let says = "what the run has to leave is not there as it was published: docs/rfc/draft/rfc.md (missing)";
    assert_eq!(blocker["description"], says);
    let resolve = format!("checkpoint resolve {} continue --reason back", blocker["blocker_id"]);
    assert_eq!(stage.json(&resolve)["run_state"], "needs_operator", "it is still gone");

    fs::write(&file, body).expect("it is back");
    let run = stage.json(&format!("status --run-id {}", stage.run_id));
    let resolve =
        format!("checkpoint resolve {} continue --reason back", run["open_blockers"][0]["blocker_id"]);
    assert_eq!(stage.json(&resolve)["run_state"], "completed");
    stage.assert_proven();
}

/// What a workflow names and is not there is said before anything of a run is: all of it at once, with its place.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_not_prepared_of_a_workflow_whose_parts_are_gone() {
    let mut workflow = Workflow::quick();
    let stage = Stage::set(&workflow).await;
    let root = stage.repository();
    fs::remove_file(root.join("prompts/draft.md")).expect("it goes");
    fs::remove_file(root.join("roles/editor.md")).expect("it goes");
    symlink("/etc/passwd", root.join("roles/editor.md")).expect("a link");
    workflow.0["lanes"]["ledger"]["command"] = json!(["no-such-agent"]);
    workflow.0["lanes"]["synthesis"]["command"] = json!(["brief.md"]);
    workflow.0["context_docs"] = json!([{"path": "none.md", "required": false}, "brief.md"]);
    fs::write(root.join("workflow.json"), workflow.0.to_string()).expect("a workflow");

    let said = stage.striatum("run prepare workflow.json --json");
    assert_eq!(said.status.code(), Some(8), "{}", String::from_utf8_lossy(&said.stderr));
    let refusal: Value = serde_json::from_slice(&said.stderr).expect("JSON");
    let problems = refusal["error"]["details"]["problems"].as_array().expect("a list").iter();
    let told: Vec<String> =
        problems.map(|problem| format!("{} {}", text(&problem["code"]), text(&problem["pointer"]))).collect();
    assert_eq!(
        told,
        [
            "document_missing /jobs/0/task_prompt/path",
            "program_missing /lanes/ledger/command/0",
            "program_missing /lanes/synthesis/command/0",
            "document_outside /roles/editor/definition_path",
        ]
    );
    assert_eq!(stage.number("select count(*) from striatumd.runs").await, 1, "no other run is there");
}
