//! `agent_stopped`: neither the agent of a supervisor nor anything that it left running lives, its helper has ended,
//! and none of its files is left where helpers are.
//!
//! Args: `{supervisor_id, run_id, agent_pid, agent_start_token, helper_pid, helper_start_token}`. The helper does it:
//! it alone knows every process of its agent's. Where it does not, whoever is proven to be the agent's is ended here.
#![expect(clippy::disallowed_methods, reason = "the files of an agent go with it")]

use std::fs;
use std::time::Duration;

use serde_json::{Map, Value};
use striatum_contract::runtime::TOKEN_FILE_VARIABLE;
use striatum_supervisor::client::Connection;
use striatum_supervisor::family::Family;
use striatum_supervisor::pidfile::Pidfile;
use striatum_supervisor::process::Process;
use striatum_supervisor::process::StartToken;
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
    let runtime = Handle::current();
    // Whether it did is looked at, and not believed: an agent could have put another one in its place.
    drop(runtime.block_on(timeout(PATIENCE, ask_helper(lanes, supervisor_id))));
    let mut family = family(lanes, order.args);
    if !living(&mut family)?.is_empty() {
        let ended = runtime.block_on(family.end(GRACE));
        if !ended.left.is_empty() {
            return Err(problem(format!("processes of the agent cannot be ended: {:?}", ended.left)));
        }
    }
    for left in [lanes.token_file(supervisor_id), lanes.pidfile(supervisor_id), lanes.socket(supervisor_id)] {
        // What is not there needs not go.
        let _ = fs::remove_file(left);
    }
    Ok(())
}

fn probe(lanes: &Lanes, order: &Order<'_>) -> Result<Option<Value>, Problem> {
    let supervisor_id = order.args["supervisor_id"].as_str().unwrap_or_default();
    let is_left = lanes.token_file(supervisor_id).exists() || lanes.pidfile(supervisor_id).exists();
    let is_so = !is_left && living(&mut family(lanes, order.args))?.is_empty();
    Ok(is_so.then(|| Value::Object(Map::new())))
}

fn living(family: &mut Family) -> Result<Vec<i32>, Problem> {
    match family.living() {
        Ok(living) => Ok(living.into_iter().map(|one| one.pid).collect()),
        // What runs is not known, and never taken for nothing.
        Err(error) => Err(problem(format!("the system does not list its processes: {error}"))),
    }
}

fn problem(says: String) -> Problem {
    Problem { says, is_hopeless: false }
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
        if event.is_last() {
            helper.ack(event.seq).await?;
            break;
        }
    }
    // It ends, and takes its files away.
    while helper.next_event().await?.is_some() {}
    Ok(())
}

/// Whoever is proven to be the agent's.
fn family(lanes: &Lanes, args: &Value) -> Family {
    let token_file = lanes.token_file(args["supervisor_id"].as_str().unwrap_or_default());
    let (agent, helper) = recorded(lanes, args);
    let mark = format!("{TOKEN_FILE_VARIABLE}={}", token_file.display());
    Family::new(agent.as_ref(), helper.as_ref(), &mark)
}

/// The agent and the helper, as the row has them. Only of a start that was never recorded the pidfile has to tell: an
/// agent can write there.
fn recorded(lanes: &Lanes, args: &Value) -> (Option<Process>, Option<Process>) {
    let row = |pid: &str, token: &str| {
        let token = StartToken::new(args[token].as_str()?);
        let pid = i32::try_from(args[pid].as_i64()?).ok()?;
        Some(Process { pid, start_token: Some(token) })
    };
    let (agent, helper) = (row("agent_pid", "agent_start_token"), row("helper_pid", "helper_start_token"));
    if agent.is_some() || helper.is_some() {
        return (agent, helper);
    }
    let file = Pidfile::read(&lanes.pidfile(args["supervisor_id"].as_str().unwrap_or_default()));
    file.map_or((None, None), |file| (file.agent, Some(file.helper)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Lanes, fs, recorded};

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
            <[_; 2]>::from(recorded(&lanes, args)).into_iter().flatten().map(|process| process.pid).collect()
        };
        let recorded = json!({"supervisor_id": "sup_1", "agent_pid": 1, "agent_start_token": "boot:1",
            "helper_pid": 2, "helper_start_token": "boot:2"});
        assert_eq!(pids(&recorded), [1, 2]);
        assert_eq!(pids(&json!({"supervisor_id": "sup_1"})), [4, 3], "a start that was never recorded");
    }
}
