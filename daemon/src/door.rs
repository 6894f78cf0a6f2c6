//! The door: the one place from which the database is asked.
//!
//! `striatumd.call` is the only function that the daemon's login may execute, and `CALL` the only statement about
//! anybody's business that this program sends as that login. An answer is given out when the transaction that made it
//! is on disk: whoever asked gets it after a flush that began when the call was over
//! (docs/decisions/0001-acknowledgement.md).

mod ask;
mod flusher;
mod lane;
#[cfg(feature = "bench")]
mod measured;

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::sync::broadcast;
use tokio::time::Instant;

pub use ask::{Ask, Phase, Transport};
pub use lane::Lane;

use flusher::Flusher;

use crate::secret::Secret;

/// Asks the door; the transaction's commit waits for the disk or leaves that to the flusher. Three bound parameters and
/// no text of anybody's.
const CALL: &str = "select striatumd.call($1, $2::jsonb)";

/// Calls that change and are in the database at once: a crowd on the lock of a chain only slows it.
const CHANGES: usize = 4;

/// Wakes that somebody who waits may be behind; past that they look again anyway.
const WAKES: usize = 1024;

/// How a call failed that reached no decision.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Locks or the connection were not to be had within the time for it.
    #[error("what the call needs is held by somebody else")]
    Busy,
    /// The caller's time was over before the call could be sent; nothing was done.
    #[error("the time for the call was over before it could be sent")]
    Late,
    /// Another daemon has taken over: this one may do nothing more.
    #[error("the daemon's authority is gone: another one has taken over")]
    AuthorityLost,
    /// The database cannot be reached, and the time for trying is over.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// What was decided settles nothing, and nothing of it remains.
    #[error("nothing was settled")]
    Unsettled(Unsettled),
    /// Something is wrong with striatum itself; the text is for the log.
    #[error("{0}")]
    Internal(String),
}

/// How a call is asked again that settled nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsettled {
    /// Once this wake came.
    Wait(String),
    /// Once the observers have looked again.
    Look,
}

/// The way to the database: calls that change wait in one line, reads in another.
#[derive(Clone)]
pub struct Door {
    changes: Lane,
    reads: Lane,
    wakes: broadcast::Sender<String>,
}

impl Door {
    /// Opens it: connections are made when there is something to ask. Reads have as many as `reads` says.
    pub fn open(runtime: PgConnectOptions, authority: Secret, daemon: Identity, reads: usize) -> Self {
        let flusher = Flusher::start(runtime.clone());
        let lane = |connections, statement_timeout: &str| {
            let options = runtime.clone().options([("statement_timeout", statement_timeout)]);
            Lane::start(&options, &authority, &daemon, connections, &flusher)
        };
        let (wakes, _) = broadcast::channel(WAKES);
        Self { changes: lane(CHANGES, "15s"), reads: lane(reads, "120s"), wakes }
    }

    /// The wakes of every answer from here on.
    pub fn wakes(&self) -> broadcast::Receiver<String> {
        self.wakes.subscribe()
    }

    /// Asks, and asks again while the answer is `busy` and the caller's time lasts.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn call(&self, ask: &Ask) -> Result<Answer, CallError> {
        let lane = if ask.is_read { &self.reads } else { &self.changes };
        let mut pause = Duration::from_millis(20);
        for _ in 0..4 {
            match lane.call(ask).await {
                Err(CallError::Busy) if Instant::now() + pause < ask.deadline => {
                    // Its place is given back; it queues again after a moment that differs for each.
                    tokio::time::sleep(jittered(pause)).await;
                    pause *= 4;
                }
                answer => {
                    for wake in answer.iter().flat_map(|answer| &answer.wakes) {
                        // Nobody may be waiting.
                        drop(self.wakes.send(wake.clone()));
                    }
                    return answer;
                }
            }
        }
        Err(CallError::Busy)
    }
}

/// Somewhere between half and the whole of a pause.
fn jittered(pause: Duration) -> Duration {
    let share = Secret::make().map_or(255, |random| random.octets()[0]);
    pause / 2 + pause / 2 * u32::from(share) / 255
}

/// Which daemon asks.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Identity {
    /// Random, new at every start.
    pub instance_id: String,
    /// Of this program.
    pub version: String,
}

/// What the door answered.
#[derive(Debug, serde::Deserialize)]
pub struct Answer {
    /// Whether it was done.
    pub ok: bool,
    /// What the method said.
    pub data: Option<Box<serde_json::value::RawValue>>,
    /// Why it was not done, in the shape of a refusal.
    pub error: Option<Box<serde_json::value::RawValue>>,
    /// The ids of effects that the decision ordered.
    #[serde(default)]
    pub effects: Vec<String>,
    /// Hints to whoever waits; the door hands them on after the acknowledgement.
    #[serde(default)]
    pub wakes: Vec<String>,
    /// Of the audit row; none where the request goes on.
    pub audit_id: Option<String>,
    /// Whether this is the stored answer of the same request.
    #[serde(default)]
    pub replayed: bool,
    /// Whether effects of the replayed request are not finished.
    #[serde(default)]
    pub effects_pending: bool,
    /// Of a preflight that lets the request go on: what each observer must look at.
    pub observe: Option<serde_json::Map<String, serde_json::Value>>,
}
