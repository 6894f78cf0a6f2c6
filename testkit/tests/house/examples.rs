//! The examples are workflows that a run can be made of.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use striatum_contract::workflow::{self, Around, Entry, Finding, Severity, Tree};

use crate::root;

/// STR-WORKFLOW-29: both say nothing wrong, and nothing of them is a default of anything.
#[test]
fn the_small_examples_are_valid() {
    for name in ["harness-profiles", "docs-review-flow"] {
        let path = format!("examples/{name}/workflow.json");
        let look = |path: &str| {
            if root().join(path).exists() { Entry::File } else { Entry::Missing }
        };
        let octets = fs::read(root().join(&path)).expect("the workflow");
        let tree = Tree { path: &path, look: &look, program: None };
        let read = workflow::read(&octets, &Around { tree: Some(tree), is_strict: true });
        let said = |finding: &Finding| {
            let is_expected = finding.code == "shared_checkout_repo_write_override";
            (finding.severity != Severity::Info && !is_expected).then(|| finding.message.clone())
        };
        assert_eq!(read.findings.iter().filter_map(said).collect::<Vec<_>>(), Vec::<String>::new(), "{name}");
    }
}

/// The workflow that the reference shows is one against which nothing but its own choices is said.
#[test]
fn the_workflow_of_the_reference_is_valid() {
    let page = fs::read_to_string(root().join("docs/workflow.md")).expect("the page");
    let (_, rest) = page.split_once("```json\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let read = workflow::read(example.as_bytes(), &Around::default());
    let said: Vec<&str> = read.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(said, ["shared_checkout_repo_write_override"]);
}

/// Every text below a key, wherever it stands.
fn named<'v>(value: &'v Value, key: &str, into: &mut BTreeSet<&'v str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| named(item, key, into)),
        Value::Object(members) => {
            into.extend(members.get(key).and_then(Value::as_str));
            members.values().for_each(|member| named(member, key, into));
        }
        _ => {}
    }
}

/// STR-WORKFLOW-30: the graph of the RFC ledger, as `make demo` runs it.
#[test]
fn the_rfc_ledger_is_a_workflow_whose_files_are_there() {
    let folder = root().join("examples/rfc-ledger");
    let octets = fs::read(folder.join("workflow.json")).expect("the workflow");
    let read = workflow::read(&octets, &Around::default());
    assert_eq!(read.problems(false).collect::<Vec<_>>(), Vec::<&Finding>::new());
    let workflow = &read.workflow;
    let jobs = workflow["jobs"].as_array().expect("jobs");
    let own_lanes: BTreeSet<&str> = jobs.iter().filter_map(|job| job["lane_id"].as_str()).collect();
    assert_eq!((jobs.len(), own_lanes.len()), (6, 6), "six jobs, each with a lane of its own");

    let mut files = BTreeSet::new();
    named(&workflow["roles"], "definition_path", &mut files);
    named(&workflow["context_docs"], "path", &mut files);
    files.extend(jobs.iter().filter_map(|job| job["task_prompt"]["path"].as_str()));
    for file in files {
        assert!(folder.join(file).is_file(), "{file}");
    }

    let scopes: Vec<&str> =
        jobs.iter().filter_map(|job| job["write_scope"]["allowed_paths"][0].as_str()).collect();
    assert_eq!(scopes.len(), jobs.len());
    for (at, one) in scopes.iter().enumerate() {
        let others = scopes.iter().enumerate().filter(|(other, _)| *other != at);
        for (_, other) in others {
            assert!(!other.starts_with(one), "{other} lies in {one}");
        }
    }
}
