//! Of which type a value is: as its contract says, where it says so.

use serde_json::{Map, Value};

use super::node::{Is, Node};

/// A value as JSON. A plain text where the schema wants a text stays that text: `no`, `1.10`, `10:30`, `0123` and
/// `2026-11-30` are what they look like. Elsewhere `null`, `true`, `false` and whole numbers are read as such, and what
/// is quoted is a text always.
pub(super) fn typed(node: &Node, schema: Option<&Value>) -> Value {
    match &node.is {
        Is::List(items) => {
            let of = schema.and_then(|schema| schema.get("items"));
            items.iter().map(|item| typed(item, of)).collect()
        }
        Is::Map(entries) => {
            let members = entries
                .iter()
                .map(|entry| (entry.key.clone(), typed(&entry.value, of_key(schema, &entry.key))));
            Value::Object(members.collect::<Map<_, _>>())
        }
        Is::Scalar { text, is_plain: false } => Value::from(text.as_str()),
        Is::Scalar { text, .. } if is_null(text) => Value::Null,
        Is::Scalar { text, .. } if wants(schema, "string") => Value::from(text.as_str()),
        Is::Scalar { text, .. } => match text.as_str() {
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            text => integer(text).map_or_else(|| Value::from(text), Value::from),
        },
    }
}

/// The schema of a key's value.
pub(super) fn of_key<'s>(schema: Option<&'s Value>, key: &str) -> Option<&'s Value> {
    let schema = schema?;
    let named = schema.get("properties").and_then(|known| known.get(key));
    named.or_else(|| schema.get("additionalProperties").filter(|others| others.is_object()))
}

/// Whether a schema takes a value of this type.
pub(super) fn wants(schema: Option<&Value>, kind: &str) -> bool {
    let Some(schema) = schema else { return false };
    match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(many) => many.iter().any(|one| one == kind),
        _ => kind == "string" && schema.get("enum").is_some(),
    }
}

/// A whole number that has one reading: no leading zero, no exponent, no underscore.
pub(super) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = digits == "0" || !digits.starts_with('0');
    let number = text.parse().ok()?;
    (is_plain && digits.bytes().all(|octet| octet.is_ascii_digit())).then_some(number)
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
