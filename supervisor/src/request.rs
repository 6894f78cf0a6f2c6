//! What a client asks of a helper.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An operation and what it is given. On the wire `{id, op, ...}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operation {
    /// Who is there.
    Hello {},
    /// Every event that is held with a number above this one, and then each that comes.
    Events {
        /// The newest number that is known already; 0 for all.
        after: u64,
    },
    /// Everything up to this number is taken over and need not be held.
    Ack {
        /// A number that was sent.
        up_to: u64,
    },
    /// Octets for the terminal.
    Write {
        /// In base64 with padding.
        data_base64: String,
    },
    /// Another size of the terminal.
    Resize {
        /// Lines.
        rows: u16,
        /// Columns.
        cols: u16,
    },
    /// End the agent and everything that it started.
    Stop {
        /// Between SIGTERM and SIGKILL.
        grace_ms: u64,
    },
}

/// The names of the operations.
pub const OPERATIONS: &[&str] = &["hello", "events", "ack", "write", "resize", "stop"];

/// Why a request is not done. On the wire `{id, ok: false, error: {code, message}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refused {
    /// One of those in docs/reference/helper.md.
    pub code: String,
    /// For people.
    pub message: String,
}

impl Refused {
    /// A refusal.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// A line as id and operation; the id comes back with a refusal, too.
pub fn read(line: &[u8]) -> (Value, Result<Operation, Refused>) {
    let mut value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return (Value::Null, Err(Refused::new("request_malformed", error.to_string()))),
    };
    let Some(fields) = value.as_object_mut() else {
        return (Value::Null, Err(Refused::new("request_malformed", "a request is an object")));
    };
    let id = fields.remove("id").filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
    let operation = match fields.get("op").and_then(Value::as_str) {
        None => Err(Refused::new("request_malformed", "a request names its operation in `op`")),
        Some(op) if !OPERATIONS.contains(&op) => {
            Err(Refused::new("op_unknown", format!("operations are {}", OPERATIONS.join(", "))))
        }
        Some(_) => Operation::deserialize(value)
            .map_err(|error| Refused::new("request_malformed", error.to_string())),
    };
    (id, operation)
}

/// A reply: `{id, ok: true, ...data}`, or the refusal.
pub fn reply(id: Value, answer: Result<Value, Refused>) -> Value {
    match answer {
        Ok(mut data) => {
            data["id"] = id;
            data["ok"] = json!(true);
            data
        }
        Err(refused) => json!({"id": id, "ok": false, "error": refused}),
    }
}
