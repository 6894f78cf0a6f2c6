//! `edge_to_itself`: an edge leads from a job to itself.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "edge_to_itself",
    severity: Severity::Error,
    about: "An edge leads from a job to itself",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for edge in &subject.workflow.edges {
        if let Some(job) = edge.from.filter(|_| edge.from == edge.to) {
            let name = subject.workflow.jobs[job].name();
            let message = format!("leads from {name} to itself, so that it never begins");
            found.at(
                format!("/edges/{}", edge.at),
                message,
                "take the edge out; a way back is one of cycles",
            );
        }
    }
}
