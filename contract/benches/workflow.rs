//! How long the check of a workflow file takes, at two sizes and with their ratio, and of files that were made to hurt.
//! Processor time is not told apart from the clock's: run it on a machine that does nothing else.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use striatum_contract::workflow::{Around, read};

fn main() {
    println!("{:<28} {:>10} {:>10} {:>7}", "", "half", "whole", "ratio");
    for (name, make, size) in [
        ("chain of 2000 jobs", chain as fn(usize) -> Value, 2000),
        ("500 parallel jobs", parallel, 500),
        ("200 phases", phases, 200),
    ] {
        let [half, whole] = [size / 2, size].map(|size| taken(make(size).to_string().as_bytes(), None));
        let ratio = whole.as_secs_f64() / half.as_secs_f64();
        println!("{name:<28} {:>10} {:>10} {ratio:>7.2}", shown(half), shown(whole));
    }
    let million = |of: &str| format!("{{\"edges\":[{}{of}]}}", format!("{of},").repeat(1_000_000));
    for (name, text) in [
        ("10,000 brackets", format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))),
        ("50 MB", " ".repeat(50_000_000)),
        ("a million edges", million("{\"from\":\"a\",\"to\":\"b\"}")),
        ("as many edges as fit", million("{}")),
        ("4 MB without a bound", format!("{{\"context_docs\":[\"{}..\"]}}", "a/".repeat(2_000_000))),
    ] {
        println!("{name:<28} {:>10} {:>10}", "", shown(taken(text.as_bytes(), Some("refused"))));
    }
}

/// The best of five.
fn taken(text: &[u8], refused: Option<&str>) -> Duration {
    let once = || {
        let start = Instant::now();
        let read = black_box(read(black_box(text), &Around::default()));
        let taken = start.elapsed();
        assert_eq!(read.problems(true).next().is_some(), refused.is_some(), "{:?}", read.findings.first());
        taken
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}

fn shown(taken: Duration) -> String {
    format!("{:.1} ms", taken.as_secs_f64() * 1e3)
}

fn workflow(jobs: Vec<Value>, edges: Vec<Value>) -> Value {
    json!({
        "schema_version": "striatum.workflow.v1", "workflow_id": "wf", "workflow_version": "1", "name": "a workflow",
        "branch": {"mode": "confirm"}, "coordinator": {"role_id": "author", "lane_id": "author"},
        "lanes": {"author": {"adapter": "process", "command": ["agent"]}}, "roles": {"author": {}},
        "context_docs": [], "parallelism": {}, "jobs": jobs, "edges": edges, "cycles": [],
    })
}

fn job(id: &str) -> Value {
    json!({
        "id": id, "type": "draft", "title": id, "role_id": "author", "lane_id": "author", "objective": "a task",
        "write_scope": {"repo_write": true, "allowed_paths": [format!("work/{id}/")],
                        "forbidden_paths": [".striatum/"]},
        "expected_artifacts": [{"logical_name": "note", "kind": "handoff", "path": format!("work/{id}/note.md")}],
    })
}

fn edge(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to, "on": "completed"})
}

fn chain(size: usize) -> Value {
    let id = |at: usize| format!("job-{at}");
    let jobs = (0..size).map(|at| job(&id(at))).collect();
    workflow(jobs, (1..size).map(|at| edge(&id(at - 1), &id(at))).collect())
}

fn parallel(size: usize) -> Value {
    let id = |at: usize| format!("job-{at}");
    let mut jobs: Vec<Value> = (0..size).map(|at| job(&id(at))).collect();
    jobs.iter_mut().for_each(|job| job["parallel_group"] = json!("all"));
    jobs.push(job("last"));
    workflow(jobs, (0..size).map(|at| edge(&id(at), "last")).collect())
}

fn phases(size: usize) -> Value {
    let (mut jobs, mut edges, mut phases) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..size {
        let end = format!("end-{at}");
        phases.push(json!({"id": format!("phase-{at}"), "synthesis_job_id": end}));
        for part in 0..3 {
            let id = format!("job-{at}-{part}");
            jobs.push(job(&id));
            edges.push(edge(&id, &end));
            if at > 0 {
                edges.push(edge(&format!("end-{}", at - 1), &id));
            }
        }
        let mut closing = job(&end);
        closing["type"] = json!("phase_synthesis");
        jobs.push(closing);
        jobs.iter_mut().rev().take(4).for_each(|job| job["phase_id"] = json!(format!("phase-{at}")));
    }
    let mut workflow = workflow(jobs, edges);
    workflow["schema_version"] = json!("striatum.workflow.v1.1");
    workflow["phases"] = json!(phases);
    workflow
}
