//! A corrected block: valid values stay, what has one reading is mended, the rest is left to the author.

use serde_json::{Map, Value};

use super::contract::Contract;
use super::placeholder::{choose, fill, is_placeholder};
use super::rules::{RULES, Repair};
use super::shape::{allowed, wanted};
use super::typed::{integer, wants};
use crate::nearest::nearest;

/// Octets of a corrected block; one that would be longer is nobody's next step.
const LONGEST: usize = 64 * 1024;

/// The block that the author may have meant, as text. Of what stands there twice only the author knows which is meant.
pub(super) fn corrected<'u>(
    contract: &Contract,
    values: &Value,
    undecided: impl Iterator<Item = &'u str>,
) -> Option<String> {
    let mut values = values.clone();
    for pointer in undecided {
        apply(&mut values, Repair::Set(pointer.to_owned(), fill("it stood there twice")));
    }
    let mut mended = match &values {
        Value::Object(members) => object(&contract.schema, members),
        _ => blank_object(&contract.schema),
    };
    // The newest version takes all that the ones before take.
    let versions = allowed(&contract.schema["properties"]["schema_version"]);
    if let Some(newest) = versions.last()
        && !versions.iter().any(|known| mended["schema_version"] == known.as_str())
    {
        mended.insert("schema_version".to_owned(), Value::from(newest.as_str()));
    }
    let mut mended = Value::Object(mended);
    for rule in RULES.iter().filter(|rule| rule.kind == contract.kind) {
        for hit in (rule.check)(&mended) {
            hit.repairs.into_iter().for_each(|repair| apply(&mut mended, repair));
        }
    }
    let block = super::write::block(mended.as_object()?, &contract.schema);
    (block.len() <= LONGEST).then_some(block)
}

/// A block in which the author has everything to say.
pub(super) fn blank_block(contract: &Contract) -> String {
    super::write::block(&blank_object(&contract.schema), &contract.schema)
}

fn apply(values: &mut Value, repair: Repair) {
    let split = |pointer: &str| {
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        (parent.to_owned(), super::problem::unescaped(key).into_owned())
    };
    match repair {
        Repair::Set(pointer, value) => {
            let (parent, key) = split(&pointer);
            match values.pointer_mut(&parent) {
                Some(Value::Object(members)) => {
                    members.insert(key, value);
                }
                Some(Value::Array(items)) => {
                    if let Some(item) = key.parse::<usize>().ok().and_then(|at| items.get_mut(at)) {
                        *item = value;
                    }
                }
                _ => {}
            }
        }
        Repair::Remove(pointer) => {
            let (parent, key) = split(&pointer);
            if let Some(Value::Object(members)) = values.pointer_mut(&parent) {
                members.remove(&key);
            }
        }
        Repair::Append(key, value) => {
            if let Value::Object(members) = values {
                let list = members.entry(key).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(items) = list {
                    items.push(value);
                }
            }
        }
    }
}

fn object(schema: &Value, members: &Map<String, Value>) -> Map<String, Value> {
    let Some(known) = schema["properties"].as_object() else {
        let of_value = &schema["additionalProperties"];
        return members.iter().map(|(key, value)| (key.clone(), mended(of_value, value))).collect();
    };
    let mut meant: Map<String, Value> = Map::new();
    for (key, value) in members {
        let name = match known.contains_key(key) {
            true => Some(key.as_str()),
            false => {
                nearest(key, known.keys().map(String::as_str)).filter(|near| !members.contains_key(*near))
            }
        };
        if let Some(name) = name {
            meant.entry(name.to_owned()).or_insert_with(|| value.clone());
        }
    }
    let required: Vec<&str> = required(schema);
    let is_left_out =
        |value: &Value| value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    let mut fields = Map::new();
    for (key, of_key) in known {
        let value = match meant.get(key) {
            Some(value) if is_free(of_key) => value.clone(),
            Some(value)
                if required.contains(&key.as_str()) || !is_left_out(value) || wants(Some(of_key), "null") =>
            {
                mended(of_key, value)
            }
            _ if required.contains(&key.as_str()) => blank(of_key),
            _ => continue,
        };
        fields.insert(key.clone(), value);
    }
    fields
}

