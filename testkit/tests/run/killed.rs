//! Agents that are killed at their work: once each, of one lane at a time.

use std::env;

use serde_json::Value;

use crate::stage::{Stage, text};
use crate::workflow::{JOBS, Workflow};

/// Where an agent is killed.
const POINTS: [&str; 3] = ["before-ack", "after-ack", "after-publish"];

/// A review, a job that writes into the repository, and one that has published already.
const SOME: [(&str, &str); 3] =
    [("review-b", "after-ack"), ("ledger", "after-ack"), ("synthesis", "after-publish")];

/// All of them where `STRIATUM_TORTURE_SEEDS` asks for the whole torture, else some.
fn cases() -> Vec<(&'static str, &'static str)> {
    let is_torture = env::var("STRIATUM_TORTURE_SEEDS").is_ok_and(|seeds| !seeds.trim().is_empty());
    if !is_torture {
        return SOME.to_vec();
    }
    JOBS.iter().flat_map(|job| POINTS.map(|point| (*job, point))).collect()
}

/// STR-QUEUE-15, B025: a review whose agent was killed is queued again and done by a fresh one; nobody is asked.
/// STR-QUEUE-16, STR-RECOVERY-16, B026: work that may have changed the repository waits for an operator, who is told
/// the command; after that the run goes on.
/// B014: what was published before is not published again under its attempt.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_killed_the_run_completes() {
    for (job, point) in cases() {
        println!("{job} {point}");
        killed(job, point).await;
    }
}

async fn killed(job: &str, point: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let once = folder.path().join("failed");
    let flags = ["--die-at", point, "--once", once.to_str().expect("text")];
    let stage = Stage::set(&Workflow::quick().with(job, &flags)).await;
    let commands = stage.complete();
    assert!(once.exists(), "{job}: nobody was killed {point}");

    let summary = stage.summary();
    let done = |job: &Value| (text(&job["state"]), job["attempt"].clone(), job["requeues"].clone());
    let jobs = summary["jobs"].as_array().expect("a list");
    let of = |name: &str| jobs.iter().find(|job| job["job"] == name).map(done).expect("the job");
    // A review publishes with its verdict, in one call: before that nothing of it is out.
    let is_review = job.contains("review");
    let has_published = !is_review && point == "after-publish";
    let attempt = if has_published { 2 } else { 1 };
    // What an operator queues again has all of its requeues before it.
    let requeues = u8::from(is_review);
    assert_eq!(
        of(job),
        ("completed".to_owned(), attempt.into(), requeues.into()),
        "{job} {point}: {summary}"
    );
    for other in JOBS.iter().filter(|other| **other != job) {
        assert_eq!(of(other), ("completed".to_owned(), 1.into(), 0.into()), "{other}, where {job} {point}");
    }
    assert_eq!(commands.len(), usize::from(!is_review), "{job} {point}: {commands:?}");
    assert_eq!(stage.supervisors().len(), 7, "one agent more than jobs");
    stage.assert_proven();
}
