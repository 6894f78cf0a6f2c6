//! A stage: a database, a daemon that serves from it, and a superuser who looks.
#![expect(clippy::disallowed_methods, reason = "a test makes the folders that the daemon is led to")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};
use striatum_testkit::{Client, Daemon, Database, Setup};
use tempfile::TempDir;

/// The built program.
pub(crate) const STRIATUMD: &str = env!("CARGO_BIN_EXE_striatumd");

pub(crate) struct Stage {
    pub(crate) daemon: Daemon,
    pub(crate) admin: PgConnection,
    pub(crate) database: Database,
    /// Where repositories lie, and nothing else.
    pub(crate) world: PathBuf,
    pub(crate) folder: TempDir,
}

/// An audit row, as far as tests look: `(method, decision, denial_reason, transport, request_id, client_id,
/// exit_code)`.
pub(crate) type Row = (String, String, Option<String>, String, Option<String>, Option<String>, Option<i32>);

impl Stage {
    /// With the farm's server.
    pub(crate) async fn set() -> Self {
        Self::on(Database::fresh().await.expect("a database")).await
    }

    /// With a database that is there.
    pub(crate) async fn on(database: Database) -> Self {
        let folder = folder();
        let setup = Setup::new(STRIATUMD, database.url(), folder.path());
        Self::with(database, setup, folder).await
    }

    /// With a daemon that is started so.
    pub(crate) async fn with(database: Database, setup: Setup, folder: TempDir) -> Self {
        let daemon = Daemon::start(setup).expect("a daemon");
        let admin = database.admin().await.expect("a connection");
        let world = folder.path().join("w");
        fs::create_dir(&world).expect("a folder");
        Self { daemon, admin, database, world, folder }
    }

    /// A greeted client with the first client's token.
    pub(crate) fn client(&self) -> Client {
        self.daemon.client().expect("a client")
    }

    /// A folder that looks like the top of a git work tree.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        let path = self.world.join(name);
        fs::create_dir_all(path.join(".git")).expect("a folder");
        fs::write(path.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        path
    }

    /// How many audit rows of clients there are; the daemon's own come when it has something to do.
    pub(crate) async fn audit_rows(&mut self) -> i64 {
        self.number("select count(*) from striatumd.audit_log where transport <> 'internal'").await
    }

    /// The newest audit row of a client's.
    pub(crate) async fn last_row(&mut self) -> Row {
        sqlx::query_as(
            "select method, decision::text, denial_reason, transport::text, request_id, client_id, exit_code
               from striatumd.audit_log where transport <> 'internal' order by audit_id desc limit 1",
        )
        .fetch_one(&mut self.admin)
        .await
        .expect("a row")
    }

    /// All that a request can change, beside the audit chain.
    pub(crate) async fn state(&mut self) -> String {
        self.text(
            "select concat_ws(E'\\n',
               (select string_agg(t::text, ' ' order by t::text) from striatumd.repositories t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.clients t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.client_capabilities t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.events t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.effects t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.command_requests t),
               (select string_agg(t::text, ' ' order by t::text) from striatumd.daemon_authority t))",
        )
        .await
    }

    /// What a superuser sees.
    pub(crate) async fn number(&mut self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&mut self.admin).await.expect("a number")
    }

    /// What a superuser sees.
    pub(crate) async fn text(&mut self, query: &'static str) -> String {
        sqlx::query_scalar(query).fetch_one(&mut self.admin).await.expect("a text")
    }

    /// What a superuser does, to set the stage.
    pub(crate) async fn run(&mut self, statement: &str) {
        let ran = self.admin.execute(sqlx::raw_sql(AssertSqlSafe(statement))).await;
        ran.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// A folder of the test's own, by its real name.
pub(crate) fn folder() -> TempDir {
    let base = fs::canonicalize(std::env::temp_dir()).expect("a folder for temporary files");
    let closed = fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("striatum-").permissions(closed).tempdir_in(base).expect("a folder")
}

/// Params of `repo.add` with init.
pub(crate) fn init(path: &Path) -> Value {
    json!({"path": path, "init": true})
}

/// The code of a refusal; empty where there is none.
pub(crate) fn code(reply: &Value) -> &str {
    reply["error"]["code"].as_str().unwrap_or_default()
}
