//! `heartbeat_not_in_lease`: a heartbeat comes after the lease has run out.

use serde_json::Value;

use crate::workflow::finding::Severity;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "heartbeat_not_in_lease",
    severity: Severity::Error,
    about: "A heartbeat comes after the lease has run out",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let workflow = subject.workflow;
    let mut check = |pointer: String, value: &Value| {
        let seconds = |key: &str| value.get(key).and_then(Value::as_i64);
        let (lease, beat) = (seconds("lease_seconds"), seconds("heartbeat_seconds"));
        if let (Some(lease), Some(beat)) = (lease, beat)
            && beat >= lease
        {
            let message = format!("is {beat}, and the lease runs out after {lease}");
            found.at(
                pointer + "/heartbeat_seconds",
                message,
                "a third of the lease leaves time for two more",
            );
        }
    };
    check("/liveness".to_owned(), &workflow.root["liveness"]);
    check("/recovery_policy".to_owned(), &workflow.root["recovery_policy"]);
    for lane in &workflow.lanes {
        check(lane.pointer(&["liveness"]), &lane.raw["liveness"]);
        check(lane.pointer(&[]), lane.raw);
    }
    for job in &workflow.jobs {
        check(job.pointer(""), job.raw);
    }
}
