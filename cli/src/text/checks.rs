//! Checks: whether each is well, its name, what it found; beneath one that is not, what is affected and what to do.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use super::wrap::{filled, wrap};
use super::{Reading, cell};
use crate::output::harmless;

/// Columns of the longer verdict.
const VERDICT: usize = 5;

/// The three of a check; whatever has them is one.
fn check(row: &Map<String, Value>) -> Option<(bool, &str, &str)> {
    Some((row.get("ok")?.as_bool()?, row.get("name")?.as_str()?, row.get("message")?.as_str()?))
}

/// Whether a list is one of checks.
pub(super) fn are_checks(rows: &[&Map<String, Value>]) -> bool {
    rows.iter().all(|row| check(row).is_some())
}

impl Reading<'_> {
    pub(super) fn checks(self, text: &mut String, rows: &[&Map<String, Value>], indent: usize) {
        let names = rows.iter().filter_map(|row| check(row)).map(|(_, name, _)| harmless(name, "").width());
        let names = names.max().unwrap_or(0);
        let before = indent + VERDICT + 2 + names + 2;
        for row in rows {
            let Some((ok, name, message)) = check(row) else { continue };
            let verdict = self.paint.verdict(ok);
            let gap = VERDICT - if ok { "ok".len() } else { "FAULT".len() };
            let name = filled(&harmless(name, ""), names);
            for (at, line) in wrap(&harmless(message, ""), self.room(before)).iter().enumerate() {
                match at {
                    0 => text.push_str(&format!("{:indent$}{verdict}{:gap$}  {name}  {line}\n", "", "")),
                    _ => text.push_str(&format!("{:before$}{line}\n", "")),
                }
            }
            for (key, value) in row.iter().filter(|(key, _)| ["affected", "next"].contains(&key.as_str())) {
                self.beneath(text, key, value, before);
            }
        }
    }

    /// `affected` on one line, each of the next steps on its own.
    fn beneath(self, text: &mut String, key: &str, value: &Value, indent: usize) {
        let lines: Vec<String> = match value {
            value if cell::is_empty(value) => Vec::new(),
            Value::Array(steps) if key == "next" => {
                steps.iter().map(|step| cell::cell(key, step, self)).collect()
            }
            value => wrap(&cell::cell(key, value, self), self.room(indent + "affected:  ".len())),
        };
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 || key == "next" { format!("{key}:") } else { String::new() };
            text.push_str(&format!("{:indent$}{name:9}  {line}\n", ""));
        }
    }
}
