//! `harness_profile_unknown`: a lane has a profile that is none of harness_profiles.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "harness_profile_unknown",
    severity: Severity::Error,
    about: "A lane has a profile that is none of harness_profiles",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in &subject.workflow.lanes {
        let Some(profile) = lane.text("harness_profile_id") else { continue };
        if subject.workflow.root["harness_profiles"].get(profile).is_none() {
            let message = format!("is `{profile}`, which is no profile of the workflow");
            found.at(
                lane.pointer(&["harness_profile_id"]),
                message,
                "name one of harness_profiles, or add it there",
            );
        }
    }
}
