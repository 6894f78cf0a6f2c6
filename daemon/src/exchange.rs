//! What is said on a connection: read, greet, hold to the schema, answer.
//!
//! Nothing is decided here. What ends before the door is reported to it, so that every request has its audit row.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use striatum_contract::methods;
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::{Outcome, Reply};
use striatum_contract::request::{ENVELOPE, Request, Unread};
use tokio::sync::OwnedRwLockReadGuard;
use tokio::task::block_in_place;
use tokio::time::Instant;

use crate::course::{Course, Gone};
use crate::door::{Ask, CallError, Phase, Transport};
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

impl Exchange {
    /// For a new connection.
    pub fn new(daemon: Arc<Daemon>, transport: Transport) -> Self {
        Self { daemon, transport, has_greeted: false, malformed: 0 }
    }

    /// Whether it has begun with a greeting.
    pub fn has_greeted(&self) -> bool {
        self.has_greeted
    }

    /// Answers one line. Once the caller is gone, nothing is waited for in its name.
    pub async fn answer(&mut self, line: &[u8], gone: impl Future<Output = ()> + Send) -> Said {
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
                let reply = self.request(&live, request, pin!(gone)).await;
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

    async fn request(&mut self, live: &Live, mut request: Request, gone: Gone<'_>) -> Reply {
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
        let wait_ms = request.params["wait_ms"].as_u64();
        // From here on the text alone counts; the tree of a long one takes many times its room.
        request.params = Value::Null;
        let method = match found {
            Ok(method) => method,
            Err(refusal) => {
                return Rejected::new(request, refusal, self.transport).report(live, request_id).await;
            }
        };
        let deadline = Instant::now() + Duration::from_millis(request.deadline_ms);
        let course = Course { live, request, method, deadline, wait_ms, transport: self.transport };
        let reply = match course.run(gone).await {
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

/// Works on so many octets: where they are many, off the threads that serve.
fn apart<T>(octets: usize, work: impl FnOnce() -> T) -> T {
    if octets > SMALL { block_in_place(work) } else { work() }
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
            CallError::Unsettled(_) => {
                Self::of(CallError::Internal("a call settled nothing that had to".to_owned()), changes)
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
            is_final: true,
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
