//! A place in a workflow file: a value, and the pointer to it.

use serde_json::{Map, Value};

use super::finding::Findings;
use crate::nearest::nearest;
use crate::problem::step;

#[derive(Debug, Clone)]
pub(super) struct Place<'v> {
    value: &'v Value,
    pub(super) pointer: String,
}

impl<'v> Place<'v> {
    pub(super) fn root(value: &'v Value) -> Self {
        Self { value, pointer: String::new() }
    }

    fn below(&self, key: &str, value: &'v Value) -> Self {
        let mut pointer = self.pointer.clone();
        step(&mut pointer, key);
        Self { value, pointer }
    }

    /// The member of an object, where it has one of that key.
    pub(super) fn optional(&self, key: &str) -> Option<Self> {
        self.value.get(key).map(|value| self.below(key, value))
    }

    /// The member that an object has to have.
    pub(super) fn required(&self, key: &str, findings: &mut Findings) -> Option<Self> {
        let member = self.optional(key);
        if member.is_none() && self.value.is_object() {
            findings.add("key_missing", &self.pointer, format!("lacks the key `{key}`"), "add it");
        }
        member
    }

    pub(super) fn object(&self, findings: &mut Findings) -> Option<&'v Map<String, Value>> {
        self.typed(self.value.as_object(), "an object", findings)
    }

    pub(super) fn text(&self, findings: &mut Findings) -> Option<&'v str> {
        self.typed(self.value.as_str(), "a text", findings)
    }

    pub(super) fn boolean(&self, findings: &mut Findings) -> Option<bool> {
        self.typed(self.value.as_bool(), "true or false", findings)
    }

    pub(super) fn integer(&self, findings: &mut Findings) -> Option<i64> {
        self.typed(self.value.as_i64(), "a whole number", findings)
    }

    /// The items of a list that is no longer than that.
    pub(super) fn list(&self, most: usize, findings: &mut Findings) -> Vec<Self> {
        let Some(list) = self.typed(self.value.as_array(), "a list", findings) else { return Vec::new() };
        self.bounded(list.len(), most, findings);
        let at = |(index, value)| self.below(&format!("{index}"), value);
        list.iter().take(most).enumerate().map(at).collect()
    }

    /// The members of an object that has no more than that.
    pub(super) fn members(&self, most: usize, findings: &mut Findings) -> Vec<(&'v str, Self)> {
        let Some(object) = self.object(findings) else { return Vec::new() };
        self.bounded(object.len(), most, findings);
        object.iter().take(most).map(|(key, value)| (key.as_str(), self.below(key, value))).collect()
    }

    fn bounded(&self, count: usize, most: usize, findings: &mut Findings) {
        if count > most {
            let message = format!("holds {count}, and {most} are the most");
            findings.add("limit_exceeded", &self.pointer, message, "split the workflow");
        }
    }

    /// An id that a person chose.
    pub(super) fn word(&self, findings: &mut Findings) -> Option<&'v str> {
        let text = self.text(findings)?;
        if is_word(text) {
            return Some(text);
        }
        self.not_a_word(findings);
        None
    }

    pub(super) fn not_a_word(&self, findings: &mut Findings) {
        let hint = "1 to 128 of A-Z a-z 0-9 . _ : -, the first a letter or a digit";
        findings.add("id_malformed", &self.pointer, "is no id", hint);
    }

    /// A text of one line.
    pub(super) fn line(&self, findings: &mut Findings) -> Option<&'v str> {
        let text = self.text(findings)?;
        if (1..=200).contains(&text.chars().count()) && !text.contains(char::is_control) {
            return Some(text);
        }
        findings.add(
            "line_malformed",
            &self.pointer,
            "is no line of text",
            "1 to 200 characters, no line break",
        );
        None
    }

    pub(super) fn one_of(&self, words: &[&str], findings: &mut Findings) -> Option<&'v str> {
        let text = self.text(findings)?;
        if words.contains(&text) {
            return Some(text);
        }
        let hint = format!("one of: {}", words.join(", "));
        findings.add("value_unknown", &self.pointer, "is none of the values known here", hint);
        None
    }

    /// Finds keys that were meant to be known ones: a typing mistake must not switch a gate off.
    pub(super) fn known(&self, keys: &[&str], findings: &mut Findings) {
        let Some(object) = self.value.as_object() else { return };
        for key in object.keys().filter(|key| !keys.contains(&key.as_str())) {
            if let Some(meant) = nearest(key, keys.iter().copied()) {
                let (mut pointer, message) = (self.pointer.clone(), format!("is not known; `{meant}` is"));
                step(&mut pointer, key);
                findings.add("key_misspelled", pointer, message, format!("write {meant}, or another name"));
            }
        }
    }

    fn typed<T>(&self, value: Option<T>, kind: &str, findings: &mut Findings) -> Option<T> {
        if value.is_none() {
            findings.add("type_wrong", &self.pointer, format!("is not {kind}"), format!("write {kind}"));
        }
        value
    }
}

pub(super) fn is_word(text: &str) -> bool {
    let first = text.bytes().next();
    text.len() <= 128
        && first.is_some_and(|octet| octet.is_ascii_alphanumeric())
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"._:-".contains(&octet))
}
