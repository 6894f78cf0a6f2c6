//! Refusals: what a caller sees when something is not done.
//!
//! The codes are rows of `sql/functions/core/error_codes.sql`; `contract/errors.json` is generated from them and
//! compiled in, so that a program that never meets a database knows the same codes.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One code that a refusal may carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorCode {
    /// `<noun>_<what is wrong>`, never reused.
    pub code: String,
    /// What a command line program ends with, 1 to 125.
    pub exit_code: u8,
    /// The status of an HTTP answer, 400 to 599.
    pub http_status: u16,
    /// Whether the same request may succeed later without a change by the caller.
    pub is_retryable: bool,
    /// One sentence for the reference.
    pub explanation: String,
}

/// Every code there is, ordered by code.
pub static ERROR_CODES: LazyLock<Vec<ErrorCode>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../errors.json"))
        .expect("a test compares errors.json with a fresh database")
});

/// Why something was not done, and what to do instead: the `error` of a reply, and of `--json` output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// One of [`ERROR_CODES`]; in a reply perhaps one of a newer program's.
    pub code: Cow<'static, str>,
    /// One sentence that names the thing.
    pub message: String,
    /// Values that a program can use: an object, empty where there is none.
    pub details: Value,
    /// The exact commands or methods that resolve it, most likely first.
    pub next: Vec<String>,
}

impl Refusal {
    /// A refusal without details. A code that is not listed is a bug, which tests see as a panic.
    pub fn new(
        code: &'static str,
        message: impl Into<String>,
        next: impl IntoIterator<Item = String>,
    ) -> Self {
        debug_assert!(ERROR_CODES.iter().any(|known| known.code == code), "{code} is not an error code");
        let details = Value::Object(Default::default());
        Self { code: Cow::Borrowed(code), message: message.into(), details, next: next.into_iter().collect() }
    }

    /// The same refusal with details, an object.
    pub fn with_details(self, details: Value) -> Self {
        Self { details, ..self }
    }

    /// What a command line program ends with: the code's own, 1 where the code is not in the list.
    pub fn exit_code(&self) -> u8 {
        ERROR_CODES.iter().find(|known| known.code == self.code).map_or(1, |known| known.exit_code)
    }
}
