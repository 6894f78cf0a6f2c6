//! The examples are workflows that a run can be made of.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use striatum_contract::workflow::{self, Around, Finding};

use crate::root;

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
