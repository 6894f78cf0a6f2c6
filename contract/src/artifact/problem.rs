//! What is wrong with an artifact's file.

use std::borrow::Cow;

use serde::Serialize;

use crate::problem::cut;

/// Problems that an answer lists; the others it counts.
const MOST_LISTED: usize = 100;
/// Octets of a value that are repeated.
const MOST_GIVEN: usize = 120;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The stable name of what is wrong: one of [`super::codes`].
    pub code: &'static str,
    /// Where, as a JSON pointer into the front matter; where a field is missing, what should have it. Empty for the
    /// front matter or the file as a whole.
    pub pointer: String,
    /// The field, as a person writes it: `entries[2].kind`. Empty for the whole.
    pub field: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of that line, from 1.
    pub column: usize,
    /// One sentence about it.
    pub message: String,
    /// What stands there, cut; null where nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The values that are allowed, where they can be listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// What to do instead.
    pub hint: String,
}

impl Problem {
    /// One of the file as a whole.
    pub(super) fn of_file(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::at(code, String::new(), (1, 1), message, hint)
    }

    pub(super) fn at(
        code: &'static str,
        pointer: String,
        (line, column): (usize, usize),
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let field = field(&pointer);
        let (message, hint) = (message.into(), hint.into());
        Self { code, pointer, field, line, column, message, given: None, allowed: Vec::new(), hint }
    }
}

/// A value as an answer repeats it: cut, and without NUL, which nothing stores.
pub(super) fn told(text: &str) -> String {
    let mut shown = text.replace('\0', "\u{fffd}");
    let whole = shown.len();
    cut(&mut shown, MOST_GIVEN);
    if whole > shown.len() {
        shown.push_str("...");
    }
    shown
}

/// A pointer as a person writes it.
pub(super) fn field(pointer: &str) -> String {
    let mut field = String::new();
    for step in pointer.split('/').skip(1) {
        let step = unescaped(step);
        if !step.is_empty() && step.bytes().all(|octet| octet.is_ascii_digit()) {
            field.push_str(&format!("[{step}]"));
        } else {
            if !field.is_empty() {
                field.push('.');
            }
            field.push_str(&told(&step));
        }
    }
    field
}

/// A key below a field.
pub(super) fn below(field: &str, key: &str) -> String {
    if field.is_empty() { told(key) } else { format!("{field}.{}", told(key)) }
}

/// A step of a pointer as the key that it is.
pub(super) fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') { step.replace("~1", "/").replace("~0", "~").into() } else { step.into() }
}

/// A pointer one step longer, whole: it has to lead to its value again.
pub(super) fn step(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Problems as they are found: the first of them are kept, all are counted.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) list: Vec<Problem>,
    pub(super) count: usize,
}

impl Problems {
    /// Adds one; it is made only where there is still room for it.
    pub(super) fn add_lazily(&mut self, problem: impl FnOnce() -> Problem) {
        self.count += 1;
        if self.list.len() < MOST_LISTED {
            self.list.push(problem());
        }
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.add_lazily(|| problem);
    }
}
