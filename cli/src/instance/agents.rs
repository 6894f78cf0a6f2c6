//! The agents of an installation: they live on while its daemon is away.

use std::collections::BTreeMap;

use clap::ArgMatches;
use serde_json::{Value, json};

use super::Instance;
use super::daemon::State;
use crate::daemon::place::Place;
use crate::daemon::{question, request_id};

/// How many agents run for each run, as the daemon tells.
pub(crate) struct Agents(Option<BTreeMap<String, u64>>);

impl Agents {
    /// Asks; where the daemon does not serve, or lets this user not see them, nothing is known.
    pub(crate) fn of(instance: &Instance, matches: &ArgMatches) -> Self {
        let State::Answering(daemon) = instance.daemon() else { return Self(None) };
        Self(Place::of(matches).ok().filter(|_| daemon.parked.is_none()).and_then(|place| by_run(&place)))
    }

    /// Each run with its number.
    pub(crate) fn data(&self) -> Value {
        json!(self.0)
    }

    /// A line for whoever ends the daemon; empty where there is none to tell of.
    pub(crate) fn told(&self, instance: &Instance) -> String {
        let Some(runs) = &self.0 else {
            return "agents      not known, as the daemon did not answer; any there are live on\n".to_owned();
        };
        if runs.is_empty() {
            return String::new();
        }
        let all: Vec<String> = runs.iter().map(|(run_id, count)| format!("{count} of {run_id}")).collect();
        format!(
            "agents      {} live on and wait for the daemon: {}\n            to end them: {} && {}\n",
            runs.values().sum::<u64>(),
            all.join(", "),
            instance.line("local up"),
            instance.asks("run cancel RUN_ID --reason TEXT")
        )
    }
}

fn by_run(place: &Place) -> Option<BTreeMap<String, u64>> {
    let ask = |method: &str, params: Value| question(place, method, &params, &request_id()).ok();
    let mut runs = BTreeMap::new();
    let repositories = ask("repo.list", json!({}))?;
    for repository in repositories["repositories"].as_array()? {
        let found = ask("supervise.status", json!({"repository_id": repository["repository_id"]}))?;
        for row in found["supervisors"].as_array()? {
            if let (Some(run_id), true) = (row["run_id"].as_str(), row["ended_at"].is_null()) {
                *runs.entry(run_id.to_owned()).or_default() += 1;
            }
        }
    }
    Some(runs)
}
