//! `parallel_group_mixed`: a parallel_group has jobs that change the repository and jobs that do not.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "parallel_group_mixed",
    severity: Severity::Error,
    about: "A parallel_group has jobs that change the repository and jobs that do not",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (group, members) in subject.workflow.groups() {
        let first = &jobs[members[0]];
        let other =
            members.iter().map(|job| &jobs[*job]).find(|job| job.is_repo_write() != first.is_repo_write());
        if let Some(other) = other {
            let (writes, reads) = if first.is_repo_write() { (first, other) } else { (other, first) };
            let message = format!(
                "is {group}, where {} changes the repository and {} does not",
                writes.name(),
                reads.name()
            );
            found.at(other.pointer("parallel_group"), message, "make two groups of them");
        }
    }
}
