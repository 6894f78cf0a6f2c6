//! Where the PostgreSQL server of a test comes from.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};
use sqlx::postgres::{PgConnectOptions, PgSslMode};

#[cfg(feature = "container")]
use crate::container::start as start_container;
use crate::keeper::Keeper;
use crate::private_cluster;

/// A PostgreSQL server that lives as long as this value, or as the test process, and holds nothing but its databases.
/// It listens on a socket that only its own user (and root) can open, and on nothing else.
pub struct Provider {
    keeper: Keeper,
}

/// How a server is told to stop, in PostgreSQL's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// Open transactions are rolled back, all is written down, the next start has nothing to recover.
    Fast,
    /// Everything is dropped; the next start recovers from the log of changes.
    Immediate,
}

/// A server of the caller's own, for tests of what belongs to a whole server; `Database::fresh()` shares one. Each
/// setting is a line of `postgresql.conf`, `name = value`; a later line wins, also over what all servers have
/// (`fsync = off`).
///
/// # Errors
/// Why there is none.
pub fn server(settings: &[&str]) -> Result<Provider> {
    let keeper = match asked_for().as_str() {
        "" => private_cluster::start(settings)?,
        "container" => start_container(settings)?,
        other => bail!("STRIATUM_TEST_PROVIDER is {other}: set it to `container`, or to nothing"),
    };
    Ok(Provider { keeper })
}

/// Whether servers come from containers.
pub(crate) fn in_container() -> bool {
    asked_for() == "container"
}

fn asked_for() -> String {
    env::var("STRIATUM_TEST_PROVIDER").unwrap_or_default()
}

#[cfg(not(feature = "container"))]
fn start_container(_: &[&str]) -> Result<Keeper> {
    bail!("this build knows no containers; `make test-container` makes one that does")
}

impl Provider {
    /// How a superuser connects; the caller names the database.
    pub fn admin(&self) -> PgConnectOptions {
        self.login().username("postgres")
    }

    /// How `striatum_bootstrap` connects: without a password, as the operating system knows who asks. Whoever needs the
    /// role makes it; the caller names the database.
    pub fn bootstrap(&self) -> PgConnectOptions {
        self.login().username("striatum_bootstrap")
    }

    /// How a login with a password connects; the caller names database, login and password.
    pub fn login(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass().socket(self.socket()).port(5432).ssl_mode(PgSslMode::Disable)
    }

    /// Where one of its databases is, as the daemon is told it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&port=5432", self.socket().display())
    }

    /// The folder of the socket; the same after each start.
    pub fn socket(&self) -> &Path {
        self.keeper.folder()
    }

    /// Kills the postmaster as a crash would, and answers when all its backends are gone. Blocks, as do the next two.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill_postmaster(&self) -> Result<()> {
        self.keeper.order("kill")
    }

    /// Stops the server and answers when all its processes are gone.
    ///
    /// # Errors
    /// When it does not run, or does not stop within a minute.
    pub fn stop(&self, how: Shutdown) -> Result<()> {
        self.keeper.order(match how {
            Shutdown::Fast => "stop fast",
            Shutdown::Immediate => "stop immediate",
        })
    }

    /// Starts the server again on the same data and the same socket, after it was stopped or killed, and answers when
    /// it takes connections.
    ///
    /// # Errors
    /// When it runs, or does not start; its log is shown.
    pub fn start_again(&self) -> Result<()> {
        self.keeper.order("start")
    }
}
