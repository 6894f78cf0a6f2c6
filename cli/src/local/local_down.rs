//! `striatum local down`: stops the daemon and its PostgreSQL. No data goes away.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::agents::Agents;
use crate::instance::cluster::{Cluster, State};
use crate::instance::daemon;
use crate::instance::{Instance, Progress, data_dir_flag, text};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["local", "down"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Stop the daemon and the private PostgreSQL of an installation; its data stays, and agents live on")
        .after_help("Examples:\n  striatum local down\n  striatum local down --instance try")
        .arg(data_dir_flag())
        .arg(
            Arg::new("daemon-only")
                .long("daemon-only")
                .action(ArgAction::SetTrue)
                .help("Let PostgreSQL run; needs no token, where `striatum daemon shutdown` does"),
        )
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let is_left = matches.get_flag("daemon-only");
    let instance = Instance::of(matches, if is_left { "local down --daemon-only" } else { "local down" })?;
    let progress = Progress::of(matches);
    let cluster = Cluster::of(&instance);
    let has_cluster = !matches!(cluster.state(), State::Absent);
    if !has_cluster && !instance.is_there() && matches!(instance.daemon(), daemon::State::Stopped) {
        let data = text(&instance.data);
        return Ok(Answer {
            text: format!("there is no installation in {data}{}\n", instance.hint()),
            data: json!({"daemon_stopped": false, "postgres_stopped": false, "data_dir": data}),
        });
    }
    // A daemon may run without it, and nothing is made to stop one.
    let _lock = match instance.is_there() {
        true => {
            instance.make()?;
            Some(instance.lock(&progress)?)
        }
        false => None,
    };
    let has_daemon = !matches!(instance.daemon(), daemon::State::Stopped);
    let agents = has_daemon.then(|| Agents::of(&instance, matches));
    let daemon = instance.stop_daemon(&progress)?;
    let postgres = !is_left && cluster.down(&progress)?;
    let verb = |is_stopped| if is_stopped { "stopped" } else { "did not run" };
    Ok(Answer {
        text: format!(
            "daemon      {}\n{}PostgreSQL  {}\ndata        stays in {}\nnext:  {}\n",
            verb(daemon),
            agents.as_ref().map(|agents| agents.told(&instance)).unwrap_or_default(),
            match (is_left, has_cluster) {
                (true, _) => "left as it is".to_owned(),
                (false, true) => verb(postgres).to_owned(),
                (false, false) => format!("none in {}{}", text(&instance.data), instance.hint()),
            },
            text(&instance.data),
            instance.line("local up")
        ),
        data: json!({
            "daemon_stopped": daemon, "postgres_stopped": postgres, "data_dir": text(&instance.data),
            "agents": agents.map(|agents| agents.data()),
            "next": [instance.line("local up")],
        }),
    })
}
