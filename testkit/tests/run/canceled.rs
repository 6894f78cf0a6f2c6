//! A run that is canceled while its agents work.

use std::process::Output;

use striatum_testkit::until;

use crate::stage::{Stage, is_alive};
use crate::workflow::Workflow;

/// STR-RUN-16, STR-SESSION-13: a canceled run ends with all of its work and its agents: none of them works on for
/// nobody, and the driver says how it ended.
#[tokio::test(flavor = "multi_thread")]
async fn the_agents_of_a_canceled_run_are_ended() {
    let hangs = ["--hang-at", "after-ack"];
    let stage = Stage::set(&Workflow::quick().with("review-a", &hangs).with("review-b", &hangs)).await;
    let drive = stage.drive();
    until("both reviews are under way", || {
        drive.told().iter().filter(|line| line.contains("review-") && line.contains("-> running")).count()
            == 2
    });
    let pids: Vec<i64> = stage.pidfiles().iter().filter_map(|file| file["agent"]["pid"].as_i64()).collect();
    assert!(pids.iter().filter(|pid| is_alive(**pid)).count() >= 2, "{pids:?}");
    let canceled: Output = stage.striatum(&format!("run cancel {} --reason 'wrong branch'", stage.run_id));
    assert!(canceled.status.success(), "{}", String::from_utf8_lossy(&canceled.stderr));
    until("the agents are gone", || !pids.iter().any(|pid| is_alive(*pid)) && stage.pidfiles().is_empty());
    let driven = drive.ended();
    assert!(driven.code != Some(0) && driven.err.contains("run_not_completed"), "{driven:?}");
    let left = "select count(*) from striatumd.process_supervisors where ended_at is null";
    assert_eq!(stage.number(left).await, 0);
    stage.assert_proven();
}
