//! `docs/workflow.md`: the workflow file as its schema explains it, and every code that a finding can have.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;
use striatum_contract::workflow::{SCHEMA, Severity, codes};

pub(super) fn reference() -> Result<String> {
    let schema: Value = serde_json::from_str(SCHEMA).context("the schema")?;
    let mut page = include_str!("workflow_intro.md").to_owned();
    page.push_str("\n## The file\n");
    object(&mut page, &schema)?;
    for (heading, name) in OBJECTS {
        let object_schema = &schema["$defs"][name];
        writeln!(page, "\n### {heading}")?;
        object(&mut page, object_schema)?;
        for (key, property) in object_schema["properties"].as_object().into_iter().flatten() {
            if property["properties"].is_object() {
                writeln!(page, "\n`{key}`:")?;
                object(&mut page, property)?;
            }
        }
    }
    page.push_str("\n## Codes\n\n| code | what follows | what is wrong |\n|---|---|---|\n");
    let mut codes = codes();
    codes.sort_by_key(|told| (told.severity, told.code));
    for told in codes {
        let severity = match told.severity {
            Severity::Error => "error",
            Severity::Refusal => "refusal",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        writeln!(page, "| `{}` | {severity} | {} |", told.code, cell(told.about))?;
    }
    Ok(page)
}

/// The objects of a file, in the order in which somebody writes one.
const OBJECTS: &[(&str, &str)] = &[
    ("branch", "branch"),
    ("coordinator", "coordinator"),
    ("A lane", "lane"),
    ("supervision of a lane", "supervision"),
    ("liveness", "liveness"),
    ("A role", "role"),
    ("A document of context_docs, where it is no path alone", "document"),
    ("parallelism", "parallelism"),
    ("A job", "job"),
    ("write_scope of a job", "write_scope"),
    ("An expected artifact", "artifact"),
    ("An interrogation target", "interrogation_target"),
    ("A shared resource, where it is no id alone", "shared_resource"),
    ("An edge", "edge"),
    ("A cycle", "cycle"),
    ("A phase", "phase"),
    ("A harness profile", "profile"),
    ("review_revision_policy", "revision_policy"),
    ("recovery_policy", "recovery_policy"),
];

fn object(page: &mut String, schema: &Value) -> Result<()> {
    page.push_str("\n| key | required | what it may be | what it is for |\n|---|---|---|---|\n");
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut keys: Vec<(&String, &Value)> = schema["properties"].as_object().into_iter().flatten().collect();
    keys.sort_by_key(|(key, _)| (!required.contains(&key.as_str()), *key));
    for (key, property) in keys {
        let needed = if required.contains(&key.as_str()) { "yes" } else { "no" };
        let about = property["description"].as_str().unwrap_or_default();
        writeln!(page, "| `{key}` | {needed} | {} | {} |", cell(&kind(property)), cell(about))?;
    }
    Ok(())
}

/// What a value may be, in words.
fn kind(property: &Value) -> String {
    let named = property["$ref"].as_str().and_then(|to| to.strip_prefix("#/$defs/"));
    match named {
        Some("seconds") => return "1 to 86400".to_owned(),
        Some("count") => return "0 to 1000".to_owned(),
        Some("scope_path" | "path") => return "path".to_owned(),
        Some("paths") => return "list of paths".to_owned(),
        Some("switch") => return "true, false, or an object with `enabled`".to_owned(),
        Some("enforcement") => return "unsupported, advisory, advisory_strict, enforced".to_owned(),
        Some(name) if OBJECTS.iter().any(|(_, object)| *object == name) => return "object".to_owned(),
        Some(name) => return name.to_owned(),
        None => {}
    }
    if let Some(words) = property["enum"].as_array() {
        return words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    }
    match property["type"].as_str() {
        Some("array") => {
            let items = kind(&property["items"]);
            let plural = if items.ends_with('s') { String::new() } else { "s".to_owned() };
            format!("list of {items}{plural}")
        }
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => format!("{} to {}", property["minimum"], property["maximum"]),
        Some("string") => "text".to_owned(),
        Some("object") if property["additionalProperties"].is_object() => "object, by id".to_owned(),
        Some(one) => one.to_owned(),
        None => "text or object".to_owned(),
    }
}

/// What would end a cell is written out.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
