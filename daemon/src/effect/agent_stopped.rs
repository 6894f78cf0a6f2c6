//! `agent_stopped`: neither the agent of a supervisor nor anything that it left running lives, and its helper has
//! ended.
//!
//! Args: `{supervisor_id, run_id, agent_pid, agent_start_token, helper_pid, helper_start_token}`. The helper does it:
//! it alone knows every process of its agent's. Only where the helper is gone is the agent itself signalled, and only
//! where its start token is still the one on record.
#![expect(
    clippy::disallowed_methods,
    reason = "the files of an agent go with it, and nothing tells when its process has ended"
)]

use std::fs;
use std::time::Duration;

use serde_json::{Map, Value};
use striatum_supervisor::client::Connection;
use striatum_supervisor::event::What;
use striatum_supervisor::pidfile::Pidfile;
use striatum_supervisor::process::Liveness;
use striatum_supervisor::process::Process;
use striatum_supervisor::process::StartToken;
use striatum_supervisor::process::is_alive_as;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::{Effect, Order, Problem};
use crate::lanes::Lanes;

pub(super) const EFFECT: Effect = Effect { kind: "agent_stopped", perform, probe };

/// How long an agent may take to end by itself.
const GRACE: Duration = Duration::from_secs(5);
/// How long its helper may take in all.
const PATIENCE: Duration = Duration::from_secs(20);

fn perform(lanes: &Lanes, order: &Order<'_>) -> Result<(), Problem> {
    let supervisor_id = order.args["supervisor_id"].as_str().unwrap_or_default();
    let asked = Handle::current().block_on(timeout(PATIENCE, ask_helper(lanes, supervisor_id)));
    if !matches!(asked, Ok(Ok(()))) {
        for process in processes(lanes, order.args) {
            if process.liveness() == Liveness::Alive {
                end(&process);
            }
        }
    }
    for left in [lanes.token_file(supervisor_id), lanes.pidfile(supervisor_id), lanes.socket(supervisor_id)] {
        if processes(lanes, order.args).iter().all(|process| process.liveness() != Liveness::Alive) {
            // What is not there needs not go.
            let _ = fs::remove_file(left);
        }
    }
    Ok(())
}

fn probe(lanes: &Lanes, order: &Order<'_>) -> Result<Option<Value>, Problem> {
    let supervisor_id = order.args["supervisor_id"].as_str().unwrap_or_default();
    let lives = processes(lanes, order.args).iter().any(|process| process.liveness() == Liveness::Alive);
    let is_so = !lives && !lanes.token_file(supervisor_id).exists();
    Ok(is_so.then(|| Value::Object(Map::new())))
}

/// Has the helper stop its agent, and lets it go.
async fn ask_helper(
    lanes: &Lanes,
    supervisor_id: &str,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut helper = Connection::open(&lanes.socket(supervisor_id)).await?;
    helper.stop(GRACE).await?;
    helper.events(0).await?;
    while let Some(event) = helper.next_event().await? {
        let is_last = match &event.what {
            What::AgentExited { .. } => true,
            What::HelperError { code, .. } => code == "agent_exec_failed",
            _ => false,
        };
        if is_last {
            helper.ack(event.seq).await?;
            break;
        }
    }
    // It ends, and takes its files away.
    while helper.next_event().await?.is_some() {}
    Ok(())
}

/// The agent and the helper, as the row has them. Only of a start that was never recorded the pidfile has to tell: an
/// agent can write there.
fn processes(lanes: &Lanes, args: &Value) -> Vec<Process> {
    let row = |pid: &str, token: &str| {
        let token = StartToken::new(args[token].as_str()?);
        let pid = i32::try_from(args[pid].as_i64()?).ok()?;
        Some(Process { pid, start_token: Some(token) })
    };
    let recorded: Vec<Process> = row("agent_pid", "agent_start_token")
        .into_iter()
        .chain(row("helper_pid", "helper_start_token"))
        .collect();
    if !recorded.is_empty() {
        return recorded;
    }
    let file = Pidfile::read(&lanes.pidfile(args["supervisor_id"].as_str().unwrap_or_default()));
    file.into_iter().flat_map(|file| file.agent.into_iter().chain([file.helper])).collect()
}

/// Ends one process, if it is still that one.
fn end(process: &Process) {
    use rustix::process::Pid;
    use rustix::process::Signal;
    use rustix::process::kill_process;
    let (Some(pid), Some(token)) = (Pid::from_raw(process.pid), &process.start_token) else { return };
    for (signal, tries) in [(Signal::TERM, 25), (Signal::KILL, 25)] {
        for attempt in 0..tries {
            if is_alive_as(process.pid, token) != Liveness::Alive {
                return;
            }
            if attempt == 0 {
                // One that ended in between is not there to be told.
                let _ = kill_process(pid, signal);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Lanes, fs, processes};

    /// An agent can write into a pidfile, so that one is asked only where nothing is on record: a process of somebody
    /// else's is not signalled.
    #[test]
    fn a_pidfile_names_nobody_beside_the_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let lanes = Lanes::new(folder.path());
        fs::create_dir(lanes.folder()).expect("a folder");
        let process = |pid: i32| json!({"pid": pid, "start_token": format!("boot:{pid}")});
        let file = json!({"schema": "striatum.supervisor_helper.pidfile.v1", "supervisor_id": "sup_1",
            "helper": process(3), "agent": process(4), "argv": ["agent"], "pts": null});
        fs::write(lanes.pidfile("sup_1"), file.to_string()).expect("a pidfile");
        let pids = |args: &serde_json::Value| -> Vec<i32> {
            processes(&lanes, args).iter().map(|process| process.pid).collect()
        };
        let recorded = json!({"supervisor_id": "sup_1", "agent_pid": 1, "agent_start_token": "boot:1",
            "helper_pid": 2, "helper_start_token": "boot:2"});
        assert_eq!(pids(&recorded), [1, 2]);
        assert_eq!(pids(&json!({"supervisor_id": "sup_1"})), [4, 3], "a start that was never recorded");
    }
}
