//! `scripted-agent`: an agent without a model. It plays any role of any workflow through the `striatum` program on its
//! path, as every agent does, and fails on request, where and as often as it is told.
//!
//! Ends with 0 once it is told to leave, 1 where a call was refused for good, 2 where its flags cannot be understood,
//! 3 where a call under a finished lease was let through, 4 where one request got two answers.
#![expect(clippy::disallowed_methods, reason = "an agent reads and writes the checkout that it works in")]

mod fault;
mod flags;
mod nonce;
mod script;
mod striatum;
mod text;
mod work;

use std::process::ExitCode;

use flags::Flags;
use script::Script;

fn main() -> ExitCode {
    let flags = Flags::of(std::env::args_os());
    match Script::new(flags).play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(end) => {
            say(&end.to_string());
            ExitCode::from(end.exit_code())
        }
    }
}

/// Tells whoever looks at the terminal. A terminal that is gone does not hear it.
fn say(line: &str) {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "{line}").and_then(|()| out.flush()));
}
