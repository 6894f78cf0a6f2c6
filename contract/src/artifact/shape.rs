//! Front matter against the schema of its kind.

use std::collections::HashSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::contract::{Contract, STANDARD_METADATA};
use super::node::Node;
use super::placeholder;
use super::problem::{Problem, Problems, below, field, told};
use super::typed::wants;
use crate::nearest::nearest;
use crate::problem::lower;

/// Adds all that the schema refuses.
pub(super) fn check(contract: &Contract, values: &Value, node: &Node, problems: &mut Problems) {
    let left: HashSet<String> = placeholder::left(values).into_iter().collect();
    for pointer in &left {
        problems.add_lazily(|| still_there(pointer, values, node));
    }
    for error in contract.validator.iter_errors(values) {
        if !left.contains(error.instance_path().as_str()) {
            note(&error, contract, node, problems);
        }
    }
}

fn still_there(pointer: &str, values: &Value, node: &Node) -> Problem {
    let given = values.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let field = field(pointer);
    let message = format!("{field} is still the placeholder {}", told(given));
    let hint = "put the value in its place";
    let mut problem =
        Problem::at("placeholder_left", pointer.to_owned(), node.place_of(pointer), message, hint);
    problem.given = Some(told(given));
    problem.allowed = placeholder::choices(given).unwrap_or_default();
    problem
}

fn note(error: &ValidationError<'_>, contract: &Contract, node: &Node, problems: &mut Problems) {
    let pointer = error.instance_path().as_str();
    // The keyword that refused is the last step; the schema that holds it is what the place should have been like.
    let at = error.schema_path().as_str();
    let around = at.rsplit_once('/').and_then(|(around, _)| contract.schema.pointer(around));
    let schema = around.unwrap_or(&Value::Null);
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            for key in unexpected {
                problems.add_lazily(|| unknown(key, pointer, schema, contract, node));
            }
        }
        Kind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            problems.add_lazily(|| missing(key, pointer, schema, node));
        }
        kind => problems.add_lazily(|| refused(kind, error.instance(), pointer, schema, node)),
    }
}

fn missing(key: &str, pointer: &str, schema: &Value, node: &Node) -> Problem {
    let name = below(&field(pointer), key);
    let of_key = &schema["properties"][key];
    let hint = format!("add it: {}", wanted(of_key));
    let message = format!("{name} is missing");
    let mut problem = Problem::at("field_missing", pointer.to_owned(), node.place_of(pointer), message, hint);
    (problem.field, problem.allowed) = (name, allowed(of_key));
    problem
}

fn refused(kind: &Kind, given: &Value, pointer: &str, schema: &Value, node: &Node) -> Problem {
    let (code, what) = said(kind, schema, given);
    let shown = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
    let message = format!("{} {what}", field(pointer));
    let mut problem = Problem::at(code, pointer.to_owned(), node.place_of(pointer), message, wanted(schema));
    problem.allowed = allowed(schema);
    if code != "field_empty" {
        if let Some(meant) = nearest(&shown, problem.allowed.iter().map(String::as_str)) {
            problem.hint = format!("{}; perhaps {meant} was meant", problem.hint);
        }
        problem.given = Some(told(&shown));
    }
    problem
}

/// What is wrong with a value: the code, and the end of a sentence about it.
fn said(kind: &Kind, schema: &Value, given: &Value) -> (&'static str, String) {
    let shown = told(&given.to_string());
    match kind {
        Kind::Pattern { pattern } if pattern == "\\S" => ("field_empty", "is empty".to_owned()),
        Kind::MinItems { .. } => ("field_empty", "has no entries".to_owned()),
        Kind::Type { .. } | Kind::Enum { .. } if given.is_null() || given == "" => {
            ("field_empty", "has no value".to_owned())
        }
        Kind::Type { .. } => ("field_type", format!("is {}, not {}", typed_as(given), type_of(schema))),
        Kind::Enum { .. } => ("value_not_allowed", format!("is {shown}, which is not allowed")),
        Kind::Format { format } if format == "moment" => {
            ("moment_impossible", format!("is {shown}, which is no day and no time"))
        }
        Kind::Format { .. } => {
            ("path_not_relative", format!("is {shown}, which does not stay in the repository"))
        }
        Kind::Minimum { limit } => ("value_too_small", format!("is {shown}; the least is {limit}")),
        Kind::Maximum { limit } => ("value_too_large", format!("is {shown}; the most is {limit}")),
        _ => ("value_malformed", format!("is {shown}, which does not have the right form")),
    }
}

