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

mod database;
pub mod generated;
mod private_cluster;
mod provider;
pub mod vectors;

pub use database::Database;
pub use provider::{Provider, server};