/// Standard metadata that the kind does not look at.
fn is_free(schema: &Value) -> bool {
    schema.get("$comment").is_some()
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A value, or what it can only have meant, or what is left to the author.
fn mended(schema: &Value, value: &Value) -> Value {
    if let Value::String(text) = value
        && is_placeholder(text)
    {
        return blank(schema);
    }
    let words = allowed(schema);
    if !words.is_empty() {
        let text = value.as_str().unwrap_or_default();
        let same: Vec<&String> = words.iter().filter(|word| alike(word) == alike(text)).collect();
        return match same.as_slice() {
            _ if words.iter().any(|word| word == text) => value.clone(),
            [one] => Value::from(one.as_str()),
            _ => blank(schema),
        };
    }
    let is_valid = || is_valid_text(schema, value);
    match value {
        Value::Null if wants(Some(schema), "null") => Value::Null,
        _ if wants(Some(schema), "integer") => {
            let number = value.as_i64().or_else(|| value.as_str().and_then(|text| integer(text.trim())));
            let least = schema["minimum"].as_i64().unwrap_or(i64::MIN);
            let most = schema["maximum"].as_i64().unwrap_or(i64::MAX);
            number.filter(|number| (least..=most).contains(number)).map_or_else(|| blank(schema), Value::from)
        }
        _ if wants(Some(schema), "boolean") => truth(value).map_or_else(|| blank(schema), Value::from),
        _ if wants(Some(schema), "array") => list(schema, value),
        Value::Object(members) if wants(Some(schema), "object") => Value::Object(object(schema, members)),
        Value::String(_) if is_valid() => value.clone(),
        value if schema["pattern"] == super::rules::TURN => turn(value).unwrap_or_else(|| blank(schema)),
        _ => blank(schema),
    }
}

/// A text that the schema takes.
fn is_valid_text(schema: &Value, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let has_form = match schema["format"].as_str() {
        Some("moment") => super::moment::is_moment(text),
        Some(_) => super::contract::is_repository_path(text),
        None => true,
    };
    let keeps_pattern = match schema["pattern"].as_str() {
        Some(super::rules::TURN) => super::rules::is_turn(text),
        Some(_) => !text.trim().is_empty(),
        None => true,
    };
    wants(Some(schema), "string") && has_form && keeps_pattern
}

/// `dialogue:3` from `3`, or from `dialogue: 3`, which YAML reads as a mapping.
fn turn(value: &Value) -> Option<Value> {
    let number = match value {
        Value::Object(members) => members.get("dialogue")?,
        value => value,
    };
    let text = number.as_str().map_or_else(|| number.to_string(), str::to_owned);
    let turn = format!("dialogue:{}", text.trim().trim_start_matches("dialogue:").trim());
    super::rules::is_turn(&turn).then(|| Value::from(turn))
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is_true) => Some(*is_true),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn list(schema: &Value, value: &Value) -> Value {
    let items = &schema["items"];
    let is_short = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._/:-".contains(c))
    };
    let list: Vec<Value> = match value {
        Value::Array(list) => list.iter().map(|item| mended(items, item)).collect(),
        Value::Null => Vec::new(),
        Value::String(text) if text.trim().is_empty() => Vec::new(),
        // `a, b` without brackets.
        Value::String(text) if text.split(',').all(|part| is_short(part.trim())) => {
            text.split(',').map(|part| mended(items, &Value::from(part.trim()))).collect()
        }
        value => vec![mended(items, value)],
    };
    let is_null_or_too_short = list.is_empty() && (!value.is_array() || !schema["minItems"].is_null());
    if is_null_or_too_short { blank(schema) } else { Value::Array(list) }
}

/// What the author has to say.
fn blank(schema: &Value) -> Value {
    let words = allowed(schema);
    match words.as_slice() {
        [one] => Value::from(one.as_str()),
        [_, ..] => choose(&words),
        [] if wants(Some(schema), "boolean") => choose(&["true", "false"]),
        [] if wants(Some(schema), "array") => Value::Array(vec![blank(&schema["items"])]),
        [] if wants(Some(schema), "object") => Value::Object(blank_object(schema)),
        [] => fill(&wanted(schema)),
    }
}

fn blank_object(schema: &Value) -> Map<String, Value> {
    let required = required(schema);
    required.into_iter().map(|key| (key.to_owned(), blank(&schema["properties"][key]))).collect()
}

/// A word as far as its spelling matters.
fn alike(word: &str) -> String {
    word.trim().to_lowercase().replace(['-', ' '], "_")
}
