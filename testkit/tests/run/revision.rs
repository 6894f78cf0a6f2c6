//! Work that a review sends back.

use serde_json::{Value, json};

use crate::stage::{Stage, text};
use crate::workflow::Workflow;

fn attempts(stage: &Stage) -> Vec<(String, Value, Value)> {
    let summary = stage.summary();
    let jobs = summary["jobs"].as_array().expect("a list").iter();
    jobs.filter(|job| job["job"] == "synthesis" || job["job"] == "final-review")
        .map(|job| (text(&job["job"]), job["state"].clone(), job["attempt"].clone()))
        .collect()
}

/// STR-REVIEW-15, STR-REVIEW-16, STR-REVIEW-17: what a review sends back is done again from the cycle's target on, with
/// the finding at hand, and judged by another session; the first verdict stays.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_back_is_done_again_and_judged_again() {
    let stage = Stage::set(&Workflow::quick().with("final-review", &["--revise-first"])).await;
    assert_eq!(stage.complete(), [""; 0]);
    let done = |job: &str| (job.to_owned(), json!("completed"), json!(2));
    assert_eq!(attempts(&stage), [done("synthesis"), done("final-review")]);
    let summary = stage.summary();
    let verdicts = summary["verdicts"].as_array().expect("a list").iter();
    let last: Vec<Value> = verdicts
        .filter(|verdict| verdict["job"] == "final-review")
        .map(|verdict| json!([verdict["attempt"], verdict["verdict"]]))
        .collect();
    assert_eq!(last, [json!([1, "needs_revision"]), json!([2, "accept"])]);
    let rfc = std::fs::read_to_string(stage.repository().join("docs/rfc/synthesis/rfc.md")).expect("a file");
    assert!(rfc.contains("the verdict `needs_revision` of `docs/rfc/final-review/finding.md`"), "{rfc}");
    stage.assert_proven();
}

/// STR-REVIEW-26, STR-RUN-11: a cycle that is used up waits for a person, who accepts in the reviewer's
/// place; the run then completes, and says by what.
/// B033: the first revision goes back by itself, the second opens a checkpoint that says the cycle is used up.
#[tokio::test(flavor = "multi_thread")]
async fn a_cycle_that_is_used_up_waits_for_a_person() {
    let mut workflow = Workflow::quick().with("final-review", &["--verdict", "needs_revision"]);
    workflow.0["cycles"][0]["max_iterations"] = json!(1);
    let stage = Stage::set(&workflow).await;
    let driven = stage.drive().ended();
    assert_eq!(driven.code, Some(4), "{driven:?}");
    assert_eq!(attempts(&stage)[1].2, json!(2), "the first revision went back by itself");
    let waits = stage.json(&format!("status --run-id {}", stage.run_id))["human_checkpoints"].take();
    assert!(
        text(&waits[0]["description"]).ends_with("every iteration that the workflow allows is used"),
        "{waits}"
    );
    let next = driven.all_next();
    let is_override =
        |next: &&String| next.starts_with("striatum checkpoint resolve ") && next.contains(" override ");
    let command = next.iter().find(is_override).unwrap_or_else(|| panic!("{driven:?}")).clone();
    let resolved = stage.command(&command.replace("TEXT", "'good enough'")).output().expect("sh");
    assert!(resolved.status.success(), "{}", String::from_utf8_lossy(&resolved.stderr));
    assert_eq!(stage.complete(), [""; 0]);
    let summary = stage.summary();
    assert_eq!(
        (&summary["run"]["state"], &summary["run"]["completion_mode"]),
        (&json!("completed"), &json!("operator_override")),
        "{summary}"
    );
    assert_eq!(summary["overrides"].as_array().map(Vec::len), Some(1), "{summary}");
    assert_eq!(summary["blockers"], json!([]));
    stage.assert_proven();
}
