//! `phase_order_broken`: an edge leads back to an earlier phase.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_order_broken",
    severity: Severity::Error,
    about: "An edge leads back to an earlier phase",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for edge in &workflow.edges {
        let (Some(from), Some(to)) = (edge.from, edge.to) else { continue };
        let (from, to) = (&workflow.jobs[from], &workflow.jobs[to]);
        let (Some(earlier), Some(later)) = (workflow.phase_of(from), workflow.phase_of(to)) else { continue };
        if later < earlier {
            let message = format!(
                "leads from {} in the phase {} back to {} in {}",
                from.name(),
                workflow.phases[earlier].id,
                to.name(),
                workflow.phases[later].id
            );
            found.at(
                format!("/edges/{}", edge.at),
                message,
                "turn it round, or write the way back as one of cycles",
            );
        }
    }
}
