//! `job_unconnected`: a job has no edges although others have.

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "job_unconnected",
    severity: Severity::Warning,
    about: "A job has no edges although others have",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    if workflow.edges.is_empty() {
        return;
    }
    for (place, job) in workflow.jobs.iter().enumerate() {
        let is_alone = subject.graph.before(place).is_empty() && subject.graph.after(place).is_empty();
        if is_alone && job.id.is_some() && job.text("parallel_group").is_none() {
            let message = format!("has no edges: {} begins at once, and nothing waits for it", job.name());
            found.at(job.pointer(""), message, "add its edges, if that is not meant");
        }
    }
}
