//! The kinds of artifacts, and the contract of each: data of `contract/artifacts/`.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::moment::is_moment;
use crate::nearest::nearest;

/// One kind of artifact: what is expected of a file of it, and what may become of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub kind: String,
    /// How its front matter is looked at.
    pub front_matter: FrontMatter,
    /// Where its body is kept while a workflow says nothing.
    pub placement: Placement,
    /// Whether its body may be evicted, wherever it is kept.
    pub retention: Retention,
    /// What it is, in one sentence.
    pub what: String,
}

/// How the front matter of a kind is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrontMatter {
    /// Not at all: the kind has no contract.
    Unchecked,
    /// Where it is there, it keeps the contract.
    Checked,
    /// It has to be there, and keeps the contract.
    Required,
}

/// Where the body of an artifact is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// In the blob store of the repository.
    BlobExhaust,
    /// In the repository.
    GitPublication,
}

/// Whether the body of an artifact may be evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retention {
    /// Never: later work builds on it.
    Durable,
    /// It may.
    Evictable,
    /// Never: nobody said that it may.
    Kept,
}

/// Every kind there is, by name.
pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../artifacts/kinds.json")).expect("a test reads it")
});

/// The fields that every kind takes beside its own, as they are, and what each is for.
pub static STANDARD_METADATA: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../artifacts/standard_metadata.json")).expect("a test reads it")
});

/// The schemas as they are kept.
const SCHEMAS: &[&str] = &[
    include_str!("../../artifacts/action_item_ledger.json"),
    include_str!("../../artifacts/advisory_minority_report.json"),
    include_str!("../../artifacts/auto_finalize_gate_evidence.json"),
    include_str!("../../artifacts/claim_ledger.json"),
    include_str!("../../artifacts/collaboration_ledger.json"),
    include_str!("../../artifacts/commit_request.json"),
    include_str!("../../artifacts/decision.json"),
    include_str!("../../artifacts/escalation.json"),
    include_str!("../../artifacts/finding.json"),
    include_str!("../../artifacts/findings_ledger.json"),
    include_str!("../../artifacts/harness_improvement_proposal.json"),
    include_str!("../../artifacts/join_manifest.json"),
    include_str!("../../artifacts/operator_brief.json"),
    include_str!("../../artifacts/operator_report.json"),
    include_str!("../../artifacts/pr_request.json"),
    include_str!("../../artifacts/progress_note.json"),
    include_str!("../../artifacts/receipt.json"),
    include_str!("../../artifacts/support_ledger.json"),
    include_str!("../../artifacts/synthesis.json"),
    include_str!("../../artifacts/work_plan.json"),
];

/// What a kind's front matter has to be.
pub struct Contract {
    /// The kind that it is of.
    pub kind: String,
    /// Its JSON Schema (2020-12), to which the standard metadata is added. `format` is `moment` for a day or an
    /// instant, `repo-path` for a path from the root of the repository.
    pub schema: Value,
    pub(super) validator: Validator,
}

static CONTRACTS: LazyLock<HashMap<String, Contract>> = LazyLock::new(|| {
    let ready = |text: &&str| {
        let schema = with_standard_metadata(serde_json::from_str(text).expect("a test reads each"));
        let validator = jsonschema::draft202012::options()
            .with_format("moment", is_moment)
            .with_format("repo-path", is_repository_path)
            .should_validate_formats(true)
            .build(&schema)
            .expect("a test makes each schema ready");
        let kind =
            schema["properties"]["artifact_kind"]["enum"][0].as_str().expect("its own kind").to_owned();
        (kind.clone(), Contract { kind, schema, validator })
    };
    SCHEMAS.iter().map(ready).collect()
});

/// A field that a kind gives no meaning of its own is taken as it is.
fn with_standard_metadata(mut schema: Value) -> Value {
    if let Some(known) = schema["properties"].as_object_mut() {
        for (key, what) in STANDARD_METADATA.iter() {
            let free =
                || serde_json::json!({"description": what, "$comment": "standard metadata, not checked"});
            known.entry(key.clone()).or_insert_with(free);
        }
    }
    schema
}

/// The kind of a name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.kind == name)
}

/// The kind that was perhaps meant.
pub fn nearest_kind(name: &str) -> Option<&'static str> {
    nearest(name, KINDS.iter().map(|kind| kind.kind.as_str()))
}

/// The contract of a kind; `None` where it has none.
pub fn contract(kind: &str) -> Option<&'static Contract> {
    CONTRACTS.get(kind)
}

/// A path that begins at the root of the repository and stays in it.
pub(super) fn is_repository_path(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "..") && !part.chars().any(char::is_control);
    !path.starts_with('/') && path.trim_end_matches('/').split('/').all(is_plain) && path.len() <= 4096
}
