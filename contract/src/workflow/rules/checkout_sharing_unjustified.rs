//! `checkout_sharing_unjustified`: a supervised lane writes to the shared checkout, and nothing says why that is safe.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "checkout_sharing_unjustified",
    severity: Severity::Error,
    about: "A supervised lane writes to the shared checkout, and nothing says why that is safe",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for lane in subject.workflow.lanes.iter().filter(|lane| lane.is_process() && lane.is_supervised()) {
        if !lane.is_isolated()
            && !lane.may_share()
            && let Some(job) = subject.workflow.writer(lane)
        {
            let message = format!(
                "writes to the repository's own checkout (job {}), and nothing says that it may",
                job.name()
            );
            let hint = "set \"worktree_isolation\": \"per_job\"; or set allow_shared_checkout_repo_write, \
 and say in shared_checkout_repo_write_rationale why that is safe";
            found.at(lane.pointer(&[]), message, hint);
        }
    }
}
