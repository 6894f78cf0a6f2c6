//! The outbox: performs the effects that decisions ordered, and records how they ended.
//!
//! It looks when it is nudged (at a start, and after each acknowledgement of a decision with effects) and when the
//! next attempt is due; while nothing waits it is still. Effects of different targets run side by side, so that one
//! that hangs holds up its own target alone; of one target there is one attempt at a time, the oldest effect first.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::{broadcast, mpsc};
use tokio::task::{Id, JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use crate::door::{Ask, CallError, Door, Phase, Transport};
use crate::effect::{self, Order};
use crate::fault;
use crate::lanes::Lanes;

/// How long a call of the outbox's own may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it waits where the database could not be asked.
const PAUSE: Duration = Duration::from_secs(2);
/// The most attempts under way: each may hold a thread for as long as a process takes to end.
const AT_ONCE: usize = 32;

/// How an attempt ended.
#[derive(Debug, Clone)]
pub struct Settled {
    effect_id: String,
    state: String,
    problem: Option<String>,
}

/// Handles on the task.
#[derive(Clone)]
pub struct Outbox {
    nudge: mpsc::Sender<()>,
    settled: broadcast::Sender<Settled>,
}

/// What became of the effects of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All are done.
    Done,
    /// Some are not finished yet.
    Pending,
    /// One was given up; why.
    Failed(String),
}

impl Outbox {
    /// Starts the task. It ends with the last handle.
    pub fn start(door: Door, lanes: Arc<Lanes>) -> Self {
        let (nudge, nudges) = mpsc::channel(1);
        let (settled, _) = broadcast::channel(1024);
        tokio::spawn(run(Means { door, lanes, settled: settled.clone() }, nudges));
        Self { nudge, settled }
    }

    /// Says that there is something to do.
    pub fn nudge(&self) {
        // A full channel holds a nudge already.
        let _ = self.nudge.try_send(());
    }

    /// What is settled from now on: from before a decision, since somebody else's nudge may have its effects performed
    /// as soon as it is made.
    pub fn watch(&self) -> broadcast::Receiver<Settled> {
        self.settled.subscribe()
    }

    /// Waits until these effects are settled, or the time is over.
    pub async fn settle(
        &self,
        effects: &[String],
        mut settled: broadcast::Receiver<Settled>,
        deadline: Instant,
    ) -> Outcome {
        let mut open: Vec<&String> = effects.iter().collect();
        self.nudge();
        while !open.is_empty() {
            match timeout_at(deadline, settled.recv()).await {
                Ok(Ok(one)) if !open.iter().any(|id| **id == one.effect_id) => {}
                Ok(Ok(one)) if one.state == "done" => open.retain(|id| **id != one.effect_id),
                Ok(Ok(one)) if one.state == "abandoned" => {
                    return Outcome::Failed(one.problem.unwrap_or_default());
                }
                Ok(Ok(_) | Err(broadcast::error::RecvError::Lagged(_))) => {}
                Ok(Err(broadcast::error::RecvError::Closed)) | Err(_) => return Outcome::Pending,
            }
        }
        Outcome::Done
    }
}

#[derive(Deserialize)]
struct Due {
    due: Vec<Row>,
    next_in_ms: Option<u64>,
}

#[derive(Deserialize)]
struct Row {
    effect_id: String,
    kind: String,
    args: Value,
    target: String,
    attempt: i32,
    client_id: String,
    request_id: String,
}

/// What every attempt needs.
#[derive(Clone)]
struct Means {
    door: Door,
    lanes: Arc<Lanes>,
    settled: broadcast::Sender<Settled>,
}

async fn run(means: Means, mut nudges: mpsc::Receiver<()>) {
    let mut attempts = JoinSet::new();
    let mut targets: HashMap<Id, String> = HashMap::new();
    let mut next: Option<Instant> = None;
    loop {
        let later = async {
            match next {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            nudge = nudges.recv() => if nudge.is_none() { break },
            Some(ended) = attempts.join_next_with_id() => {
                let id = match ended {
                    Ok((id, ())) => id,
                    Err(error) => {
                        tracing::error!(%error, "an attempt broke");
                        error.id()
                    }
                };
                targets.remove(&id);
            }
            () = later => {}
        }
        next = match begin(&means, &mut attempts, &mut targets).await {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!(%error, "the outbox could not ask the database");
                Some(Instant::now() + PAUSE)
            }
        };
    }
    // What was begun is brought to its end.
    while attempts.join_next().await.is_some() {}
}

