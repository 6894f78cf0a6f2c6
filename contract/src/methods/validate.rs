//! Params against the schema of their method.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::{Method, REGISTRY};
use crate::problem::{Problem, Problems};
use crate::refusal::Refusal;
use crate::request::unknown_key;

/// Where the params of a request stand in it.
const PARAMS: &str = "/params";

/// The schema of every method, made ready once.
static VALIDATORS: LazyLock<HashMap<&'static str, (&'static Method, Validator)>> = LazyLock::new(|| {
    let ready = |method: &'static Method| {
        let validator = jsonschema::draft202012::new(&method.params).expect("a test makes each schema ready");
        (method.method.as_str(), (method, validator))
    };
    REGISTRY.methods.iter().map(ready).collect()
});

/// Whether a method takes these params.
///
/// # Errors
/// `method_unknown`; or `schema_invalid` with all that is wrong, each with its place in the request. No value is
/// repeated: it may be a secret, or as long as a file.
pub fn validate(method: &str, params: &Value) -> Result<(), Refusal> {
    let Some((method, validator)) = VALIDATORS.get(method) else { return Err(super::unknown(method)) };
    let problems = problems(validator, &method.params, params);
    if problems.is_empty() {
        return Ok(());
    }
    let help = match &method.cli_path {
        Some(path) => format!("striatum {} --help", path.join(" ")),
        None => "daemon.describe".to_owned(),
    };
    Err(problems.into_refusal([help]))
}

fn problems(validator: &Validator, schema: &Value, params: &Value) -> Problems {
    let mut problems = Problems::default();
    for error in validator.iter_errors(params) {
        note(&mut problems, &error, schema);
    }
    problems
}

fn note(problems: &mut Problems, error: &ValidationError<'_>, schema: &Value) {
    let pointer = format!("{PARAMS}{}", error.instance_path().as_str());
    // The keyword that refused is the last step; the schema that holds it is what the place should have been like.
    let at = error.schema_path().as_str();
    let around = at.rsplit_once('/').and_then(|(around, _)| schema.pointer(around));
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = around.and_then(|around| around.get("properties")).and_then(Value::as_object);
            let known: Vec<&str> =
                known.into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
            for key in unexpected {
                problems.add(|| unknown_key(&pointer, key, known.iter().copied()));
            }
        }
        ValidationErrorKind::Required { property } => problems.add(|| {
            let key = property.as_str().unwrap_or_default();
            let described = around.and_then(|around| around.get("properties")).and_then(|all| all.get(key));
            Problem { pointer, problem: format!("lacks the key `{key}`"), hint: hint(described) }
        }),
        kind => problems.add(|| Problem { pointer, problem: said(kind, error), hint: hint(around) }),
    }
}

/// What a place is for, in the words of its registration.
fn hint(schema: Option<&Value>) -> String {
    match schema.and_then(|schema| schema.get("description")).and_then(Value::as_str) {
        Some(description) => format!("it is: {description}"),
        None => "see the schema of the method".to_owned(),
    }
}

/// What is wrong with a value, as the end of a sentence about it.
fn said(kind: &ValidationErrorKind, error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Type { kind: TypeKind::Single(one) } => format!("is not of the type {one}"),
        Kind::Type { kind: TypeKind::Multiple(many) } => {
            let many: Vec<String> = many.iter().map(|one| one.to_string()).collect();
            format!("is of none of the types {}", many.join(", "))
        }
        Kind::Enum { options } => {
            let words = options.as_array().into_iter().flatten();
            let words: Vec<String> =
                words.map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned)).collect();
            format!("is none of {}", words.join(", "))
        }
        Kind::Constant { expected_value } => format!("is not {expected_value}"),
        Kind::Minimum { limit } => format!("is less than {limit}"),
        Kind::Maximum { limit } => format!("is more than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("is not more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("is not less than {limit}"),
        Kind::MinLength { limit: 1 } => "is empty".to_owned(),
        Kind::MinLength { limit } => format!("has fewer than {limit} characters"),
        Kind::MaxLength { limit } => format!("has more than {limit} characters"),
        Kind::MinItems { limit } => format!("has fewer than {limit} entries"),
        Kind::MaxItems { limit } => format!("has more than {limit} entries"),
        Kind::UniqueItems => "has an entry twice".to_owned(),
        Kind::Pattern { pattern } => format!("does not match {pattern}"),
        _ => format!("is not as its schema says ({})", error.kind().keyword()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    /// Pointer, problem and hint of each, in order.
    fn found(properties: &Value, params: &Value) -> Vec<String> {
        let schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        let details = super::problems(&validator, &schema, params).into_refusal([]).details;
        let part = |problem: &Value, key: &str| problem[key].as_str().expect("text").to_owned();
        let line = |problem: &Value| {
            format!("{} {}; {}", part(problem, "pointer"), part(problem, "problem"), part(problem, "hint"))
        };
        let mut lines: Vec<String> =
            details["problems"].as_array().expect("a list").iter().map(line).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn a_problem_deep_inside_is_said_with_its_place() {
        let properties = json!({"client": {
            "type": "object", "additionalProperties": false, "required": ["framings"],
            "properties": {
                "name": {"type": "string", "minLength": 1, "description": "The program"},
                "framings": {"type": "array", "description": "How messages are cut"},
                "versions": {"type": "array", "items": {"type": "integer", "minimum": 1}}}}});
        let params =
            json!({"client": {"name": "", "versions": [1, "x", 0], "framing": [], "wholly/other": 1}});
        assert_eq!(
            found(&properties, &params),
            [
                "/params/client lacks the key `framings`; it is: How messages are cut",
                "/params/client/framing is no key that is known; did you mean `framings`?",
                "/params/client/name is empty; it is: The program",
                "/params/client/versions/1 is not of the type integer; see the schema of the method",
                "/params/client/versions/2 is less than 1; see the schema of the method",
                "/params/client/wholly~1other is no key that is known; leave it out; known are framings, \
                 name, versions",
            ]
        );
    }

    #[test]
    fn each_bound_that_is_broken_is_said_in_words() {
        for (schema, value, said) in [
            (json!({"type": ["string", "null"]}), json!(1), "is of none of the types null, string"),
            (json!({"enum": ["a", "b"]}), json!("c"), "is none of a, b"),
            (json!({"const": 1}), json!(2), "is not 1"),
            (json!({"maximum": 3}), json!(4), "is more than 3"),
            (json!({"exclusiveMinimum": 3}), json!(3), "is not more than 3"),
            (json!({"exclusiveMaximum": 3}), json!(3), "is not less than 3"),
            (json!({"minLength": 2}), json!("x"), "has fewer than 2 characters"),
            (json!({"maxLength": 1}), json!("xy"), "has more than 1 characters"),
            (json!({"minItems": 1}), json!([]), "has fewer than 1 entries"),
            (json!({"maxItems": 0}), json!([1]), "has more than 0 entries"),
            (json!({"uniqueItems": true}), json!([1, 1]), "has an entry twice"),
            (json!({"pattern": "^x$"}), json!("y"), "does not match ^x$"),
            (json!({"multipleOf": 2}), json!(3), "is not as its schema says (multipleOf)"),
        ] {
            let found = found(&json!({"it": schema}), &json!({"it": value}));
            assert_eq!(found, [format!("/params/it {said}; see the schema of the method")]);
        }
    }
}
