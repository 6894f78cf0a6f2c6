//! The built program, as an owner of the database runs it.
#![expect(clippy::disallowed_methods, reason = "the test starts the program")]

use std::path::Path;
use std::process::{Command, Output};

use striatum_testkit::Database;
use tempfile::TempDir;

use crate::stage::Stage;

/// `striatumd` with a database, and folders of its own for all else.
pub(crate) struct Program {
    url: String,
    home: TempDir,
}

impl Program {
    /// For a test's database, as superuser and as `striatum_bootstrap`.
    pub(crate) fn of(database: &Database) -> Self {
        let options = database.bootstrap();
        let socket = options.get_socket().expect("a socket").display().to_string().replace('/', "%2F");
        let (name, port) = (database.name().as_str(), options.get_port());
        Self::at(&format!("postgres:///{name}?user=postgres&host={socket}&port={port}"))
    }

    /// For whatever is there.
    pub(crate) fn at(url: &str) -> Self {
        Self { url: url.to_owned(), home: tempfile::tempdir().expect("a folder") }
    }

    /// Where the daemon's files are.
    pub(crate) fn runtime_dir(&self) -> std::path::PathBuf {
        self.home.path().join("run")
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A folder of its own.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the built program starts")
    }

    /// The same, not yet started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_striatumd"));
        command
            .args(arguments)
            .args(["--postgres-url", &self.url])
            .env_clear()
            .env("HOME", self.home.path())
            .env("STRIATUM_DAEMON_RUNTIME_DIR", self.runtime_dir());
        command
    }
}

/// Standard output of a run that went well.
pub(crate) fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// A daemon whose folder was cleaned away could be reached by nobody, and would keep every other from serving: it ends,
/// and one that is started serves.
#[tokio::test]
async fn a_daemon_whose_folder_was_taken_away_ends() {
    let mut stage = Stage::set().await;
    let runtime_dir = stage.daemon.setup().runtime_dir.clone();
    std::fs::remove_dir_all(&runtime_dir).expect("it goes");
    let ended = stage.daemon.ended().expect("an end");
    assert_eq!(ended.told().1, "runtime_dir_unsafe");
    stage.daemon.restart().expect("another serves");
}
