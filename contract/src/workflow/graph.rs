//! Edges and cycles: what waits for what, and what leads back.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{MOST_EDGES, MOST_ITERATIONS, MOST_JOBS};
use super::finding::Findings;
use super::job::Job;
use super::place::Place;

/// Which jobs each job leads to, by their places in the list.
type Out = Vec<BTreeSet<usize>>;

pub(super) fn check(root: &Place<'_>, jobs: &[Job<'_>], findings: &mut Findings) {
    let places: BTreeMap<&str, usize> =
        jobs.iter().enumerate().filter_map(|(at, job)| job.id.map(|id| (id, at))).collect();
    let out = edges(root, &places, jobs.len(), findings);
    acyclic(root, jobs, &out, findings);
    needs(jobs, &out, findings);
    cycles(root, jobs, &places, &out, findings);
}

fn edges(root: &Place<'_>, places: &BTreeMap<&str, usize>, count: usize, findings: &mut Findings) -> Out {
    let mut out = vec![BTreeSet::new(); count];
    for edge in root.optional("edges").map(|edges| edges.list(MOST_EDGES, findings)).unwrap_or_default() {
        if edge.object(findings).is_none() {
            continue;
        }
        edge.known(&["from", "to", "on"], findings);
        if let Some(on) = edge.optional("on") {
            on.one_of(&["completed"], findings);
        }
        let Some((from, to)) = ends(&edge, places, findings) else { continue };
        if from == to {
            findings.add("edge_to_itself", &edge.pointer, "leads from a job to itself", "take it out");
        } else if !out[from].insert(to) {
            findings.add("edge_repeated", &edge.pointer, "stands there twice", "take one out");
        }
    }
    out
}

/// The jobs at both ends, where there are such.
fn ends(place: &Place<'_>, jobs: &BTreeMap<&str, usize>, findings: &mut Findings) -> Option<(usize, usize)> {
    let [from, to] = ["from", "to"].map(|key| {
        let end = place.required(key, findings)?;
        let id = end.text(findings)?;
        let job = jobs.get(id).copied();
        if job.is_none() {
            findings.add(
                "job_unknown",
                end.pointer,
                "is no job of the workflow",
                "name one of jobs by its id",
            );
        }
        job
    });
    Some((from?, to?))
}

/// Takes away whatever waits for nothing, until nothing is left or what is left waits for itself.
fn acyclic(root: &Place<'_>, jobs: &[Job<'_>], out: &Out, findings: &mut Findings) {
    let mut waits = vec![0usize; jobs.len()];
    out.iter().flatten().for_each(|to| waits[*to] += 1);
    let mut free: Vec<usize> = (0..jobs.len()).filter(|job| waits[*job] == 0).collect();
    while let Some(job) = free.pop() {
        for to in &out[job] {
            waits[*to] -= 1;
            if waits[*to] == 0 {
                free.push(*to);
            }
        }
    }
    let left = (0..jobs.len()).filter(|job| waits[*job] > 0).filter_map(|job| jobs[job].id);
    let named: Vec<&str> = left.take(5).collect();
    if let (false, Some(edges)) = (named.is_empty(), root.optional("edges")) {
        let message = format!("lead in a circle, so that these never begin: {}", named.join(", "));
        findings.add("edges_cyclic", edges.pointer, message, "write the way back as one of cycles");
    }
}

/// What a job says it needs has to be what leads to it.
fn needs(jobs: &[Job<'_>], out: &Out, findings: &mut Findings) {
    for (at, job) in jobs.iter().enumerate() {
        // A job without an id is led to by nothing; that is said elsewhere.
        let (Some(_), Some((place, needs))) = (job.id, &job.needs) else { continue };
        let before: BTreeSet<&str> = (0..jobs.len())
            .filter(|from| out[*from].contains(&at))
            .filter_map(|from| jobs[from].id)
            .collect();
        if *needs != before {
            let hint = format!("the edges say: {}", before.into_iter().collect::<Vec<_>>().join(", "));
            findings.add("needs_differ", &place.pointer, "is not what the edges say", hint);
        }
    }
}

fn cycles(
    root: &Place<'_>,
    jobs: &[Job<'_>],
    places: &BTreeMap<&str, usize>,
    out: &Out,
    findings: &mut Findings,
) {
    let mut begun = BTreeSet::new();
    for cycle in root.optional("cycles").map(|cycles| cycles.list(MOST_JOBS, findings)).unwrap_or_default() {
        if cycle.object(findings).is_none() {
            continue;
        }
        cycle.known(
            &["from", "to", "on_verdict", "max_iterations", "allow_same_model", "allow_same_lane"],
            findings,
        );
        if let Some(on) = cycle.optional("on_verdict") {
            on.one_of(&["needs_revision"], findings);
        }
        match cycle.optional("max_iterations") {
            Some(most) => {
                if most.integer(findings).is_some_and(|most| !(1..=MOST_ITERATIONS).contains(&most)) {
                    let hint = format!("a number from 1 to {MOST_ITERATIONS}");
                    findings.add("cycle_unbounded", most.pointer, "is no bound of a cycle", hint);
                }
            }
            None => {
                let hint = "add max_iterations";
                findings.add("cycle_unbounded", &cycle.pointer, "says not how often it may be taken", hint);
            }
        }
        let Some((from, to)) = ends(&cycle, places, findings) else { continue };
        if !begun.insert(from) {
            let hint = "keep one of them";
            findings.add("cycle_repeated", &cycle.pointer, "begins where another one does", hint);
        }
        if !jobs[from].is_verdict {
            let hint = "begin it at a review or a phase_synthesis";
            findings.add("cycle_not_verdict", &cycle.pointer, "begins at a job that gives no verdict", hint);
        }
        if from == to || !leads(out, to, from) {
            let message = "leads to a job from which no edges lead back to its beginning";
            findings.add("cycle_not_upstream", &cycle.pointer, message, "lead it to a job further up");
        }
    }
}

fn leads(out: &Out, from: usize, to: usize) -> bool {
    let (mut seen, mut open) = (vec![false; out.len()], vec![from]);
    while let Some(job) = open.pop() {
        if job == to {
            return true;
        }
        for next in &out[job] {
            if !std::mem::replace(&mut seen[*next], true) {
                open.push(*next);
            }
        }
    }
    false
}
