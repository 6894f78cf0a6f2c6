//! What is to be said about a workflow.

use std::collections::HashSet;

use serde::Serialize;

use super::bounds::MOST_KEPT;
use super::position::positions;
use crate::problem::cut;
use crate::terminal::harmless;

/// What follows from a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is wrong: no run is made of it.
    Error,
    /// Advice that refuses until somebody accepts it (`--allow-same-model-pairing`).
    Refusal,
    /// The file is right, and this version cannot do what it asks: no run is made of it here.
    Unsupported,
    /// Worth a look.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Whether `workflow validate` refuses.
    pub fn is_refused(self) -> bool {
        matches!(self, Self::Error | Self::Refusal)
    }

    /// Whether no run is made.
    pub fn forbids_run(self) -> bool {
        self.is_refused() || self == Self::Unsupported
    }
}

/// One thing to be said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The stable name of the rule.
    pub code: &'static str,
    /// What follows.
    pub severity: Severity,
    /// Where, as a JSON pointer into the file; where a key is missing, the object that should have it.
    pub pointer: String,
    /// The line of that place, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What, as the end of a sentence about that place.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

/// Octets of a message or a hint that are shown.
const MOST_SHOWN: usize = 600;

/// A text that may repeat what the file says: bounded, and without what could steer a terminal.
fn shown(text: &str) -> String {
    let mut text = harmless(text, "");
    if text.len() > MOST_SHOWN {
        cut(&mut text, MOST_SHOWN);
        text.push_str("...");
    }
    text
}

/// Findings as they come, those that forbid a run apart: no flood of advice washes one away.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: [Vec<Finding>; 2],
    counts: [usize; 2],
}

impl Findings {
    pub(super) fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        pointer: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let at = usize::from(!severity.forbids_run());
        self.counts[at] += 1;
        if self.kept[at].len() < MOST_KEPT {
            let (pointer, message, hint) = (pointer.into(), shown(&message.into()), shown(&hint.into()));
            self.kept[at].push(Finding { code, severity, pointer, line: 0, column: 0, message, hint });
        }
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.add(code, Severity::Error, pointer, message, hint);
    }

    /// An error at a place that is known though no pointer leads to it.
    pub(super) fn error_in_text(
        &mut self,
        code: &'static str,
        (line, column): (usize, usize),
        pointer: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let before = self.kept[0].len();
        self.error(code, pointer, message, hint);
        if let Some(added) = self.kept[0].get_mut(before) {
            (added.line, added.column) = (line, column);
        }
    }

    /// Whether there is room for another finding that forbids a run.
    pub(super) fn has_room(&self) -> bool {
        self.kept[0].len() < MOST_KEPT
    }

    /// All of them in the order of the file, and how many more there were.
    pub(super) fn in_file_order(self, text: &[u8]) -> (Vec<Finding>, usize) {
        let more = (0..2).map(|at| self.counts[at] - self.kept[at].len()).sum();
        let mut list = self.kept.concat();
        let wanted: HashSet<&str> = list.iter().map(|finding| finding.pointer.as_str()).collect();
        let known = positions(text, &wanted);
        for finding in list.iter_mut().filter(|finding| finding.line == 0) {
            let mut pointer = finding.pointer.as_str();
            // What does not stand there is shown where it would.
            let position = loop {
                match (known.get(pointer), pointer.rsplit_once('/')) {
                    (Some(position), _) => break *position,
                    (None, Some((around, _))) => pointer = around,
                    (None, None) => break (1, 1),
                }
            };
            (finding.line, finding.column) = position;
        }
        list.sort_by_key(|finding| (finding.line, finding.column));
        (list, more)
    }
}
