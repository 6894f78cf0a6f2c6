//! The strict reader of one request line.
//!
//! Whatever it lets pass is a request of envelope 1 whose params PostgreSQL keeps as they were written. Everything that
//! is wrong is said at once.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, Value};
use serde_json::{from_str, json};

use crate::json::{Found, walk};
use crate::nearest::nearest;
use crate::problem::{Problem, Problems};
use crate::refusal::Refusal;
use crate::token::Token;

/// The one version of the envelope.
pub const ENVELOPE: u64 = 1;
/// Octets that a request line may have, its line break not counted. Whoever reads from a socket stops there.
pub const LONGEST_LINE: usize = 8 << 20;
/// What a caller waits for who says nothing, in milliseconds.
pub const DEADLINE_MS: u64 = 30_000;
/// The longest that a caller may ask to wait, in milliseconds: an hour.
pub const LONGEST_DEADLINE_MS: u64 = 3_600_000;

/// Octets that the name of a method and a request id may have.
const LONGEST_NAME: usize = 128;
/// The keys of the envelope.
const KEYS: [&str; 6] =
    ["schema_version", "request_id", "method", "params", "capability_token", "deadline_ms"];

/// One request, as it came over the wire.
#[derive(Clone)]
pub struct Request {
    /// Made by the client, the same at every retry: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
    pub request_id: String,
    /// The name of the method, 1 to 128 octets; not yet known to be one.
    pub method: String,
    /// Its params, an object; not yet held against the schema of the method.
    pub params: Value,
    /// The same as the text in which they were sent.
    pub params_text: Box<RawValue>,
    /// Who asks, as far as they say.
    pub capability_token: Option<Token>,
    /// How long the caller waits, in milliseconds.
    pub deadline_ms: u64,
}

/// Without the params: they may hold what no log should.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("request_id", &self.request_id)
            .field("method", &self.method)
            .field("capability_token", &self.capability_token)
            .field("deadline_ms", &self.deadline_ms)
            .finish_non_exhaustive()
    }
}

/// A line that is no request.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Why: `schema_invalid`, `version_incompatible` or `token_malformed`.
    pub refusal: Refusal,
    /// Whether the line is no JSON at all. A connection on which that happens thrice is closed.
    pub is_malformed: bool,
    /// The request id as far as it could be read, cut to 128 octets. It may break the rules for one.
    pub request_id: Option<String>,
    /// The method as far as it could be read, cut likewise.
    pub method: Option<String>,
}

impl Request {
    /// Reads one line, with or without its line break.
    ///
    /// # Errors
    /// All that is wrong with it, and whose audit row it belongs to as far as that could be read.
    pub fn read(line: &[u8]) -> Result<Self, Box<Unread>> {
        let Found { problems, is_malformed, told, .. } = walk(line, &["request_id", "method"], LONGEST_NAME);
        let read = if problems.is_empty() {
            let text = std::str::from_utf8(line).expect("texts were checked, and all else in JSON is ASCII");
            envelope(text)
        } else {
            Err(problems.into_refusal(next()))
        };
        read.map_err(|refusal| {
            let told = |key| told.iter().find(|(known, _)| *known == key).map(|(_, text)| text.clone());
            Box::new(Unread { refusal, is_malformed, request_id: told("request_id"), method: told("method") })
        })
    }
}

fn next() -> [String; 1] {
    ["daemon.describe".to_owned()]
}

