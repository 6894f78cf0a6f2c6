//! Each code: a workflow that it is said of, and one like it of which it is not.
//!
//! STR-WORKFLOW-06, STR-WORKFLOW-07, STR-WORKFLOW-08 and what else is cited below.

mod of_jobs;
mod of_phases;
mod of_reviews;
mod of_schema;

use std::collections::BTreeSet;

use serde_json::Value;

use super::{said, with};
use crate::workflow::codes;

/// A code and its two workflows.
struct Case {
    code: &'static str,
    /// The pointer of the finding.
    at: &'static str,
    base: Value,
    /// What is put into the base, so that the code is said.
    trigger: Vec<(String, Value)>,
    /// What is put into it, so that it is not.
    near: Vec<(String, Value)>,
    /// What else is said of the trigger, and has to be.
    besides: &'static [&'static str],
}

impl Case {
    fn said_of(&self, edits: &[(String, Value)]) -> Vec<String> {
        let edited = edits.iter().cloned();
        let workflow = edited.fold(self.base.clone(), |workflow, (at, value)| with(workflow, &at, value));
        said(workflow.to_string().as_bytes())
    }
}

fn cases() -> Vec<Case> {
    [of_schema::cases(), of_jobs::cases(), of_reviews::cases(), of_phases::cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// CITES
#[test]
fn each_code_is_said_of_what_breaks_its_rule_and_of_nothing_like_it() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut expected: Vec<String> = case.besides.iter().map(|other| (*other).to_owned()).collect();
        expected.push(format!("{} {}", case.code, case.at).trim_end().to_owned());
        expected.sort_unstable();
        let mut found = case.said_of(&case.trigger);
        found.sort_unstable();
        if found != expected {
            wrong.push(format!("of what breaks {} is said {found:?}", case.code));
        }
        let near = case.said_of(&case.near);
        if near.iter().any(|said| said.split(' ').next() == Some(case.code)) {
            wrong.push(format!("{} is said of what does not break it, too: {near:?}", case.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_code_has_its_case() {
    let cases: Vec<&str> = cases().iter().map(|case| case.code).collect();
    let once: BTreeSet<&str> = cases.iter().copied().collect();
    assert_eq!(once.len(), cases.len(), "a code has two cases");
    // What octets are refused for has cases of its own.
    let octets: BTreeSet<&str> = crate::workflow::reader::CODES.iter().map(|told| told.code).collect();
    let known: BTreeSet<&str> = codes().iter().map(|told| told.code).collect();
    assert_eq!(once.union(&octets).copied().collect::<BTreeSet<_>>(), known);
}
