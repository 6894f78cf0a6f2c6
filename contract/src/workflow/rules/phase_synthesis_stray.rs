//! `phase_synthesis_stray`: a phase_synthesis closes no phase.

use std::collections::HashSet;

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::PHASE_SYNTHESIS;

pub(super) const RULE: Rule = Rule {
    code: "phase_synthesis_stray",
    severity: Severity::Error,
    about: "A phase_synthesis closes no phase",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let closing: HashSet<&str> =
        subject.workflow.phases.iter().filter_map(|phase| text(phase.raw, "synthesis_job_id")).collect();
    for job in subject.workflow.jobs.iter().filter(|job| job.kind == PHASE_SYNTHESIS) {
        if job.id.is_some_and(|id| !closing.contains(id)) {
            found.at(
                job.pointer("type"),
                format!("is phase_synthesis, and no phase names {} as its synthesis_job_id", job.name()),
                "name it there, or write synthesis or review",
            );
        }
    }
}
