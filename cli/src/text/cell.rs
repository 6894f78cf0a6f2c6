//! A value on one line.

use serde_json::Value;
use striatum_contract::methods::is_schema;

use super::{Reading, when};
use crate::output::harmless;

/// What stands where there is nothing.
pub(super) const NOTHING: &str = "-";

/// Whether there is nothing to show.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(entries) => entries.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether a value does not go on the line of its name.
pub(super) fn needs_lines(key: &str, value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(entries) if entries.iter().any(|entry| entry.is_object() || entry.is_array()) => {
            grants(key, value).is_none()
        }
        value => needs_a_block(key, value),
    }
}

/// Whether a value cannot be put into a cell of a table either: the schema of params, sentences, lines, a secret.
pub(super) fn needs_a_block(key: &str, value: &Value) -> bool {
    let is_sentence = |entry: &Value| entry.as_str().is_some_and(|text| text.contains(' '));
    match value {
        Value::Object(_) => is_schema(value),
        Value::Array(entries) => entries.iter().any(is_sentence),
        Value::String(text) => key == "token" || text.trim_end().contains('\n'),
        _ => false,
    }
}

/// A value without a line break.
pub(super) fn cell(key: &str, value: &Value, reading: Reading<'_>) -> String {
    match value {
        value if is_empty(value) => NOTHING.to_owned(),
        Value::Bool(true) if key == "ok" => "ok".to_owned(),
        Value::Bool(false) if key == "ok" => "FAULT".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => match when::seconds(text).filter(|_| key.ends_with("_at")) {
            Some(then) => instant(text, then, reading),
            None => harmless(text, ""),
        },
        Value::Array(entries) => grants(key, value).unwrap_or_else(|| {
            let separator = if entries.iter().any(Value::is_object) { "; " } else { ", " };
            entries.iter().map(|entry| inner(key, entry, reading)).collect::<Vec<_>>().join(separator)
        }),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}={}", harmless(key, ""), inner(key, value, reading))
            };
            members.iter().map(member).collect::<Vec<_>>().join(" ")
        }
        other => harmless(&other.to_string(), ""),
    }
}

/// A value within another: what has parts stands in brackets.
fn inner(key: &str, value: &Value, reading: Reading<'_>) -> String {
    let text = cell(key, value, reading);
    match value {
        Value::Array(entries) if !entries.is_empty() => format!("[{text}]"),
        Value::Object(members) if members.values().any(|value| value.is_object()) => format!("({text})"),
        _ => text,
    }
}

fn instant(text: &str, then: i64, reading: Reading<'_>) -> String {
    let relative = when::relative(then, reading.now);
    if reading.verbose { format!("{text} ({relative})") } else { relative }
}

/// Capabilities with where they hold: `read, write in repo_1; read everywhere`.
fn grants(key: &str, value: &Value) -> Option<String> {
    let grants = value.as_array().filter(|grants| key == "grants" && !grants.is_empty())?;
    let mut places: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
    for grant in grants {
        let grant = grant.as_object().filter(|grant| grant.len() == 2)?;
        let capability = grant.get("capability")?.as_str()?;
        let place = match grant.get("repository_id")? {
            Value::Null => None,
            place => Some(place.as_str()?),
        };
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, capabilities)) => capabilities.push(capability),
            None => places.push((place, vec![capability])),
        }
    }
    let said = |(place, capabilities): &(Option<&str>, Vec<&str>)| match place {
        Some(place) => format!("{} in {place}", capabilities.join(", ")),
        None => format!("{} everywhere", capabilities.join(", ")),
    };
    Some(harmless(&places.iter().map(said).collect::<Vec<_>>().join("; "), ""))
}
