//! One request on its way through the door: look, decide, act; and again, where that settled nothing.
//!
//! Nothing is decided here.

use std::pin::Pin;
use std::time::Duration;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use striatum_contract::methods::Method;
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::{Outcome, Reply};
use striatum_contract::request::Request;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use crate::door::{Answer, Ask, CallError, Phase, Transport, Unsettled};
use crate::fault;
use crate::observe::minted_secret::{self, Minted};
use crate::observe::{OBSERVERS, Observer};
use crate::outbox;
use crate::serve::Live;
use crate::waiting::{Waited, Waiting};

/// How long a request waits that may, and does not say how long.
const WAIT: Duration = Duration::from_secs(60);
/// What the last try of a request that waits may take.
const LAST_TRY: Duration = Duration::from_secs(2);
/// How often observers look again.
const MOST_LOOKS: u32 = 3;

/// What comes about once the caller has gone away.
pub(crate) type Gone<'g> = Pin<&'g mut (dyn Future<Output = ()> + Send)>;

/// A request, and what has been found out about it so far.
pub(crate) struct Course<'a> {
    pub(crate) live: &'a Live,
    pub(crate) request: Request,
    pub(crate) method: &'static Method,
    pub(crate) deadline: Instant,
    /// How long it wants to wait, where it says so.
    pub(crate) wait_ms: Option<u64>,
    pub(crate) transport: Transport,
}

/// What the door settled, and the secrets that were made for it.
struct Settled<'a> {
    answer: Answer,
    minted: Option<Minted>,
    kept: Option<Kept<'a>>,
}

impl<'a> Course<'a> {
    /// Preflight, observers, decision, effects.
    pub(crate) async fn run(self, gone: Gone<'_>) -> Result<Reply, (Self, CallError)> {
        let effects = self.live.outbox.watch();
        let Settled { answer, minted, kept } = match self.settle(gone).await {
            Ok(settled) => settled,
            Err(error) => return Err((self, error)),
        };
        fault::point("decided");
        for wake in &answer.wakes {
            self.live.wake(wake);
        }
        let outcome = match answer.effects.as_slice() {
            [] => outbox::Outcome::Done,
            ordered => self.live.outbox.settle(ordered, effects, self.deadline).await,
        };
        if outcome == outbox::Outcome::Pending {
            // The effect is still to come, and will want it.
            std::mem::forget(kept);
        }
        if !answer.effects.is_empty() {
            self.live.keeper.nudge();
        }
        let mut reply = self.reply(answer);
        match outcome {
            outbox::Outcome::Done => {}
            outbox::Outcome::Pending => reply.has_pending_effects = true,
            outbox::Outcome::Failed(problem) => {
                if let Outcome::Done(data) = &reply.outcome {
                    let message = format!(
                        "{} was done, and what it ordered could not be: {problem}",
                        self.method.method
                    );
                    let next = ["the same request with a new request_id, once that is mended".to_owned()];
                    let refusal = Refusal::new("effect_failed", message, next)
                        .with_details(json!({"problem": problem, "data": data}));
                    reply.outcome = Reply::refused("", &refusal, None).outcome;
                }
            }
        }
        if let (Some(minted), Outcome::Done(data)) = (minted, &reply.outcome) {
            reply.outcome = Outcome::Done(with_token(data, &minted));
        }
        Ok(reply)
    }

    /// Asks until something is settled: again after a wake that is meant, or after another look, and at last in a way
    /// that has to be answered.
    async fn settle(&self, mut gone: Gone<'_>) -> Result<Settled<'a>, CallError> {
        let mut waiting = Waiting::begin(self.live, self.window());
        let mut looks = 0;
        let mut is_final = false;
        loop {
            match self.attempt(is_final).await {
                Err(CallError::Unsettled(Unsettled::Look)) if !is_final => {
                    looks += 1;
                    is_final = looks >= MOST_LOOKS;
                }
                Err(CallError::Unsettled(Unsettled::Wait(wake))) if !is_final => {
                    match waiting.until(&wake, gone.as_mut()).await {
                        Waited::Woken => {}
                        Waited::Over => is_final = true,
                        // Nothing is to be done in the name of somebody who cannot hear of it.
                        Waited::Gone => return Err(CallError::Late),
                    }
                }
                settled => return settled,
            }
        }
    }

    /// One try: preflight, observers, decision.
    async fn attempt(&self, is_final: bool) -> Result<Settled<'a>, CallError> {
        let mut observed = Map::new();
        let (mut minted, mut kept) = (None, None);
        if !self.method.observers.is_empty() {
            let mut answer = self.ask(Phase::Preflight, Map::new(), is_final).await?;
            let Some(looks) = answer.observe.take() else { return Ok(Settled { answer, minted, kept }) };
            for (name, what) in looks {
                let seen = match name.as_str() {
                    minted_secret::NAME => minted.insert(mint()?).fact(),
                    minted_secret::OF_A_LANE => {
                        kept.insert(Kept::new(self.live, &self.request, mint()?)).fact.clone()
                    }
                    _ => look(&name, what, self.deadline).await,
                };
                observed.insert(name, seen);
            }
        }
        let answer = self.ask(Phase::Decide, observed, is_final).await?;
        Ok(Settled { answer, minted, kept })
    }

