//! `cycle_not_upstream`: a cycle leads to a job that does not lie before its beginning.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "cycle_not_upstream",
    severity: Severity::Error,
    about: "A cycle leads to a job that does not lie before its beginning",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    for cycle in &workflow.cycles {
        let (Some(from), Some(to)) = (cycle.from, cycle.to) else { continue };
        if from == to || !subject.graph.leads(to, from) {
            let (from, to) = (workflow.jobs[from].name(), workflow.jobs[to].name());
            let message = format!("leads to {to}, from which no edges lead to {from}");
            found.at(format!("/cycles/{}/to", cycle.at), message, "lead it to the job whose work is judged");
        }
    }
}
