//! The reply to a request, as it goes over the wire: one line, written by the daemon and read by its clients.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::refusal::Refusal;
use crate::request::ENVELOPE;

/// One reply. What the database said stays as the text that it is.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Of the request that it answers; empty where that could not be read.
    pub request_id: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The row of the audit chain, in decimal; `None` where none was written.
    pub audit_id: Option<String>,
    /// Whether the request was answered before, and this is the stored answer.
    pub is_replayed: bool,
    /// Whether effects of it are not finished yet.
    pub has_pending_effects: bool,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It was done: its `data`, an object.
    Done(Box<RawValue>),
    /// It was not: its `error`, in the shape of a [`Refusal`].
    Refused(Box<RawValue>),
}

/// Why a line is no reply of envelope 1.
#[derive(Debug, thiserror::Error)]
pub enum ReplyProblem {
    /// It has not the shape of one.
    #[error("it has not the shape of a reply")]
    Shape(#[source] serde_json::Error),
    /// It speaks another version.
    #[error("it is a reply of envelope {0}, and only envelope 1 is spoken here")]
    Version(u64),
    /// It has neither data nor an error, or both.
    #[error("it does not hold exactly one of data and error, as its `ok` says")]
    Halves,
}

/// The members in the order in which they are written. Keys that are added later are passed over.
#[derive(Serialize, Deserialize)]
struct Line {
    schema_version: u64,
    request_id: String,
    ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    audit_id: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    replayed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    effects: Option<Effects>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Effects {
    Pending,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Reply {
    /// A refusal by the daemon itself.
    pub fn refused(request_id: impl Into<String>, refusal: &Refusal, audit_id: Option<String>) -> Self {
        let error = serde_json::value::to_raw_value(refusal).expect("a refusal is texts and JSON");
        let outcome = Outcome::Refused(error);
        let request_id = request_id.into();
        Self { request_id, outcome, audit_id, is_replayed: false, has_pending_effects: false }
    }

    /// The reply as one line, its line break at the end and nowhere else.
    pub fn to_line(&self) -> Vec<u8> {
        let (data, error) = match &self.outcome {
            Outcome::Done(data) => (Some(data.clone()), None),
            Outcome::Refused(error) => (None, Some(error.clone())),
        };
        let line = Line {
            schema_version: ENVELOPE,
            request_id: self.request_id.clone(),
            ok: data.is_some(),
            data,
            error,
            audit_id: self.audit_id.clone(),
            replayed: self.is_replayed,
            effects: self.has_pending_effects.then_some(Effects::Pending),
        };
        let mut text = serde_json::to_vec(&line).expect("texts and JSON");
        // A line break in a raw half stands between two tokens: within a text it is an escape.
        for octet in text.iter_mut().filter(|octet| matches!(octet, b'\n' | b'\r')) {
            *octet = b' ';
        }
        text.push(b'\n');
        text
    }

    /// Reads one line, with or without its line break.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(line: &str) -> Result<Self, ReplyProblem> {
        let line: Line = serde_json::from_str(line).map_err(ReplyProblem::Shape)?;
        if line.schema_version != ENVELOPE {
            return Err(ReplyProblem::Version(line.schema_version));
        }
        let outcome = match (line.ok, line.data, line.error) {
            (true, Some(data), None) => Outcome::Done(data),
            (false, None, Some(error)) => Outcome::Refused(error),
            _ => return Err(ReplyProblem::Halves),
        };
        Ok(Self {
            request_id: line.request_id,
            outcome,
            audit_id: line.audit_id,
            is_replayed: line.replayed,
            has_pending_effects: line.effects.is_some(),
        })
    }
}

impl Outcome {
    /// The refusal, typed; `None` where the request was done.
    ///
    /// # Errors
    /// The error has another shape.
    pub fn refusal(&self) -> Result<Option<Refusal>, ReplyProblem> {
        match self {
            Self::Done(_) => Ok(None),
            Self::Refused(error) => serde_json::from_str(error.get()).map(Some).map_err(ReplyProblem::Shape),
        }
    }
}
