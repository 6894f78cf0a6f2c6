//! What the daemon answers, as a person reads it: any data, by its shape and by what its method was registered to show.

mod cell;
mod checks;
mod findings;
mod order;
mod paint;
mod table;
mod when;
mod wrap;

use serde_json::{Map, Value};
use striatum_contract::methods::{is_schema, params};
use unicode_width::UnicodeWidthStr as _;

use crate::output::harmless;
pub(crate) use findings::{findings, is_finding};
pub(crate) use paint::Paint;
pub(crate) use when::span;
use wrap::{filled, wrap};

/// Columns that a line has at the least, however narrow the terminal is.
const NARROWEST: usize = 24;

/// How to read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'r> {
    /// All keys, and absolute times beside relative ones.
    pub(crate) verbose: bool,
    /// The present, in seconds since 1970.
    pub(crate) now: i64,
    /// The columns of the terminal; `None` where no line has to turn.
    pub(crate) width: Option<usize>,
    /// Whether there are colours.
    pub(crate) paint: Paint,
    /// The keys to show, in this order; empty: all.
    pub(crate) shows: &'r [String],
}

/// The data as lines, the notes below it, the next steps that it names at the end.
pub(crate) fn render(data: &Value, notes: &[&str], reading: Reading<'_>) -> String {
    let mut text = String::new();
    let mut next = Vec::new();
    match data {
        Value::Object(members) => {
            let mut members = members.clone();
            if let Some(steps) = members.get("next").and_then(steps) {
                next = steps;
                members.remove("next");
            }
            if let Some(ok) = members.get("ok").and_then(Value::as_bool) {
                text.push_str(&format!("{}\n", reading.paint.verdict(ok)));
                members.remove("ok");
            }
            reading.object(&mut text, &members, 0);
        }
        other => reading.block(&mut text, "", other, 0),
    }
    if text.is_empty() {
        text.push_str("done\n");
    }
    for note in notes {
        reading.remark(&mut text, "note:", note);
    }
    for step in next {
        // A command is copied: its line does not turn.
        text.push_str(&format!("{}  {}\n", reading.paint.head("next:"), harmless(&step, "")));
    }
    text
}

/// Next steps, where a value is a list of them.
fn steps(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|step| step.as_str().map(str::to_owned)).collect()
}

