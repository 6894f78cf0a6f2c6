//! What PostgreSQL said about a text of ours, in words that lead to the place.

use sqlx::postgres::{PgDatabaseError, PgErrorPosition};

/// What PostgreSQL said: the line of our text where it can be told, the message, the code, and the context. sqlx's own
/// words end in a line of PostgreSQL's C source, which leads nowhere.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Said(String);

impl Said {
    /// About a statement that failed; `text` is what was sent.
    pub fn about(error: &sqlx::Error, text: &str) -> Self {
        let Some(said) = error.as_database_error().and_then(|e| e.try_downcast_ref::<PgDatabaseError>())
        else {
            return Self(error.to_string());
        };
        let line = match said.position() {
            Some(PgErrorPosition::Original(at)) => line(text, at),
            Some(PgErrorPosition::Internal { position, query }) => line(query, position),
            None => String::new(),
        };
        let context = said.r#where().map(|context| format!("\n{context}")).unwrap_or_default();
        Self(format!("{line}{} ({}){context}", said.message(), said.code()))
    }
}

fn line(text: &str, at: usize) -> String {
    format!("line {}: ", text.chars().take(at).filter(|c| *c == '\n').count() + 1)
}
