//! `operator_paths_overlap`: a path is protected, and writable for operators.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::path::{Claim, overlaps};
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "operator_paths_overlap",
    severity: Severity::Error,
    about: "A path is protected, and writable for operators",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let mut claims = Vec::new();
    for (owner, key) in KEYS.iter().enumerate() {
        let paths =
            subject.workflow.root.get(*key).and_then(Value::as_array).into_iter().flatten().enumerate();
        claims.extend(paths.filter_map(|(at, path)| Some(Claim { path: path.as_str()?, owner, at })));
    }
    for (around, claim) in overlaps(&claims) {
        let message = format!("overlaps with {} of {}", around.path, KEYS[around.owner]);
        found.at(
            format!("/{}/{}", KEYS[claim.owner], claim.at),
            message,
            "keep each path in one of both lists",
        );
    }
}

const KEYS: [&str; 2] = ["protected_paths", "operator_writable_paths"];
