//! An author who puts a value into each placeholder of a corrected block.

use serde_json::Value;
use striatum_contract::artifact::{Checked, check, contract};

use super::file;

/// The schema of a place.
fn schema_at<'s>(schema: &'s Value, pointer: &str) -> &'s Value {
    pointer.split('/').skip(1).fold(schema, |schema, step| match step.parse::<usize>() {
        Ok(_) if schema["items"].is_object() => &schema["items"],
        _ => {
            let key = step.replace("~1", "/").replace("~0", "~");
            let named = schema["properties"].get(&key);
            named.unwrap_or(&schema["additionalProperties"])
        }
    })
}

/// Every placeholder of a block: where, and the values that it lists.
fn placeholders(value: &Value, pointer: String, into: &mut Vec<(String, Vec<String>)>) {
    match value {
        Value::String(text) => {
            let text = text.trim();
            if let Some(listed) = text.strip_prefix("<choose: ").and_then(|rest| rest.strip_suffix('>')) {
                into.push((pointer, listed.split('|').map(str::to_owned).collect()));
            } else if text.starts_with("<fill in: ") && text.ends_with('>') {
                into.push((pointer, Vec::new()));
            }
        }
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.for_each(|(at, item)| placeholders(item, format!("{pointer}/{at}"), into));
        }
        Value::Object(members) => {
            for (key, member) in members {
                placeholders(
                    member,
                    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")),
                    into,
                );
            }
        }
        _ => {}
    }
}

/// The file of a corrected block, filled: of listed values the one that `pick` says, a made-up one elsewhere.
pub(super) fn filled(kind: &str, corrected: &str, mut pick: impl FnMut(usize) -> usize) -> String {
    let left = check(kind, corrected.as_bytes());
    let schema = &contract(kind).expect("a contract").schema;
    let mut values = left.front_matter.clone();
    let mut found = Vec::new();
    placeholders(&values, String::new(), &mut found);
    let told = left.problems.iter().filter(|problem| problem.code == "placeholder_left").count();
    assert!(told == found.len() || left.more > 0, "the answer names each of them: {corrected}");
    for (n, (pointer, listed)) in found.iter().enumerate() {
        let schema = schema_at(schema, pointer);
        let value = match (listed.as_slice(), schema["type"].as_str()) {
            ([], Some("integer")) => Value::from(1),
            ([], _) => match (schema["format"].as_str(), schema["pattern"].as_str()) {
                (Some("moment"), _) => Value::from("2026-11-30"),
                (Some(_), _) => Value::from("docs/a.md"),
                (_, Some("^dialogue:[0-9]+$")) => Value::from("dialogue:1"),
                _ => Value::from(format!("value {n}")),
            },
            (listed, kind) => {
                let chosen = &listed[pick(listed.len())];
                if kind == Some("boolean") {
                    Value::from(chosen == "true")
                } else {
                    Value::from(chosen.as_str())
                }
            }
        };
        *values.pointer_mut(pointer).expect("it is there") = value;
    }
    file(&values)
}

/// Fills what is offered until nothing is wrong. How often that was done, and the answer at the end.
pub(super) fn settled(kind: &str, first: Checked, mut pick: impl FnMut(usize) -> usize) -> (usize, Checked) {
    let mut checked = first;
    for round in 0..6 {
        let Some(corrected) = &checked.corrected else { return (round, checked) };
        checked = check(kind, filled(kind, corrected, &mut pick).as_bytes());
    }
    (6, checked)
}
