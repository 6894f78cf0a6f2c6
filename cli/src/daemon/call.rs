//! One call of a method: handshake, token, question, reply; once more where that is safe, and never past its time.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;
use striatum_contract::reply::{Outcome, Reply, ReplyProblem};
use striatum_contract::request::ENVELOPE;
use striatum_contract::shell_word::shell_path;
use striatum_contract::token::Token;

use super::connection::{Broken, Connection};
use super::place::Place;
use super::{Asked, request_id, token_file};

/// The method that puts a new token in the place of another.
const ROTATE: &str = "daemon.token.rotate";
/// What connecting may take.
const CONNECT: Duration = Duration::from_secs(5);
/// What a reply may take beyond the deadline that the daemon was told.
const GRACE: Duration = Duration::from_secs(5);
/// How often one question is put where the daemon is busy, or gone before it answered. The request id stays, so the
/// daemon can tell that it is one question.
const MOST_TRIES: u32 = 4;
/// The first wait between two tries; each next one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// A daemon as one command sees it.
pub(crate) struct Client<'p> {
    place: &'p Place,
    connection: Option<Connection>,
    /// Until then the daemon may work on what it is asked.
    deadline: Instant,
    token: Option<Token>,
}

/// A reply, and the line in which it came.
pub(crate) struct Replied {
    /// As the daemon sent it, without its line break.
    pub(crate) line: String,
    /// The same, read.
    pub(crate) reply: Reply,
    /// What became of this client's own token: where the new one is, or why it could not be put there.
    pub(crate) renewed: Option<Result<String, String>>,
}

/// What the daemon says when it is greeted. It says more than this program has to know.
#[derive(Deserialize)]
struct Welcome {
    envelope: u64,
    framing: String,
}

