//! What tests of striatum stand on: a PostgreSQL server of their own and databases cloned from one template.
//!
//! ```no_run
//! # async fn example() -> anyhow::Result<()> {
//! let database = striatum_testkit::Database::fresh().await?;
//! let mut owner = database.admin().await?;        // a superuser: sets a test's stage
//! let mut runtime = database.login().await?;      // the daemon's login: what an attacker would hold
//! # Ok(()) }
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the test farm starts real servers and reads its own settings"
)]

mod client;
#[cfg(feature = "container")]
mod container;
mod daemon;
mod database;
pub mod generated;
mod keeper;
mod private_cluster;
mod provider;
mod skip;
mod stubborn;
mod until;
pub mod vectors;

pub use client::{Client, hello, new_request_id};
pub use daemon::{Daemon, Ended, Setup, is_socket};
pub use database::Database;
pub use provider::{Provider, Shutdown, server};
pub use skip::{skipped_in_container, skipped_line, skipped_unless};
pub use stubborn::Stubborn;
pub use until::{until, until_asked};
