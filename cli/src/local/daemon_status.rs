//! `striatum daemon status`: whether the daemon serves. The exit code says it as well.

use clap::{ArgMatches, Command};
use serde_json::json;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;

use super::Local;
use crate::instance::daemon::State;
use crate::instance::{Instance, data_dir_flag, text};
use crate::output::Answer;
use crate::text::span;

pub(crate) const COMMAND: Local = Local { path: &["daemon", "status"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Say whether the daemon serves, and why not")
        .after_help("Examples:\n  striatum daemon status\n  striatum daemon status --json")
        .arg(data_dir_flag())
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let instance = Instance::of(matches, "daemon status")?;
    let daemon = match instance.daemon() {
        State::Answering(daemon) => daemon,
        State::Mute(process) => {
            let said = format!("process {} runs as the daemon and does not answer", process.pid);
            let next =
                [format!("tail {}", shell_path(&instance.daemon_log())), instance.line("daemon status")];
            return Err(
                Refusal::new("daemon_unreachable", said, next).with_details(json!({"pid": process.pid}))
            );
        }
        State::Stopped => {
            let said =
                format!("no daemon runs: {}/daemon.pid names no living process", text(&instance.runtime));
            return Err(Refusal::new("daemon_unreachable", said, [instance.line("daemon start")]));
        }
    };
    let uptime_s = daemon.process.uptime().map(|uptime| uptime.as_secs());
    let (pid, socket) = (daemon.process.pid, text(&daemon.socket));
    let data = json!({
        "pid": pid, "version": daemon.version, "uptime_s": uptime_s, "socket": socket, "boot_epoch": daemon.boot_epoch,
    });
    if let Some(parked) = &daemon.parked {
        return Err(instance
            .refusal_of(parked)
            .with_details(json!({"reason": parked.reason, "daemon": data})));
    }
    let since = uptime_s.map_or_else(String::new, |uptime| format!(" for {}", span(uptime)));
    Ok(Answer {
        text: format!("striatumd {} serves{since}: process {pid}, socket {socket}\n", daemon.version),
        data,
    })
}
