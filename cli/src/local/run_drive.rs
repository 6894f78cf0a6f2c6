//! `striatum run drive`: starts the agents that a run needs and tells what happens, until it has ended.

use clap::{Arg, ArgMatches, Command};
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::daemon::place::Place;
use crate::drive::{self, Drive};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["run", "drive"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Start the agents that a run needs, and tell what happens until it has ended")
        .after_help(
            "Ends with 0 once the run is completed. Where nothing moves until somebody decides, it says what waits\n\
             and by which command; started again, it goes on. The agents live on without it.\n\n\
             Examples:\n  striatum run drive run_0123456789abcdef\n  \
             striatum run drive run_0123456789abcdef --json",
        )
        .arg(Arg::new("run_id").value_name("RUN_ID").required(true).help("The run, as run prepare showed it"))
        .arg(
            Arg::new("repository_id")
                .long("repository-id")
                .value_name("ID")
                .help("The repository; that of the working directory where left out"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let place = Place::of(matches)?;
    let json = matches.get_flag("json");
    let repository_id = match matches.get_one::<String>("repository_id") {
        Some(id) => id.clone(),
        None => drive::repository_here(&place, !json)?,
    };
    let run_id = matches.get_one::<String>("run_id").cloned().unwrap_or_default();
    Drive { place: &place, repository_id, run_id, json }.run()
}
