//! What a schema cannot say: how the fields of a file have to agree. One rule a file.

mod adjudicators;
mod binding_constraint;
mod bound_claim;
mod clearing;
mod correspondence;
mod coverage;
mod gate_evidence;
mod join_row;
mod minority_outcome;
mod once;
mod participant;
mod productive_revision;
mod rebutted;
mod shape_version;
mod verified_constraint;
mod version_fields;

use serde_json::Value;

/// The form of a reference to a turn of a dialogue, as schemas have it.
pub(super) const TURN: &str = "^dialogue:[0-9]+$";

/// Values that a hit lists; where names of the file are allowed, there may be thousands.
const MOST_ALLOWED: usize = 50;

/// One rule.
pub(super) struct Rule {
    /// The code of what breaks it.
    pub(super) code: &'static str,
    /// The kind that has to keep it.
    pub(super) kind: &'static str,
    /// The rule, in one sentence.
    pub(super) says: &'static str,
    /// Finds what breaks it; what has not the right type is left to the schema.
    pub(super) check: fn(&Value) -> Vec<Hit>,
}

/// What breaks a rule.
pub(super) struct Hit {
    pub(super) pointer: String,
    pub(super) message: String,
    pub(super) hint: String,
    pub(super) allowed: Vec<String>,
    /// What a corrected block has instead.
    pub(super) repairs: Vec<Repair>,
}

/// A change of a block.
pub(super) enum Repair {
    /// Puts a value at a pointer, of whose parents each is there.
    Set(String, Value),
    /// Takes a field away.
    Remove(String),
    /// Puts a row behind the others of a field.
    Append(String, Value),
}

/// Every rule, in the order in which a corrected block keeps them.
pub(super) const RULES: &[Rule] = &[
    version_fields::RULE,
    shape_version::RULE,
    participant::RULE,
    correspondence::RULE,
    coverage::RULE,
    once::CLAIMS,
    once::FINDINGS,
    once::CONSTRAINTS,
    binding_constraint::RULE,
    verified_constraint::RULE,
    clearing::RULE,
    rebutted::RULE,
    adjudicators::RULE,
    productive_revision::RULE,
    bound_claim::RULE,
    minority_outcome::RULE,
    join_row::RULE,
    gate_evidence::RULE,
];

impl Hit {
    fn new(pointer: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (pointer, message, hint) = (pointer.into(), message.into(), hint.into());
        Self { pointer, message, hint, allowed: Vec::new(), repairs: Vec::new() }
    }

    fn allowing<S: AsRef<str>>(mut self, values: &[S]) -> Self {
        self.allowed = values.iter().take(MOST_ALLOWED).map(|value| value.as_ref().to_owned()).collect();
        self
    }

    fn mended_by(mut self, repair: Repair) -> Self {
        self.repairs.push(repair);
        self
    }
}

/// The rows of a field, each with its pointer; none where it is no list.
fn rows<'v>(values: &'v Value, key: &str) -> Vec<(String, &'v Value)> {
    let rows = values[key].as_array().into_iter().flatten().enumerate();
    rows.filter(|(_, row)| row.is_object()).map(|(at, row)| (format!("/{key}/{at}"), row)).collect()
}

/// A text that says something.
fn said<'v>(row: &'v Value, key: &str) -> Option<&'v str> {
    row[key].as_str().filter(|text| !text.trim().is_empty() && !super::placeholder::is_placeholder(text))
}

/// Whether a verdict lets the work go on.
fn clears(values: &Value) -> bool {
    matches!(values["verdict"].as_str(), Some("accept" | "accept_with_findings"))
}

/// The verdicts that are left to a ledger that cannot clear.
fn not_cleared(message: impl Into<String>, hint: impl Into<String>) -> Hit {
    let left = ["needs_revision", "reject"];
    let mend = Repair::Set("/verdict".to_owned(), super::placeholder::choose(&left));
    Hit::new("/verdict", message, hint).allowing(&left).mended_by(mend)
}

/// Whether a text names a turn of a dialogue.
pub(super) fn is_turn(text: &str) -> bool {
    let number = text.strip_prefix("dialogue:");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit()))
}
