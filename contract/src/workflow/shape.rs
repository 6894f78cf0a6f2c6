//! A walk over a workflow along its schema: how much there is, and which keys nobody knows.

use std::collections::BTreeSet;

use serde_json::Value;

use super::bounds::{LONGEST_KEY, MOST_KEYS, MOST_UNKNOWN};
use super::finding::{Findings, Severity};
use super::rule::Told;
use super::rules::OTHER_REPOSITORIES;
use super::schema::READ;
use crate::nearest::nearest;
use crate::problem::step;

/// What the walk says.
pub(super) const CODES: &[Told] = &[
    Told::error("limit_exceeded", "There is more of something than a workflow can have"),
    Told::error("key_too_long", "A key has more than 256 octets"),
    Told::error("key_misspelled", "A key looks like one that is known, and is not it"),
    Told::error("key_unknown", "A key is not known where no others can be"),
    Told { code: "unknown_field", severity: Severity::Warning, about: "A key is not known, and is let pass" },
];

struct Walk<'f> {
    findings: &'f mut Findings,
    unknown: usize,
    is_strict: bool,
    is_bounded: bool,
}

/// Walks a whole file. Where it answers false there is so much of something that nothing more is looked at.
pub(super) fn check(workflow: &Value, is_strict: bool, findings: &mut Findings) -> bool {
    let mut walk = Walk { findings, unknown: 0, is_strict, is_bounded: true };
    walk.value(&READ, workflow, &mut String::new());
    walk.is_bounded
}

impl Walk<'_> {
    /// Depth is bounded: what nests deeper is no JSON that the reader lets pass.
    fn value(&mut self, schema: &Value, value: &Value, pointer: &mut String) {
        let schema = resolved(schema);
        let length = pointer.len();
        match value {
            Value::Array(list) => {
                let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
                if list.len() as u64 > most {
                    return self.too_many(pointer, list.len(), most, "entries");
                }
                for (index, entry) in list.iter().enumerate().filter(|(_, entry)| !is_plain(entry)) {
                    step(pointer, &index.to_string());
                    self.value(&schema["items"], entry, pointer);
                    pointer.truncate(length);
                }
            }
            Value::Object(object) => {
                let most = schema["maxProperties"].as_u64().unwrap_or(MOST_KEYS as u64);
                if object.len() as u64 > most {
                    return self.too_many(pointer, object.len(), most, "keys");
                }
                if object.keys().any(|key| key.len() > LONGEST_KEY) {
                    self.is_bounded = false;
                    let message = format!("has a key of more than {LONGEST_KEY} octets");
                    return self.findings.error("key_too_long", &*pointer, message, "shorten it");
                }
                let known = schema["properties"].as_object();
                for (key, member) in object {
                    step(pointer, key);
                    if let Some(known) = known
                        && schema.get("additionalProperties").is_none_or(Value::is_boolean)
                    {
                        match known.get(key) {
                            Some(schema) => self.value(schema, member, pointer),
                            None => self.unknown(schema, key, member, pointer),
                        }
                    } else {
                        if schema.get("propertyNames").is_some() && !is_id(key) {
                            let hint = "1 to 128 of A-Z a-z 0-9 . _ : -, the first a letter or a digit";
                            self.findings.error("id_malformed", &*pointer, "is no id", hint);
                        }
                        self.value(&schema["additionalProperties"], member, pointer);
                    }
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn unknown(&mut self, schema: &Value, key: &str, member: &Value, pointer: &str) {
        if OTHER_REPOSITORIES.contains(&key) {
            return;
        }
        self.unknown += 1;
        if self.unknown > MOST_UNKNOWN {
            if self.is_bounded {
                self.too_many("", self.unknown, MOST_UNKNOWN as u64, "keys that are not known");
            }
            return;
        }
        // What is a time is held to what times are, wherever it stands.
        if key.ends_with("_seconds") && !member.as_i64().is_some_and(|seconds| (1..=86400).contains(&seconds))
        {
            let hint = "a whole number of seconds from 1 to 86400";
            self.findings.error("seconds_out_of_range", pointer, format!("is {}", short(member)), hint);
        }
        let keys: BTreeSet<&str> =
            schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let listed = || keys.iter().copied().collect::<Vec<_>>().join(", ");
        let is_open = schema["x-open"] == true;
        if let Some(meant) = nearest(key, keys.iter().copied()).filter(|_| !is_open) {
            let hint = format!("write {meant}, or another name where you mean something else");
            self.findings.error("key_misspelled", pointer, format!("is not known; `{meant}` is"), hint);
        } else if schema["additionalProperties"] == false {
            let hint = format!("known are {}", listed());
            self.findings.error("key_unknown", pointer, "is not known here", hint);
        } else {
            let severity = if self.is_strict { Severity::Error } else { Severity::Warning };
            let message = "is not known, and nothing reads it";
            let hint = format!("leave it out, or keep it as a note; known are {}", listed());
            self.findings.add("unknown_field", severity, pointer, message, hint);
        }
    }

    fn too_many(&mut self, pointer: &str, count: usize, most: u64, what: &str) {
        self.is_bounded = false;
        let message = format!("holds {count} {what}, and {most} are the most");
        self.findings.error("limit_exceeded", pointer, message, "split the workflow");
    }
}

/// What nothing more is to be said of.
fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn resolved(schema: &Value) -> &Value {
    let to = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
    to.and_then(|to| READ.pointer(to)).unwrap_or(schema)
}

/// As the schema writes ids.
pub(crate) fn is_id(text: &str) -> bool {
    let first = text.bytes().next();
    text.len() <= 128
        && first.is_some_and(|octet| octet.is_ascii_alphanumeric())
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"._:-".contains(&octet))
}

fn short(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => {
            format!("the text `{}`", text.chars().take(40).collect::<String>().escape_debug())
        }
        other => other.to_string(),
    }
}
