//! A private server with PostgreSQL's own durability, striatum installed, and the daemon as a program of its own.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};
use striatum_testkit::{Provider, server};
use striatumd::config::{Config, Place};
use striatumd::install;
use tempfile::TempDir;

/// Where every statement goes whose server is named by this variable; the testkit reads it.
pub(crate) const PROGRAMS: &str = "STRIATUM_PG_BIN";
const PROGRAM: &str = env!("CARGO_BIN_EXE_striatumd");
const DATABASE: &str = "striatum";

/// The server and what is on it.
pub(crate) struct Stage {
    provider: Provider,
    runtime: TempDir,
    planted: AtomicU64,
    taken: AtomicU64,
}

impl Stage {
    /// Starts it and installs into it.
    pub(crate) async fn set() -> Self {
        let provider = server(&[
            "fsync = on",
            "shared_buffers = 512MB",
            "max_wal_size = 8GB",
            "checkpoint_timeout = 30min",
            "idle_in_transaction_session_timeout = 0",
        ])
        .expect("a server");
        let mut anywhere =
            provider.admin().database("postgres").connect().await.expect("a superuser's connection");
        run(&mut anywhere, &format!("create database {DATABASE}")).await;
        let stage = Self {
            provider,
            runtime: tempfile::tempdir().expect("a folder"),
            planted: AtomicU64::new(0),
            taken: AtomicU64::new(0),
        };
        let mut admin = stage.admin().await;
        install::apply(&mut admin, Duration::from_secs(10)).await.expect("striatum installed");
        // Statistics of a moment in which all are removed, and few are left to be, would have the next ones looked
        // for in the index of those that are active: `plant` takes them instead.
        run(&mut admin, "alter table striatumd.repositories set (autovacuum_enabled = off)").await;
        run(
            &mut admin,
            "create table public.bench (id bigint generated always as identity primary key, word text)",
        )
        .await;
        stage
    }

    /// A superuser's connection.
    pub(crate) async fn admin(&self) -> PgConnection {
        self.provider.admin().database(DATABASE).connect().await.expect("a superuser's connection")
    }

    /// Sees to so many repositories that nobody has taken yet.
    pub(crate) async fn plant(&self, wanted: u64) {
        let first = self.planted.load(Ordering::Relaxed);
        let missing = (self.taken.load(Ordering::Relaxed) + wanted).saturating_sub(first);
        if missing == 0 {
            return;
        }
        let mut admin = self.admin().await;
        run(
            &mut admin,
            &format!(
                "insert into striatumd.repositories
                 select 'repo_' || lpad(to_hex(n), 16, '0'), '/srv/' || n, n::text, 'r' || n, 'active', true,
                        now(), null
                   from generate_series({first}::bigint, {}) n",
                first + missing - 1
            ),
        )
        .await;
        run(&mut admin, "analyze striatumd.repositories").await;
        self.planted.store(first + missing, Ordering::Relaxed);
    }

    /// The next repository that nobody has taken yet.
    pub(crate) fn take(&self) -> String {
        let n = self.taken.fetch_add(1, Ordering::Relaxed);
        assert!(n < self.planted.load(Ordering::Relaxed), "more calls than repositories");
        format!("repo_{n:016x}")
    }

    /// Starts the daemon with a way to commit and waits until it serves.
    pub(crate) fn serve(&self, commits: &str) -> Daemon {
        let log = fs::File::create(self.runtime.path().join("log")).expect("a log");
        let child = Command::new(PROGRAM)
            .args(["--postgres-url", &self.url(), "--runtime-dir"])
            .arg(self.runtime.path().join("run"))
            .env("STRIATUM_BENCH_COMMITS", commits)
            .env("STRIATUM_DAEMON_LOG_LEVEL", "warn")
            .stdin(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("striatumd starts");
        let daemon = Daemon { child, socket: self.socket() };
        let until = Instant::now() + Duration::from_secs(20);
        while !(daemon.socket.exists() && self.token_file().exists()) {
            assert!(Instant::now() < until, "{}", self.daemon_log());
            thread::sleep(Duration::from_millis(10));
        }
        // It listens before it serves.
        thread::sleep(Duration::from_millis(200));
        daemon
    }

    /// What the daemon said on standard error.
    pub(crate) fn daemon_log(&self) -> String {
        fs::read_to_string(self.runtime.path().join("log")).unwrap_or_default()
    }

    /// What the server logged.
    pub(crate) fn server_log(&self) -> String {
        fs::read_to_string(self.provider.socket().join("log")).expect("the server's log")
    }

    /// The token of the first client.
    pub(crate) fn token(&self) -> String {
        fs::read_to_string(self.token_file()).expect("a token").trim().to_owned()
    }

    /// A configuration with which this process may serve itself.
    pub(crate) fn config(&self) -> Config {
        let bootstrap = format!("{}&user=striatum_bootstrap", self.url());
        Config {
            database: Place::parse(&self.url()).expect("a place"),
            bootstrap: Place::parse(&bootstrap).expect("a place"),
            runtime_dir: self.runtime.path().join("run"),
            log_level: tracing_level(),
            reads: 2,
            line_bytes: 8 << 20,
        }
    }

    /// A folder on the disk that the server writes to.
    pub(crate) fn folder(&self) -> &Path {
        self.provider.socket()
    }

    fn url(&self) -> String {
        format!("postgres:///{DATABASE}?host={}", self.provider.socket().display())
    }

    fn socket(&self) -> PathBuf {
        self.runtime.path().join("run/striatumd.sock")
    }

    fn token_file(&self) -> PathBuf {
        self.runtime.path().join("run/client-token")
    }
}

fn tracing_level() -> tracing::Level {
    tracing::Level::WARN
}

/// A daemon that serves; ends with this value.
pub(crate) struct Daemon {
    child: Child,
    /// Where it listens.
    pub(crate) socket: PathBuf,
}

impl Daemon {
    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        drop(self.child.wait());
    }
}

/// Runs statements.
pub(crate) async fn run(connection: &mut PgConnection, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(connection).await.expect("statements");
}

/// Closes a connection that is not needed any more.
pub(crate) async fn close(connection: PgConnection) {
    connection.close().await.expect("a connection closes");
}

/// A folder of PostgreSQL's programs in which the server alone flushes slowly.
pub(crate) fn slow_programs() -> TempDir {
    let bin = std::env::var(PROGRAMS).unwrap_or_else(|_| "/usr/lib/postgresql/15/bin".to_owned());
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/door/slow_flush.c");
    let library = folder.path().join("slow_flush.so");
    let cc = Command::new("cc")
        .args(["-O2", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(cc.expect("cc").success(), "cc could not compile slow_flush.c");
    for program in ["initdb", "pg_ctl", "pg_isready"] {
        std::os::unix::fs::symlink(format!("{bin}/{program}"), folder.path().join(program)).expect("a link");
    }
    let postgres = folder.path().join("postgres");
    let mut script = fs::File::create(&postgres).expect("a script");
    writeln!(script, "#!/bin/sh\nLD_PRELOAD={} exec {bin}/postgres \"$@\"", library.display())
        .expect("a script");
    for (path, mode) in [(folder.path(), 0o755), (&library, 0o755), (&postgres, 0o755)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
    }
    folder
}
