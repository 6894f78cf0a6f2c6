//! Parked: a daemon that may not serve, and why.

use serde_json::{Value, json};
use striatum_contract::refusal::Refusal;

/// Why, in a stable word, a sentence, and the commands that end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    /// `database_behind`, `database_ahead`, `functions_differ` or `database_unreachable`.
    pub reason: &'static str,
    /// One sentence.
    pub message: String,
    /// The exact commands.
    pub next: Vec<String>,
}

impl Parked {
    fn new(reason: &'static str, message: String, next: &[&str]) -> Self {
        Self { reason, message, next: next.iter().map(|step| (*step).to_owned()).collect() }
    }

    pub(crate) fn behind(what: &str) -> Self {
        let message = format!("the database lacks what this program needs: {what}");
        Self::new("database_behind", message, &["striatum db apply"])
    }

    pub(crate) fn installing() -> Self {
        let message = "striatum is being installed into the database".to_owned();
        Self::new("database_behind", message, &["striatum db status"])
    }

    pub(crate) fn ahead(what: &str) -> Self {
        let message = format!("the database holds what this program does not know: {what}");
        Self::new("database_ahead", message, &["striatum daemon start, of the version that applied it"])
    }

    pub(crate) fn functions_differ() -> Self {
        let message = "the functions in the database are not those of this program".to_owned();
        Self::new("functions_differ", message, &["striatum db apply"])
    }

    pub(crate) fn shut_out() -> Self {
        let message = "somebody has changed the password of the daemon's login, or its authority, and no other daemon \
                       has; it starts again";
        Self::new("database_unreachable", message.to_owned(), &["striatum daemon status"])
    }

    pub(crate) fn unreachable(said: &str) -> Self {
        let message = format!("the database cannot be reached: {said}");
        Self::new(
            "database_unreachable",
            message,
            &["striatum db status", "striatum db apply", "striatum local up"],
        )
    }

    /// What `daemon.hello` says of it.
    pub(crate) fn to_json(&self) -> Value {
        json!({"reason": self.reason, "message": self.message, "next": self.next})
    }

    /// What any other request is answered.
    pub(crate) fn refusal(&self) -> Refusal {
        Refusal::new("daemon_parked", self.message.clone(), self.next.clone())
            .with_details(json!({"reason": self.reason, "audit": "unavailable"}))
    }
}
