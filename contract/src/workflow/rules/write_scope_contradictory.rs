//! `write_scope_contradictory`: mode and repo_write of a write scope say different things.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "write_scope_contradictory",
    severity: Severity::Error,
    about: "mode and repo_write of a write scope say different things",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let scope = &job.raw["write_scope"];
        let (Some(mode), Some(writes)) = (text(scope, "mode"), scope["repo_write"].as_bool()) else {
            continue;
        };
        if matches!((mode, writes), ("repo_write", false) | ("review_only_artifact", true)) {
            let message = format!("is {mode}, and repo_write is {writes}");
            let hint = format!(
                "write {}, or change repo_write",
                if writes { "repo_write" } else { "review_only_artifact" }
            );
            found.at(job.pointer("write_scope/mode"), message, hint);
        }
    }
}
