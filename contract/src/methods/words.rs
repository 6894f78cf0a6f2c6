//! What a schema says about params, in words: for text output and for the reference.

use serde_json::{Map, Value};

/// One param, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its key; of a part the keys on the way, joined by points.
    pub name: String,
    /// Whether it has to be there.
    pub is_required: bool,
    /// What it is: `string`, `path`, `list of strings`, `one of human, service`.
    pub kind: String,
    /// Within which bounds; empty where it has none.
    pub bounds: String,
    /// The pattern that a text has to match.
    pub pattern: Option<String>,
    /// What it is for.
    pub description: String,
}

/// Whether a value is the schema of an object, which [`params`] can read.
pub fn is_schema(value: &Value) -> bool {
    value["type"] == "object" && value["properties"].is_object()
}

/// The properties of an object's schema: the required ones first, then by name; each object is followed by its own.
pub fn params(schema: &Value) -> Vec<Param> {
    let mut found = Vec::new();
    collect(&mut found, schema, "");
    found
}

fn collect(found: &mut Vec<Param>, schema: &Value, outer: &str) {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut properties: Vec<(&String, &Value)> =
        schema["properties"].as_object().into_iter().flatten().collect();
    properties.sort_by_key(|(key, _)| (!required.contains(&key.as_str()), *key));
    for (key, property) in properties {
        let name = format!("{outer}{key}");
        found.push(Param {
            is_required: required.contains(&key.as_str()),
            kind: kind(property),
            bounds: bounds(property),
            pattern: property["pattern"].as_str().map(str::to_owned),
            description: property["description"].as_str().unwrap_or_default().to_owned(),
            name: name.clone(),
        });
        if is_schema(property) {
            collect(found, property, &format!("{name}."));
        }
    }
}

fn kind(property: &Value) -> String {
    if let Some(words) = words(property) {
        return format!("one of {words}");
    }
    match types(property).as_slice() {
        ["string"] if property["format"] == "path" => "path".to_owned(),
        ["array"] => list(&property["items"]),
        [one] => called(one).to_owned(),
        [] => "anything".to_owned(),
        many => many.iter().map(|one| called(one)).collect::<Vec<_>>().join(" or "),
    }
}

fn list(items: &Value) -> String {
    match (words(items), types(items).as_slice()) {
        (Some(words), _) => format!("list of {words}"),
        (None, ["string"]) if items["format"] == "path" => "list of paths".to_owned(),
        (None, [one]) => format!("list of {}s", called(one)),
        _ => "list".to_owned(),
    }
}

/// The words of a closed list.
fn words(property: &Value) -> Option<String> {
    let words: Vec<&str> = property["enum"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(words.join(", "))
}

fn types(property: &Value) -> Vec<&str> {
    match &property["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        _ => Vec::new(),
    }
}

fn called(kind: &str) -> &str {
    match kind {
        "array" => "list",
        other => other,
    }
}

fn bounds(property: &Value) -> String {
    let Value::Object(property) = property else { return String::new() };
    let counted =
        |least, most, what: &str| range(property, least, most).map(|range| format!("{range} {what}"));
    let found = [
        range(property, "minimum", "maximum"),
        counted("minLength", "maxLength", "characters"),
        counted("minItems", "maxItems", "entries"),
    ];
    found.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn range(property: &Map<String, Value>, least: &str, most: &str) -> Option<String> {
    match (property.get(least), property.get(most)) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}")),
        (Some(least), None) => Some(format!("at least {least}")),
        (None, Some(most)) => Some(format!("at most {most}")),
        (None, None) => None,
    }
}
