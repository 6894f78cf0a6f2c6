//! `worktree_isolation_unsupported`: a lane wants worktrees, which this version does not make.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "worktree_isolation_unsupported",
    severity: Severity::Unsupported,
    about: "A lane wants worktrees, which this version does not make",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| lane.is_isolated()) {
        let hint = "keep it for a later version; to run it with this one, write off, and \
 allow_shared_checkout_repo_write with its rationale; `workflow generate` does so with --option \
 shared_checkout=REASON";
        found.at(
            lane.pointer(&["worktree_isolation"]),
            "asks for worktrees, which this version does not make yet",
            hint,
        );
    }
}
