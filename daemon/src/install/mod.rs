//! Puts striatum into a database: preamble, owner bundles, functions, in this order.
//!
//! Runs over one connection. A superuser makes everything, also what is cluster-wide (roles and their settings);
//! any other login that is a member of `striatum_owner` can apply bundles and functions once that is there. Each
//! step can be repeated: what holds already is left alone.

mod bundles;
mod error;
mod facts;
mod functions;
mod name;
mod preamble;
mod said;
mod source;

use sqlx::PgConnection;

pub use error::InstallError;
pub use functions::stamp;
pub use name::DatabaseName;
pub use said::Said;
pub use source::functions_sha256;

/// What an apply changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// What the preamble had to make, by the sentence that now holds.
    pub preamble: Vec<&'static str>,
    /// The owner bundles that were applied now, by file name without its ending.
    pub bundles: Vec<String>,
    /// Whether the functions were replaced, because the installed ones were others.
    pub functions: bool,
}

/// Brings the database of this connection to what this program carries. One apply runs at a time in a database;
/// another waits. The connection comes outside of a transaction, and is handed back with its role and its settings
/// reset to what it began with.
///
/// # Errors
/// [`InstallError`], each with a code and a next step. The preamble's facts, each bundle, and the functions as a
/// whole are transactions of their own: what was made before an error stays, and the next apply goes on from there.
pub async fn apply(connection: &mut PgConnection) -> Result<Applied, InstallError> {
    sqlx::raw_sql(ENTER).execute(&mut *connection).await?;
    let applied = apply_alone(connection).await;
    let left = sqlx::raw_sql(LEAVE).execute(&mut *connection).await;
    let applied = applied?;
    left?;
    Ok(applied)
}

/// Settings of the login, of the database or of the caller must not decide what an installation means: nothing that
/// somebody else put into another schema answers to a name used here, and text is read as it was written. The wait for
/// another apply may be long, every other wait is not.
const ENTER: &str = "
set role none;
set search_path = pg_catalog, pg_temp;
set default_transaction_isolation = 'read committed';
set default_transaction_read_only = off;
set standard_conforming_strings = on;
set row_security = on;
set statement_timeout = 0;
set lock_timeout = 0;
select pg_advisory_lock(hashtextextended('striatum:install', 0));
set lock_timeout = '5s'";

const LEAVE: &str = "
reset role;
select pg_advisory_unlock(hashtextextended('striatum:install', 0));
reset all";

async fn apply_alone(connection: &mut PgConnection) -> Result<Applied, InstallError> {
    let database = preamble::suitable(connection).await?;
    let preamble = preamble::establish(connection, &database).await?;
    sqlx::query("set role striatum_owner").execute(&mut *connection).await?;
    let bundles = bundles::apply(connection).await?;
    let functions = functions::apply(connection).await?;
    Ok(Applied { preamble, bundles, functions })
}
