//! `fallback_profile_unknown`: a profile falls back to one that is none of harness_profiles, or to itself.

use crate::problem::step;
use crate::workflow::finding::Severity;
use crate::workflow::model::{members, text};
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "fallback_profile_unknown",
    severity: Severity::Error,
    about: "A profile falls back to one that is none of harness_profiles, or to itself",
    check,
};

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    for (id, profile) in members(subject.workflow.root, "harness_profiles") {
        let Some(fallback) = text(profile, "fallback_profile_id") else { continue };
        if fallback == id || subject.workflow.root["harness_profiles"].get(fallback).is_none() {
            let mut pointer = "/harness_profiles".to_owned();
            step(&mut pointer, id);
            let message = format!("is `{fallback}`, which is no other profile of the workflow");
            found.at(pointer + "/fallback_profile_id", message, "name another one of harness_profiles");
        }
    }
}
