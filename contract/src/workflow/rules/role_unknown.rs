//! `role_unknown`: a job or the coordinator has a role that is none of roles.

use crate::nearest::nearest;
use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "role_unknown",
    severity: Severity::Error,
    about: "A job or the coordinator has a role that is none of roles",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let roles = &subject.workflow.roles;
    let mut known = |pointer: String, role: Option<&str>| {
        if let Some(role) = role.filter(|role| !roles.contains(role)) {
            let meant = nearest(role, roles.iter().copied());
            let hint = meant.map_or_else(
                || "name one of roles, or add it there".to_owned(),
                |meant| format!("did you mean {meant}?"),
            );
            found.at(pointer, format!("is `{role}`, which is no role of the workflow"), hint);
        }
    };
    known("/coordinator/role_id".to_owned(), text(&subject.workflow.root["coordinator"], "role_id"));
    for job in &subject.workflow.jobs {
        known(job.pointer("role_id"), job.text("role_id"));
    }
}
