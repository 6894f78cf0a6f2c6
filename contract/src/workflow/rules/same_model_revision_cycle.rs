//! `same_model_revision_cycle`: a model sends back what a model of the same family has to mend.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "same_model_revision_cycle",
    severity: Severity::Refusal,
    about: "A model sends back what a model of the same family has to mend",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    if workflow.root["allow_same_model_review_pairing"] == true {
        return;
    }
    for cycle in workflow.cycles.iter().filter(|cycle| cycle.raw["allow_same_model"] != true) {
        let (Some(from), Some(to)) = (cycle.from, cycle.to) else { continue };
        let (from, to) = (&workflow.jobs[from], &workflow.jobs[to]);
        let (Some(judging), Some(writing)) = (workflow.lane_of(from), workflow.lane_of(to)) else { continue };
        let is_accepted = judging.id == writing.id && cycle.raw["allow_same_lane"] == true;
        if judging.shares_model(writing) && !is_accepted {
            let message = format!(
                "sends the work of {} back to the same family of models that judged it in {} ({})",
                to.name(),
                from.name(),
                judging.model_name()
            );
            found.at(
                format!("/cycles/{}", cycle.at),
                message,
                "let a lane with another model judge; or accept it: allow_same_model, \
 or --allow-same-model-pairing",
            );
        }
    }
}
