//! One request on its way: read, greet, hold to the schema, look, decide, act, answer.
//!
//! Nothing is decided here. What ends before the door is reported to it, so that every request has its audit row.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use striatum_contract::methods::{self, Method};
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::{Outcome, Reply};
use striatum_contract::request::{ENVELOPE, Request, Unread};
use tokio::sync::OwnedRwLockReadGuard;
use tokio::task::{block_in_place, spawn_blocking};
use tokio::time::{Instant, timeout_at};

use crate::door::{Answer, Ask, CallError, Phase, Transport};
use crate::fault;
use crate::observe::minted_secret::{self, Minted};
use crate::observe::{OBSERVERS, Observer};
use crate::outbox;
use crate::secret::Secret;
use crate::serve::{Daemon, Live, State};
use crate::transport::line::SMALL;

/// Malformed lines after which a connection is closed.
const MOST_MALFORMED: u8 = 3;
/// How long it may take to record what ended before the door.
const RECORDING: Duration = Duration::from_secs(10);

/// What one connection has behind it.
pub struct Exchange {
    daemon: Arc<Daemon>,
    transport: Transport,
    has_greeted: bool,
    malformed: u8,
}

/// What goes back, and whether the connection ends after it.
pub struct Said {
    /// The reply.
    pub reply: Reply,
    /// Whether that was the last one.
    pub is_last: bool,
    /// Held until the reply is written: a daemon that ends waits for it.
    pub busy: Option<OwnedRwLockReadGuard<()>>,
}

/// A request, and what has been found out about it so far.
struct Course<'a> {
    live: &'a Live,
    request: Request,
    method: &'static Method,
    deadline: Instant,
    transport: Transport,
}

impl Exchange {
    /// For a new connection.
    pub fn new(daemon: Arc<Daemon>, transport: Transport) -> Self {
        Self { daemon, transport, has_greeted: false, malformed: 0 }
    }

    /// Whether it has begun with a greeting.
    pub fn has_greeted(&self) -> bool {
        self.has_greeted
    }

    /// Answers one line.
    pub async fn answer(&mut self, line: &[u8]) -> Said {
        let read = apart(line.len(), || Request::read(line));
        let request_id = match &read {
            Ok(request) => request.request_id.clone(),
            Err(unread) => unread.request_id.clone().unwrap_or_default(),
        };
        let live = match self.daemon.state() {
            State::Serving(live) => live,
            State::Parked(parked) => {
                let is_hello = read.is_ok_and(|request| request.method == "daemon.hello");
                self.has_greeted |= is_hello;
                let reply = if is_hello {
                    done(
                        &request_id,
                        &json!({"daemon_version": env!("CARGO_PKG_VERSION"), "envelope": ENVELOPE,
                        "framing": "json", "parked": parked.to_json()}),
                    )
                } else {
                    Reply::refused(request_id, &parked.refusal(), None)
                };
                return Said { reply, is_last: false, busy: None };
            }
        };
        let Ok(busy) = self.daemon.busy.clone().try_read_owned() else {
            let next = ["striatum daemon start".to_owned()];
            let refusal = Refusal::new("daemon_draining", "the daemon is about to stop", next);
            return Said { reply: Reply::refused(request_id, &refusal, None), is_last: true, busy: None };
        };
        match read {
            Ok(request) => {
                let reply = self.request(&live, request).await;
                Said { reply, is_last: false, busy: Some(busy) }
            }
            Err(unread) => {
                self.malformed += u8::from(unread.is_malformed);
                let is_last = self.malformed >= MOST_MALFORMED;
                Said { reply: self.unread(&live, *unread, request_id).await, is_last, busy: Some(busy) }
            }
        }
    }

    /// Answers a line that was too long to be read.
    pub async fn too_long(&self, line_bytes: usize) -> Reply {
        let message = format!("the line is longer than {line_bytes} octets");
        self.unheard("schema_invalid", &message, "the same request in fewer octets", true).await
    }

    /// Answers a long line that could not be read to its end, since others hold the room for such.
    pub async fn no_room(&self) -> Reply {
        let message = "requests that are under way hold all the room that there is for long lines";
        self.unheard("busy", message, "the same request with the same request_id", false).await
    }

