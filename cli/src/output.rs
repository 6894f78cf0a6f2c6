//! What a person or a program sees: answers on standard output, refusals on standard error.

use std::io::Write as _;
use std::process::ExitCode;

use clap::builder::StyledStr;
use serde_json::{Value, json};
use striatum_contract::methods::Method;
use striatum_contract::next::{of_instance, of_instance_in};
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::Outcome;
pub(crate) use striatum_contract::terminal::harmless;
use striatum_contract::terminal::harmless_json;

use crate::daemon::Replied;
use crate::text::{self, Paint, Reading, findings, is_finding};

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
    /// For a person who wants to see all.
    pub(crate) verbose: bool,
    /// The installation that the line names: the next steps that are shown stay with it.
    pub(crate) instance: Option<String>,
}

impl Output {
    /// Shows an answer and ends well.
    pub(crate) fn answer(&self, answer: &Answer) -> ExitCode {
        if self.json {
            print(&format!("{}\n", self.with_its_steps(json!({"ok": true, "data": answer.data}))))
        } else {
            print(&harmless(&of_instance_in(&answer.text, self.instance.as_deref()), "\n\t"))
        }
    }

    /// Shows what the daemon replied to a method, and ends as the reply says.
    pub(crate) fn reply(&self, method: &Method, replied: &Replied) -> ExitCode {
        let reply = &replied.reply;
        if let Some(Err(problem)) = &replied.renewed {
            complain(&format!("warning: {}\n", harmless(problem, "")));
        }
        match &reply.outcome {
            Outcome::Done(data) if self.json => {
                let data = serde_json::from_str(data.get()).unwrap_or_default();
                print_and_judge(&format!("{}\n", self.line(replied)), &data)
            }
            Outcome::Done(data) => {
                let mut data: Value = serde_json::from_str(data.get()).unwrap_or_else(|_| data.get().into());
                steps_of_instance(&mut data, self.instance.as_deref());
                let replayed = "this was answered before; nothing was done again";
                let pending = "not all of it is done yet; the daemon goes on";
                let renewed = replied.renewed.as_ref().and_then(|renewed| renewed.as_deref().ok());
                let notes: Vec<&str> = [
                    // A token that has its file needs no other.
                    method.cli_note.as_deref().filter(|_| renewed.is_none()),
                    renewed,
                    reply.is_replayed.then_some(replayed),
                    reply.has_pending_effects.then_some(pending),
                ]
                .into_iter()
                .flatten()
                .collect();
                let reading = Reading {
                    verbose: self.verbose,
                    now: now(),
                    width: columns(),
                    paint: Paint(colours(&std::io::stdout())),
                    shows: &method.cli_shows,
                };
                print_and_judge(&text::render(&data, &notes, reading), &data)
            }
            Outcome::Refused(error) => {
                let refusal = serde_json::from_str::<Refusal>(error.get()).unwrap_or_else(|_| {
                    let message = "the daemon refused in a shape that this program does not know";
                    Refusal::new("reply_unreadable", message, ["striatum --version".to_owned()])
                });
                if self.json {
                    complain(&format!("{}\n", self.line(replied)));
                    ExitCode::from(refusal.exit_code())
                } else {
                    self.refusal(&refusal)
                }
            }
        }
    }

    /// The line that the daemon replied; the same octets, unless its steps have to be led to an installation.
    fn line(&self, replied: &Replied) -> String {
        let told = match (&self.instance, serde_json::from_str::<Value>(&replied.line)) {
            (Some(_), Ok(reply)) => self.with_its_steps(reply).to_string(),
            _ => replied.line.clone(),
        };
        harmless_json(&told)
    }

    fn with_its_steps(&self, mut told: Value) -> Value {
        steps_of_instance(&mut told, self.instance.as_deref());
        told
    }

    /// Shows help or the version, in colours where a person looks at a terminal.
    pub(crate) fn show(text: &StyledStr) -> ExitCode {
        if colours(&std::io::stdout()) { print(&text.ansi().to_string()) } else { print(&text.to_string()) }
    }

    /// Shows a refusal and ends with its exit code.
    pub(crate) fn refusal(&self, refusal: &Refusal) -> ExitCode {
        let shown = if self.json {
            format!("{}\n", self.with_its_steps(json!({"ok": false, "error": refusal})))
        } else {
            let paint = Paint(colours(&std::io::stderr()));
            let (message, code) = (harmless(&refusal.message, ""), harmless(&refusal.code, ""));
            let mut lines = format!("{} {message} ({code})\n", paint.fault("error:"));
            for problem in problems(refusal) {
                lines.push_str(&format!("       {}\n", harmless(&problem, "")));
            }
            if let Some(corrected) = refusal.details["corrected"].as_str() {
                lines.push_str(&format!("{}\n{}", paint.head("corrected:"), harmless(corrected, "\n")));
            }
            lines.push_str(&self.findings(&refusal.details["problems"], paint));
            lines.push_str(&self.findings(&refusal.details["warnings"], paint));
            for step in &refusal.next {
                let step = of_instance(step, self.instance.as_deref());
                lines.push_str(&format!("{}  {}\n", paint.head("next:"), harmless(&step, "")));
            }
            lines
        };
        complain(&shown);
        ExitCode::from(refusal.exit_code())
    }

