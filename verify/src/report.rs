//! What comes out: the verdict, and where the first difference of each chain is.

use serde::Serialize;
use striatum_contract::terminal::harmless;

use crate::Unreadable;

/// What is wrong. Serialized in snake case; `docs/verifying.md` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A file that the manifest asks for is not there.
    FileMissing,
    /// A file that the manifest does not ask for is there.
    FileUnexpected,
    /// Something that should be a file (or the folder of them) is a link, a device, a pipe.
    FileNotRegular,
    /// The manifest is not of the form that it should have.
    ManifestMalformed,
    /// The manifest says something about a chain that its rows do not.
    ManifestDiffers,
    /// The file ends before the manifest says so.
    RowMissing,
    /// The file goes on after the manifest says that it ends.
    RowUnexpected,
    /// A line is longer than [`crate::LONGEST_LINE`].
    LineTooLong,
    /// The file ends within a line.
    LineUnfinished,
    /// A line is not one JSON object.
    LineMalformed,
    /// A row has a key that is no column.
    ColumnUnknown,
    /// A row lacks a column.
    ColumnMissing,
    /// A row has a column twice.
    ColumnRepeated,
    /// A value is not of the form, or not in the vocabulary, of its column.
    ValueMalformed,
    /// An id is not the one before plus one, or the segment falls or is not there.
    OutOfSequence,
    /// Two columns of a row contradict each other.
    ColumnsDisagree,
    /// `previous_hash` is not the hash of the row before.
    LinkBroken,
    /// `row_hash` is not the hash of the row.
    HashDiffers,
    /// A row in hash format 2, for which there is no reader.
    HashFormatUnsupported,
    /// A row in a hash format that does not exist.
    HashFormatUnknown,
    /// The payload of an event is not a JSON object of the form that it should have, or too large.
    PayloadMalformed,
    /// The payload of an event holds output of a process or a conversation.
    PayloadForbidden,
    /// What an event says was before is not what the events before it left.
    FoldDiffers,
}

/// The first thing that is not as it should be, and where. All text in it can be shown on a terminal as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What is wrong.
    pub code: Code,
    /// Relative to the export's folder.
    pub file: String,
    /// From 1; null where it is about a file as a whole.
    pub line: Option<u64>,
    /// The `audit_id` or `event_id` that stands there, or should where none can be read; null outside of rows.
    pub row: Option<String>,
    /// A column, or a key of the manifest, or a path into either; null where there is none.
    pub column: Option<String>,
    /// What should stand there; null: nothing, a null.
    pub expected: Option<String>,
    /// What stands there; null: nothing, a null.
    pub found: Option<String>,
}

impl Difference {
    /// Without its place, which [`Difference::at`] adds.
    pub(crate) fn new(
        code: Code,
        column: Option<&str>,
        expected: Option<&str>,
        found: Option<&str>,
    ) -> Box<Self> {
        let shown = |text: Option<&str>| text.map(shown);
        Box::new(Self {
            code,
            file: String::new(),
            line: None,
            row: None,
            column: shown(column),
            expected: shown(expected),
            found: shown(found),
        })
    }

    /// The same in this file and line.
    pub(crate) fn at(mut self: Box<Self>, file: &str, line: Option<u64>) -> Box<Self> {
        (self.file, self.line) = (shown(file), line);
        self
    }

    /// The same in the row of this id.
    pub(crate) fn of_row(mut self: Box<Self>, row: &str) -> Box<Self> {
        self.row = Some(shown(row));
        self
    }

    /// One line for a person, without a line break.
    pub fn text(&self) -> String {
        let mut text = self.file.clone();
        if let Some(line) = self.line {
            text.push_str(&format!(", line {line}"));
        }
        if let Some(column) = &self.column {
            text.push_str(&format!(", column {column}"));
        }
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        text.push_str(&format!(": expected {}, found {}", value(&self.expected), value(&self.found)));
        text
    }
}

/// Characters of one value that are shown.
const MOST_SHOWN: usize = 200;

/// What came from the export, cut and made harmless.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((cut, _)) => format!("{} ...", harmless(&text[..cut], "")),
        None => harmless(text, ""),
    }
}

/// Why a chain is not read on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It differs.
    Differs(Box<Difference>),
    /// It cannot be read.
    Unreadable(Unreadable),
}

impl From<Box<Difference>> for Stop {
    fn from(difference: Box<Difference>) -> Self {
        Self::Differs(difference)
    }
}

impl From<Unreadable> for Stop {
    fn from(why: Unreadable) -> Self {
        Self::Unreadable(why)
    }
}

/// One chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChainReport {
    /// Whose events; null: the audit chain.
    pub repository_id: Option<String>,
    /// Relative to the export's folder.
    pub file: String,
    /// Rows that were found good, up to the first difference.
    pub rows: u64,
    /// The hash of the last good row; null before the first.
    pub last_hash: Option<String>,
    /// The first difference; null: the chain is good.
    pub difference: Option<Difference>,
}

/// All or not all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing differs.
    Verified,
    /// Something does.
    Differs,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Verified only where nothing at all differs.
    pub verdict: Verdict,
    /// Audit rows that were found good.
    pub audit_rows: u64,
    /// Events that were found good, of all repositories.
    pub events: u64,
    /// The first of all differences: those of the manifest and the files first, then the audit chain's.
    pub first_difference: Option<Difference>,
    /// The audit chain, then the event chains in the manifest's order; empty where there is no manifest to go by.
    pub chains: Vec<ChainReport>,
}

impl Report {
    /// From what was found around the chains, and in each.
    pub(crate) fn new(around: Option<Difference>, chains: Vec<ChainReport>) -> Self {
        let first_difference = around.or_else(|| chains.iter().find_map(|chain| chain.difference.clone()));
        let is_audit = |chain: &&ChainReport| chain.repository_id.is_none();
        let all: u64 = chains.iter().map(|chain| chain.rows).sum();
        let audit_rows = chains.iter().find(is_audit).map_or(0, |chain| chain.rows);
        let verdict = if first_difference.is_some() { Verdict::Differs } else { Verdict::Verified };
        Self { verdict, audit_rows, events: all - audit_rows, first_difference, chains }
    }

    /// For a person: one line a chain, and the verdict on the last line.
    pub fn text(&self) -> String {
        let name = |chain: &ChainReport| chain.repository_id.clone().unwrap_or_else(|| "audit".to_owned());
        let width = self.chains.iter().map(|chain| name(chain).chars().count()).max().unwrap_or_default();
        let mut text = String::new();
        for chain in &self.chains {
            let state = match &chain.difference {
                None => "verified".to_owned(),
                Some(difference) => format!("DIFFERS  {}", difference.text()),
            };
            text.push_str(&format!("{:width$}  {:>9} rows  {state}\n", name(chain), chain.rows));
        }
        text.push_str(&match &self.first_difference {
            None => format!(
                "chain: verified ({} audit rows, {} events, by striatum-verify)\n",
                self.audit_rows, self.events
            ),
            Some(difference) => format!("chain: DIFFERS ({})\n", difference.text()),
        });
        text
    }
}
