//! A stage for installations: folders of their own, and nothing that is left running, however a test ends.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// Ends what was started for the folder, and takes it away.
const KEEPER: &str = include_str!("../../../testkit/src/clear_up.sh");

/// Folders for installations, and the keeper that ends them.
pub(crate) struct Bench {
    folder: PathBuf,
    keeper: Child,
}

impl Bench {
    pub(crate) fn new() -> Self {
        striatumd();
        // PostgreSQL runs as another user where this is root, and has to get in.
        let folder = tempfile::Builder::new().prefix("striatum-local.").tempdir().expect("a folder").keep();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o711)).expect("its mode");
        let keeper = keeper_of(&folder);
        Self { folder, keeper }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The data directory of an installation.
    pub(crate) fn data(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn runtime(&self, name: &str) -> PathBuf {
        self.folder.join("run").join(name)
    }

    /// A command for the installation of this name, not yet started. No variable of the shell of the tests gets to it.
    pub(crate) fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = self.bare(name, arguments);
        if ["local", "daemon"].contains(&arguments[0]) && arguments[1] != "shutdown" {
            command.arg("--data-dir").arg(self.data(name));
        }
        command
    }

    /// The same without a word about the data directory.
    pub(crate) fn bare(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_striatum"));
        command
            .args(arguments)
            .args(["--instance", name])
            .env_clear()
            .env("HOME", &self.folder)
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("STRIATUM_DAEMON_RUNTIME_DIR", self.folder.join("run"))
            .stdin(Stdio::null());
        if let Some(folder) = std::env::var_os("STRIATUM_PG_BIN") {
            command.env("STRIATUM_PG_BIN", folder);
        }
        command
    }

    /// Runs one to its end.
    pub(crate) fn run(&self, name: &str, arguments: &[&str]) -> Output {
        self.command(name, arguments).output().expect("the built program starts")
    }

    /// The `data` of one that went well.
    pub(crate) fn json(&self, name: &str, arguments: &[&str]) -> Value {
        let output = self.run(name, &[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["data"].take()
    }

    /// The `error` of one that was refused, and its exit code.
    pub(crate) fn refused(&self, name: &str, arguments: &[&str]) -> (Value, i32) {
        let output = self.run(name, &[arguments, &["--json"]].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        let mut value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        (value["error"].take(), output.status.code().expect("an exit code"))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let ended = self.keeper.wait();
        assert!(ended.is_ok() && (!self.folder.exists() || std::thread::panicking()), "something is left");
    }
}

/// In a group of its own: the interrupt that ends the tests must not end it before it has cleared up.
fn keeper_of(folder: &Path) -> Child {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new("sh");
    command.args(["-c", KEEPER, "keeper"]).arg(folder).current_dir("/");
    command.process_group(0).stdin(Stdio::piped()).spawn().expect("sh")
}

/// Cargo builds the programs of this package alone for its tests, and an installation needs those of the daemon and of
/// the helper beside them.
fn striatumd() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let striatum = Path::new(env!("CARGO_BIN_EXE_striatum"));
        let target = striatum.ancestors().nth(2).expect("target/debug/striatum");
        let mut build = Command::new(env!("CARGO"));
        // With the places at which the crash test ends it: both tests run the same program.
        build.args([
            "build",
            "--quiet",
            "--locked",
            "--package",
            "striatumd",
            "--features",
            "striatumd/faults",
        ]);
        build.args(["--package", "striatum-supervisor", "--bins"]);
        build.arg("--target-dir").arg(target);
        if striatum.parent().is_some_and(|profile| profile.ends_with("release")) {
            build.arg("--release");
        }
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo");
        assert!(built.success(), "striatumd cannot be built");
    });
}

/// Whether this test runs as root.
pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").expect("this process").uid() == 0
}
