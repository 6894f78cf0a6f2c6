//! Agents that say nothing, and a driver that tells what it knows: nothing is silently stuck.

use std::fs;

use serde_json::{Value, json};
use striatum_testkit::until;

use crate::flaky::with_script;
use crate::stage::{Stage, text};
use crate::workflow::Workflow;

fn has(list: &Value, text: &str) -> bool {
    list.as_array()
        .is_some_and(|list| list.iter().any(|one| one.as_str().is_some_and(|one| one.contains(text))))
}

fn err(stage: &Stage, number: u32) -> String {
    fs::read_to_string(stage.beside(&format!("drive-{number}.err"))).unwrap_or_default()
}

/// An agent that starts and never asks for work, and one that takes work and never begins: status, why and the driver
/// say so, since when, and by which command it ends.
/// B015: the token of an agent whose session was closed is good for nothing, and the refusal says so.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_does_nothing_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!(
        "if mkdir {}/once 2>/dev/null; then exec sleep 300; fi; exec scripted-agent --hang-at before-ack",
        folder.path().display()
    );
    let stage = Stage::set(&with_script(Workflow::quick(), "draft", &script)).await;
    let mut drive = stage.drive();
    until("the driver says it", || err(&stage, 0).contains("author-draft-1 has claimed nothing since "));
    let status = stage.json(&format!("status --run-id {}", stage.run_id));
    let session = &status["sessions"][0];
    let (id, name) = (text(&session["session_id"]), text(&session["session"]));
    assert_eq!((name.as_str(), session["idle_at"].is_string()), ("author-draft-1", true));
    assert!(has(&status["next"], &format!("striatum why {id}")), "{status}");
    assert!(err(&stage, 0).contains(&format!("striatum why {id}")), "{}", err(&stage, 0));
    assert!(has(
        &stage.json(&format!("why {}", stage.run_id))["waits_for"],
        "author-draft-1 has claimed nothing since"
    ));
    let why = stage.json(&format!("why {id}"));
    assert!(has(&why["waits_for"], "its agent has claimed nothing since "), "{why}");
    let command = format!("striatum supervise stop --session-id {id} --reason TEXT");
    assert!(has(&why["next"], &command), "{why}");

    // Its token, in other hands.
    let own = stage
        .daemon
        .setup()
        .runtime_dir
        .join("h")
        .join(format!("{}.token", text(&stage.supervisors()[0]["supervisor_id"])));
    let taken = stage.beside("taken.token");
    fs::copy(own, &taken).expect("a token");
    stage.json(&format!("session close {id} --reason 'it does nothing'"));
    for line in
        ["await-packet", "complete lease_0123456789abcdef", "publish-artifact lease_0123456789abcdef a"]
    {
        let refused = stage.striatum(&format!("{line} --json --token-file '{}'", taken.display()));
        let said: Value = serde_json::from_slice(&refused.stderr).expect("a refusal");
        assert_eq!(said["error"]["code"], "token_revoked", "{line}: {said}");
        assert!(!said["error"]["next"].as_array().expect("a list").is_empty(), "{said}");
    }

    let held = || -> Option<Value> {
        let status = stage.json(&format!("status --run-id {}", stage.run_id));
        status["sessions"].as_array()?.iter().find(|session| session["holds"] == "draft").cloned()
    };
    until("another one holds the draft", || held().is_some());
    let id = text(&held().expect("it holds it")["session_id"]);
    let why = stage.json(&format!("why {id}"));
    assert!(has(&why["waits_for"], "and has not acknowledged it"), "{why}");
    let command = format!("striatum supervise stop --session-id {id} --reason TEXT");
    assert!(has(&why["next"], &command), "{why}");
    let stopped = stage.command(&command.replace("TEXT", "'it never begins'")).output().expect("sh");
    assert!(stopped.status.success(), "{}", String::from_utf8_lossy(&stopped.stderr));
    until("the driver waits for a person", || drive.has_ended());
    let driven = drive.ended();
    assert_eq!(driven.code, Some(4), "{driven:?}");
    assert!(
        driven.next().is_some_and(|next| next.starts_with("striatum recovery requeue-stale ")),
        "{driven:?}"
    );
    stage.assert_proven();
}

/// A driver that comes late looks back a little; whoever did something stands beside their own work alone; a daemon
/// that is away is no silence.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_comes_late_looks_back_and_says_when_nobody_answers() {
    let mut stage = Stage::set(&Workflow::quick().with("final-review", &["--hang-at", "after-ack"])).await;
    let drive = stage.drive();
    let is_last = |line: &String| line.contains("final-review") && line.contains("-> running");
    until("the last review is under way", || drive.told().iter().any(is_last));
    let first = drive.told();
    drop(drive);
    assert!(
        first.iter().filter(|line| line.contains("-> queued")).all(|line| !line.contains("pid ")),
        "{first:?}"
    );
    assert!(
        first.iter().filter(|line| line.contains("-> completed")).all(|line| line.contains("pid ")),
        "{first:?}"
    );

    let late = stage.drive();
    until("it tells the last", || late.told().iter().any(is_last));
    let told = late.told();
    let earlier = format!("... {} earlier lines: striatum run events {}", first.len() - 10, stage.run_id);
    assert_eq!((told[0].as_str(), &told[1..]), (earlier.as_str(), &first[first.len() - 10..]));

    stage.daemon.kill().expect("a crash");
    until("it says that nobody answers", || {
        err(&stage, 1).contains("note: the daemon does not answer (daemon_unreachable)")
    });
    stage.daemon.restart().expect("a start");
    until("it says that somebody does", || err(&stage, 1).contains("note: the daemon answers again"));
    let canceled = stage.striatum(&format!("run cancel {} --reason 'seen enough'", stage.run_id));
    assert!(canceled.status.success(), "{}", String::from_utf8_lossy(&canceled.stderr));
    assert_ne!(late.ended().code, Some(0));
    assert_eq!(stage.json("list runs")["runs"][0]["state"], json!("canceled"));
}

/// An agent that stops its helper and dies: nobody tells of its end, and it is found out all the same, with no restart.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_died_under_a_stopped_helper_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let once = folder.path().join("once");
    let script = format!(
        "fault=; if mkdir {} 2>/dev/null; then kill -STOP $PPID; fault='--die-at after-ack'; fi
         exec scripted-agent $fault",
        once.display()
    );
    let stage = Stage::set(&with_script(Workflow::quick(), "review-b", &script)).await;
    assert_eq!(stage.complete(), [""; 0], "a review is queued again by itself");
    assert!(once.exists(), "the helper was never stopped");
    assert_eq!(stage.supervisors().len(), 7, "one agent more than jobs");
    stage.assert_proven();
}
