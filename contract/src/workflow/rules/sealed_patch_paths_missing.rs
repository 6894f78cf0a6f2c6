//! `sealed_patch_paths_missing`: sealed_patch names no paths.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "sealed_patch_paths_missing",
    severity: Severity::Error,
    about: "sealed_patch names no paths",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let root = subject.workflow.root;
    if root.get("provenance_mode").is_none_or(|mode| mode != "sealed_patch") {
        return;
    }
    for key in ["protected_paths", "operator_writable_paths"] {
        if root.get(key).is_none_or(|paths| paths.as_array().is_some_and(Vec::is_empty)) {
            found.at(
                "/provenance_mode",
                format!("is sealed_patch, and {key} names no path"),
                format!("add {key}"),
            );
        }
    }
}
