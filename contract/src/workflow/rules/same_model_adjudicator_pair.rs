//! `same_model_adjudicator_pair`: a model closes a phase over what a model of the same family wrote.

use super::same_model_review_pair::judged_by_kin;
use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::PHASE_SYNTHESIS;

pub(super) const RULE: Rule = Rule {
    code: "same_model_adjudicator_pair",
    severity: Severity::Refusal,
    about: "A model closes a phase over what a model of the same family wrote",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    judged_by_kin(subject, PHASE_SYNTHESIS, found);
}