/// Begins what is due and whose target has no attempt under way; says when the next attempt is.
async fn begin(
    means: &Means,
    attempts: &mut JoinSet<()>,
    targets: &mut HashMap<Id, String>,
) -> Result<Option<Instant>, CallError> {
    if targets.len() >= AT_ONCE {
        return Ok(None);
    }
    let due: Due = ask(&means.door, "effect.due", None, Phase::Decide, json!({})).await?;
    for row in due.due {
        if targets.len() < AT_ONCE && !targets.values().any(|target| *target == row.target) {
            let target = row.target.clone();
            targets.insert(attempts.spawn(attempt(means.clone(), row)).id(), target);
        }
    }
    Ok(due.next_in_ms.map(|ms| Instant::now() + Duration::from_millis(ms)))
}

/// One attempt, and its record.
async fn attempt(means: Means, row: Row) {
    fault::point("planned");
    let (kind, lanes) = (row.kind.clone(), means.lanes.clone());
    let (args, client_id, request_id) = (row.args, row.client_id, row.request_id);
    let outcome = spawn_blocking(move || {
        let order = Order { args: &args, client_id: &client_id, request_id: &request_id };
        effect::bring_about(&kind, &lanes, &order)
    })
    .await;
    let (seen, problem, is_hopeless) = match outcome {
        Ok(Ok(seen)) => (seen, None, false),
        Ok(Err(problem)) => (json!({}), Some(problem.says), problem.is_hopeless),
        Err(error) => (json!({}), Some(format!("the attempt broke: {error}")), false),
    };
    let request_id = format!("rec:{}:{}", row.effect_id, row.attempt);
    let params = json!({"effect_id": row.effect_id, "attempt": row.attempt, "is_done": problem.is_none(),
        "is_hopeless": is_hopeless, "problem": problem.clone().unwrap_or_default(), "seen": seen});
    let recorded: Result<Value, _> =
        ask(&means.door, "effect.record", Some(request_id), Phase::Record, params).await;
    let recorded = match recorded {
        Ok(recorded) => recorded,
        Err(error) => {
            // It is still due, and will be looked at again; not at once, lest it be asked for without a pause.
            tracing::warn!(%error, effect_id = row.effect_id, "an effect could not be recorded");
            return sleep(PAUSE).await;
        }
    };
    let state = recorded["state"].as_str().unwrap_or_default().to_owned();
    tracing::info!(effect_id = row.effect_id, kind = row.kind, attempt = row.attempt, state, "effect");
    // Nobody may be waiting for it.
    drop(means.settled.send(Settled { effect_id: row.effect_id, state, problem }));
}

/// Asks on the daemon's own behalf, and reads the data of the answer.
pub(crate) async fn ask<T: serde::de::DeserializeOwned>(
    door: &Door,
    method: &str,
    request_id: Option<String>,
    phase: Phase,
    params: Value,
) -> Result<T, CallError> {
    let answer = door.call(&internal(method, request_id, phase, &params, Map::new(), PATIENCE)).await?;
    match (answer.data, answer.error) {
        (Some(data), _) => serde_json::from_str(data.get())
            .map_err(|error| CallError::Internal(format!("{method} answered something else: {error}"))),
        (None, error) => Err(CallError::Internal(format!(
            "{method}: {}",
            error.map_or("nothing".to_owned(), |e| e.get().to_owned())
        ))),
    }
}

/// A call that the daemon makes on its own behalf.
pub(crate) fn internal(
    method: &str,
    request_id: Option<String>,
    phase: Phase,
    params: &Value,
    observed: Map<String, Value>,
    patience: Duration,
) -> Ask {
    Ask {
        request_id,
        method: Some(method.to_owned()),
        params: RawValue::from_string(params.to_string()).expect("a value is JSON"),
        phase,
        deadline: Instant::now() + patience,
        token: None,
        transport: Transport::Internal,
        observed,
        refusal: None,
        is_final: true,
        is_read: false,
    }
}
