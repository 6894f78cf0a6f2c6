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
            print(&answer.text)
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
            let mut lines = format!("error: {} ({})\n", harmless(&refusal.message), refusal.code);
            for step in &refusal.next {
                lines.push_str(&format!("next:  {}\n", harmless(step)));
            }
            lines
        };
        // Nobody is left to be told where standard error is closed: the exit code says it still.
        let _ = std::io::stderr().write_all(shown.as_bytes());
        ExitCode::from(refusal.exit_code())
    }
}

/// The text with every control character written out: what comes from the world must not steer a terminal.
fn harmless(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

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
    fn control_characters_are_written_out_and_letters_are_left_alone() {
        assert_eq!(harmless("\u{1b}[2J\r\u{9b}31m"), "\\u{1b}[2J\\r\\u{9b}31m");
        assert_eq!(harmless("Grüße, 作業 🧠"), "Grüße, 作業 🧠");
    }
}
