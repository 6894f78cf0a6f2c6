//! The keeper: follows the helper of every agent, and has the work of agents that are gone recovered.
//!
//! Nothing is decided here. What a helper says is handed to the database before it is acknowledged to the helper, under
//! the event's own number, so that it counts once whoever crashes in between. That an agent is gone is said only where
//! its process, by number and start token, is; a helper that does not answer says nothing about its agent.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use striatum_supervisor::client::Connection;
use striatum_supervisor::event::{Event, What};
use striatum_supervisor::process::Liveness;
use striatum_supervisor::process::StartToken;
use striatum_supervisor::process::is_alive_as;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::Lanes;
use crate::door::{CallError, Door, Phase};
use crate::outbox::{Outbox, ask};

/// How often it looks by itself while there are agents to follow; without any it is still until it is nudged.
const LOOK: Duration = Duration::from_secs(30);
/// How long it waits where the database could not be asked.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// How often an agent's progress is worth a row.
const PROGRESS: Duration = Duration::from_secs(60);
/// How long a helper may keep silent about the end of its agent: two of these.
const SILENCE: Duration = Duration::from_secs(5);

/// Handles on the task. It ends with the last of them.
#[derive(Debug, Clone)]
pub struct Keeper {
    nudge: Arc<Notify>,
    _end: Arc<Ending>,
}

