//! What agents leave behind, and helpers that do not answer: nothing of either stays, and nobody else waits for it.

use std::fs;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use striatum_testkit::{until, until_asked};

use crate::flaky::with_script;
use crate::stage::{Stage, is_alive, text};
use crate::workflow::Workflow;

/// The names of the files where helpers are found.
fn files(stage: &Stage) -> Vec<String> {
    let folder = fs::read_dir(stage.daemon.setup().runtime_dir.join("h")).into_iter().flatten();
    folder.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

fn signal(pid: i64, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a number of a process");
    kill_process(pid, signal).expect("a process");
}

fn stop(stage: &Stage, session_id: &str) -> Child {
    let line = format!("striatum supervise stop --session-id {session_id} --reason 'in the way'");
    stage.command(&line).stdout(Stdio::null()).spawn().expect("sh")
}

/// STR-SUPERVISE-23: a helper that was stopped does not hold up what is ordered of other lanes; it and its agent are
/// ended all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_does_not_answer_holds_up_nobody_else() {
    let hangs = ["--hang-at", "after-ack"];
    let stage = Stage::set(&Workflow::quick().with("review-a", &hangs).with("review-b", &hangs)).await;
    let drive = stage.drive();
    until("both reviews are under way", || {
        drive.told().iter().filter(|line| line.contains("review-") && line.contains("-> running")).count()
            == 2
    });
    drop(drive);
    let of = async |lane: &str| {
        let query = format!(
            "select concat_ws(' ', session_id, supervisor_id, helper_pid, agent_pid)
               from striatumd.process_supervisors join striatumd.sessions s using (session_id)
              where lane_id = '{lane}' and ended_at is null"
        );
        stage.found(&query).await.split(' ').map(str::to_owned).collect::<Vec<String>>()
    };
    let (slow, other) = (of("review-a").await, of("review-b").await);
    let state = async |of: &[String]| {
        stage
            .found(&format!(
                "select state::text from striatumd.effects where args ->> 'supervisor_id' = '{}'
                and kind = 'agent_stopped'",
                of[1]
            ))
            .await
    };
    let pids: Vec<i64> = slow[2..].iter().map(|pid| pid.parse().expect("a number")).collect();
    signal(pids[0], Signal::STOP);

    let mut first = stop(&stage, &slow[0]);
    until_asked("the first end is ordered", async || state(&slow).await == "planned").await;
    let mut second = stop(&stage, &other[0]);
    assert!(second.wait().expect("sh").success());
    assert_eq!((state(&other).await, state(&slow).await), ("done".to_owned(), "planned".to_owned()));
    let started = stage.json(&format!("session register {} reviewer review-b", stage.run_id));
    stage.json(&format!("supervise start --session-id {}", text(&started["session_id"])));
    assert_eq!(state(&slow).await, "planned", "an agent was started meanwhile");

    first.wait().expect("sh");
    until_asked("the first end is recorded", async || state(&slow).await == "done").await;
    assert!(!pids.iter().any(|pid| is_alive(*pid)), "{pids:?}");
    assert!(!files(&stage).iter().any(|file| file.starts_with(&slow[1])), "{:?}", files(&stage));
    stage.assert_proven();
}

/// STR-SUPERVISE-23, STR-SUPERVISE-37: an agent that kills its helper is lost for the run, and ended with what it
/// started, in whatever session; its work goes to another. Of agents that have ended no file is left.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_kills_its_helper_is_ended_with_all_that_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().display();
    let script = format!(
        "if mkdir {at}/once 2>/dev/null; then
           trap '' HUP
           (setsid sh -c 'echo $$ >{at}/apart; exec sleep 3600' &)
           sh -c 'echo $$ >{at}/child; exec sleep 3600' &
           echo $$ >{at}/agent
           while [ ! -s {at}/apart ] || [ ! -s {at}/child ]; do sleep 0.01; done
           kill -9 $PPID
           exec sleep 3600
         fi
         exec scripted-agent --pace-ms 20 --wait-ms 1000"
    );
    let stage = Stage::set(&with_script(Workflow::quick(), "review-b", &script)).await;
    assert_eq!(stage.complete(), [""; 0]);
    let pid = |name: &str| -> i64 {
        let read = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        read.trim().parse().unwrap_or_else(|_| panic!("{name}: {read:?}"))
    };
    let pids = ["agent", "child", "apart"].map(pid);
    until("they are gone", || !pids.iter().any(|pid| is_alive(*pid)));
    let supervisors = stage.supervisors();
    let lost: Vec<&Value> = supervisors.iter().filter(|row| row["agent_pid"] == pids[0]).collect();
    assert_eq!(lost.len(), 1, "{supervisors:?}");
    assert_eq!((&lost[0]["state"], &lost[0]["end_reason"]), (&json!("lost"), &json!("helper gone")));
    assert_eq!(supervisors.len(), 7, "one agent more than jobs");
    until("no file is left", || files(&stage).is_empty());
    stage.assert_proven();
}

/// STR-SUPERVISE-23: an agent that stays when its run has completed is ended after a minute, with all that it started.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_stays_when_its_run_has_completed_is_ended() {
    let script = "scripted-agent --pace-ms 20 --wait-ms 1000; sleep 900 & exec sleep 901";
    let mut stage = Stage::set(&with_script(Workflow::quick(), "final-review", script)).await;
    assert_eq!(stage.complete(), [""; 0]);
    let stays = "select agent_pid::bigint from striatumd.process_supervisors where ended_at is null";
    let pid = stage.number(stays).await;
    until_asked("the others have ended", async || {
        let left = "select count(*) from striatumd.process_supervisors where ended_at is null";
        stage.number(left).await == 1
    })
    .await;
    assert!(is_alive(pid), "it is there");
    let helper = stage.pidfiles().first().and_then(|file| file["helper"]["pid"].as_i64()).expect("a helper");

    // The minute passes for whoever connects from now on.
    let at = stage.found("select (clock_timestamp() + interval '61 seconds')::text").await;
    let name = stage.found("select current_database()::text").await;
    let passes = format!("alter database \"{name}\" set striatum.test_now = '{at}'");
    sqlx::query(sqlx::AssertSqlSafe(passes)).execute(&mut stage.admin().await).await.expect("a setting");
    stage.daemon.terminate().expect("a signal");
    stage.daemon.ended().expect("an end");
    stage.daemon.restart().expect("a start");
    until("it is gone", || !is_alive(pid) && !is_alive(helper) && files(&stage).is_empty());
    let row = stage.supervisors().into_iter().find(|row| row["agent_pid"] == pid).expect("its row");
    assert_eq!((&row["state"], &row["end_reason"]), (&json!("stopped"), &json!("session ended")), "{row}");
    stage.assert_proven();
}