    /// Until when it may be waited: a method that waits takes `wait_ms`; the last try has to come in time.
    fn window(&self) -> Instant {
        let now = Instant::now();
        if self.method.params["properties"].get("wait_ms").is_none() {
            return now;
        }
        let left = self.deadline.saturating_duration_since(now).saturating_sub(LAST_TRY);
        now + left.min(self.wait_ms.map_or(WAIT, Duration::from_millis))
    }

    async fn ask(
        &self,
        phase: Phase,
        observed: Map<String, Value>,
        is_final: bool,
    ) -> Result<Answer, CallError> {
        let ask = Ask {
            request_id: Some(self.request.request_id.clone()),
            method: Some(self.request.method.clone()),
            params: self.request.params_text.clone(),
            phase,
            deadline: self.deadline,
            token: self.request.capability_token.clone(),
            transport: self.transport,
            observed,
            refusal: None,
            is_final,
            is_read: !self.method.changes,
        };
        self.live.door.call(&ask).await
    }

    fn reply(&self, answer: Answer) -> Reply {
        let nothing = || RawValue::from_string("{}".to_owned()).expect("an object");
        Reply {
            request_id: self.request.request_id.clone(),
            outcome: match (answer.data, answer.error) {
                (_, Some(error)) => Outcome::Refused(error),
                (Some(data), None) => Outcome::Done(data),
                (None, None) => Outcome::Done(nothing()),
            },
            audit_id: answer.audit_id,
            is_replayed: answer.replayed,
            has_pending_effects: answer.effects_pending,
        }
    }
}

fn mint() -> Result<Minted, CallError> {
    Minted::make().map_err(|error| CallError::Internal(error.to_string()))
}

/// A secret for an agent, which waits for the effect that starts it; whatever was not taken by then ends with the
/// request.
struct Kept<'a> {
    live: &'a Live,
    client_id: String,
    request_id: String,
    fact: Value,
}

impl<'a> Kept<'a> {
    fn new(live: &'a Live, request: &Request, minted: Minted) -> Self {
        let client_id =
            request.capability_token.as_ref().map(|token| token.client_id().to_owned()).unwrap_or_default();
        let (request_id, fact) = (request.request_id.clone(), minted.fact());
        live.lanes.keep_secret(&client_id, &request_id, minted);
        Self { live, client_id, request_id, fact }
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        drop(self.live.lanes.take_secret(&self.client_id, &self.request_id));
    }
}

/// Looks, off the threads that serve; what takes longer than the caller waits is unknown.
async fn look(name: &str, what: Value, deadline: Instant) -> Value {
    let Some(Observer { look, .. }) = OBSERVERS.iter().find(|observer| observer.name == name) else {
        return json!({"state": "unknown", "problem": "this program has no such observer"});
    };
    match timeout_at(deadline, spawn_blocking(move || look(&what))).await {
        Ok(Ok(seen)) => seen,
        Ok(Err(error)) => {
            tracing::error!(observer = name, %error, "an observer failed");
            json!({"state": "unknown", "problem": "the observer failed"})
        }
        Err(_) => json!({"state": "unknown", "problem": "it took too long"}),
    }
}

/// The data of a reply with the token that goes with it. From here on it is on its way to whoever asked.
fn with_token(data: &RawValue, minted: &Minted) -> Box<RawValue> {
    let mut data: Map<String, Value> = serde_json::from_str(data.get()).unwrap_or_default();
    if let Some(client_id) = data.get("client_id").and_then(Value::as_str) {
        let token = minted.token(client_id);
        data.insert("token".to_owned(), token.into());
    }
    to_raw_value(&data).expect("an object")
}