    async fn unheard(&self, code: &'static str, message: &str, next: &str, is_malformed: bool) -> Reply {
        let refusal = Refusal::new(code, message, [next.to_owned()]);
        let State::Serving(live) = self.daemon.state() else { return Reply::refused("", &refusal, None) };
        let unread = Unread { refusal, is_malformed, request_id: None, method: None };
        self.unread(&live, unread, String::new()).await
    }

    async fn unread(&self, live: &Live, unread: Unread, request_id: String) -> Reply {
        let rejected = Rejected {
            request_id: unread.request_id,
            method: unread.method,
            params: None,
            token: None,
            refusal: unread.refusal,
            transport: self.transport,
        };
        rejected.report(live, request_id).await
    }

    async fn request(&mut self, live: &Live, mut request: Request) -> Reply {
        let request_id = request.request_id.clone();
        let found = match methods::find(&request.method).filter(|method| !method.internal) {
            None => Err(methods::unknown(&request.method)),
            Some(_) if !self.has_greeted && request.method != "daemon.hello" => Err(Refusal::new(
                "version_incompatible",
                "the first request on a connection is daemon.hello",
                ["daemon.hello".to_owned()],
            )),
            Some(method) => {
                let check = || methods::validate(&method.method, &request.params).map(|()| method);
                apart(request.params_text.get().len(), check)
            }
        };
        // From here on the text alone counts; the tree of a long one takes many times its room.
        request.params = Value::Null;
        let method = match found {
            Ok(method) => method,
            Err(refusal) => {
                return Rejected::new(request, refusal, self.transport).report(live, request_id).await;
            }
        };
        let deadline = Instant::now() + Duration::from_millis(request.deadline_ms);
        let course = Course { live, request, method, deadline, transport: self.transport };
        let reply = match course.run().await {
            Ok(reply) => reply,
            Err((course, error)) => {
                let refusal = match live.explained(error, method.changes) {
                    Explained::Recorded(refusal) => refusal,
                    Explained::Unrecorded(refusal) => return Reply::refused(request_id, &refusal, None),
                };
                Rejected::new(course.request, refusal, self.transport).report(live, request_id).await
            }
        };
        self.has_greeted |= method.method == "daemon.hello" && matches!(reply.outcome, Outcome::Done(_));
        reply
    }
}

