//! Agents that do what they should not.

use serde_json::Value;
use striatum_testkit::until;

use crate::stage::{Stage, is_alive, text};
use crate::workflow::{JOBS, Workflow};

/// The most that is kept of what a terminal shows.
const LOG_BYTES: u64 = 17 << 20;

/// STR-QUEUE-05, B015: under a lease that has ended nothing is let through.
/// B015, B049: a call that is sent twice as one request is answered as the first time, and changes nothing again.
/// STR-BOUNDARY-05: 50 MiB on a terminal keep nobody from working, and are not all kept.
/// STR-SUPERVISE-23: a process that left its agent's session is gone with it.
#[tokio::test(flavor = "multi_thread")]
async fn odd_agents_harm_nobody() {
    let workflow = Workflow::quick()
        .with("draft", &["--repeat", "--leave-child"])
        .with("review-a", &["--old-lease"])
        .with("review-b", &["--noise", "50"])
        .with("ledger", &["--repeat", "--old-lease"])
        .with("final-review", &["--repeat"]);
    let stage = Stage::set(&workflow).await;
    assert_eq!(stage.complete(), [""; 0]);

    let supervisors = stage.supervisors();
    assert_eq!(supervisors.len(), 6);
    let lanes = stage.summary();
    let lane = |session_id: &Value| {
        let sessions = lanes["sessions"].as_array().expect("a list");
        sessions.iter().find(|row| row["session_id"] == *session_id).map(|row| text(&row["lane_id"]))
    };
    let of = |name: &str| {
        let row = supervisors.iter().find(|row| lane(&row["session_id"]).as_deref() == Some(name));
        row.unwrap_or_else(|| panic!("no agent of {name}"))
    };
    let shown = |name: &str| stage.terminal(&of(name)["supervisor_id"]);
    for name in ["review-a", "ledger"] {
        assert_eq!(shown(name).matches("  rightly: ").count(), 2, "{}", shown(name));
    }
    for name in ["draft", "ledger", "final-review"] {
        assert!(shown(name).contains("the same once more: the same answer"), "{}", shown(name));
    }
    for row in &supervisors {
        let shown = stage.terminal(&row["supervisor_id"]);
        assert!(!shown.contains("let through") && !shown.contains("two answers"), "{shown}");
    }
    let noise = std::fs::metadata(stage.log(&of("review-b")["supervisor_id"])).expect("a log").len();
    assert!(noise < LOG_BYTES, "{noise} octets are kept");

    let draft = shown("draft");
    let child = draft.split("leaves process ").nth(1).and_then(|rest| rest.split(' ').next());
    let child: i64 = child.and_then(|pid| pid.parse().ok()).unwrap_or_else(|| panic!("{draft}"));
    until("the child that was left behind is gone", || !is_alive(child));

    let events = stage.events();
    let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((count("artifact.published"), count("verdict.recorded")), (JOBS.len(), 3));
    stage.assert_proven();
}
