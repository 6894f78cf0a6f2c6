//! `striatumd db`: what the owner of the database does with it.

mod apply;
mod export;
mod plan;
mod status;

use std::time::Duration;

use sqlx::{ConnectOptions as _, PgConnection};
use striatum_contract::refusal::Refusal;
use tokio::time::timeout;

pub use apply::apply;
pub use export::export;
pub use plan::plan;
pub use status::status;

use crate::config::Place;
use crate::install::InstallError;
use crate::said::Said;

/// How long a connection may take to come about.
const PATIENCE: Duration = Duration::from_secs(10);

/// As the login that the URL names.
async fn connect(place: &Place) -> Result<PgConnection, Refusal> {
    let problem = match timeout(PATIENCE, place.connect().connect()).await {
        Ok(Ok(connection)) => return Ok(connection),
        Ok(Err(error)) => match error.as_database_error() {
            Some(said) => said.message().to_owned(),
            None => error.to_string(),
        },
        Err(_) => "no connection came about".to_owned(),
    };
    Err(Refusal::new(
        "database_unreachable",
        format!("database {} cannot be reached: {problem}", place.name.as_str()),
        [
            "striatum local up".to_owned(),
            "striatum db status --postgres-url URL, with the URL of a server that runs".to_owned(),
        ],
    ))
}

/// The refusal; what a bug or the server said goes to the log alone.
fn told(error: &InstallError) -> Refusal {
    let refusal = error.refusal();
    if refusal.code == "internal_error" {
        tracing::error!(said = error.log_line(), "the installation stopped");
    }
    refusal
}
