//! `striatum completions SHELL`.

use clap::builder::EnumValueParser;
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;
use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::command;
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["completions"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Print the completions of this command line for a shell")
        .after_help(
            "Examples:\n  source <(striatum completions bash)\n  \
             autoload -U compinit && compinit && source <(striatum completions zsh)\n  \
             striatum completions fish > ~/.config/fish/completions/striatum.fish",
        )
        .arg(
            Arg::new("shell")
                .required(true)
                .value_parser(EnumValueParser::<Shell>::new())
                .help("Which shell"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let shell = *matches.get_one::<Shell>("shell").expect("clap requires it");
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command::tree(), "striatum", &mut script);
    let text = String::from_utf8(script).expect("made of names that are text");
    Ok(Answer { data: json!({"shell": shell.to_string(), "script": text}), text })
}
