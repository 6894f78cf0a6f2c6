//! `same_model_review_pair`: a model reviews what a model of the same family wrote.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::REVIEW;

pub(super) const RULE: Rule = Rule {
    code: "same_model_review_pair",
    severity: Severity::Refusal,
    about: "A model reviews what a model of the same family wrote",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    judged_by_kin(subject, REVIEW, found);
}

/// Says it of each job of a kind that judges what a model of its own family wrote.
pub(super) fn judged_by_kin(subject: &Subject<'_>, kind: &str, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    if workflow.root["allow_same_model_review_pairing"] == true {
        return;
    }
    for (place, judge) in workflow.jobs.iter().enumerate().filter(|(_, job)| job.kind == kind) {
        let Some(lane) = workflow.lane_of(judge) else { continue };
        let accepted = |writer: usize| {
            workflow.cycles.iter().any(|cycle| {
                cycle.from == Some(place) && cycle.to == Some(writer) && cycle.raw["allow_same_model"] == true
            })
        };
        let before = subject
            .graph
            .before(place)
            .iter()
            .copied()
            .filter(|before| !workflow.jobs[*before].is_verdict() && !accepted(*before));
        let same: Vec<&str> = before
            .map(|before| &workflow.jobs[before])
            .filter(|writer| workflow.lane_of(writer).is_some_and(|writing| writing.shares_model(lane)))
            .map(|writer| writer.name())
            .collect();
        if !same.is_empty() {
            let message = format!(
                "lets {} judge {} with the same family of models ({})",
                judge.name(),
                same.join(", "),
                lane.model_name()
            );
            found.at(
                judge.pointer("lane_id"),
                message,
                "let a lane with another model judge; or accept it: allow_same_model_review_pairing, \
 or --allow-same-model-pairing",
            );
        }
    }
}
