//! `recovery_budgets_contradictory`: a budget of recovery is larger than the one that holds it.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "recovery_budgets_contradictory",
    severity: Severity::Error,
    about: "A budget of recovery is larger than the one that holds it",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let policy = &subject.workflow.root["recovery_policy"];
    let budget = |key: &str| policy.get(key).and_then(Value::as_i64);
    let whole = budget("max_requeues").or(budget("max_total_requeues_per_job")).unwrap_or(2);
    let (unsealed, reviewers) = (budget("max_unsealed_requeues"), budget("max_reviewer_unsealed_requeues"));
    for (key, given) in [("max_unsealed_requeues", unsealed), ("max_reviewer_unsealed_requeues", reviewers)] {
        if let Some(given) = given.filter(|given| *given > whole) {
            let message = format!("is {given}, and a job is queued again {whole} times at most");
            found.at(format!("/recovery_policy/{key}"), message, "lower it, or raise max_requeues");
        }
    }
    if let (Some(unsealed), Some(reviewers)) = (unsealed, reviewers)
        && reviewers < unsealed
    {
        let message = format!("is {reviewers}, less than max_unsealed_requeues");
        found.at(
            "/recovery_policy/max_reviewer_unsealed_requeues",
            message,
            format!("write {unsealed} or more"),
        );
    }
}
