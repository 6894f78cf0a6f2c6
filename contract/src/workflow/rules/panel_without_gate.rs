//! `panel_without_gate`: all reviews of a job are advisory.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "panel_without_gate",
    severity: Severity::Warning,
    about: "All reviews of a job are advisory",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (place, job) in jobs.iter().enumerate().filter(|(_, job)| !job.is_verdict()) {
        let mut seats = subject
            .graph
            .after(place)
            .iter()
            .map(|after| &jobs[*after])
            .filter(|after| after.is_verdict())
            .peekable();
        if seats.peek().is_some() && seats.all(|seat| seat.text("panel_role") == Some("advisory")) {
            found.at(
                job.pointer(""),
                "is judged by advisory reviews alone, which open and close nothing",
                "make one of them gating",
            );
        }
    }
}
