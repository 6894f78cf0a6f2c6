//! A run of six jobs, from its start to its proof.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};
use striatum_testkit::until;

use crate::stage::{Stage, distinct, text};
use crate::workflow::{JOBS, Workflow};

/// What the system says of a process: `(session, terminal's device, start)`; nothing where it is not there.
fn stat(pid: i64) -> Option<(i64, i64)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields[3].parse().ok()?, fields[4].parse().ok()?))
}

/// The terminal that a process reads from.
fn terminal(pid: i64) -> Option<String> {
    Some(fs::read_link(format!("/proc/{pid}/fd/0")).ok()?.display().to_string())
}

/// STR-RUN-01, STR-RUN-03, STR-RUN-11: six jobs are done, each by an agent of its own, and the run completes.
/// STR-RUN-16, STR-RUN-17: what it has come to is frozen, with each job and each session in it.
/// STR-SUPERVISE-04: each agent is a process in a terminal of its own, as its helper's file says.
/// STR-SESSION-17: each session is listed with what its lane had proved.
/// STR-QUEUE-05: each artifact was published under the lease of its job's attempt.
#[tokio::test(flavor = "multi_thread")]
async fn six_agents_in_six_terminals_complete_a_run_that_can_be_proven() {
    let workflow = Workflow::quick();
    let stage = Stage::set(&workflow).await;
    for path in workflow.artifacts() {
        assert!(!stage.repository().join(&path).exists(), "{} is there before", path.display());
    }

    // Each agent is looked at while it lives.
    let mut seen: BTreeMap<i64, (i64, i64, String, Value)> = BTreeMap::new();
    let mut drive = stage.drive();
    until("the run ends", || {
        for file in stage.pidfiles() {
            let Some(pid) = file["agent"]["pid"].as_i64() else { continue };
            if let (Some((session, device)), Some(terminal)) = (stat(pid), terminal(pid)) {
                seen.entry(pid).or_insert((session, device, terminal, file["pts"].clone()));
            }
        }
        drive.has_ended()
    });
    let driven = drive.ended();
    assert_eq!(driven.code, Some(0), "{driven:?}");
    assert_eq!(driven.next(), Some(format!("striatum run summary {}", stage.run_id)));

    assert_eq!(seen.len(), 6, "{seen:?}");
    for (pid, (session, _, terminal, of_helper)) in &seen {
        assert_eq!(
            (session, &json!(terminal)),
            (pid, of_helper),
            "a leader in the terminal that the helper made"
        );
        assert!(terminal.starts_with("/dev/pts/"), "{terminal}");
    }
    let supervisors = stage.supervisors();
    let pids: BTreeSet<i64> = supervisors.iter().filter_map(|row| row["agent_pid"].as_i64()).collect();
    assert_eq!((supervisors.len(), pids), (6, seen.keys().copied().collect()));
    assert_eq!(distinct(&supervisors, "session_id").len(), 6);
    for row in &supervisors {
        let pid = row["agent_pid"].as_i64().expect("a number");
        assert_eq!(row["terminal"], seen[&pid].2, "{row}");
    }

    // Six clients did it, none of them the operator.
    let clients = "select count(distinct client_id) from striatumd.audit_log
                    where session_id is not null and decision = 'allowed' and method in ";
    let doing = format!("{clients} ('work.ack')");
    let ending = format!("{clients} ('work.complete', 'review.submit')");
    assert_eq!((stage.number(&doing).await, stage.number(&ending).await), (6, 6));

    let summary = stage.summary();
    assert_eq!(
        (&summary["run"]["state"], &summary["run"]["completion_mode"]),
        (&json!("completed"), &json!("lanes_attested")),
        "{summary}"
    );
    let jobs: Vec<(String, Value, Value)> = summary["jobs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|job| (text(&job["job"]), job["state"].clone(), job["attempt"].clone()))
        .collect();
    assert_eq!(jobs, JOBS.map(|job| (job.to_owned(), json!("completed"), json!(1))));
    // As it was when each last acted, although all but the last have left since.
    assert_eq!(
        distinct(summary["sessions"].as_array().expect("a list"), "lane_attestation"),
        [r#""attested""#]
    );
    published_under_leases(&stage, &workflow).await;
    stage.assert_proven();
}

/// Each artifact has its event, which names job, attempt and the lease of exactly that attempt; the bytes are there.
async fn published_under_leases(stage: &Stage, workflow: &Workflow) {
    let published: Vec<Value> =
        stage.events().into_iter().filter(|event| event["type"] == "artifact.published").collect();
    assert_eq!(published.len(), JOBS.len());
    assert_eq!(distinct(&published, "job").len(), JOBS.len());
    for event in &published {
        let lease = text(&event["lease_id"]);
        let row = format!(
            "select count(*) from striatumd.leases l join striatumd.jobs j using (job_id)
              where lease_id = '{lease}' and j.workflow_job_id = '{}' and l.attempt = {}",
            text(&event["job"]),
            event["attempt"]
        );
        assert_eq!(stage.number(&row).await, 1, "{event}");
    }
    for path in workflow.artifacts() {
        assert!(stage.repository().join(&path).is_file(), "{}", path.display());
    }
}

/// B052: what was changed in the checkout before an attempt began, and what a sibling publishes where this one may not
/// write, is held against nobody.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_blamed_for_what_others_have_changed() {
    let mut workflow = Workflow::quick();
    for job in workflow.0["jobs"].as_array_mut().expect("jobs") {
        if job["id"] == "review-b" {
            job["write_scope"]["forbidden_paths"] = json!([".striatum/", "docs/rfc/review-a/"]);
        }
    }
    let stage = Stage::set(&workflow).await;
    let root = stage.repository();
    for dirty in ["brief.md", "docs/rfc/review-b/operators-own.md", "docs/rfc/draft/operators-own.md"] {
        fs::create_dir_all(root.join(dirty).parent().expect("a folder")).expect("a folder");
        fs::write(root.join(dirty), "an operator is at work here\n").expect("a file");
    }
    assert_eq!(stage.complete(), [""; 0]);
    let summary = stage.summary();
    assert_eq!(
        (&summary["run"]["state"], &summary["blockers"]),
        (&json!("completed"), &json!([])),
        "{summary}"
    );
    for dirty in ["brief.md", "docs/rfc/review-b/operators-own.md"] {
        assert_eq!(
            fs::read_to_string(root.join(dirty)).expect("it is there"),
            "an operator is at work here\n"
        );
    }
    let before = "select string_agg(distinct p ->> 'path', ' ') from striatumd.job_attempts a
                    join striatumd.jobs j using (job_id), jsonb_array_elements(a.baseline -> 'changed_paths') p
                   where j.workflow_job_id = 'draft'";
    assert_eq!(
        stage.found(before).await,
        "docs/rfc/draft/operators-own.md",
        "and each attempt knows of them"
    );
    stage.assert_proven();
}
