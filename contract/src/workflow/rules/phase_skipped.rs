//! `phase_skipped`: an edge leads past a whole phase.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phase_skipped",
    severity: Severity::Error,
    about: "An edge leads past a whole phase",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for edge in &workflow.edges {
        let (Some(from), Some(to)) = (edge.from, edge.to) else { continue };
        let (from, to) = (&workflow.jobs[from], &workflow.jobs[to]);
        let (Some(earlier), Some(later)) = (workflow.phase_of(from), workflow.phase_of(to)) else { continue };
        if later > earlier + 1 {
            let message = format!(
                "leads from {} in the phase {} to {} in {}, past {}",
                from.name(),
                workflow.phases[earlier].id,
                to.name(),
                workflow.phases[later].id,
                workflow.phases[earlier + 1].id
            );
            found.at(format!("/edges/{}", edge.at), message, "lead it through the phases between them");
        }
    }
}
