//! `striatum workflow graph FILE`: what waits for what in a workflow file.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use striatum_contract::drawing::Drawing;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;
use striatum_contract::workflow::model::Workflow;
use striatum_contract::workflow::{Around, Read, read};

use super::Local;
use crate::output::Answer;
use crate::tree;

pub(crate) const COMMAND: Local = Local { path: &["workflow", "graph"], arguments, run };

/// The forms of a drawing.
const FORMATS: [&str; 4] = ["ascii", "mermaid", "svg", "json"];

fn arguments(command: Command) -> Command {
    command
        .about("Draw a workflow file: what waits for what, and where work may be sent back")
        .after_help(
            "A file that is refused by workflow validate is drawn as far as it can be read.\n\n\
             Examples:\n  striatum workflow graph workflow.json\n  \
             striatum workflow graph workflow.json --format svg > workflow.svg\n  \
             striatum workflow graph workflow.json --format mermaid",
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The workflow file"),
        )
        .arg(format())
}

/// The flag that says in which form.
pub(super) fn format() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(FORMATS)
        .default_value("ascii")
        .help("In which form; svg is a picture for a browser, mermaid one for a document")
}

/// A drawing in the form that was asked for.
pub(super) fn answer(drawing: &Drawing, matches: &ArgMatches) -> Answer {
    let data = drawing.json();
    let text = match matches.get_one::<String>("format").map(String::as_str) {
        Some("mermaid") => drawing.mermaid(),
        Some("svg") => drawing.svg(),
        Some("json") => format!("{data:#}\n"),
        _ => drawing.ascii(),
    };
    Answer { text, data }
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let file = matches.get_one::<PathBuf>("file").expect("clap requires it");
    let found = tree::find(file)?;
    let Read { workflow, .. } = read(&found.octets, &Around::default());
    let drawing = Drawing::of(&Workflow::of(&workflow));
    if drawing.jobs.is_empty() {
        let message = format!("{} has no jobs that could be drawn", file.display());
        let next = [format!("striatum workflow validate {}", shell_path(file))];
        return Err(Refusal::new("workflow_invalid", message, next));
    }
    Ok(answer(&drawing, matches))
}
