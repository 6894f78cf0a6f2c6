//! What stands in a corrected block where only the author can say what should.

use std::collections::BTreeSet;

use serde_json::Value;

use super::problem::step;

/// Octets of a placeholder's text.
const LONGEST: usize = 200;

/// One of these values.
pub(super) fn choose<S: AsRef<str>>(values: &[S]) -> Value {
    listed(values).unwrap_or_else(|| fill("one of the values that are allowed"))
}

/// The same of names that a file gives: of thousands the first ones, and none that would break the list; `None` where
/// nothing is left to choose from.
pub(super) fn listed<S: AsRef<str>>(values: &[S]) -> Option<Value> {
    let mut text = String::new();
    let mut known = BTreeSet::new();
    for value in values.iter().map(AsRef::as_ref) {
        let is_plain = !value.is_empty() && value.trim() == value && !value.contains(['|', '<', '>', '\n']);
        if is_plain && text.len() + value.len() <= 2 * LONGEST && known.insert(value) {
            if !text.is_empty() {
                text.push('|');
            }
            text.push_str(value);
        }
    }
    (!text.is_empty()).then(|| Value::from(format!("<choose: {text}>")))
}

/// A value of the author's own.
pub(super) fn fill(what: &str) -> Value {
    let mut what = what.replace(['\n', '\r', '<', '>'], " ");
    crate::problem::cut(&mut what, LONGEST);
    Value::from(format!("<fill in: {what}>"))
}

/// Whether a text is one of both.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text.ends_with('>') && (text.starts_with("<choose: ") || text.starts_with("<fill in: "))
}

/// The values of a placeholder that lists them.
pub(super) fn choices(text: &str) -> Option<Vec<String>> {
    let values = text.trim().strip_prefix("<choose: ")?.strip_suffix('>')?;
    Some(values.split('|').map(str::to_owned).collect())
}

/// Where placeholders stand.
pub(super) fn left(values: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(values, String::new(), &mut found);
    found
}

fn collect(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_placeholder(text) => found.push(pointer),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{at}"), found);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                collect(member, step(&pointer, key), found);
            }
        }
        _ => {}
    }
}