impl Course<'_> {
    /// Preflight, observers, decision, effects.
    async fn run(self) -> Result<Reply, (Self, CallError)> {
        let mut observed = Map::new();
        let mut minted = None;
        if !self.method.observers.is_empty() {
            let answer = match self.ask(Phase::Preflight, Map::new()).await {
                Ok(answer) => answer,
                Err(error) => return Err((self, error)),
            };
            let Some(looks) = answer.observe else { return Ok(self.reply(answer)) };
            for (name, what) in looks {
                let seen = if name == minted_secret::NAME {
                    match Minted::make() {
                        Ok(made) => minted.insert(made).fact(),
                        Err(error) => return Err((self, CallError::Internal(error.to_string()))),
                    }
                } else {
                    look(&name, what, self.deadline).await
                };
                observed.insert(name, seen);
            }
        }
        let answer = match self.ask(Phase::Decide, observed).await {
            Ok(answer) => answer,
            Err(error) => return Err((self, error)),
        };
        fault::point("decided");
        for wake in &answer.wakes {
            self.live.wake(wake);
        }
        let outcome = match answer.effects.as_slice() {
            [] => outbox::Outcome::Done,
            effects => self.live.outbox.settle(effects, self.deadline).await,
        };
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

    async fn ask(&self, phase: Phase, observed: Map<String, Value>) -> Result<Answer, CallError> {
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

/// Works on so many octets: where they are many, off the threads that serve.
fn apart<T>(octets: usize, work: impl FnOnce() -> T) -> T {
    if octets > SMALL { block_in_place(work) } else { work() }
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

fn done(request_id: &str, data: &Value) -> Reply {
    Reply {
        request_id: request_id.to_owned(),
        outcome: Outcome::Done(to_raw_value(data).expect("an object")),
        audit_id: None,
        is_replayed: false,
        has_pending_effects: false,
    }
}

/// How a call that reached no decision is answered.
pub enum Explained {
    /// With an audit row of its own.
    Recorded(Refusal),
    /// Without one, since the database does not take any.
    Unrecorded(Refusal),
}

impl Explained {
    /// What a caller is told, of a method that changes something or not; the inside of an internal error goes to the
    /// log, under an id.
    pub fn of(error: CallError, changes: bool) -> Self {
        let again = || ["the same request with the same request_id".to_owned()];
        match error {
            CallError::Busy => Self::Recorded(Refusal::new("busy", error.to_string(), again())),
            CallError::Late => Self::Recorded(Refusal::new("deadline_exceeded", error.to_string(), again())),
            CallError::AuthorityLost => Self::Unrecorded(crate::bootstrap::taken_over()),
            CallError::Unreachable(said) => {
                tracing::error!(said, "the database cannot be reached");
                // A read that was done and not answered leaves nothing behind.
                let message = match changes {
                    true => {
                        "the database cannot be reached, and it is not known whether the request was done"
                    }
                    false => "the database cannot be reached; nothing was to be changed",
                };
                Self::Unrecorded(Refusal::new("database_unreachable", message, again()))
            }
            CallError::Internal(said) => {
                let id = Secret::make()
                    .map_or_else(|_| "unknown".to_owned(), |id| crate::bootstrap::hex(&id.octets()[..4]));
                tracing::error!(error_id = id, said, "internal error");
                let next = [format!("look for error_id {id} in the daemon's log")];
                let message = format!("something failed inside of striatum (error {id})");
                Self::Recorded(
                    Refusal::new("internal_error", message, next).with_details(json!({"error_id": id})),
                )
            }
        }
    }
}

/// A request that ended before the door decided.
struct Rejected {
    request_id: Option<String>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
    token: Option<striatum_contract::token::Token>,
    refusal: Refusal,
    transport: Transport,
}

impl Rejected {
    fn new(request: Request, refusal: Refusal, transport: Transport) -> Self {
        Self {
            request_id: Some(request.request_id),
            method: Some(cut(request.method)),
            params: Some(request.params_text),
            token: request.capability_token,
            refusal,
            transport,
        }
    }

    /// Gives it its audit row and makes the reply.
    async fn report(self, live: &Live, request_id: String) -> Reply {
        let ask = Ask {
            request_id: self.request_id.map(storable),
            method: self.method.map(storable),
            params: self.params.unwrap_or_else(|| RawValue::from_string("{}".to_owned()).expect("an object")),
            phase: Phase::Reject,
            deadline: Instant::now() + RECORDING,
            token: self.token,
            transport: self.transport,
            observed: Map::new(),
            // The row needs the code alone; in the texts may stand what was sent, and a NUL among it.
            refusal: Some(Refusal {
                code: self.refusal.code.clone(),
                message: String::new(),
                details: json!({}),
                next: Vec::new(),
            }),
            is_read: false,
        };
        match live.door.call(&ask).await {
            Ok(answer) => Reply::refused(request_id, &self.refusal, answer.audit_id),
            Err(error) => {
                tracing::error!(code = %self.refusal.code, %error, "a rejected request could not be recorded");
                let refusal = Refusal::new(
                    "audit_append_failed",
                    "the request was rejected, and that could not be recorded",
                    ["striatum daemon status".to_owned()],
                )
                .with_details(json!({"cause": self.refusal.code}));
                Reply::refused(request_id, &refusal, None)
            }
        }
    }
}

/// Without NUL, which a text of PostgreSQL cannot hold.
fn storable(text: String) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Cut to 128 octets, between two characters.
fn cut(mut text: String) -> String {
    let end = (0..=text.len().min(128)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::{CallError, Explained};

    #[test]
    fn what_changes_nothing_leaves_nothing_open() {
        let said = |changes| match Explained::of(CallError::Unreachable("gone".to_owned()), changes) {
            Explained::Unrecorded(refusal) => refusal.message,
            Explained::Recorded(refusal) => panic!("{refusal:?}"),
        };
        assert!(said(true).contains("not known"));
        assert!(!said(false).contains("not known"));
    }
}
