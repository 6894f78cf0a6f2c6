//! `striatum workflow schema`.

use clap::{ArgMatches, Command};
use serde_json::Value;
use striatum_contract::refusal::Refusal;
use striatum_contract::workflow::SCHEMA;

use super::Local;
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["workflow", "schema"], arguments, run };

fn arguments(command: Command) -> Command {
    command.about("Print the JSON Schema of workflow files, for editors").after_help(
        "An editor that reads it completes keys and explains them. What reaches beyond a schema is checked by\n\
         striatum workflow validate.\n\n\
         Examples:\n  striatum workflow schema > workflow.schema.json",
    )
}

fn run(_: &ArgMatches) -> Result<Answer, Refusal> {
    let data: Value = serde_json::from_str(SCHEMA).expect("a test reads the schema");
    Ok(Answer { data, text: SCHEMA.to_owned() })
}
