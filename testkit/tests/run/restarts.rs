//! A daemon that comes and goes while an agent works.

use serde_json::Value;
use striatum_testkit::until;

use crate::stage::{Stage, is_alive};
use crate::workflow::Workflow;

/// STR-SUPERVISE-01: three restarts within one job: the agent, its session and its lease live through
/// them, and the job is completed once, at its first attempt.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_lives_through_three_restarts_of_the_daemon() {
    let mut stage = Stage::set(&Workflow::quick().with("draft", &["--pace-ms", "2500"])).await;
    let drive = stage.drive();
    let held = "select concat_ws(' ', l.lease_id, l.session_id, l.attempt, p.agent_pid)
                  from striatumd.leases l join striatumd.jobs j using (job_id)
                  join striatumd.process_supervisors p using (session_id)
                 where j.workflow_job_id = 'draft' and l.state = 'active' and p.state = 'attached'";
    let mut before = String::new();
    striatum_testkit::until_asked("the draft is claimed", async || {
        before = stage.found(held).await;
        !before.is_empty()
    })
    .await;
    let pid: i64 = before.rsplit(' ').next().and_then(|pid| pid.parse().ok()).expect("a number");
    for is_crash in [false, true, false] {
        if is_crash {
            stage.daemon.kill().expect("a crash");
        } else {
            stage.daemon.terminate().expect("a signal");
            stage.daemon.ended().expect("an end");
        }
        stage.daemon.restart().expect("a start");
        assert!(is_alive(pid), "the agent is gone");
        assert_eq!(stage.found(held).await, before, "another holds it");
    }

    let driven = drive.ended();
    assert_eq!(driven.code, Some(0), "{driven:?}");
    let supervisors = stage.supervisors();
    let of_draft: Vec<&Value> = supervisors.iter().filter(|row| row["agent_pid"] == pid).collect();
    assert_eq!((supervisors.len(), of_draft.len()), (6, 1));
    let completed = "select count(*) from striatumd.leases l join striatumd.jobs j using (job_id)
                      where j.workflow_job_id = 'draft' and l.state = 'released'";
    let leases = "select count(*) from striatumd.leases l join striatumd.jobs j using (job_id)
                   where j.workflow_job_id = 'draft'";
    assert_eq!((stage.number(completed).await, stage.number(leases).await), (1, 1));
    until("the agents are gone", || {
        !supervisors.iter().any(|row| row["agent_pid"].as_i64().is_some_and(is_alive))
    });
    stage.assert_proven();
}
