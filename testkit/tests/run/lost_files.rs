//! Files that are gone although a run relies on them.

use std::fs;

use striatum_testkit::until_asked;

use crate::stage::Stage;
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
