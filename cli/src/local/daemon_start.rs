//! `striatum daemon start`: starts the daemon apart from this shell, and waits until it serves.

use clap::{ArgMatches, Command};
use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::{Instance, Progress, data_dir_flag, text};
use crate::output::Answer;

pub(crate) const COMMAND: Local = Local { path: &["daemon", "start"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Start the daemon, and wait until it serves")
        .after_help("Examples:\n  striatum daemon start\n  striatum daemon start --instance try")
        .arg(data_dir_flag())
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let instance = Instance::of(matches, "daemon start")?;
    let progress = Progress::of(matches);
    instance.make()?;
    let lock = instance.lock(&progress)?;
    instance.settle("daemon start")?;
    drop(lock);
    instance.bring_back_token()?;
    let (daemon, is_new) = instance.start_daemon(&progress)?;
    if let Some(parked) = &daemon.parked {
        return Err(instance.refusal_of(parked));
    }
    instance.keep_token()?;
    let (pid, socket) = (daemon.process.pid, text(&daemon.socket));
    let verb = if is_new { "serves now" } else { "serves already" };
    Ok(Answer {
        text: format!(
            "striatumd {} {verb}: process {pid}, socket {socket}\nnext:  {}\n",
            daemon.version,
            instance.asks("repo add . --init")
        ),
        data: json!({
            "pid": pid, "is_new": is_new, "version": daemon.version, "boot_epoch": daemon.boot_epoch,
            "socket": socket, "log": text(&instance.daemon_log()),
        }),
    })
}
