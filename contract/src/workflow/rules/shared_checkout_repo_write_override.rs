//! `shared_checkout_repo_write_override`: a lane may write to the shared checkout.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "shared_checkout_repo_write_override",
    severity: Severity::Warning,
    about: "A lane may write to the shared checkout",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        if lane.may_share() && !lane.is_isolated() && subject.workflow.writer(lane).is_some() {
            let message = "writes to the repository's own checkout, as the workflow allows";
            found.at(
                lane.pointer(&["allow_shared_checkout_repo_write"]),
                message,
                "per_job isolation needs no such word",
            );
        }
    }
}
