//! `phase_empty`: a phase has no job.

use std::collections::HashSet;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule =
    Rule { code: "phase_empty", severity: Severity::Error, about: "A phase has no job", check };

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let used: HashSet<&str> = subject.workflow.jobs.iter().filter_map(|job| job.text("phase_id")).collect();
    for phase in subject.workflow.phases.iter().filter(|phase| !used.contains(phase.id)) {
        found.at(
            phase.pointer(""),
            format!("is {}, and no job is in it", phase.id),
            "put jobs into it by their phase_id, or take it out",
        );
    }
}
