//! `interrogation_target_missing_interrogate_capability`: a job may ask, and its lane does not say that it can.

use crate::workflow::finding::Severity;
use crate::workflow::model::texts;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "interrogation_target_missing_interrogate_capability",
    severity: Severity::Warning,
    about: "A job may ask, and its lane does not say that it can",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for job in &subject.workflow.jobs {
        let Some(lane) = subject.workflow.lane_of(job) else { continue };
        let can = texts(lane.raw.get("capabilities")).contains(&"interrogate");
        if job.list("interrogation_targets").next().is_some() && !can {
            let hint = format!("add interrogate to {}", lane.pointer(&["capabilities"]));
            found.at(
                job.pointer("interrogation_targets"),
                format!("are for the lane {}, which does not say that it can interrogate", lane.id),
                hint,
            );
        }
    }
}
