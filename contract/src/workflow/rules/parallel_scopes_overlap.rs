//! `parallel_scopes_overlap`: jobs of one parallel_group write to the same place.

use crate::workflow::finding::Severity;
use crate::workflow::path::{Claim, overlaps};
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "parallel_scopes_overlap",
    severity: Severity::Error,
    about: "Jobs of one parallel_group write to the same place",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (group, members) in subject.workflow.groups() {
        let writing = members.iter().filter(|job| jobs[**job].is_repo_write());
        let claims: Vec<Claim<'_>> = writing
            .flat_map(|job| {
                jobs[*job].scope("allowed_paths").map(|(at, path)| Claim { path, owner: *job, at })
            })
            .collect();
        for (around, claim) in overlaps(&claims) {
            let (folder, other) = (around.path, jobs[around.owner].name());
            let message = format!(
                "overlaps with {folder} of {other}, which may run at the same time (parallel_group {group})"
            );
            let pointer = jobs[claim.owner].pointer(&format!("write_scope/allowed_paths/{}", claim.at));
            found.at(pointer, message, "give each a folder of its own, or take one out of the group");
        }
    }
}
