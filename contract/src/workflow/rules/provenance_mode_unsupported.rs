//! `provenance_mode_unsupported`: the provenance mode is one that this version does not keep.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "provenance_mode_unsupported",
    severity: Severity::Unsupported,
    about: "The provenance mode is one that this version does not keep",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mode = text(subject.workflow.root, "provenance_mode");
    if let Some(mode) = mode.filter(|mode| matches!(*mode, "attested_bylines" | "sealed_patch")) {
        found.at(
            "/provenance_mode",
            format!("is {mode}, which this version does not keep yet"),
            "write advisory, or leave it out, to run it with this one",
        );
    }
}
