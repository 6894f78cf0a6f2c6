//! `striatum local down`: stops the daemon and its PostgreSQL. No data goes away.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::cluster::{Cluster, State};
use crate::instance::daemon;
use crate::instance::{Instance, Progress, data_dir_flag, text};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["local", "down"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Stop the daemon and the private PostgreSQL of an installation; its data stays")
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
    let instance = Instance::of(matches)?;
    let progress = Progress::of(matches);
    let cluster = Cluster::of(&instance);
    if matches!(cluster.state(), State::Absent)
        && !instance.is_there()
        && matches!(instance.daemon(), daemon::State::Stopped)
    {
        let data = text(&instance.data);
        return Ok(Answer {
            text: format!("there is no installation in {data}\n"),
            data: json!({"daemon_stopped": false, "postgres_stopped": false, "data_dir": data}),
        });
    }
    instance.make()?;
    let _lock = instance.lock(&progress)?;
    let daemon = instance.stop_daemon(&progress)?;
    let is_left = matches.get_flag("daemon-only");
    let postgres = !is_left && cluster.down(&progress)?;
    let verb = |is_stopped| if is_stopped { "stopped" } else { "did not run" };
    Ok(Answer {
        text: format!(
            "daemon      {}\nPostgreSQL  {}\ndata        stays in {}\nnext:  {}\n",
            verb(daemon),
            if is_left { "left as it is" } else { verb(postgres) },
            text(&instance.data),
            instance.line("local up")
        ),
        data: json!({
            "daemon_stopped": daemon, "postgres_stopped": postgres, "data_dir": text(&instance.data),
            "next": [instance.line("local up")],
        }),
    })
}
