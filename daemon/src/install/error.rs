//! Why an installation stopped.

use std::error::Error as _;

use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::{Lacking, Said};

/// Why an installation stopped.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The server or the database cannot hold striatum.
    #[error("{0}")]
    Unsuitable(String),
    /// Facts of the preamble do not hold.
    #[error("does not hold: {}", .0.sentences().join("; "))]
    Preamble(Lacking),
    /// A daemon serves from this database.
    #[error("a daemon serves from this database")]
    Serving,
    /// A bundle on record has another text than the one of the same number in this program.
    #[error("owner bundle {on_record} is on record, and this program carries {carried} with another text")]
    BundleDiffers {
        /// As the database has it.
        on_record: String,
        /// As this program has it.
        carried: String,
    },
    /// The database holds a bundle that this program does not know.
    #[error("owner bundle {0} is on record, and this program does not know it")]
    DatabaseAhead(String),
    /// A file of this program, or the body of a function in one, is not valid here.
    #[error("applying {what}")]
    Invalid {
        /// The file below `sql`, or the function.
        what: String,
        /// What PostgreSQL said.
        #[source]
        source: Said,
    },
    /// refinery stopped for a reason of its own: a record that was tampered with.
    #[error("applying the owner bundles")]
    Record(#[source] refinery_core::Error),
    /// Somebody else held a lock for too long.
    #[error("something in the database is locked by somebody else")]
    Busy,
    /// Any other failure of the database.
    #[error("talking to the database")]
    Database(#[source] sqlx::Error),
}

impl From<sqlx::Error> for InstallError {
    fn from(error: sqlx::Error) -> Self {
        if is_busy(&error) { Self::Busy } else { Self::Database(error) }
    }
}

impl InstallError {
    /// About a text of ours that PostgreSQL did not take.
    pub(super) fn about(what: String, error: &sqlx::Error, text: &str) -> Self {
        if is_busy(error) { Self::Busy } else { Self::Invalid { what, source: Said::about(error, text) } }
    }

    /// What a caller sees. Errors that are bugs or faults of the server carry no text from the inside.
    pub fn refusal(&self) -> Refusal {
        let said = self.to_string();
        let again = || "striatum db apply".to_owned();
        match self {
            Self::Unsuitable(_) => Refusal::new(
                "database_unsuitable",
                said,
                ["create database striatum template template0 encoding 'UTF8'; -- on PostgreSQL 15 or newer"
                    .to_owned()],
            ),
            Self::Preamble(lacking) => preamble(lacking, said),
            Self::Serving => {
                Refusal::new("daemon_serving", said, ["striatum daemon shutdown".to_owned(), again()])
            }
            Self::BundleDiffers { on_record, .. } => {
                let next = format!("striatum db apply, of the version that applied {on_record}");
                Refusal::new("bundle_differs", said, [next]).with_details(json!({"bundle": on_record}))
            }
            Self::DatabaseAhead(bundle) => {
                let next = format!("striatum db apply, of a version that carries {bundle}");
                Refusal::new("database_ahead", said, [next]).with_details(json!({"bundle": bundle}))
            }
            Self::Busy => Refusal::new("busy", said, [again()]),
            Self::Invalid { .. } | Self::Record(_) | Self::Database(_) => {
                Refusal::new("internal_error", said, [again()])
            }
        }
    }

    /// The whole chain of what happened, for the log.
    pub fn log_line(&self) -> String {
        let mut line = self.to_string();
        let mut source = self.source();
        while let Some(error) = source {
            line.push_str(&format!(": {error}"));
            source = error.source();
        }
        line
    }
}

/// Statements to take something back come first: they are for a person, whoever that is.
fn preamble(lacking: &Lacking, said: String) -> Refusal {
    let statements = lacking.to_take_back.iter().flat_map(|(_, statements)| statements.iter().cloned());
    let (code, again) = if lacking.to_take_back.is_empty() {
        ("owner_rights_missing", "striatum db apply --postgres-url URL, with the URL of a superuser")
    } else {
        ("preamble_unmet", "striatum db apply")
    };
    let by_hand: Vec<_> = lacking.to_take_back.iter().map(|(says, _)| says).collect();
    Refusal::new(code, said, statements.chain([again.to_owned()]).collect::<Vec<_>>())
        .with_details(json!({"missing": lacking.to_make, "to_take_back": by_hand}))
}

/// Not to be had within the time for it, or given up to undo a deadlock: a later try may succeed.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|said| said.code());
    matches!(code.as_deref(), Some("55P03" | "40P01"))
}