fn unknown(key: &str, pointer: &str, schema: &Value, contract: &Contract, node: &Node) -> Problem {
    let inner = super::problem::step(pointer, key);
    let name = below(&field(pointer), key);
    let known = schema["properties"].as_object().into_iter().flat_map(|known| known.keys());
    let meant = nearest(key, known.map(String::as_str));
    let said = match meant {
        Some(meant) => format!("perhaps {meant} was meant"),
        None => "leave it out, or move it into the body".to_owned(),
    };
    let hint = match pointer {
        "" => format!("{said}; {}", takes(contract)),
        _ => format!("{said}; it takes {}", names(schema, |_| true)),
    };
    let message =
        format!("{name} is not a field of {}", if pointer.is_empty() { &contract.kind } else { "its row" });
    let mut problem = Problem::at("field_unknown", pointer.to_owned(), node.place_of(&inner), message, hint);
    problem.field = name;
    problem
}

/// Which fields a kind takes.
fn takes(contract: &Contract) -> String {
    let required = contract.schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_required = |key: &str| required.iter().any(|known| known == key);
    let is_own = |key: &str| contract.schema["properties"][key].get("$comment").is_none();
    let optional = names(&contract.schema, |key| !is_required(key) && is_own(key));
    format!(
        "{} requires {}; it takes {} too, and of every kind {}",
        contract.kind,
        required.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        if optional.is_empty() { "nothing" } else { &optional },
        STANDARD_METADATA.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    )
}

fn names(schema: &Value, is_meant: impl Fn(&str) -> bool) -> String {
    let known = schema["properties"].as_object().into_iter().flat_map(|known| known.keys());
    known.map(String::as_str).filter(|key| is_meant(key)).collect::<Vec<_>>().join(", ")
}

/// What a field has to be, in words.
pub(super) fn wanted(schema: &Value) -> String {
    let what = schema["description"].as_str();
    let kind = type_of(schema);
    match what {
        Some(what) => format!("{} ({kind})", lower(what)),
        None => kind,
    }
}

/// The type of a field, in words.
pub(super) fn type_of(schema: &Value) -> String {
    if let words @ [_, ..] = allowed(schema).as_slice() {
        return if words.len() == 1 { words[0].clone() } else { format!("one of {}", words.join(", ")) };
    }
    let or_null = if wants(Some(schema), "null") { ", or null" } else { "" };
    let kind = match schema["format"].as_str() {
        Some("moment") => "a day like 2026-11-30, or a time like 2026-11-30T09:30:00Z".to_owned(),
        Some(_) => "a path from the root of the repository".to_owned(),
        None if schema["pattern"] == "^dialogue:[0-9]+$" => "like dialogue:3".to_owned(),
        None if wants(Some(schema), "integer") => {
            format!("a whole number from {}", schema["minimum"].as_i64().unwrap_or(0))
        }
        None if wants(Some(schema), "boolean") => "true or false".to_owned(),
        None if wants(Some(schema), "array") => {
            let least = if schema["minItems"].is_null() { "" } else { ", at least one" };
            match &schema["items"] {
                row if wants(Some(row), "object") => format!("a list of rows{least}"),
                row if row["format"] == "repo-path" => format!("a list of paths{least}"),
                row if row["pattern"] == "^dialogue:[0-9]+$" => format!("a list like [dialogue:3]{least}"),
                _ => format!("a list of texts{least}"),
            }
        }
        None if schema["additionalProperties"]["enum"].is_array() => {
            format!("for each name {}", type_of(&schema["additionalProperties"]))
        }
        None if wants(Some(schema), "object") => "fields of its own".to_owned(),
        None if wants(Some(schema), "string") => "a text".to_owned(),
        None => "anything".to_owned(),
    };
    kind + or_null
}

/// The words of a closed list.
pub(super) fn allowed(schema: &Value) -> Vec<String> {
    let words = schema["enum"].as_array().into_iter().flatten();
    words.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn typed_as(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
