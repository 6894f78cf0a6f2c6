//! Where the PostgreSQL server of a test run comes from.

use sqlx::postgres::PgConnectOptions;

/// A PostgreSQL server that lives as long as the test process and holds nothing but its databases.
///
/// A trait because a server in a container is the second kind: the tests must not know on which they run.
pub trait Provider: Send + Sync {
    /// How a superuser connects; the caller names the database.
    fn admin(&self) -> PgConnectOptions;

    /// How a login with a password connects; the caller names database, login and password.
    fn login(&self) -> PgConnectOptions;
}
