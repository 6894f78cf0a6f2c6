//! Where the PostgreSQL server of a test comes from.

use anyhow::Result;
use sqlx::postgres::PgConnectOptions;

use crate::private_cluster::PrivateCluster;

/// A PostgreSQL server that lives as long as this value, or as the test process, and holds nothing but its databases.
///
/// A trait because a server in a container is the second kind: the tests must not know on which they run.
pub trait Provider: Send + Sync {
    /// How a superuser connects; the caller names the database.
    fn admin(&self) -> PgConnectOptions;

    /// How a login with a password connects; the caller names database, login and password.
    fn login(&self) -> PgConnectOptions;
}

/// A server of the caller's own, for tests of what belongs to a whole server; `Database::fresh()` shares one. Each
/// setting is a line of `postgresql.conf`: `name = value`.
///
/// # Errors
/// Why there is none.
pub fn server(settings: &[&str]) -> Result<Box<dyn Provider>> {
    Ok(Box::new(PrivateCluster::start(settings)?))
}
