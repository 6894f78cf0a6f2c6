//! A daemon that comes and goes while an agent works, or while it recovers what one has left.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use sqlx::{Connection as _, Executor as _};
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

/// B023: a daemon that dies in the middle of a recovery leaves no lock behind: the next one recovers the same work.
#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_that_was_cut_off_is_done_by_the_next_daemon() {
    let mut stage = Stage::set(&Workflow::quick().with("review-a", &["--pace-ms", "5000"])).await;
    let drive = stage.drive();
    let working = "select concat_ws(' ', l.job_id, p.agent_pid) from striatumd.leases l
                     join striatumd.jobs j using (job_id) join striatumd.process_supervisors p using (session_id)
                    where j.workflow_job_id = 'review-a' and j.state = 'running' and l.state = 'active'";
    let mut found = String::new();
    striatum_testkit::until_asked("the review is under way", async || {
        found = stage.found(working).await;
        !found.is_empty()
    })
    .await;
    let (job_id, pid) = found.split_once(' ').expect("two words");

    // Somebody has the job's row, so that the recovery stops behind it, with the run's lock in its hands.
    let mut admin = stage.admin().await;
    let mut holder = admin.begin().await.expect("a transaction");
    let row = format!("select from striatumd.jobs where job_id = '{job_id}' for update");
    holder.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(row))).await.expect("the row of the job");
    let agent = pid.parse().ok().and_then(Pid::from_raw).expect("a number of a process");
    kill_process(agent, Signal::KILL).expect("it lives");
    let recovers = "select count(*) from pg_stat_activity
                     where application_name = 'striatumd' and datname = current_database()
                       and wait_event_type = 'Lock' and query like '%striatumd.call%'";
    striatum_testkit::until_asked("a recovery stops behind the row", async || {
        stage.number(recovers).await > 0
    })
    .await;
    stage.daemon.kill().expect("a crash");
    holder.rollback().await.expect("the row is free");
    stage.daemon.restart().expect("a start");

    let driven = drive.ended();
    assert_eq!(driven.code, Some(0), "{driven:?}");
    let leases = format!("select count(*) from striatumd.leases where job_id = '{job_id}'");
    assert_eq!(stage.number(&leases).await, 2, "the one that was lost, and one more");
    let summary = stage.summary();
    let mut jobs = summary["jobs"].as_array().expect("a list").iter();
    let review = jobs.find(|job| job["job"] == "review-a").expect("the review");
    assert_eq!((&review["attempt"], &review["requeues"]), (&1.into(), &1.into()), "queued again once");
    stage.assert_proven();
}
