//! `striatum local status`: what of an installation runs, and where it is.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;

use super::Local;
use crate::instance::cluster::{Cluster, State as Postgres};
use crate::instance::daemon::State as Daemon;
use crate::instance::process::Signed;
use crate::instance::{Instance, data_dir_flag, text};
use crate::output::Answer;
use crate::text::span;

pub(crate) const COMMAND: Local = Local { path: &["local", "status"], arguments, run };

fn arguments(command: Command) -> Command {
    command
        .about("Say what of an installation on this machine runs, and where it is")
        .after_help("Examples:\n  striatum local status\n  striatum local status --instance try --json")
        .arg(data_dir_flag())
}

fn run(matches: &ArgMatches) -> Result<Answer, Refusal> {
    let instance = Instance::of(matches, "local status")?;
    let Answer { mut text, mut data } = report(&instance);
    let next = match (data["postgres"]["state"].as_str(), data["daemon"]["state"].as_str()) {
        (Some("running"), Some("serving")) => Vec::new(),
        (Some(postgres), Some("parked")) => {
            let steps = next_of(&data["daemon"]).into_iter().filter(|step| step != "striatum local up");
            let up = (postgres != "absent").then(|| instance.line("local up"));
            up.into_iter().chain(steps).collect()
        }
        _ => vec![instance.line("local up")],
    };
    next.iter().for_each(|step| text.push_str(&format!("next:  {step}\n")));
    data["next"] = json!(next);
    Ok(Answer { text, data })
}

fn next_of(daemon: &Value) -> Vec<String> {
    let steps = daemon["next"].as_array().into_iter().flatten();
    steps.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A look at all of it.
pub(super) fn report(instance: &Instance) -> Answer {
    let cluster = Cluster::of(instance);
    let version = cluster.version();
    let (postgres, pid) = match cluster.state() {
        Postgres::Absent => ("absent", None),
        Postgres::Stopped => ("stopped", None),
        Postgres::Running { pid, is_ready: true } => ("running", Some(pid)),
        Postgres::Running { pid, is_ready: false } => ("starting", Some(pid)),
    };
    let uptime_s = |process: Option<&Signed>| process.and_then(Signed::uptime).map(|uptime| uptime.as_secs());
    let postgres_uptime = uptime_s(pid.and_then(Signed::of).as_ref());
    let (name, data) = (instance.name.as_deref(), text(&instance.data));
    let mut report = format!("instance    {}\n", name.unwrap_or("the one without a name"));
    let mut line = |what: &str, state: &str, pid: Option<i32>, uptime_s: Option<u64>, more: &str| {
        let process = pid.map_or_else(String::new, |pid| format!(", process {pid}"));
        let since = uptime_s.map_or_else(String::new, |uptime| format!(" for {}", span(uptime)));
        report.push_str(&format!("{what:<12}{state}{since}{process}{more}\n"));
    };
    let made_by = version.as_ref().map_or_else(String::new, |version| format!(", version {version}"));
    let more = if postgres == "absent" { instance.hint() } else { &made_by };
    line("PostgreSQL", postgres, pid, postgres_uptime, more);
    let daemon = match instance.daemon() {
        Daemon::Stopped => {
            line("daemon", "stopped", None, None, "");
            json!({"state": "stopped"})
        }
        Daemon::Mute(process) => {
            line("daemon", "not answering", Some(process.pid), uptime_s(Some(&process)), "");
            json!({"state": "not_answering", "pid": process.pid})
        }
        Daemon::Answering(daemon) => {
            let (pid, uptime) = (daemon.process.pid, uptime_s(Some(&daemon.process)));
            let mut data = json!({
                "state": "serving", "pid": pid, "uptime_s": uptime, "version": daemon.version,
                "boot_epoch": daemon.boot_epoch, "socket": text(&daemon.socket),
            });
            let made_by = format!(", version {}", daemon.version);
            match &daemon.parked {
                None => line("daemon", "serving", Some(pid), uptime, &made_by),
                Some(parked) => {
                    line("daemon", "parked", Some(pid), uptime, &format!("{made_by}: {}", parked.message));
                    data["state"] = json!("parked");
                    data["reason"] = json!(parked.reason);
                    data["message"] = json!(parked.message);
                    data["next"] = json!(parked.next);
                }
            }
            data
        }
    };
    report.push_str(&format!("data        {data}\nruntime     {}\n", text(&instance.runtime)));
    Answer {
        text: report,
        data: json!({
            "instance": name, "data_dir": data, "runtime_dir": text(&instance.runtime),
            "config": text(&instance.configuration()),
            "postgres": {
                "state": postgres, "pid": pid, "uptime_s": postgres_uptime, "version": version,
                "socket_dir": text(&cluster.sockets), "log": text(&cluster.log),
            },
            "daemon": daemon,
        }),
    }
}
