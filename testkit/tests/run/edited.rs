//! A workflow file that somebody edits once its run is prepared.

use std::fs;

use serde_json::{Value, json};
use striatum_testkit::Database;

use crate::stage::{Stage, text};
use crate::workflow::Workflow;

/// STR-RUN-01, B039: a run goes by what was prepared; where the file means something else when it starts, that is said
/// with both hashes, and where it only looks otherwise nothing is.
#[tokio::test(flavor = "multi_thread")]
async fn what_has_changed_since_it_was_prepared_is_said_at_the_start() {
    let workflow = Workflow::quick();
    let stage =
        Stage::without_run(Database::fresh().await.expect("a database"), |path| workflow.put_into(path));
    let file = stage.repository().join("workflow.json");
    let prepared = || text(&stage.json("run prepare workflow.json")["run_id"]);
    let hash = || {
        let said = stage.command("sha256sum workflow.json").output().expect("a program").stdout;
        String::from_utf8_lossy(&said).split(' ').next().unwrap_or_default().to_owned()
    };

    let run = prepared();
    fs::write(&file, format!("{:#}\n", workflow.0)).expect("a file");
    let started = stage.json(&format!("run start {run}"));
    assert_eq!((&started["state"], started.get("warnings")), (&json!("running"), None), "{started}");
    stage.json(&format!("run cancel {run} --reason 'seen enough'"));

    let (run, before) = (prepared(), hash());
    let mut other = workflow.0.clone();
    other["jobs"][0]["objective"] = json!("Something else");
    fs::write(&file, other.to_string()).expect("a file");
    let said = stage.striatum(&format!("run start {run}"));
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    for part in ["workflow.json has changed since the run was prepared", &before, &hash()] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let kept = format!(
        "select workflow #>> '{{jobs,0,objective}}' from striatumd.workflow_snapshots where run_id = '{run}'"
    );
    assert_eq!(Value::from(stage.found(&kept).await), workflow.0["jobs"][0]["objective"]);
}
