//! A workflow file: what it has to be, so that a run of it is safe. Everything that is wrong is said at once.

mod artifact;
mod bounds;
mod branch;
mod finding;
mod graph;
mod job;
mod lane;
mod outline;
mod path;
mod place;
mod recovery;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use bounds::MOST_OCTETS;
pub use finding::Finding;

use crate::json::walk;
use finding::Findings;
use place::Place;

/// A workflow file that was read.
#[derive(Debug)]
pub struct Read {
    /// Its JSON as it stands there; null where it is none.
    pub workflow: Value,
    /// What is wrong, in the order of the checks; a run may be made where this is empty.
    pub problems: Vec<Finding>,
}

/// Reads the octets of a file and checks them.
pub fn read(octets: &[u8]) -> Read {
    let mut findings = Findings::default();
    let found = walk(octets, &[], 0);
    for problem in found.problems.listed() {
        let (code, hint) = if found.is_malformed {
            ("json_malformed", "a workflow file is one JSON object in UTF-8, without a byte order mark")
        } else {
            ("json_unsafe", problem.hint.as_str())
        };
        findings.add(code, problem.pointer.clone(), problem.problem.clone(), hint);
    }
    if !findings.is_empty() {
        return Read { workflow: Value::Null, problems: findings.into_list() };
    }
    let workflow: Value = serde_json::from_slice(octets).expect("a walk let it pass");
    check(&workflow, &mut findings);
    Read { workflow, problems: findings.into_list() }
}

fn check(workflow: &Value, findings: &mut Findings) {
    let root = Place::root(workflow);
    if root.object(findings).is_none() {
        return;
    }
    outline::check(&root, findings);
    branch::check(&root, findings);
    let lanes = lane::lanes(&root, findings);
    let roles = lane::roles(&root, findings);
    lane::check_coordinator(&root, &lanes, &roles, findings);
    let jobs = job::jobs(&root, &lanes, &roles, findings);
    artifact::check(&jobs, findings);
    lane::check_checkout(&lanes, &jobs, findings);
    graph::check(&root, &jobs, findings);
    recovery::check(&root, findings);
}
