//! Lists of things as tables; as one thing below another where a table would be too wide.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use super::wrap::{filled, widest_word, wrap};
use super::{Reading, cell, label, order};

/// Columns between two columns.
const GAP: usize = 2;

type Row<'v> = &'v Map<String, Value>;

impl Reading<'_> {
    /// A list of objects, at least one.
    pub(super) fn things(self, text: &mut String, rows: &[Row<'_>], indent: usize) {
        let needs_a_block = |row: &Row<'_>| {
            order::members(row, self).iter().any(|(key, value)| cell::needs_a_block(key, value))
        };
        // What has blocks is no row; of several such things a table shows the rest, all of them whole on demand.
        if rows.iter().any(needs_a_block) && (rows.len() == 1 || self.verbose) {
            return self.below_each_other(text, rows, indent);
        }
        let columns = self.columns(rows);
        let cells = |row: &Row<'_>| -> Vec<String> {
            let cell =
                |key: &&str| row.get(*key).map_or_else(String::new, |value| cell::cell(key, value, self));
            columns.iter().map(cell).collect()
        };
        let head: Vec<String> = columns.iter().map(|key| label(key)).collect();
        let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
        match self.widths(&head, &lines, indent) {
            Some(widths) => self.table(text, &head, &lines, &widths, indent),
            None => self.below_each_other(text, rows, indent),
        }
    }

    fn below_each_other(self, text: &mut String, rows: &[Row<'_>], indent: usize) {
        for (at, row) in rows.iter().enumerate() {
            if at > 0 && indent > 0 {
                text.push('\n');
            }
            self.object(text, row, indent);
        }
    }

    /// The keys of the rows, but for those that say nothing in any of them, or need more than a cell.
    fn columns<'v>(self, rows: &[Row<'v>]) -> Vec<&'v str> {
        let mut columns: Vec<(&str, &Value)> = Vec::new();
        for (key, value) in rows.iter().flat_map(|row| row.iter()) {
            let is_known = columns.iter().any(|(known, _)| known == key);
            if !is_known && !cell::is_empty(value) {
                columns.push((key, value));
            }
        }
        columns.retain(|(key, _)| {
            !rows.iter().filter_map(|row| row.get(*key)).any(|value| cell::needs_a_block(key, value))
        });
        order::sort(&mut columns, self);
        columns.into_iter().map(|(key, _)| key).collect()
    }

    /// How wide each column is, so that all fit beside each other; `None` where they do not.
    fn widths(self, head: &[String], lines: &[Vec<String>], indent: usize) -> Option<Vec<usize>> {
        let widest = |measure: fn(&str) -> usize| -> Vec<usize> {
            let of = |at: usize| {
                let cells = lines.iter().map(|line| measure(&line[at]));
                cells.max().unwrap_or(0).max(head[at].width())
            };
            (0..head.len()).map(of).collect()
        };
        let (mut widths, least) = (widest(|cell| cell.width()), widest(widest_word));
        let gaps = indent + GAP * head.len().saturating_sub(1);
        let Some(room) = self.width else { return Some(widths) };
        let mut over = (gaps + widths.iter().sum::<usize>()).saturating_sub(room);
        while over > 0 {
            // The widest of those that can turn a line gives a column away.
            let at = (0..widths.len()).filter(|at| widths[*at] > least[*at]).max_by_key(|at| widths[*at])?;
            widths[at] -= 1;
            over -= 1;
        }
        Some(widths)
    }

    fn table(
        self,
        text: &mut String,
        head: &[String],
        lines: &[Vec<String>],
        widths: &[usize],
        indent: usize,
    ) {
        let head: Vec<String> = head.iter().zip(widths).map(|(name, width)| filled(name, *width)).collect();
        let head = head.join(&" ".repeat(GAP));
        text.push_str(&format!("{:indent$}{}\n", "", self.paint.head(head.trim_end())));
        for line in lines {
            let cells: Vec<Vec<String>> =
                line.iter().zip(widths).map(|(cell, width)| wrap(cell, Some(*width))).collect();
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let parts = cells.iter().zip(widths);
                let parts: Vec<String> = parts
                    .map(|(cell, width)| filled(cell.get(at).map_or("", String::as_str), *width))
                    .collect();
                let shown = format!("{:indent$}{}", "", parts.join(&" ".repeat(GAP)));
                text.push_str(shown.trim_end());
                text.push('\n');
            }
        }
    }
}
