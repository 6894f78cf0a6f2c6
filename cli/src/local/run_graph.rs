//! `striatum run graph RUN_ID`: the graph of a run, and how far each job is.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use striatum_contract::drawing::Drawing;
use striatum_contract::refusal::Refusal;

use super::{Local, workflow_graph};
use crate::daemon::{self, place::Place};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["run", "graph"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Draw a run: what waits for what, and how far each job is")
        .after_help(
            "Examples:\n  striatum run graph run_0123456789abcdef\n  \
             striatum run graph run_0123456789abcdef --format svg > run.svg",
        )
        .arg(Arg::new("run_id").value_name("RUN_ID").required(true).help("The run"))
        .arg(workflow_graph::format())
        .arg(
            Arg::new("repository_id")
                .long("repository-id")
                .value_name("ID")
                .help("The repository; that of the working directory where left out"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let place = Place::of(matches)?;
    let repository_id = match matches.get_one::<String>("repository_id") {
        Some(id) => id.clone(),
        None => daemon::repository_here(&place)?,
    };
    let params = json!({"repository_id": repository_id, "run_id": matches.get_one::<String>("run_id")});
    let data = daemon::question(&place, "run.graph", &params, &daemon::request_id())?;
    Ok(workflow_graph::answer(&Drawing::of_run(&data), matches))
}
