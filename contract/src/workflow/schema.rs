//! A workflow against its schema, which editors use too.

use std::sync::LazyLock;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::Value;

use super::finding::Findings;
use super::rule::Told;
use crate::problem::lower;

/// The schema as it is published.
pub const SCHEMA: &str = include_str!("../../workflow.schema.json");

/// The same, read. `x-code` and `x-hint` beside a keyword say what a value is refused with; `x-open` marks an object
/// whose other keys are its author's own.
pub(super) static READ: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SCHEMA).expect("a test reads the schema"));

pub(super) static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&READ).expect("a test makes the schema ready"));

/// What the schema refuses with.
pub(super) const CODES: &[Told] = &[
    Told::error("key_missing", "A key is missing"),
    Told::error("type_wrong", "A value is of another type"),
    Told::error("value_unknown", "A value is none of those that are known there"),
    Told::error("number_out_of_range", "A number is too small or too large"),
    Told::error("text_malformed", "A text is empty, or too long"),
    Told::error("list_empty", "A list is empty that may not be"),
    Told::error("id_malformed", "An id has other characters than ids have, or too many"),
    Told::error("line_malformed", "A line is empty, too long, or more than one"),
    Told::error("path_not_contained", "A path leads out of the repository, or is not written plainly"),
    Told::error("path_prefix_not_absolute", "A folder of path_prefix is not absolute, or holds a colon"),
    Told::error("seconds_out_of_range", "A number of seconds is none from 1 to 86400"),
    Told::error("adapter_unknown", "A lane has an adapter that is not known"),
    Told::error("artifact_kind_unknown", "An artifact is of a kind that is not known"),
    Told::error("author_line_malformed", "An expected author line is not one line `author: NAME`"),
    Told::error("review_posture_unknown", "A posture has no known name, and is not custom:NAME"),
    Told::error("cycle_unbounded", "A cycle's max_iterations is no number from 1 to 1000"),
    Told::error("jobs_missing", "The workflow has no job"),
];

/// Takes note of what the schema refuses.
pub(super) fn check(workflow: &Value, findings: &mut Findings) {
    for error in VALIDATOR.iter_errors(workflow) {
        if !findings.has_room() {
            break;
        }
        note(&error, findings);
    }
}

fn note(error: &ValidationError<'_>, findings: &mut Findings) {
    let pointer = error.instance_path().as_str();
    // The keyword that refused is the last step; the schema that holds it is what the place should have been like.
    let at = error.schema_path().as_str();
    let around = at.rsplit_once('/').and_then(|(around, _)| READ.pointer(around));
    let told = |key: &str| around.and_then(|around| around.get(key)).and_then(Value::as_str);
    let hint = |usual: String| told("x-hint").map_or(usual, str::to_owned);
    let code = |usual: &'static str| {
        let own = told("x-code").and_then(|own| CODES.iter().find(|known| known.code == own));
        own.map_or(usual, |known| known.code)
    };
    let mut add = |usual, message: String, usual_hint: String| {
        findings.error(code(usual), pointer, message, hint(usual_hint));
    };
    match error.kind() {
        // The walk over shapes says these, each with its key.
        Kind::AdditionalProperties { .. } | Kind::PropertyNames { .. } => {}
        Kind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            let described = around.and_then(|around| around["properties"].get(key));
            let described = described.and_then(|key| key["description"].as_str());
            let hint = described.map_or("add it".to_owned(), |what| format!("add it: {}", lower(what)));
            findings.error("key_missing", pointer, format!("lacks the key `{key}`"), hint);
        }
        Kind::Type { kind } => {
            let kinds = match kind {
                TypeKind::Single(one) => called(*one).to_owned(),
                TypeKind::Multiple(many) => many.iter().map(called).collect::<Vec<_>>().join(" or "),
            };
            findings.error("type_wrong", pointer, format!("is not {kinds}"), format!("write {kinds}"));
        }
        Kind::Enum { options } => {
            let words: Vec<&str> =
                options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let given = error.instance().as_str().filter(|given| given.chars().count() <= 64);
            let message = match given {
                Some(given) => format!("is `{given}`, which is not known here"),
                None => "is none of the values known here".to_owned(),
            };
            let meant = given.and_then(|given| crate::nearest::nearest(given, words.iter().copied()));
            let hint = match (meant, words.as_slice()) {
                (Some(meant), _) => format!("did you mean {meant}? known are {}", words.join(", ")),
                (None, [one]) => format!("write {one}, or leave it out"),
                (None, _) => format!("one of {}", words.join(", ")),
            };
            add("value_unknown", message, hint);
        }
        Kind::Minimum { .. } | Kind::Maximum { .. } => {
            let bound = |key: &str| around.and_then(|around| around[key].as_i64()).unwrap_or_default();
            let range = format!("a whole number from {} to {}", bound("minimum"), bound("maximum"));
            add("number_out_of_range", format!("is {}", error.instance()), range);
        }
        Kind::MinItems { .. } => {
            add("list_empty", "is an empty list".to_owned(), "add an entry".to_owned());
        }
        Kind::MaxItems { .. } | Kind::MaxProperties { .. } => {}
        Kind::MinLength { .. } => {
            add("text_malformed", "is empty".to_owned(), "write something, or leave it out".to_owned());
        }
        Kind::MaxLength { limit } => {
            add("text_malformed", format!("has more than {limit} characters"), "shorten it".to_owned());
        }
        _ => {
            let given = error.instance().as_str().filter(|given| given.chars().count() <= 64);
            let message = match given {
                Some("") => "is empty".to_owned(),
                Some(given) if code("text_malformed") == "review_posture_unknown" => {
                    format!("is `{given}`, which is not known here")
                }
                Some(given) => format!("is `{given}`, which is not written as it has to be"),
                None => "is not written as it has to be".to_owned(),
            };
            add("text_malformed", message, "see the schema: striatum workflow schema".to_owned());
        }
    }
}

fn called(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a text",
    }
}
