//! `cycle_skips_phase`: a cycle leads back past a whole phase.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "cycle_skips_phase",
    severity: Severity::Error,
    about: "A cycle leads back past a whole phase",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for cycle in &workflow.cycles {
        let (Some(from), Some(to)) = (cycle.from, cycle.to) else { continue };
        let (from, to) = (&workflow.jobs[from], &workflow.jobs[to]);
        let (Some(later), Some(earlier)) = (workflow.phase_of(from), workflow.phase_of(to)) else { continue };
        if later > earlier + 1 {
            let message = format!(
                "leads from {} in the phase {} back to {} in {}, past {}",
                from.name(),
                workflow.phases[later].id,
                to.name(),
                workflow.phases[earlier].id,
                workflow.phases[later - 1].id
            );
            found.at(
                format!("/cycles/{}", cycle.at),
                message,
                "lead it to a job of its own phase, or of the one before",
            );
        }
    }
}