/// Reads the envelope of a text that a walk has let pass.
fn envelope(text: &str) -> Result<Request, Refusal> {
    let Ok(members) = from_str::<BTreeMap<String, &RawValue>>(text) else {
        let mut problems = Problems::default();
        problems.add(|| about("", "is no object", "send one JSON object a line"));
        return Err(problems.into_refusal(next()));
    };
    let mut envelope = Envelope { members, problems: Problems::default() };
    // The other keys of another version may well mean something else.
    if let Some(version) = envelope.required::<u64>("schema_version", "the number 1")
        && version != ENVELOPE
    {
        return Err(other_version(version));
    }
    let request_id = envelope.required::<String>("request_id", "a text");
    let method = envelope.required::<String>("method", "a text");
    let params = envelope.optional::<Box<RawValue>>("params", "an object");
    let token = envelope.optional::<String>("capability_token", "a text; without one leave the key out");
    let deadline = format!("an integer from 0 to {LONGEST_DEADLINE_MS}");
    let deadline_ms = envelope.optional::<u64>("deadline_ms", &deadline).unwrap_or(DEADLINE_MS);
    let Envelope { members, mut problems } = envelope;

    if request_id.as_ref().is_some_and(|id| !is_request_id(id)) {
        let hint = "use 1 to 128 characters of A-Z a-z 0-9 . _ : -";
        problems.add(|| about("/request_id", "is no request id", hint));
    }
    if method.as_ref().is_some_and(|method| method.is_empty() || method.len() > LONGEST_NAME) {
        problems.add(|| about("/method", "is no name of a method", "use 1 to 128 octets, such as repo.add"));
    }
    if deadline_ms > LONGEST_DEADLINE_MS {
        problems.add(|| about("/deadline_ms", "is too long", &format!("send {deadline}")));
    }
    let params_text = params.unwrap_or_else(empty_object);
    let params: Value = from_str(params_text.get()).expect("a walk let it pass");
    if !params.is_object() {
        problems.add(|| about("/params", "is no object", "send an object; without params leave it out"));
    }
    for key in members.keys() {
        problems.add(|| unknown_key("", key, KEYS));
    }
    if !problems.is_empty() {
        return Err(problems.into_refusal(next()));
    }
    let (Some(request_id), Some(method)) = (request_id, method) else {
        unreachable!("what is missing was noted as a problem")
    };
    let capability_token = token.map(|token| Token::parse(&token)).transpose()?;
    Ok(Request { request_id, method, params, params_text, capability_token, deadline_ms })
}

/// Whether a text may be the id of a request: 1 to 128 of `A-Z a-z 0-9 . _ : -`.
pub fn is_request_id(text: &str) -> bool {
    let is_allowed = |octet: u8| octet.is_ascii_alphanumeric() || b"._:-".contains(&octet);
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// The members of the envelope that nobody has asked for yet.
struct Envelope<'t> {
    members: BTreeMap<String, &'t RawValue>,
    problems: Problems,
}

impl Envelope<'_> {
    fn required<T: DeserializeOwned>(&mut self, key: &str, shape: &str) -> Option<T> {
        if !self.members.contains_key(key) {
            self.problems.add(|| about("", &format!("lacks the key `{key}`"), &format!("send {shape}")));
        }
        self.optional(key, shape)
    }

    fn optional<T: DeserializeOwned>(&mut self, key: &str, shape: &str) -> Option<T> {
        let value = self.members.remove(key)?;
        let value = from_str(value.get()).ok();
        if value.is_none() {
            self.problems.add(|| about(&format!("/{key}"), "has another shape", &format!("send {shape}")));
        }
        value
    }
}

fn other_version(version: u64) -> Refusal {
    let message = format!("the request has envelope {version}, and only envelope {ENVELOPE} is spoken here");
    Refusal::new("version_incompatible", message, ["daemon.hello".to_owned()])
        .with_details(json!({"supported_envelope": [ENVELOPE], "envelope": version}))
}

fn empty_object() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an object")
}

fn about(pointer: &str, problem: &str, hint: &str) -> Problem {
    Problem { pointer: pointer.to_owned(), problem: problem.to_owned(), hint: hint.to_owned() }
}

/// A key that is not known, and the one that was meant.
pub(crate) fn unknown_key<'k>(
    object: &str,
    key: &str,
    known: impl IntoIterator<Item = &'k str> + Clone,
) -> Problem {
    let mut pointer = object.to_owned();
    crate::problem::step(&mut pointer, key);
    let hint = match nearest(key, known.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let known: Vec<&str> = known.into_iter().collect();
            if known.is_empty() {
                "leave it out".to_owned()
            } else {
                format!("leave it out; known are {}", known.join(", "))
            }
        }
    };
    Problem { pointer, problem: "is no key that is known".to_owned(), hint }
}
