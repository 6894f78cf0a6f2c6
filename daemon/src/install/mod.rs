//! Puts striatum into a database: preamble, owner bundles, functions, in this order.
//!
//! Runs over one connection. A superuser makes everything, also what is cluster-wide (roles and their settings);
//! any other login that is a member of `striatum_owner` can apply bundles and functions once that is there. Each
//! step can be repeated: facts that hold and bundles that were applied are left alone, functions are made anew.

mod bundles;
mod error;
mod facts;
mod functions;
mod name;
mod plan;
mod preamble;
mod said;
mod source;

use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection};

pub use bundles::{Bundles, OnRecord};
pub use error::InstallError;
pub use functions::{Functions, stamp};
pub use name::DatabaseName;
pub use plan::{Plan, plan};
pub use preamble::Lacking;
pub use said::Said;
pub use source::functions_sha256;

/// How often an installation looks whether the serving lock is free before it says that a daemon serves.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// What an apply changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// What the preamble had to make, by the sentence that now holds.
    pub preamble: Vec<&'static str>,
    /// The owner bundles that were applied now, by file name without its ending.
    pub bundles: Vec<String>,
    /// Whether other functions were there before, by their stamp. They are replaced in any case.
    pub functions: bool,
}

/// Brings the database of this connection to what this program carries. One apply runs at a time in a database, and
/// none while a daemon serves from it. `patience` bounds every wait for a lock. The connection comes outside of a
/// transaction, and is handed back with its role and its settings reset to what it began with.
///
/// # Errors
/// [`InstallError`], each with a code and a next step. The preamble's facts, each bundle, and the functions as a
/// whole are transactions of their own: what was made before an error stays, and the next apply goes on from there.
pub async fn apply(connection: &mut PgConnection, patience: Duration) -> Result<Applied, InstallError> {
    alone(connection, patience, everything).await
}

/// The preamble alone: what a clone of an installed database lacks, since a template hands on neither roles nor rights
/// on the database itself.
///
/// # Errors
/// As [`apply`].
pub async fn establish(
    connection: &mut PgConnection,
    patience: Duration,
) -> Result<Vec<&'static str>, InstallError> {
    alone(connection, patience, preamble).await
}

/// Whether a database holds what this program carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// It does.
    Fits,
    /// It lacks this bundle, or holds it with another text.
    Behind(String),
    /// It holds this bundle, which the program does not know.
    Ahead(String),
    /// The bundles are the same, the functions are others.
    FunctionsDiffer,
}

/// What this program carries, as a database says it of itself that holds the same.
pub fn carried() -> serde_json::Value {
    serde_json::json!({"bundles": bundles::carried(), "functions_sha256": functions_sha256()})
}

/// Compares what a database says of itself with what this program carries.
pub fn compare(bundles: &[OnRecord], functions_sha256: Option<&str>) -> Fit {
    match bundles::compare(bundles) {
        Fit::Fits if functions_sha256 != Some(source::functions_sha256().as_str()) => Fit::FunctionsDiffer,
        fit => fit,
    }
}

async fn everything(connection: &mut PgConnection) -> Result<Applied, InstallError> {
    let preamble = preamble(connection).await?;
    sqlx::query("set role striatum_owner").execute(&mut *connection).await?;
    let bundles = bundles::apply(connection).await?;
    let functions = functions::apply(connection).await?;
    Ok(Applied { preamble, bundles, functions })
}

async fn preamble(connection: &mut PgConnection) -> Result<Vec<&'static str>, InstallError> {
    let database = preamble::suitable(connection).await?;
    preamble::establish(connection, &database).await
}

/// Does the work under the settings and the locks of an installation, and takes them back whatever comes of it.
async fn alone<T>(
    connection: &mut PgConnection,
    patience: Duration,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, InstallError>,
) -> Result<T, InstallError> {
    let outcome = match enter(connection, patience).await {
        Ok(()) => work(connection).await,
        Err(error) => Err(error),
    };
    let left = sqlx::raw_sql(LEAVE).execute(connection).await;
    let outcome = outcome?;
    left?;
    Ok(outcome)
}

async fn enter(connection: &mut PgConnection, patience: Duration) -> Result<(), InstallError> {
    // To PostgreSQL 0 means without end, and the most is what fits into 31 bits.
    let patience = format!("set lock_timeout = {}", patience.as_millis().clamp(1, i32::MAX as u128));
    sqlx::raw_sql(ENTER).execute(&mut *connection).await?;
    sqlx::raw_sql(AssertSqlSafe(patience)).execute(&mut *connection).await?;
    sqlx::query("select pg_advisory_lock(hashtextextended('striatum:install', 0))")
        .execute(&mut *connection)
        .await?;
    // A parked daemon holds it for the moment in which it looks; one that serves does not let go of it.
    for _ in 0..LOOKS {
        let is_free: bool =
            sqlx::query_scalar("select pg_try_advisory_lock(hashtextextended('striatum:serving', 0))")
                .fetch_one(&mut *connection)
                .await?;
        if is_free {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(InstallError::Serving)
}

/// Settings of the login, of the database or of the caller must not decide what an installation means: nothing that
/// somebody else put into another schema answers to a name used here, and text is read as it was written.
const ENTER: &str = "
set role none;
set search_path = pg_catalog, pg_temp;
set default_transaction_isolation = 'read committed';
set default_transaction_read_only = off;
set standard_conforming_strings = on;
set row_security = on;
set statement_timeout = 0";

const LEAVE: &str = "
reset role;
select pg_advisory_unlock(hashtextextended('striatum:serving', 0));
select pg_advisory_unlock(hashtextextended('striatum:install', 0));
reset all";
