//! `striatum local up`: from nothing to a daemon that serves, on this machine's own PostgreSQL.

use clap::{ArgMatches, Command};
use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::{Local, local_status};
use crate::daemon::{self, place::Place};
use crate::instance::cluster::Cluster;
use crate::instance::{Instance, Progress, data_dir_flag};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["local", "up"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Start an installation on this machine: a private PostgreSQL, and the daemon")
        .after_help(
            "Where all of it runs already, nothing is done.\n\n\
             Examples:\n  striatum local up\n  striatum local up --instance try",
        )
        .arg(data_dir_flag())
}

/// Whether a repository is registered, as far as the daemon says so.
fn has_repositories(matches: &ArgMatches) -> bool {
    let asked = Place::of(matches)
        .and_then(|place| daemon::question(&place, "repo.list", &json!({}), &daemon::request_id()));
    asked.is_ok_and(|data| data["repositories"].as_array().is_some_and(|list| !list.is_empty()))
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let instance = Instance::of(matches, "local up")?;
    let progress = Progress::of(matches);
    instance.make()?;
    let lock = instance.lock(&progress)?;
    instance.settle("local up")?;
    let cluster = Cluster::of(&instance);
    cluster.up(&lock, &progress)?;
    instance.apply(&cluster, &lock, &progress)?;
    instance.bring_back_token()?;
    let (served, _) = instance.start_daemon(&progress)?;
    if let Some(parked) = &served.parked {
        return Err(parked.refusal());
    }
    let next = match instance.keep_token()? {
        true if has_repositories(matches) => vec![instance.asks("status")],
        true => vec![instance.asks("repo add . --init")],
        false => {
            vec![
                instance.line("local down --daemon-only"),
                instance.asks("token recover"),
                instance.line("local up"),
            ]
        }
    };
    let Answer { mut text, data } = local_status::report(&instance);
    next.iter().for_each(|step| text.push_str(&format!("next:  {step}\n")));
    Ok(Answer { text, data: json!({"installation": data, "next": next}) })
}
