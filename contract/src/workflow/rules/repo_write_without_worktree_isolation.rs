//! `repo_write_without_worktree_isolation`: an unsupervised lane writes to the shared checkout.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "repo_write_without_worktree_isolation",
    severity: Severity::Warning,
    about: "An unsupervised lane writes to the shared checkout",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| !lane.is_process() || !lane.is_supervised()) {
        if !lane.is_isolated()
            && !lane.may_share()
            && let Some(job) = subject.workflow.writer(lane)
        {
            let message = format!("writes to the repository's own checkout (job {})", job.name());
            found.at(
                lane.pointer(&[]),
                message,
                "set \"worktree_isolation\": \"per_job\", so that nobody else's work is touched",
            );
        }
    }
}
