//! What `run drive` goes by.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::other_end::{OtherEnd, done};
use crate::{stderr, stdout};

/// STR-QUEUE-13: woken by work that was queued, it asks how the run stands before it starts anything; meanwhile
/// somebody has done it.
#[test]
fn whoever_is_woken_asks_again_before_an_agent_is_started() {
    let looks = AtomicUsize::new(0);
    let end = OtherEnd::new(move |peer, _| {
        peer.welcome();
        while let Some(request) = peer.read() {
            let is_first = looks.load(Ordering::SeqCst) < 2;
            let answer = match request["method"].as_str().expect("a method") {
                "run.events" if is_first => json!({"events": [], "next_after_event_id": null}),
                "run.events" => json!({"next_after_event_id": null, "events": [{"event_id": "7",
                    "event_type": "job.queued", "changes": []}]}),
                "status" if is_first => json!({"runs": [{"state": "running"}], "claimable_jobs": [],
                    "sessions": [{"state": "active", "holds": "draft", "supervisor_state": "attached"}]}),
                "status" => json!({"runs": [{"state": "completed"}], "claimable_jobs": [], "sessions": []}),
                "supervise.status" => json!({"supervisors": []}),
                other => panic!("{other} was not to be asked"),
            };
            looks.fetch_add(1, Ordering::SeqCst);
            peer.say(&done(&request, &answer));
        }
    });
    let answer = end.striatum(&["run", "drive", "run_1", "--repository-id", "repo_1"]);
    assert!(answer.status.success(), "{}{}", stdout(&answer), stderr(&answer));
    let asked: Vec<String> =
        end.asked().iter().map(|request| request["method"].as_str().unwrap_or_default().to_owned()).collect();
    let (look, tell) = (["run.events", "status"], ["run.events", "status", "supervise.status"]);
    // Once it has ended, the events are read once more: the last of them may have come after the first look.
    assert_eq!(asked, [&look[..], &tell[..], &tell[..]].concat());
}

/// What holds the whole run up belongs to no job, and nothing stands in the job's place.
#[test]
fn what_a_run_waits_for_names_a_job_where_there_is_one() {
    let end = OtherEnd::new(move |peer, _| {
        peer.welcome();
        while let Some(request) = peer.read() {
            let answer = match request["method"].as_str().expect("a method") {
                "run.events" => json!({"events": [], "next_after_event_id": null}),
                "supervise.status" => json!({"supervisors": []}),
                _ => {
                    json!({"runs": [{"state": "running"}], "claimable_jobs": [], "sessions": [], "next": [],
                    "open_blockers": [
                        {"job": null, "description": "what the run has to leave is lost", "kind": "files_lost",
                            "resolve_actions": ["striatum why blocker_1"]},
                        {"job": "draft", "description": "it asks", "kind": "question", "resolve_actions": []}]})
                }
            };
            peer.say(&done(&request, &answer));
        }
    });
    let answer = end.striatum(&["run", "drive", "run_1", "--repository-id", "repo_1"]);
    let said = "error: run_1 waits for somebody: what the run has to leave is lost (files_lost); draft: it asks \
                (question) (run_blocked)\n";
    assert!(stderr(&answer).contains(said), "{}{}", stdout(&answer), stderr(&answer));
}