/// Why one try came to nothing.
enum Failed {
    /// The connection broke, so that nobody knows what became of the question.
    Broken(Broken),
    /// For good.
    Refused(Refusal),
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl<'p> Client<'p> {
    /// A client whose calls together may take so long.
    pub(crate) fn new(place: &'p Place, deadline: Duration) -> Self {
        Self { place, connection: None, deadline: Instant::now() + deadline, token: None }
    }

    /// Puts one question.
    pub(crate) fn call(&mut self, asked: &Asked<'_>) -> Result<Replied, Refusal> {
        let mut pause = FIRST_PAUSE;
        for tried in 1.. {
            let answer = self.attempt(asked);
            let may_try_again =
                tried < MOST_TRIES && self.deadline.saturating_duration_since(Instant::now()) > pause;
            match answer {
                Ok(replied) if may_try_again && is_busy(&replied.reply) => {}
                Ok(replied) => return Ok(replied),
                Err(Failed::Broken(Broken::Gone)) if may_try_again => self.connection = None,
                Err(Failed::Broken(broken)) => return Err(self.unanswered(&broken, asked)),
                Err(Failed::Refused(refusal)) => return Err(refusal),
            }
            wait(pause);
            pause *= 2;
        }
        unreachable!("the last try returns")
    }

    fn attempt(&mut self, asked: &Asked<'_>) -> Result<Replied, Failed> {
        if self.connection.is_none() {
            let mut connection = self.connect()?;
            self.greet(&mut connection)?;
            self.connection = Some(connection);
        }
        if self.token.is_none() {
            self.token = token_file::read(&self.place.token_file)?;
        }
        if self.token.is_none() && asked.method.capability.is_some() {
            return Err(token_file::missing(self.place).into());
        }
        let mut request = self.request(&asked.method.method, asked.request_id, asked.params);
        if let Some(token) = &self.token {
            request["capability_token"] = Value::from(token.reveal());
        }
        let until = self.deadline + GRACE;
        let connection = self.connection.as_mut().expect("it was opened above");
        let mut replied = exchange(connection, &request, until)?;
        replied.renewed = self.renewed(asked, &replied.reply);
        Ok(replied)
    }

    /// A command that renews the token it comes with leaves the new one where the old one was.
    fn renewed(&mut self, asked: &Asked<'_>, reply: &Reply) -> Option<Result<String, String>> {
        #[derive(Deserialize)]
        struct Renewed {
            token: String,
        }
        let used = self.token.as_ref()?;
        if asked.method.method != ROTATE || asked.params["client_id"] != used.client_id() {
            return None;
        }
        let Outcome::Done(data) = &reply.outcome else { return None };
        // What is answered once more shows no token.
        let renewed = serde_json::from_str::<Renewed>(data.get()).ok()?;
        let token = Token::parse(&renewed.token).ok()?;
        let file = &self.place.token_file;
        let kept = token_file::replace(file, used, &token);
        self.token = Some(token);
        Some(
            kept.map(|()| format!("the new token is in {}, in the place of the old one", file.display()))
                .map_err(|problem| {
                    format!(
                        "the new token could not be put into {}: {problem}; do so by hand",
                        file.display()
                    )
                }),
        )
    }

    fn connect(&self) -> Result<Connection, Refusal> {
        Connection::open(&self.place.socket, CONNECT).map_err(|error| unreachable(self.place, &error))
    }

    /// The handshake: both ends name what they speak before anything else is said.
    fn greet(&self, connection: &mut Connection) -> Result<(), Failed> {
        let client = json!({
            "name": "striatum", "version": env!("CARGO_PKG_VERSION"),
            "supported_envelope": [ENVELOPE], "supported_framings": ["json"],
        });
        let hello = self.request("daemon.hello", &request_id(), &json!({"client": client}));
        let Replied { reply, .. } = exchange(connection, &hello, self.deadline + GRACE)?;
        let data = match &reply.outcome {
            Outcome::Done(data) => data,
            Outcome::Refused(error) => {
                let refusal =
                    serde_json::from_str::<Refusal>(error.get()).map_err(|error| unreadable(&error))?;
                return Err(refusal.into());
            }
        };
        let welcome: Welcome = serde_json::from_str(data.get()).map_err(|error| unreadable(&error))?;
        if welcome.envelope != ENVELOPE || welcome.framing != "json" {
            return Err(incompatible(welcome.envelope, &welcome.framing).into());
        }
        Ok(())
    }

    fn request(&self, method: &str, request_id: &str, params: &Value) -> Value {
        let left = self.deadline.saturating_duration_since(Instant::now()).as_millis();
        json!({
            "schema_version": ENVELOPE, "request_id": request_id, "method": method, "params": params,
            "deadline_ms": u64::try_from(left).unwrap_or(u64::MAX),
        })
    }

    /// The refusal about a question that nobody answered. Putting it once more with its id tells what became of it.
    fn unanswered(&self, broken: &Broken, asked: &Asked<'_>) -> Refusal {
        let socket = self.place.socket.display();
        let next = [asked.again.clone()];
        let details = json!({"request_id": asked.request_id});
        match broken {
            Broken::Garbled(problem) => {
                let message = format!("what came back from {socket} {problem}");
                Refusal::new("reply_unreadable", message, next)
            }
            Broken::Gone => {
                let message = format!("the daemon on {socket} closed the connection before it answered");
                Refusal::new("daemon_unreachable", message, next)
            }
            Broken::Late => {
                let message = format!("the daemon on {socket} did not answer in time");
                Refusal::new("daemon_unreachable", message, next)
            }
        }
        .with_details(details)
    }
}

/// The refusal where nobody answers. A socket that is another's is not mended by starting a daemon of one's own.
fn unreachable(place: &Place, error: &std::io::Error) -> Refusal {
    let socket = place.socket.display();
    let (message, next) = match error.kind() {
        std::io::ErrorKind::PermissionDenied => (
            format!("the socket {socket} is another user's, and this user may not use it: {error}"),
            [
                format!("ls -ld {}", shell_path(&place.socket)),
                "the same command, as the user whose daemon it is".to_owned(),
            ],
        ),
        _ => (
            format!("no daemon answers on {socket}: {error}"),
            ["local up", "daemon start"].map(|words| place.command(words)),
        ),
    };
    Refusal::new("daemon_unreachable", message, next)
}

/// Sends a request and takes its reply.
fn exchange(connection: &mut Connection, request: &Value, until: Instant) -> Result<Replied, Failed> {
    let line = connection.exchange(format!("{request}\n").as_bytes(), until).map_err(Failed::Broken)?;
    let reply = match Reply::read(&line) {
        Ok(reply) => reply,
        Err(ReplyProblem::Version(version)) => return Err(incompatible(version, "json").into()),
        Err(problem) => return Err(unreadable(&problem).into()),
    };
    // Nothing in the reply says to whom it belongs where the daemon could not read the request.
    if reply.request_id != request["request_id"] && !(reply.request_id.is_empty() && is_refused(&reply)) {
        return Err(unreadable(&"it answers another request").into());
    }
    Ok(Replied { line, reply, renewed: None })
}

fn is_refused(reply: &Reply) -> bool {
    matches!(reply.outcome, Outcome::Refused(_))
}

fn is_busy(reply: &Reply) -> bool {
    matches!(reply.outcome.refusal(), Ok(Some(refusal)) if refusal.code == "busy")
}

pub(super) fn unreadable(problem: &dyn std::fmt::Display) -> Refusal {
    let message = format!("what came back is no reply to what was asked: {problem}");
    Refusal::new("reply_unreadable", message, ["striatum daemon status".to_owned()])
}

fn incompatible(envelope: u64, framing: &str) -> Refusal {
    let message = format!(
        "the daemon speaks envelope {envelope} in {framing}, and this program envelope {ENVELOPE} in json"
    );
    Refusal::new("version_incompatible", message, ["striatum --version".to_owned()])
}

#[expect(clippy::disallowed_methods, reason = "nothing tells when a busy daemon is free again")]
fn wait(pause: Duration) {
    std::thread::sleep(pause);
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::super::place::Place;
    use super::{ROTATE, unreachable};

    #[test]
    fn the_method_that_renews_a_token_exists() {
        let method = striatum_contract::methods::find(ROTATE).expect("a method");
        assert!(method.params["properties"]["client_id"].is_object());
    }

    #[test]
    fn a_socket_of_another_user_is_said_to_be_that() {
        let place = Place::for_test("/run/s/striatumd.sock", "a");
        let refusal = unreachable(&place, &Error::from(ErrorKind::PermissionDenied));
        assert!(refusal.message.starts_with("the socket /run/s/striatumd.sock is another user's"));
        assert_eq!(refusal.next[0], "ls -ld /run/s/striatumd.sock");
        assert!(!refusal.next.iter().any(|step| step.contains("daemon start")), "{:?}", refusal.next);
        let refusal = unreachable(&place, &Error::from(ErrorKind::NotFound));
        assert_eq!(refusal.next, ["striatum local up --instance a", "striatum daemon start --instance a"]);
    }
}
