//! `required_posture_unreachable`: a build requires a posture in which no review before or after it judges.

use std::collections::HashSet;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};
use crate::workflow::vocabulary::BUILD;

pub(super) const RULE: Rule = Rule {
    code: "required_posture_unreachable",
    severity: Severity::Error,
    about: "A build requires a posture in which no review before or after it judges",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let jobs = &subject.workflow.jobs;
    for (build, job) in jobs.iter().enumerate().filter(|(_, job)| job.kind == BUILD) {
        let required: Vec<(usize, &str)> = job
            .list("required_review_postures")
            .filter_map(|(at, posture)| Some((at, posture.as_str()?)))
            .collect();
        if required.is_empty() {
            continue;
        }
        let near = |review: usize| subject.graph.leads(build, review) || subject.graph.leads(review, build);
        let reviews = jobs.iter().enumerate().filter(|(review, job)| job.is_review() && near(*review));
        let there: HashSet<&str> = reviews.map(|(_, job)| job.posture()).collect();
        for (at, posture) in required.into_iter().filter(|(_, posture)| !there.contains(posture)) {
            let pointer = job.pointer(&format!("required_review_postures/{at}"));
            let message = format!("is {posture}, in which no review before or after {} judges", job.name());
            found.at(
                pointer,
                message,
                format!("give a review there the review_posture {posture}, or take it out"),
            );
        }
    }
}
