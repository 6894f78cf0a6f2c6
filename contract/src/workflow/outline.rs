//! The outermost keys of a workflow.

use super::bounds::MOST_ITEMS;
use super::finding::Findings;
use super::path;
use super::place::Place;

/// Those that every workflow has; what is in the others of them their own modules read.
const REQUIRED: &[&str] = &[
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
const OPTIONAL: &[&str] = &[
    "phases",
    "harness_profiles",
    "operator_mode",
    "provenance_mode",
    "recovery",
    "recovery_policy",
    "review_revision_policy",
    "allow_same_model_review_pairing",
    "operator_content_neutrality_override_rationale",
    "allowlist_status",
    "shape",
    "protected_paths",
    "operator_writable_paths",
];

pub(super) fn check(root: &Place<'_>, findings: &mut Findings) {
    root.known(&[REQUIRED, OPTIONAL].concat(), findings);
    for key in REQUIRED {
        root.required(key, findings);
    }
    if let Some(version) = root.optional("schema_version") {
        version.one_of(&["striatum.workflow.v1", "striatum.workflow.v1.1"], findings);
    }
    if let Some(id) = root.optional("workflow_id") {
        id.word(findings);
    }
    for key in ["workflow_version", "name"] {
        if let Some(line) = root.optional(key) {
            line.line(findings);
        }
    }
    if let Some(parallelism) = root.optional("parallelism") {
        parallelism.object(findings);
    }
    for doc in root
        .optional("context_docs")
        .iter()
        .flat_map(|docs| docs.list(MOST_ITEMS, findings))
        .collect::<Vec<_>>()
    {
        // A document is named by its path alone, or by an object with one.
        let named = doc.optional("path");
        path::contained(named.as_ref().unwrap_or(&doc), findings);
    }
    if let Some(mode) = root.optional("provenance_mode")
        && mode.text(findings).is_some_and(|mode| mode != "advisory")
    {
        let hint = "write advisory, or leave the key out";
        findings.add("provenance_mode_unsupported", &mode.pointer, "is not supported yet", hint);
    }
}