    /// What a refusal says of a workflow file.
    fn findings(&self, list: &Value, paint: Paint) -> String {
        let shown = if self.verbose { list.clone() } else { at_first(list) };
        findings(&harmless_value(&shown), paint, columns())
    }
}

/// Findings that a person wants to see at first.
fn at_first(list: &Value) -> Value {
    list.as_array().into_iter().flatten().filter(|finding| finding["severity"] != "info").cloned().collect()
}

/// Gives the steps under each `next`, however deep in the data, to the installation of this name.
fn steps_of_instance(data: &mut Value, name: Option<&str>) {
    match data {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::Array(steps) if key == "next" => {
                        steps.iter_mut().for_each(|step| step_of(step, name))
                    }
                    step @ Value::String(_) if key == "next" => step_of(step, name),
                    value => steps_of_instance(value, name),
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| steps_of_instance(entry, name)),
        _ => {}
    }
}

fn step_of(step: &mut Value, name: Option<&str>) {
    match step {
        Value::String(text) => *text = of_instance(text, name),
        other => steps_of_instance(other, name),
    }
}

/// What a refusal lists, a line each: where, what, and what to do instead; but for what its message says already.
fn problems(refusal: &Refusal) -> Vec<String> {
    let Refusal { message, details, .. } = refusal;
    let listed = details["problems"].as_array().map_or(&[][..], Vec::as_slice);
    let listed = listed.iter().filter(|problem| !is_finding(problem));
    let line = |problem: &Value| {
        let part = |key: &str| problem[key].as_str().filter(|part| !part.is_empty());
        // Of a file that has lines a problem says on which, and is a sentence of its own.
        if let (Some(line), Some(said), Some(hint)) =
            (problem["line"].as_u64(), part("message"), part("hint"))
        {
            return Some(format!("line {line}: {said}; {hint}"));
        }
        let said = part("problem").map(|said| format!("{} {said}", part("pointer").unwrap_or("the request")));
        match (said, part("hint")) {
            (Some(said), Some(hint)) => Some(format!("{said}; {hint}")),
            (Some(said), None) => Some(said),
            (None, _) => part("message").or_else(|| problem.as_str()).map(str::to_owned),
        }
        .filter(|line| !message.contains(line.as_str()))
    };
    let more = details["more"].as_u64().map(|more| format!("and {more} more"));
    listed.filter_map(line).chain(more).collect()
}

/// Data without what could steer a terminal.
fn harmless_value(data: &Value) -> Value {
    match data {
        Value::String(text) => harmless(text, "").into(),
        Value::Array(entries) => entries.iter().map(harmless_value).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), harmless_value(value))).collect()
        }
        other => other.clone(),
    }
}

/// Says something beside the answer, to a person. Nobody is left to be told where standard error is closed: the exit
/// code says it still.
pub(crate) fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints data, and ends with 1 where it says of itself that not all is well.
fn print_and_judge(text: &str, data: &Value) -> ExitCode {
    let printed = print(text);
    if data["ok"] == false { ExitCode::FAILURE } else { printed }
}

/// A reader that has gone away (`striatum … | head -1`) is no failure of ours.
/// Says something before the answer: progress of long work. That nobody listens stops no work. What others wrote has to
/// be made harmless before it is painted.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

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

/// The present, in seconds since 1970, to say how long ago something was.
#[expect(
    clippy::disallowed_methods,
    reason = "a person reads by the clock on the wall; nothing is decided by it"
)]
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Whether a stream is shown to somebody who wants colours.
#[expect(clippy::disallowed_methods, reason = "NO_COLOR is a convention of the environment")]
pub(crate) fn colours(stream: &impl std::io::IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}

/// The columns of the terminal, or those that somebody set. Without either no line turns: a program may look for what
/// stands on one.
#[expect(clippy::disallowed_methods, reason = "COLUMNS is a convention of the environment")]
pub(crate) fn columns() -> Option<usize> {
    let set = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_col > 0 => Some(usize::from(size.ws_col)),
        Ok(_) => set().or(Some(80)),
        Err(_) => set(),
    }
}
