//! What holds for the checker as a whole.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::artifact_kinds;
use super::{checked, good, phased, said, with};
use crate::workflow::schema::READ;
use crate::workflow::vocabulary::{ADAPTERS, CONSTRAINTS, ENFORCEMENT, PLACEMENTS, POSTURES};
use crate::workflow::{Around, Severity, codes, model::Workflow, read, resources};

#[test]
fn nothing_is_said_against_a_good_workflow_and_it_is_kept_as_it_stands() {
    for workflow in [good(), phased()] {
        assert_eq!(said(workflow.to_string().as_bytes()), [""; 0]);
        assert_eq!(checked(workflow.to_string().as_bytes()).workflow, workflow);
    }
}

#[test]
fn a_code_is_one_rules() {
    let codes: Vec<&str> = codes().iter().map(|told| told.code).collect();
    let once: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(once.len(), codes.len(), "a code stands twice");
}

#[test]
fn the_vocabulary_is_that_of_the_schema() {
    let at = |pointer: &str| -> Vec<&str> {
        let words = READ.pointer(pointer).and_then(Value::as_array).expect("a list");
        words.iter().filter_map(Value::as_str).collect()
    };
    assert_eq!(at("/$defs/artifact/properties/kind/enum"), artifact_kinds());
    assert_eq!(at("/$defs/artifact/properties/placement/enum"), PLACEMENTS);
    assert_eq!(at("/$defs/lane/properties/adapter/enum"), ADAPTERS);
    assert_eq!(at("/$defs/enforcement/enum"), ENFORCEMENT);
    let constraints = READ["$defs"]["lane"]["properties"]["constraints"]["properties"].as_object();
    let constraints: BTreeSet<&str> = constraints.expect("an object").keys().map(String::as_str).collect();
    assert_eq!(constraints, CONSTRAINTS.iter().copied().collect());
    let pattern = READ["$defs"]["posture"]["pattern"].as_str().expect("a text");
    for posture in POSTURES {
        assert!(pattern.contains(&format!("{posture}|")), "{posture}");
    }
}

/// Every code that the schema names for a value is one that is explained, and every key has its words.
#[test]
fn the_schema_names_known_codes_and_explains_every_key() {
    fn walk(schema: &Value, codes: &[&str]) {
        if let Some(code) = schema.get("x-code").and_then(Value::as_str) {
            assert!(codes.contains(&code), "{code}");
        }
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].is_string(), "{key} is not explained");
        }
        match schema {
            Value::Object(members) => members.values().for_each(|member| walk(member, codes)),
            Value::Array(entries) => entries.iter().for_each(|entry| walk(entry, codes)),
            _ => {}
        }
    }
    let codes: Vec<&str> = codes().iter().map(|told| told.code).collect();
    walk(&READ, &codes);
}

#[test]
fn all_is_said_at_once_in_the_order_of_the_file() {
    let text = r#"{"name": "", "jobs": [
        {"id": "a", "role_id": "nobody", "write_scope": {"repo_write": 1}},
        {"id": "a", "role_id": "x", "write_scope": {}, "typ": "review"}],
      "roles": {"x": {"none of ours": 1}}, "workflow_id": "a b"}"#;
    let found = read(text.as_bytes(), &Around::default()).findings;
    let said: Vec<String> =
        found.iter().map(|found| format!("{}:{} {}", found.line, found.column, found.code)).collect();
    let missing = vec!["1:1 key_missing"; 9];
    let rest = [
        "1:2 line_malformed",
        "2:9 task_missing",
        "2:21 role_unknown",
        "2:58 type_wrong",
        "3:9 task_missing",
        "3:10 job_repeated",
        "3:37 key_missing",
        "3:56 key_misspelled",
        "4:23 unknown_field",
        "4:44 id_malformed",
    ];
    assert_eq!(said, [missing, rest.to_vec()].concat());
}

/// DESIGN: unknown keys are let pass with a warning, and refused where somebody wants that.
#[test]
fn strictness_refuses_what_is_not_known() {
    let text = with(good(), "/note_of_the_author", json!("x")).to_string();
    let severity = |is_strict| {
        read(text.as_bytes(), &Around { tree: None, is_strict }).findings.first().map(|found| found.severity)
    };
    assert_eq!(severity(false), Some(Severity::Warning));
    assert_eq!(severity(true), Some(Severity::Error));
}

/// STR-LINT-02: advice about models refuses where a person asks, and the check itself says it only.
#[test]
fn advice_can_be_accepted() {
    let workflow = with(good(), "/lanes/reviewer/command", json!(["claude"]));
    let read = checked(workflow.to_string().as_bytes());
    let said: Vec<&str> = read.problems(false).map(|found| found.code).collect();
    assert_eq!(said, ["same_model_revision_cycle", "same_model_review_pair"]);
    assert_eq!(read.problems(true).count(), 0);
}

/// STR-LINT-05: what is not refused forbids nothing.
#[test]
fn a_flood_of_advice_hides_no_error() {
    let mut workflow = good();
    let object = workflow.as_object_mut().expect("an object");
    object.extend((0..700).map(|at| (format!("000 note {at:03}"), json!(1))));
    workflow["name"] = json!("");
    let read = checked(workflow.to_string().as_bytes());
    assert_eq!(read.problems(false).map(|found| found.code).collect::<Vec<_>>(), ["line_malformed"]);
    assert_eq!((read.findings.len(), read.more), (501, 200));
}

/// STR-SHARED-RES-03: each job's resources, in one shape.
/// STR-SHARED-RES-05: nothing is locked by them: they are told, and warned of.
#[test]
fn shared_resources_are_listed_for_each_job() {
    let listed = json!(["a port", {"id": "db", "mode": "per_lane_namespace", "namespace": "n"}]);
    let workflow = with(good(), "/jobs/0/shared_resources", listed);
    assert_eq!(said(workflow.to_string().as_bytes()), [""; 0]);
    assert_eq!(
        json!(resources(&Workflow::of(&workflow))),
        json!([{"workflow_job_id": "draft", "resources": [
            {"id": "a port", "mode": "exclusive"},
            {"id": "db", "mode": "per_lane_namespace", "namespace": "n"}]}])
    );
}

/// STR-LINT-06: keys of a profile that are its author's own are warned of.
/// STR-HARNESSPROFILE-08: with a profile or without, the same is scheduled; the checker only reads it.
#[test]
fn a_profile_changes_nothing_that_is_scheduled() {
    let profile = json!({"p": {"tool_family": "codex", "strategy_version": "1", "own key": {"deep": 1}}});
    let workflow =
        with(with(good(), "/harness_profiles", profile), "/lanes/author/harness_profile_id", json!("p"));
    let (plain, profiled) = (good(), workflow);
    let scheduled = |workflow: &Value| {
        let model = Workflow::of(workflow);
        let ways = |list: &[crate::workflow::model::Way<'_>]| -> Vec<_> {
            list.iter().map(|way| (way.from, way.to)).collect()
        };
        (model.jobs.len(), ways(&model.edges), ways(&model.cycles))
    };
    assert_eq!(scheduled(&plain), scheduled(&profiled));
    assert_eq!(said(profiled.to_string().as_bytes()), ["unknown_field /harness_profiles/p/own key"]);
}
