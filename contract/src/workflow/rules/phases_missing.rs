//! `phases_missing`: a workflow of version v1.1 has no phases.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "phases_missing",
    severity: Severity::Warning,
    about: "A workflow of version v1.1 has no phases",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    if subject.workflow.is_phased() && subject.workflow.phases.is_empty() {
        found.at(
            "/schema_version",
            "is v1.1, the version with phases, and there are none",
            "add phases, or write striatum.workflow.v1",
        );
    }
}
