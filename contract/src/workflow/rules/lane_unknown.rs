//! `lane_unknown`: a job or the coordinator has a lane that is none of lanes.

use crate::nearest::nearest;
use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "lane_unknown",
    severity: Severity::Error,
    about: "A job or the coordinator has a lane that is none of lanes",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    let mut known = |pointer: String, lane: Option<&str>| {
        if let Some(lane) = lane.filter(|lane| workflow.lane(lane).is_none()) {
            let meant = nearest(lane, workflow.lanes.iter().map(|lane| lane.id));
            let hint = meant.map_or_else(
                || "name one of lanes, or add it there".to_owned(),
                |meant| format!("did you mean {meant}?"),
            );
            found.at(pointer, format!("is `{lane}`, which is no lane of the workflow"), hint);
        }
    };
    known("/coordinator/lane_id".to_owned(), text(&workflow.root["coordinator"], "lane_id"));
    for job in &workflow.jobs {
        known(job.pointer("lane_id"), job.text("lane_id"));
    }
}
