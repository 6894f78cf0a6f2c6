//! Databases: one template a server, installed by the product's own installer, and a clone of it for each test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};
use striatumd::install::{self, DatabaseName, InstallError};
use tokio::sync::OnceCell;

use crate::{Provider, server};

const TEMPLATE: &str = "striatum_template";

/// How long an installation here may wait for a lock: longer than any test needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The farm of this process, made by whoever asks first; or why there is none, said to everybody who asks.
static FARM: OnceCell<Result<Farm, String>> = OnceCell::const_new();

/// The server of this test process, and its template.
struct Farm {
    provider: Provider,
    made: AtomicU32,
    /// Databases that no test needs any more; whoever makes the next one takes them away.
    done: Mutex<Vec<DatabaseName>>,
}

/// A database of its own for one test, with striatum installed and a login of its own.
pub struct Database {
    name: DatabaseName,
    password: String,
    admin: PgConnectOptions,
    bootstrap: PgConnectOptions,
    login: PgConnectOptions,
    url: String,
    is_farmed: bool,
}

impl Database {
    /// A clone of the template: nobody else's, and as an installer left it.
    ///
    /// # Errors
    /// What the server said, or why there is none.
    pub async fn fresh() -> Result<Self> {
        let farm =
            FARM.get_or_init(|| async { Farm::make().await.map_err(|error| format!("{error:#}")) }).await;
        let farm = farm.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
        farm.clear().await?;
        let name = format!("striatum_{}", farm.made.fetch_add(1, Ordering::Relaxed));
        let name = DatabaseName::parse(&name).map_err(anyhow::Error::msg)?;
        farm.run("postgres", &format!("create database {} template {TEMPLATE}", name.as_str())).await?;
        let database = Self {
            password: format!("test-{}", name.as_str()),
            admin: farm.provider.admin().database(name.as_str()),
            bootstrap: farm.provider.bootstrap().database(name.as_str()),
            login: farm.provider.login().database(name.as_str()).username(&name.login()),
            url: farm.provider.url(name.as_str()),
            is_farmed: true,
            name,
        };
        let mut admin = database.admin().await?;
        // Roles, and rights on a database, are not part of what a template hands on.
        install::establish(&mut admin, PATIENCE).await.map_err(in_full).context("installing into a clone")?;
        let password = format!("alter role {} password '{}'", database.name.login(), database.password);
        sqlx::raw_sql(AssertSqlSafe(password))
            .execute(&mut admin)
            .await
            .context("giving the login a password")?;
        admin.close().await?;
        Ok(database)
    }

    /// A database `striatum` on a server of the test's own, as the installer leaves it. The login has no password yet:
    /// a daemon gives it one.
    ///
    /// # Errors
    /// What the server said.
    pub async fn on(server: &Provider) -> Result<Self> {
        let name = DatabaseName::parse("striatum").map_err(anyhow::Error::msg)?;
        let mut anywhere = server.admin().database("postgres").connect().await?;
        sqlx::raw_sql("create database striatum")
            .execute(&mut anywhere)
            .await
            .context("making a database")?;
        let database = Self {
            password: String::new(),
            admin: server.admin().database(name.as_str()),
            bootstrap: server.bootstrap().database(name.as_str()),
            login: server.login().database(name.as_str()).username(&name.login()),
            url: server.url(name.as_str()),
            is_farmed: false,
            name,
        };
        install::apply(&mut database.admin().await?, PATIENCE).await.map_err(in_full)?;
        Ok(database)
    }

    /// Where it is, as the daemon is told it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The same for whoever connects as a superuser.
    pub fn admin_url(&self) -> String {
        format!("{}&user=postgres", self.url)
    }

    /// The name of the database.
    pub fn name(&self) -> &DatabaseName {
        &self.name
    }

    /// A superuser's connection.
    ///
    /// # Errors
    /// What the server said.
    pub async fn admin(&self) -> Result<PgConnection> {
        self.admin.connect().await.context("connecting as superuser")
    }

    /// A superuser's connection to another database of the same server.
    ///
    /// # Errors
    /// What the server said.
    pub async fn admin_of(&self, database: &str) -> Result<PgConnection> {
        self.admin.clone().database(database).connect().await.context("connecting as superuser")
    }

    /// A connection of the login that the daemon has.
    ///
    /// # Errors
    /// What the server said.
    pub async fn login(&self) -> Result<PgConnection> {
        self.login
            .clone()
            .password(&self.password)
            .connect()
            .await
            .context("connecting as the daemon's login")
    }

    /// How `striatum_bootstrap` connects here, once the role is there.
    pub fn bootstrap(&self) -> PgConnectOptions {
        self.bootstrap.clone()
    }

    /// How somebody who names a login and a password of his own connects here.
    pub fn as_somebody(&self, login: &str, password: &str) -> PgConnectOptions {
        self.login.clone().username(login).password(password)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !self.is_farmed {
            return;
        }
        if let Some(Ok(Ok(mut done))) = FARM.get().map(|farm| farm.as_ref().map(|farm| farm.done.lock())) {
            done.push(self.name.clone());
        }
    }
}

impl Farm {
    /// Starts the server and installs striatum into the template as its own installer would.
    async fn make() -> Result<Self> {
        let farm = Self { provider: server(&[])?, made: AtomicU32::new(1), done: Mutex::default() };
        farm.run("postgres", &format!("create database {TEMPLATE}")).await?;
        let mut template = farm.provider.admin().database(TEMPLATE).connect().await?;
        install::apply(&mut template, PATIENCE)
            .await
            .map_err(in_full)
            .context("installing into the template")?;
        sqlx::raw_sql(
            "update striatumd.installation set kind = 'test';
             create schema tap;
             create extension pgtap schema tap;
             create extension plpgsql_check schema tap",
        )
        .execute(&mut template)
        .await
        .context("adding pgTAP and plpgsql_check (`make setup` installs them)")?;
        sqlx::raw_sql(concat!(include_str!("tap.sql"), include_str!("tap_run.sql")))
            .execute(&mut template)
            .await
            .context("adding our assertions")?;
        template.close().await?;
        farm.run("postgres", &format!("alter database {TEMPLATE} is_template true allow_connections false"))
            .await?;
        Ok(farm)
    }

    /// Takes away databases and logins of tests that have ended: each holds several megabytes.
    async fn clear(&self) -> Result<()> {
        let done = self.done.lock().map(|mut done| std::mem::take(&mut *done)).unwrap_or_default();
        for name in done {
            self.run("postgres", &format!("drop database if exists {} with (force)", name.as_str())).await?;
            self.run("postgres", &format!("drop role if exists {}", name.login())).await?;
        }
        Ok(())
    }

    async fn run(&self, database: &str, statement: &str) -> Result<()> {
        let mut connection = self.provider.admin().database(database).connect().await?;
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
            .execute(&mut connection)
            .await
            .with_context(|| format!("running {statement}"))?;
        Ok(connection.close().await?)
    }
}

/// With its whole chain of sources: a test shows all that there is.
fn in_full(error: InstallError) -> anyhow::Error {
    anyhow::anyhow!("{}", error.log_line())
}