#[derive(Debug)]
struct Ending(JoinHandle<()>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Keeper {
    /// Starts it.
    pub fn start(door: Door, lanes: Arc<Lanes>, outbox: Outbox) -> Self {
        let nudge = Arc::new(Notify::new());
        let task = tokio::spawn(keep(door, lanes, outbox, nudge.clone()));
        Self { nudge, _end: Arc::new(Ending(task)) }
    }

    /// Says that there may be something new.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }
}

#[derive(Debug, Deserialize)]
struct Active {
    supervisors: Vec<Supervisor>,
    stayed: Vec<String>,
    runs: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Supervisor {
    supervisor_id: String,
    state: String,
    agent_pid: Option<i32>,
    agent_start_token: Option<String>,
    helper_pid: Option<i32>,
    helper_start_token: Option<String>,
    helper_event: u64,
}

async fn keep(door: Door, lanes: Arc<Lanes>, outbox: Outbox, nudge: Arc<Notify>) {
    let mut followed: HashMap<String, Ending> = HashMap::new();
    loop {
        followed.retain(|_, task| !task.0.is_finished());
        let pause = match look(&door, &lanes, &outbox, &nudge, &mut followed).await {
            Ok(true) => Some(LOOK),
            Ok(false) => None,
            Err(error) => {
                tracing::warn!(%error, "the keeper could not ask the database");
                Some(LOOK_AGAIN)
            }
        };
        match pause {
            // Either is a reason to look.
            Some(pause) => drop(timeout(pause, nudge.notified()).await),
            None => nudge.notified().await,
        }
    }
}

/// One look; whether there is anything to keep an eye on. What fails for one run or one agent stays with it.
async fn look(
    door: &Door,
    lanes: &Arc<Lanes>,
    outbox: &Outbox,
    nudge: &Arc<Notify>,
    followed: &mut HashMap<String, Ending>,
) -> Result<bool, CallError> {
    let active: Active = ask(door, "supervise.active", None, Phase::Decide, json!({})).await?;
    for run_id in &active.runs {
        let request_id = format!("tend:{run_id}:{:?}", Instant::now()).replace(|c: char| !is_plain(c), "-");
        let tended: Result<Value, _> =
            ask(door, "recovery.tend", Some(request_id), Phase::Decide, json!({"run_id": run_id})).await;
        if let Err(error) = tended {
            tracing::error!(%error, run_id, "a run could not be tended");
        }
    }
    for supervisor_id in &active.stayed {
        let request_id = format!("retire:{supervisor_id}");
        let params = json!({"supervisor_id": supervisor_id});
        let retired: Result<Value, _> =
            ask(door, "supervise.retire", Some(request_id), Phase::Decide, params).await;
        match retired {
            Ok(_) => outbox.nudge(),
            Err(error) => tracing::error!(%error, supervisor_id, "an agent that stayed could not be ended"),
        }
    }
    for supervisor in &active.supervisors {
        if supervisor.state != "starting" && !followed.contains_key(&supervisor.supervisor_id) {
            let (door, lanes, outbox) = (door.clone(), lanes.clone(), outbox.clone());
            let task = tokio::spawn(follow(door, lanes, outbox, nudge.clone(), supervisor.clone()));
            followed.insert(supervisor.supervisor_id.clone(), Ending(task));
        }
    }
    // Whom nobody follows any more is followed no longer.
    followed.retain(|id, _| active.supervisors.iter().any(|supervisor| supervisor.supervisor_id == *id));
    Ok(!active.supervisors.is_empty() || !active.runs.is_empty())
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._:-".contains(character)
}

/// Follows one agent to its end.
async fn follow(door: Door, lanes: Arc<Lanes>, outbox: Outbox, nudge: Arc<Notify>, supervisor: Supervisor) {
    let mut after = supervisor.helper_event;
    loop {
        match heard(&door, &lanes, &supervisor, &mut after).await {
            Ok(true) => break,
            Ok(false) => {}
            Err(problem) => {
                tracing::debug!(
                    supervisor_id = supervisor.supervisor_id,
                    problem,
                    "a helper does not answer"
                );
            }
        }
        if let Some(event) = supervisor.gone() {
            // A helper that is ending may have the exit to tell: it is asked once more.
            if matches!(heard(&door, &lanes, &supervisor, &mut after).await, Ok(true)) {
                break;
            }
            let params = json!({"supervisor_id": supervisor.supervisor_id, "event": event});
            let request_id = format!("sup:{}:gone", supervisor.supervisor_id);
            match ask::<Value>(&door, "supervise.report", Some(request_id), Phase::Decide, params).await {
                Ok(_) => break,
                Err(error) => tracing::warn!(%error, "an agent that is gone could not be reported"),
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
    // What it left is ended, and its work may be somebody else's.
    outbox.nudge();
    nudge.notify_one();
}

/// Listens for as long as there is anything to hear: a helper that is stopped keeps silent about an agent that ended.
async fn heard(door: &Door, lanes: &Lanes, supervisor: &Supervisor, after: &mut u64) -> Result<bool, String> {
    tokio::select! {
        said = listen(door, lanes, supervisor, after) => said,
        () = supervisor.ended_unheard() => Err("it says nothing of an agent that has ended".to_owned()),
    }
}

impl Supervisor {
    /// Comes about once the agent has been gone for two looks.
    async fn ended_unheard(&self) {
        let mut looks = 0;
        while looks < 2 {
            sleep(SILENCE).await;
            looks = if self.gone() == Some("gone") { looks + 1 } else { 0 };
        }
    }

    /// Which of its two processes is proven to have ended, if any. An agent whose helper is gone has no terminal any
    /// more, and nobody who would end what it leaves.
    fn gone(&self) -> Option<&'static str> {
        let has_ended = |pid: Option<i32>, token: &Option<String>| {
            let (Some(pid), Some(token)) = (pid, token) else { return false };
            is_alive_as(pid, &StartToken::new(token.as_str())) == Liveness::Gone
        };
        if has_ended(self.agent_pid, &self.agent_start_token) {
            Some("gone")
        } else if has_ended(self.helper_pid, &self.helper_start_token) {
            Some("helper_gone")
        } else {
            None
        }
    }
}

/// Takes in what the helper says for as long as it speaks; whether that was the last of it.
async fn listen(
    door: &Door,
    lanes: &Lanes,
    supervisor: &Supervisor,
    after: &mut u64,
) -> Result<bool, String> {
    let said = |error: &dyn std::error::Error| error.to_string();
    let mut helper =
        Connection::open(&lanes.socket(&supervisor.supervisor_id)).await.map_err(|error| said(&error))?;
    helper.events(*after).await.map_err(|error| said(&error))?;
    let mut progress: Option<Instant> = None;
    while let Some(event) = helper.next_event().await.map_err(|error| said(&error))? {
        let is_worth_it = match &event.what {
            What::Progress { .. } => progress.is_none_or(|at| at.elapsed() >= PROGRESS),
            What::HelperError { code, message, .. } => {
                tracing::warn!(
                    supervisor_id = supervisor.supervisor_id,
                    code,
                    message,
                    "a helper has trouble"
                );
                false
            }
            _ => true,
        };
        if is_worth_it {
            if matches!(event.what, What::Progress { .. }) {
                progress = Some(Instant::now());
            }
            report(door, supervisor, &event).await.map_err(|error| said(&error))?;
        }
        helper.ack(event.seq).await.map_err(|error| said(&error))?;
        *after = event.seq;
        if event.is_last() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn report(door: &Door, supervisor: &Supervisor, event: &Event) -> Result<(), CallError> {
    let mut params = Map::from_iter([
        ("supervisor_id".to_owned(), json!(supervisor.supervisor_id)),
        ("number".to_owned(), json!(event.seq)),
    ]);
    let name = match &event.what {
        What::AgentStarted { .. } => "agent_started",
        What::AgentExited { exit_code, signal, .. } => {
            params.extend(exit_code.map(|code| ("exit_code".to_owned(), json!(code))));
            params.extend(signal.map(|signal| ("exit_signal".to_owned(), json!(signal))));
            "agent_exited"
        }
        What::Progress { .. } | What::HelperError { .. } => "progress",
    };
    params.insert("event".to_owned(), json!(name));
    let request_id = format!("sup:{}:{}", supervisor.supervisor_id, event.seq);
    ask::<Value>(door, "supervise.report", Some(request_id), Phase::Decide, Value::Object(params))
        .await
        .map(drop)
}
