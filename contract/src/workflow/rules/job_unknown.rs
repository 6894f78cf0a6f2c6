//! `job_unknown`: an edge or a cycle begins or ends at a job that there is not.

use crate::nearest::nearest;
use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "job_unknown",
    severity: Severity::Error,
    about: "An edge or a cycle begins or ends at a job that there is not",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    let ways = workflow.edges.iter().map(|way| ("edges", way));
    for (list, way) in ways.chain(workflow.cycles.iter().map(|way| ("cycles", way))) {
        for (key, job) in [("from", way.from), ("to", way.to)] {
            if let (Some(id), None) = (text(way.raw, key), job) {
                let meant = nearest(id, workflow.jobs.iter().filter_map(|job| job.id));
                let hint = meant.map_or_else(
                    || "name one of jobs by its id".to_owned(),
                    |meant| format!("did you mean {meant}?"),
                );
                found.at(
                    format!("/{list}/{}/{key}", way.at),
                    format!("is `{id}`, which is no job of the workflow"),
                    hint,
                );
            }
        }
    }
}
