//! Calls through the `striatum` program on the path: one process a call, `--json`, and an id for each request.

use std::fmt::{self, Display};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use striatum_contract::refusal::ERROR_CODES;

use crate::nonce::nonce;
use crate::say;

/// How long a call is tried again whose refusal says that it may succeed later.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// The program, and how it is used.
pub(crate) struct Striatum {
    /// Whether each call is sent twice, as one request.
    pub(crate) repeats: bool,
}

/// Why an agent ends before it is told to.
#[derive(Debug, PartialEq)]
pub(crate) enum End {
    /// A call was refused for good.
    Refused { code: String, message: String },
    /// What the program said is no reply, or something on this host failed.
    Failed(String),
    /// A call under a finished lease was let through.
    OldLease(String),
    /// One request got two answers.
    TwoAnswers(String),
}

/// One answer: the whole reply, whether it was done or refused.
struct Answer(Value);

impl Striatum {
    /// Makes a call and answers its data.
    ///
    /// # Errors
    /// Its refusal, once trying again is of no use.
    pub(crate) fn call(&self, words: &[&str]) -> Result<Value, End> {
        say(&format!("> striatum {}", words.join(" ")));
        let until = Instant::now() + PATIENCE;
        let mut id = nonce();
        loop {
            let answer = ask(words, &id)?;
            let refused = match answer.outcome() {
                Ok(data) => {
                    // That there was nothing to do settled nothing, and may be otherwise by now.
                    if self.repeats && data["status"] != "no_work" {
                        same(words, &data, &ask(words, &id)?)?;
                    }
                    return Ok(data);
                }
                Err(refused) => refused,
            };
            say(&format!("  refused: {refused}"));
            if !refused.is_retryable() || Instant::now() > until {
                return Err(refused);
            }
            // What is on record is the answer to that request for good; what is not may have been lost on its way.
            if answer.is_recorded() {
                id = nonce();
            }
            std::thread::sleep(PAUSE);
        }
    }
}

fn ask(words: &[&str], id: &str) -> Result<Answer, End> {
    let output = Command::new("striatum")
        .args(words)
        .args(["--json", "--request-id", id])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| End::Failed(format!("`striatum` does not start: {error}")))?;
    Answer::read(&output)
}

/// Holds where a request that was sent once more got the answer that it had.
fn same(words: &[&str], first: &Value, second: &Answer) -> Result<(), End> {
    match second.outcome() {
        Ok(data) if data == *first => {
            say("  the same once more: the same answer");
            Ok(())
        }
        other => {
            Err(End::TwoAnswers(format!("{}: first {first}, then {other:?}", words.first().unwrap_or(&""))))
        }
    }
}

impl Answer {
    /// Done on standard output, refused on standard error.
    fn read(output: &Output) -> Result<Self, End> {
        let said = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
        serde_json::from_slice(said).map(Self).map_err(|_| {
            End::Failed(format!("what `striatum` said is no reply: {}", String::from_utf8_lossy(said)))
        })
    }

    fn outcome(&self) -> Result<Value, End> {
        if self.0["ok"] == true {
            return Ok(self.0["data"].clone());
        }
        let text = |key: &str| self.0["error"][key].as_str().unwrap_or_default().to_owned();
        Err(End::Refused { code: text("code"), message: text("message") })
    }

    /// Whether the database has it on record.
    fn is_recorded(&self) -> bool {
        self.0["audit_id"].is_string()
    }
}

impl End {
    /// Whether it is this refusal.
    pub(crate) fn is(&self, refusal: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == refusal)
    }

    fn is_retryable(&self) -> bool {
        ERROR_CODES.iter().any(|known| known.is_retryable && self.is(&known.code))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Refused { .. } | Self::Failed(_) => 1,
            Self::OldLease(_) => 3,
            Self::TwoAnswers(_) => 4,
        }
    }
}

impl Display for End {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, message } => write!(to, "{message} ({code})"),
            Self::Failed(why) => write!(to, "{why}"),
            Self::OldLease(call) => write!(to, "let through under a finished lease: {call}"),
            Self::TwoAnswers(what) => write!(to, "one request, two answers: {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Answer, End, same};

    #[test]
    fn a_refusal_says_whether_to_try_again() {
        let refused = |code| Answer(json!({"ok": false, "error": {"code": code, "message": "no"}}));
        let told = |code| refused(code).outcome().expect_err("a refusal");
        assert!(told("daemon_unreachable").is_retryable());
        assert!(told("session_backend_not_ready").is_retryable());
        assert!(!told("lease_not_held").is_retryable());
        assert!(!refused("busy").is_recorded());
        assert!(Answer(json!({"ok": false, "audit_id": "7"})).is_recorded());
    }

    #[test]
    fn a_repeated_request_has_to_have_its_first_answer() {
        let again = |data| Answer(json!({"ok": true, "data": data, "replayed": true}));
        let first = json!({"lease_id": "lease_1"});
        assert_eq!(same(&["ack"], &first, &again(json!({"lease_id": "lease_1"}))), Ok(()));
        let other = same(&["ack"], &first, &again(json!({"lease_id": "lease_2"})));
        assert!(matches!(other, Err(End::TwoAnswers(_))), "{other:?}");
    }
}
