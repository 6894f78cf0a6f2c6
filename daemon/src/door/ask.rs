//! One question to the door.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use striatum_contract::refusal::Refusal;
use striatum_contract::token::Token;
use tokio::time::Instant;

use super::Identity;

/// Which part of a request a call performs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// May they, and what has to be looked at.
    Preflight,
    /// The method itself.
    Decide,
    /// The outcome of an effect.
    Record,
    /// A row for what ended outside of the database.
    Reject,
}

/// How a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// The unix socket.
    Rpc,
    /// The daemon itself; nothing from outside gets this.
    Internal,
}

/// One question.
#[derive(Debug, Clone)]
pub struct Ask {
    /// As the client made it; none where it could not be read.
    pub request_id: Option<String>,
    /// The name of the method, as asked for; none where it could not be read.
    pub method: Option<String>,
    /// An object.
    pub params: Box<RawValue>,
    /// Which part.
    pub phase: Phase,
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// Who asks, as far as they say.
    pub token: Option<Token>,
    /// How it came in.
    pub transport: Transport,
    /// A fact an observer.
    pub observed: Map<String, Value>,
    /// In phase reject: what the caller is told.
    pub refusal: Option<Refusal>,
    /// Whether it has to be answered, also where that settles nothing.
    pub is_final: bool,
    /// Whether it changes nothing but the audit chain, and may take long.
    pub is_read: bool,
}

impl Ask {
    /// As the door reads it; `is_durable` where the call itself has to wait for the disk.
    pub(super) fn to_json(&self, daemon: &Identity, is_durable: bool) -> String {
        let left = self.deadline.saturating_duration_since(Instant::now()).as_millis();
        let line = Line {
            schema_version: striatum_contract::request::ENVELOPE,
            request_id: self.request_id.as_deref(),
            method: self.method.as_deref(),
            params: &self.params,
            phase: self.phase,
            deadline_ms: u64::try_from(left)
                .unwrap_or(u64::MAX)
                .min(striatum_contract::request::LONGEST_DEADLINE_MS),
            token: self
                .token
                .as_ref()
                .map(|token| Proof { client_id: token.client_id(), secret: token.secret() }),
            transport: self.transport,
            observed: &self.observed,
            refusal: self.refusal.as_ref(),
            is_durable,
            is_final: self.is_final,
            daemon,
        };
        serde_json::to_string(&line).expect("texts, numbers and JSON")
    }
}

#[derive(Serialize)]
struct Line<'a> {
    schema_version: u64,
    request_id: Option<&'a str>,
    method: Option<&'a str>,
    params: &'a RawValue,
    phase: Phase,
    deadline_ms: u64,
    token: Option<Proof<'a>>,
    transport: Transport,
    observed: &'a Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'a Refusal>,
    is_durable: bool,
    is_final: bool,
    daemon: &'a Identity,
}

#[derive(Serialize)]
struct Proof<'a> {
    client_id: &'a str,
    secret: &'a str,
}
