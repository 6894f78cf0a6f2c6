//! `task_missing`: a job says nowhere what is to be done.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "task_missing",
    severity: Severity::Warning,
    about: "A job says nowhere what is to be done",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let prompt = &job.raw["task_prompt"];
        let is_said = ["path", "inline"].iter().any(|key| text(prompt, key).is_some())
            || job.text("objective").is_some();
        if job.id.is_some() && !is_said {
            found.at(
                job.pointer(""),
                "says nowhere what is to be done",
                "add task_prompt with a path, or an objective",
            );
        }
    }
}