impl Reading<'_> {
    /// Values below each other; what needs lines of its own is indented under its name.
    fn object(self, text: &mut String, members: &Map<String, Value>, indent: usize) {
        let members = order::members(members, self);
        if let [(key, value @ Value::Array(entries))] = members.as_slice() {
            // A list that is all there is needs no name; an empty one says what there is none of.
            if entries.is_empty() {
                text.push_str(&format!("{:indent$}no {}\n", "", label(key)));
                return;
            }
            if rows(entries).is_some() && cell::needs_lines(key, value) {
                return self.block(text, key, value, indent);
            }
        }
        let is_line = |(key, value): &(&str, &Value)| !cell::needs_lines(key, value);
        for group in members.chunk_by(|one, other| is_line(one) && is_line(other)) {
            if indent == 0 && !text.is_empty() {
                text.push('\n');
            }
            match group {
                [(key, value)] if cell::needs_lines(key, value) => self.named(text, key, value, indent),
                lines => self.lines(text, lines, indent),
            }
        }
    }

    /// Values that have a line each, below each other.
    fn lines(self, text: &mut String, members: &[(&str, &Value)], indent: usize) {
        let names = members.iter().map(|(key, _)| label(key).width() + 1).max().unwrap_or(0);
        for (key, value) in members {
            let name = filled(&format!("{}:", label(key)), names);
            self.hanging(text, &format!("{:indent$}{name}  ", ""), &cell::cell(key, value, self));
        }
    }

    /// A block under its name; whether all of it is well stands beside the name.
    fn named(self, text: &mut String, key: &str, value: &Value, indent: usize) {
        let name = self.paint.head(&format!("{}:", label(key)));
        let verdict = value.get("ok").and_then(Value::as_bool);
        let verdict = verdict.map_or_else(String::new, |ok| format!("  {}", self.paint.verdict(ok)));
        text.push_str(&format!("{:indent$}{name}{verdict}\n", ""));
        match value {
            Value::Object(members) if !verdict.is_empty() => {
                let mut members = members.clone();
                members.remove("ok");
                self.object(text, &members, indent + 2);
            }
            // Somebody copies it: nothing stands before it.
            Value::String(token) if key == "token" => text.push_str(&format!("{}\n", harmless(token, ""))),
            value => self.block(text, key, value, indent + 2),
        }
    }

    /// A value that has lines of its own.
    fn block(self, text: &mut String, key: &str, value: &Value, indent: usize) {
        match value {
            schema if is_schema(schema) => self.params(text, schema, indent),
            Value::Object(members) => self.object(text, members, indent),
            Value::Array(entries) => match rows(entries) {
                Some(rows) if checks::are_checks(&rows) => self.checks(text, &rows, indent),
                Some(rows) => self.things(text, &rows, indent),
                None => {
                    for entry in entries {
                        self.hanging(text, &format!("{:indent$}- ", ""), &cell::cell(key, entry, self));
                    }
                }
            },
            // A text of several lines keeps them, each behind the indent: none can look like a line of ours.
            Value::String(lines) => {
                let indent = indent.max(2);
                for line in lines.lines() {
                    text.push_str(&format!("{:indent$}{}\n", "", harmless(line, "\t")));
                }
            }
            other => self.hanging(text, &" ".repeat(indent), &cell::cell(key, other, self)),
        }
    }

    /// What a method takes, a param a paragraph.
    fn params(self, text: &mut String, schema: &Value, indent: usize) {
        let params = params(schema);
        if params.is_empty() {
            text.push_str(&format!("{:indent$}none\n", ""));
        }
        let name = |name: &str| harmless(name, "");
        let names = params.iter().map(|param| name(&param.name).width()).max().unwrap_or(0);
        for param in &params {
            let needed = if param.is_required { "required " } else { "" };
            let pattern = param.pattern.as_ref().filter(|_| self.verbose);
            let facts = [
                Some(format!("{needed}{}", param.kind)),
                Some(param.bounds.clone()).filter(|bounds| !bounds.is_empty()),
                pattern.map(|pattern| format!("matches {pattern}")),
            ];
            let facts: Vec<String> = facts.into_iter().flatten().collect();
            let said = format!("{} ({})", param.description, facts.join(", "));
            let said = harmless(said.trim_start(), "");
            self.hanging(text, &format!("{:indent$}{}  ", "", filled(&name(&param.name), names)), &said);
        }
    }

    /// A remark below the data.
    fn remark(self, text: &mut String, name: &str, said: &str) {
        let lines = wrap(&harmless(said, ""), self.room(name.len() + 2));
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 { self.paint.head(name) } else { " ".repeat(name.len()) };
            text.push_str(&format!("{name}  {line}\n"));
        }
    }

    /// A text behind a beginning, its further lines below its first one.
    fn hanging(self, text: &mut String, beginning: &str, said: &str) {
        let indent = beginning.width();
        for (at, line) in wrap(said, self.room(indent)).iter().enumerate() {
            match at {
                0 => text.push_str(&format!("{beginning}{line}\n")),
                _ => text.push_str(&format!("{:indent$}{line}\n", "")),
            }
        }
    }

    /// The columns that are left behind so many.
    fn room(self, before: usize) -> Option<usize> {
        Some(self.width?.saturating_sub(before).max(NARROWEST))
    }
}

/// The rows of a list of objects; none where it holds anything else.
fn rows(entries: &[Value]) -> Option<Vec<&Map<String, Value>>> {
    entries.iter().map(Value::as_object).collect()
}

/// A key as words.
fn label(key: &str) -> String {
    harmless(&key.strip_prefix("is_").unwrap_or(key).replace('_', " "), "")
}

#[cfg(test)]
mod tests;
