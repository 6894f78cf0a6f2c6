//! Writes front matter so that it is read back as it was.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// A block with its fences. The keys of `order` come first in each mapping that has them at its top.
pub(super) fn block(values: &Map<String, Value>, schema: &Value) -> String {
    let mut text = String::from("---\n");
    mapping(&mut text, values, schema, 0);
    text.push_str("---\n");
    text
}

fn mapping(text: &mut String, members: &Map<String, Value>, schema: &Value, indent: usize) {
    for (n, key) in order(members, schema).into_iter().enumerate() {
        if n > 0 || indent == 0 {
            text.push_str(&" ".repeat(indent));
        }
        text.push_str(&word(key));
        text.push(':');
        let of_key = super::typed::of_key(Some(schema), key).unwrap_or(&Value::Null);
        inner(text, &members[key], of_key, indent);
    }
}

/// The required keys in the order of the schema, then the others by name.
fn order<'m>(members: &'m Map<String, Value>, schema: &'m Value) -> Vec<&'m str> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut keys: Vec<&str> = required.filter(|key| members.contains_key(*key)).collect();
    let others: Vec<&str> = members.keys().map(String::as_str).filter(|key| !keys.contains(key)).collect();
    keys.extend(others);
    keys
}

/// A value behind its key, to the end of its last line.
fn inner(text: &mut String, value: &Value, schema: &Value, indent: usize) {
    match value {
        Value::Array(items) if items.is_empty() => text.push_str(" []\n"),
        Value::Object(members) if members.is_empty() => text.push_str(" {}\n"),
        Value::Array(items) if items.iter().all(|item| !item.is_array() && !item.is_object()) => {
            let items: Vec<String> = items.iter().map(scalar).collect();
            writeln!(text, " [{}]", items.join(", ")).expect("a text takes all");
        }
        Value::Array(items) => {
            text.push('\n');
            rows(text, items, &schema["items"], indent + 2);
        }
        Value::Object(members) => {
            text.push('\n');
            text.push_str(&" ".repeat(indent + 2));
            mapping(text, members, schema, indent + 2);
        }
        value => writeln!(text, " {}", scalar(value)).expect("a text takes all"),
    }
}

fn rows(text: &mut String, items: &[Value], schema: &Value, indent: usize) {
    for item in items {
        text.push_str(&" ".repeat(indent));
        text.push('-');
        match item {
            Value::Object(members) if !members.is_empty() => {
                text.push(' ');
                mapping(text, members, schema, indent + 2);
            }
            item => inner(text, item, schema, indent),
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => word(text),
        value => value.to_string(),
    }
}

/// A text: bare where no reader could take it for anything else (an author line is compared as it stands), in double
/// quotes elsewhere.
fn word(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
        && text.len() > 1
        && !matches!(text, "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_bare { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // What YAML does not let stand by itself, or what nobody sees.
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') =>
            {
                write!(quoted, "\\u{:04x}", u32::from(c)).expect("a text takes all");
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
