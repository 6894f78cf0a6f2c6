//! What a person or a program sees: answers on standard output, refusals on standard error.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::builder::StyledStr;
use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;

/// The answer of a command, for both kinds of reader.
pub(crate) struct Answer {
    /// For a person; ends with a line break.
    pub(crate) text: String,
    /// For a program, under `data`.
    pub(crate) data: Value,
}

/// How to show it.
pub(crate) struct Output {
    /// For a program.
    pub(crate) json: bool,
}

impl Output {
    /// Shows an answer and ends well.
    pub(crate) fn answer(&self, answer: &Answer) -> ExitCode {
        if self.json {
            print(&format!("{}\n", json!({"ok": true, "data": answer.data})))
        } else {
            print(&harmless(&answer.text, "\n\t"))
        }
    }

    /// Shows help or the version, in colours where a person looks at a terminal.
    pub(crate) fn show(text: &StyledStr) -> ExitCode {
        if colours() { print(&text.ansi().to_string()) } else { print(&text.to_string()) }
    }

    /// Shows a refusal and ends with its exit code.
    pub(crate) fn refusal(&self, refusal: &Refusal) -> ExitCode {
        let shown = if self.json {
            format!("{}\n", json!({"ok": false, "error": refusal}))
        } else {
            let mut lines = format!("error: {} ({})\n", harmless(&refusal.message, ""), refusal.code);
            for step in &refusal.next {
                lines.push_str(&format!("next:  {}\n", harmless(step, "")));
            }
            lines
        };
        // Nobody is left to be told where standard error is closed: the exit code says it still.
        let _ = std::io::stderr().write_all(shown.as_bytes());
        ExitCode::from(refusal.exit_code())
    }
}

/// The text with every character written out that could steer a terminal, break a line or turn the direction of
/// reading, but for those that the caller means: what comes from the world must not.
fn harmless(text: &str, meant: &str) -> String {
    let written_out = |c: char| (c.is_control() || TURNS.contains(&c)) && !meant.contains(c);
    text.chars().flat_map(|c| if written_out(c) { c.escape_default().collect() } else { vec![c] }).collect()
}

/// Marks, embeddings, overrides and isolates of direction, and the separators of lines and paragraphs.
const TURNS: [char; 14] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202b}', '\u{202c}',
    '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// A reader that has gone away (`striatum … | head -1`) is no failure of ours.
fn print(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(
                std::io::stderr(),
                "error: the answer could not be written: {error} (internal_error)"
            );
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "NO_COLOR is a convention of the environment")]
fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn what_steers_a_terminal_is_written_out_and_letters_are_left_alone() {
        assert_eq!(harmless("\u{1b}[2J\r\n\u{9b}31m", ""), "\\u{1b}[2J\\r\\n\\u{9b}31m");
        assert_eq!(harmless("\u{202e}txt.exe\u{2066}", ""), "\\u{202e}txt.exe\\u{2066}");
        assert_eq!(harmless("a\tb\nc\u{7}", "\n\t"), "a\tb\nc\\u{7}");
        assert_eq!(harmless("Grüße, 作業 🧠", ""), "Grüße, 作業 🧠");
    }
}
