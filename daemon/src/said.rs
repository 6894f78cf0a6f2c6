//! What a command of this program says, to a person or to a program.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::{Value, json};
use striatum_contract::next::{of_instance, of_instance_in};
use striatum_contract::refusal::Refusal;
use striatum_contract::terminal::harmless;

/// An answer.
#[derive(Debug)]
pub struct Said {
    /// For a person; ends with a line break.
    pub text: String,
    /// For a program, under `data`.
    pub data: Value,
}

/// Shows it: an answer on standard output, a refusal on standard error. The next steps that a person is shown stay with
/// the installation that the line names.
pub fn show(outcome: Result<Said, Refusal>, is_json: bool, instance: Option<&str>) -> ExitCode {
    match outcome {
        Ok(said) => {
            let text = match is_json {
                true => json!({"ok": true, "data": said.data}).to_string() + "\n",
                false => of_instance_in(&said.text, instance),
            };
            let mut out = std::io::stdout().lock();
            match out.write_all(harmless(&text, "\n").as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                // A reader that has gone away is no failure of ours.
                _ => ExitCode::SUCCESS,
            }
        }
        Err(refusal) => {
            let mut text = match is_json {
                true => json!({"ok": false, "error": refusal}).to_string() + "\n",
                false => format!("error: {} ({})\n", harmless(&refusal.message, ""), refusal.code),
            };
            for step in refusal.next.iter().filter(|_| !is_json) {
                text.push_str(&format!("next:  {}\n", harmless(&of_instance(step, instance), "")));
            }
            // Nobody is left to be told where standard error is closed: the exit code says it still.
            let _ = std::io::stderr().write_all(text.as_bytes());
            ExitCode::from(refusal.exit_code())
        }
    }
}
