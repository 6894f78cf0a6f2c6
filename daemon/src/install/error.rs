//! Why an installation stopped.

use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::Said;

/// Why an installation stopped.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The server or the database cannot hold striatum.
    #[error("{0}")]
    Unsuitable(String),
    /// Something only a superuser can make is missing.
    #[error("missing, and only a superuser can set it up: {}", .0.join("; "))]
    OwnerRightsMissing(Vec<&'static str>),
    /// Facts of the preamble do not hold, and nothing may be made of them, or making did not help.
    #[error("does not hold: {}", .0.join("; "))]
    PreambleUnmet(Vec<&'static str>),
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
    /// refinery failed in a way that is neither of the two above.
    #[error("applying the owner bundles")]
    Bundles(#[source] refinery_core::Error),
    /// A function file, or the body of a function in one, is not valid.
    #[error("applying {what}")]
    Function {
        /// The file below `sql/functions`, or the function.
        what: String,
        /// What PostgreSQL said.
        #[source]
        source: Said,
    },
    /// Somebody else held a lock for too long.
    #[error("something in the database is locked by somebody else")]
    Busy,
    /// Any other failure of the database.
    #[error("talking to the database")]
    Database(#[source] sqlx::Error),
}

impl From<sqlx::Error> for InstallError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(|said| said.code()).as_deref() {
            Some("55P03") => Self::Busy,
            _ => Self::Database(error),
        }
    }
}

impl InstallError {
    /// What a caller sees. Errors that are bugs or faults of the server carry no text from the inside.
    pub fn refusal(&self) -> Refusal {
        let said = self.to_string();
        match self {
            Self::Unsuitable(_) => Refusal::new(
                "database_unsuitable",
                said,
                ["create database striatum encoding 'UTF8'".to_owned()],
            ),
            Self::OwnerRightsMissing(facts) => Refusal::new(
                "owner_rights_missing",
                said,
                ["the same command with the URL of a superuser, once".to_owned()],
            )
            .with_details(json!({"missing": facts})),
            Self::PreambleUnmet(facts) => Refusal::new(
                "preamble_unmet",
                said,
                ["take away by hand what stands against it, then the same command again".to_owned()],
            )
            .with_details(json!({"unmet": facts})),
            Self::BundleDiffers { on_record, .. } => Refusal::new(
                "bundle_differs",
                said,
                ["the program of the version that applied it, or a database of its own for this one"
                    .to_owned()],
            )
            .with_details(json!({"bundle": on_record})),
            Self::DatabaseAhead(bundle) => {
                Refusal::new("database_ahead", said, ["a program that is as new as the database".to_owned()])
                    .with_details(json!({"bundle": bundle}))
            }
            Self::Busy => Refusal::new("busy", said, ["the same command again".to_owned()]),
            Self::Bundles(_) | Self::Function { .. } | Self::Database(_) => {
                Refusal::new("internal_error", said, ["the log, then the same command again".to_owned()])
            }
        }
    }
}
