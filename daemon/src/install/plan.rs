//! What an apply would do, looked at and not done.

use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection};

use super::{Bundles, DatabaseName, Functions, InstallError, Lacking, bundles, functions, preamble};

/// What an apply would find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Where.
    pub database: DatabaseName,
    /// Whether the login that looked could make what the preamble lacks.
    pub is_superuser: bool,
    /// Facts around the schema that do not hold.
    pub preamble: Lacking,
    /// The owner bundles.
    pub bundles: Bundles,
    /// The functions.
    pub functions: Functions,
    /// Whether a daemon serves from this database.
    pub is_serving: bool,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn holds(&self) -> bool {
        self.preamble.is_empty()
            && self.bundles == Bundles { on_record: self.bundles.on_record, ..Bundles::default() }
            && self.functions == Functions::AsCarried
    }
}

/// Looks at the database of this connection, in one snapshot and in a transaction that can write nothing.
///
/// # Errors
/// The database cannot hold striatum, or this login may not look: it is neither a superuser nor a member of the owner.
pub async fn plan(connection: &mut PgConnection, patience: Duration) -> Result<Plan, InstallError> {
    sqlx::raw_sql(BEGIN).execute(&mut *connection).await?;
    let patience = format!("set local lock_timeout = {}", patience.as_millis().clamp(1, i32::MAX as u128));
    sqlx::raw_sql(AssertSqlSafe(patience)).execute(&mut *connection).await?;
    let outcome = look(connection).await;
    let ended = sqlx::raw_sql("rollback").execute(connection).await;
    let plan = outcome?;
    ended?;
    Ok(plan)
}

async fn look(connection: &mut PgConnection) -> Result<Plan, InstallError> {
    let database = preamble::suitable(connection).await?;
    let is_superuser = preamble::is_superuser(connection).await?;
    let preamble = preamble::look(connection, &database).await?;
    if !preamble::may_act_as_the_owner(connection).await? {
        return Err(InstallError::Preamble(preamble));
    }
    sqlx::query(ACT_AS_THE_OWNER).execute(&mut *connection).await?;
    let bundles = bundles::differences(&bundles::look(connection).await?);
    let functions = match (bundles.on_record, bundles.differing.as_slice()) {
        (0, _) => Functions::Missing,
        // Of tables with another text nobody knows what they hold.
        (_, [_, ..]) => Functions::OfAnotherVersion,
        (_, []) => functions::look(connection).await?,
    };
    let is_serving: bool = sqlx::query_scalar(SERVING).fetch_one(connection).await?;
    Ok(Plan { database, is_superuser, preamble, bundles, functions, is_serving })
}

/// The settings of an installation, for this transaction alone.
const BEGIN: &str = "
begin transaction isolation level repeatable read, read only;
set local role none;
set local search_path = pg_catalog, pg_temp;
set local standard_conforming_strings = on;
set local row_security = on;
set local statement_timeout = 0";

/// Where there is an owner. A member need not inherit what the owner may.
const ACT_AS_THE_OWNER: &str =
    "select set_config('role', 'striatum_owner', true) where to_regrole('striatum_owner') is not null";

/// Whether somebody holds the serving lock of this database.
const SERVING: &str = "
select exists (select from pg_locks l join pg_database d on d.oid = l.database
                where d.datname = current_database() and l.locktype = 'advisory' and l.granted and l.objsubid = 1
                  and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('striatum:serving', 0))";
