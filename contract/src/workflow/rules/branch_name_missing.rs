//! `branch_name_missing`: the branch mode auto names no branch.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "branch_name_missing",
    severity: Severity::Error,
    about: "The branch mode auto names no branch",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(branch) = subject.workflow.root.get("branch").filter(|branch| branch.is_object()) else {
        return;
    };
    let is_auto = branch.get("mode").is_none_or(|mode| mode == "auto");
    if is_auto && branch.get("suggested_name").is_none() {
        found.at("/branch", "names no branch for the mode auto", "add suggested_name, or the mode confirm");
    }
}
