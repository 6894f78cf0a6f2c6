//! The closed lists of the language, word by word.

use serde_json::{Value, json};

use super::artifact_kinds;
use super::{good, said, with};
use crate::workflow::vocabulary::{POSTURES, is_transcript_name, model_family};

/// Whether a value may stand at a place of a good workflow.
fn may_be(pointer: &str, value: Value) -> bool {
    let said = said(with(good(), pointer, value).to_string().as_bytes());
    said.iter()
        .all(|said| said.starts_with("not_in_effect ") || said.ends_with("_unsupported /provenance_mode"))
}

/// STR-WORKFLOW-02: each of the thirteen is asked for.
/// STR-WORKFLOW-03: both versions are known, and no other.
#[test]
fn the_outline_is_complete() {
    let keys = [
        "schema_version",
        "workflow_id",
        "workflow_version",
        "name",
        "branch",
        "coordinator",
        "lanes",
        "roles",
        "context_docs",
        "parallelism",
        "jobs",
        "edges",
        "cycles",
    ];
    for key in keys {
        let mut workflow = good();
        workflow.as_object_mut().expect("an object").remove(key);
        let said = said(workflow.to_string().as_bytes());
        assert!(said.contains(&"key_missing".to_owned()), "{key}: {said:?}");
    }
    assert_eq!(said(b"{}"), ["key_missing"; 13]);
    assert!(may_be("/schema_version", json!("striatum.workflow.v1")));
    for other in ["striatum.workflow.v2", "striatum.workflow.v1.2", ""] {
        assert!(!may_be("/schema_version", json!(other)), "{other}");
    }
}

/// STR-WORKFLOW-20: three modes, and none named is the first. STR-WORKFLOW-25: two isolations.
/// STR-WORKFLOW-22: each kind is known. STR-REVIEW-05: each posture is.
/// STR-REVIEW-01, STR-REVIEW-02: three scopes, two policies.
#[test]
fn each_word_of_a_list_may_be_written() {
    let lists: &[(&str, &[&str])] = &[
        ("/provenance_mode", &["advisory", "attested_bylines", "sealed_patch"]),
        ("/lanes/author/worktree_isolation", &["off"]),
        ("/jobs/1/reviewer_access_scope", &["document_only", "artifact_augmented", "repo_level"]),
        ("/jobs/1/reviewer_context_policy", &["fresh", "cross_round"]),
        ("/jobs/1/review_posture", POSTURES),
        ("/jobs/1/expected_artifacts/0/kind", &artifact_kinds()),
    ];
    for (pointer, words) in lists {
        for word in *words {
            let mut workflow = with(good(), pointer, json!(word));
            if *word == "sealed_patch" {
                workflow = with(workflow, "/protected_paths", json!(["src/"]));
                workflow = with(workflow, "/operator_writable_paths", json!(["notes/"]));
            }
            let said = said(workflow.to_string().as_bytes());
            assert!(said.iter().all(|said| said.contains("_unsupported")), "{pointer} {word}: {said:?}");
        }
        assert!(!may_be(pointer, json!("nonsense")), "{pointer}");
        assert!(!may_be(pointer, json!("")), "{pointer}");
    }
    for posture in ["custom:x", "custom: x", "custom:a b"] {
        assert!(may_be("/jobs/1/review_posture", json!(posture)), "{posture}");
    }
    for posture in ["custom", "custom:", "Security", "security "] {
        assert!(!may_be("/jobs/1/review_posture", json!(posture)), "{posture}");
    }
}

/// STR-HARNESSPROFILE-02, STR-HARNESSPROFILE-03, STR-HARNESSPROFILE-04: what a profile says, where it says it.
#[test]
fn a_profile_is_held_to_its_words() {
    let may = |key: &str, value: Value| {
        let mut profile = json!({"tool_family": "codex", "strategy_version": "1", "accountability": {}});
        *profile.pointer_mut(&format!("/{key}")).unwrap_or(&mut json!(null)) = Value::Null;
        let (around, last) = key.rsplit_once('/').unwrap_or(("", key));
        let pointer = if around.is_empty() { String::new() } else { format!("/{around}") };
        profile.pointer_mut(&pointer).expect("an object")[last] = value;
        may_be("/harness_profiles", json!({"p": profile}))
    };
    for family in ["generic", "codex", "claude_code", "agy"] {
        assert!(may("tool_family", json!(family)), "{family}");
    }
    assert!(!may("tool_family", json!("cursor")));
    assert!(!may("strategy_version", json!("")));
    assert!(may("accountability/native_subagents", json!("internal_to_parent_session")));
    assert!(!may("accountability/native_subagents", json!("free")));
    assert!(may("accountability/first_class_registration", json!("not_supported")));
    assert!(!may("accountability/first_class_registration", json!("supported")));
    assert!(may("prompt_envelope_path", json!("none/envelope.md")), "it is not looked for");
    for path in ["", "/etc/envelope.md", "a/../b"] {
        assert!(!may("prompt_envelope_path", json!(path)), "{path}");
    }
}

/// STR-SHARED-RES-01, STR-SHARED-RES-02: a text or an object with an id; two modes.
#[test]
fn a_resource_is_an_id_or_says_more() {
    let may = |resource: Value| may_be("/jobs/0/shared_resources", json!([resource]));
    for resource in [
        json!("port 8080"),
        json!({"id": "db"}),
        json!({"id": "db", "mode": "exclusive", "description": "the one"}),
        json!({"id": "db", "mode": "per_lane_namespace", "namespace": "n"}),
    ] {
        assert!(may(resource.clone()), "{resource}");
    }
    for resource in [
        json!(""),
        json!(7),
        json!({}),
        json!({"id": ""}),
        json!({"id": "db", "mode": "shared"}),
        json!({"id": "db", "mode": "per_lane_namespace", "namespace": ""}),
    ] {
        assert!(!may(resource.clone()), "{resource}");
    }
}

/// STR-INTERROG-01: a target is an object with a job, and perhaps required.
#[test]
fn an_interrogation_target_is_an_object() {
    let of = |target: Value| {
        let workflow = with(good(), "/jobs/0/interrogable", json!(true));
        let workflow = with(workflow, "/jobs/2/interrogation_targets", json!([target]));
        said(workflow.to_string().as_bytes()).iter().all(|said| said.starts_with("not_in_effect "))
    };
    assert!(of(json!({"workflow_job_id": "draft"})));
    assert!(of(json!({"workflow_job_id": "draft", "required": true})));
    for target in [
        json!("draft"),
        json!({}),
        json!({"workflow_job_id": ""}),
        json!({"workflow_job_id": "draft", "required": "yes"}),
    ] {
        assert!(!of(target.clone()), "{target}");
    }
}

#[test]
fn names_of_what_a_terminal_printed_are_known() {
    for name in
        ["stdout", "agent-transcript", "raw_output", "provideroutputs", "Terminal.Output", "a:stderr:b"]
    {
        assert!(is_transcript_name(name), "{name}");
    }
    for name in ["transcription", "output", "rawoutputs2", "terminal-notes", "stdoutput"] {
        assert!(!is_transcript_name(name), "{name}");
    }
}

#[test]
fn families_are_told_by_names() {
    for (name, family) in [
        ("Claude Opus 4.8", Some("claude")),
        ("claude-opus-4-8", Some("claude")),
        ("gpt-5.5", Some("gpt")),
        ("Codex author", Some("gpt")),
        ("Antigravity (gemini)", Some("gemini")),
        ("agy", Some("gemini")),
        ("scripted-agent", None),
        ("author", None),
    ] {
        assert_eq!(model_family(name), family, "{name}");
    }
}
