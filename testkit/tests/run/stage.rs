//! A stage: a repository with a run in it, a daemon, and whoever looks. Nothing that was started on it stays.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection};
use striatum_testkit::{Daemon, Database, Setup, until};

use crate::programs::{path, programs};
use crate::workflow::Workflow;

/// Ends what was started for the folder, and takes it away.
const KEEPER: &str = include_str!("../../src/clear_up.sh");

pub(crate) struct Stage {
    pub(crate) daemon: Daemon,
    pub(crate) database: Database,
    pub(crate) run_id: String,
    pub(crate) repository_id: String,
    drives: AtomicU32,
    folder: Folder,
}

/// A folder, and a process that clears it up, also where this one is killed.
struct Folder {
    path: PathBuf,
    keeper: Child,
}

/// `run drive`, in the course of it.
pub(crate) struct Drive {
    process: Child,
    out: PathBuf,
    err: PathBuf,
}

/// How a drive ended.
#[derive(Debug)]
pub(crate) struct Driven {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Stage {
    /// With the farm's server, and a run that is started.
    pub(crate) async fn set(workflow: &Workflow) -> Self {
        Self::on(Database::fresh().await.expect("a database"), workflow)
    }

    /// With a database that is there.
    pub(crate) fn on(database: Database, workflow: &Workflow) -> Self {
        let mut stage = Self::without_run(database, |repository| workflow.put_into(repository));
        stage.start("workflow.json");
        stage
    }

    /// With a registered repository, and no run in it yet.
    pub(crate) fn without_run(database: Database, put_into: impl FnOnce(&Path)) -> Self {
        let folder = Folder::new();
        let program = programs().join("striatumd").display().to_string();
        let setup = Setup::new(&program, database.url(), &folder.path).with("PATH", &path());
        let daemon = Daemon::start(setup).expect("a daemon");
        let (run_id, repository_id) = (String::new(), String::new());
        let mut stage = Self { daemon, database, run_id, repository_id, drives: AtomicU32::new(0), folder };
        put_into(&stage.repository());
        stage.repository_id = text(&stage.json("repo add . --init")["repository_id"]);
        stage
    }

    /// Starts a run of a file of the repository; it is the stage's run from then on.
    pub(crate) fn start(&mut self, workflow: &str) {
        self.run_id = text(&self.json(&format!("run prepare {workflow}"))["run_id"]);
        self.json(&format!("run start {}", self.run_id));
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.path.join("repository")
    }

    /// Beside the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path.join(name)
    }

    /// A command line in the repository, as an operator's shell would run it; not started yet.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec {line}")]).current_dir(self.repository()).env_clear();
        command.env("HOME", &self.folder.path).env("PATH", path()).stdin(Stdio::null());
        command.env("STRIATUM_DAEMON_RUNTIME_DIR", &self.daemon.setup().runtime_dir);
        command
    }

    /// Runs a line of `striatum` to its end.
    pub(crate) fn striatum(&self, line: &str) -> Output {
        self.command(&format!("striatum {line}")).output().expect("sh")
    }

    /// The data of one that went well.
    pub(crate) fn json(&self, line: &str) -> Value {
        let output = self.striatum(&format!("{line} --json"));
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["data"].take()
    }

    /// The run's events, all of them.
    pub(crate) fn events(&self) -> Vec<Value> {
        let page = self.json(&format!("run events {} --limit 1000", self.run_id));
        assert_eq!(page["next_after_event_id"], Value::Null);
        page["events"].as_array().expect("a list").clone()
    }

    /// The agents that the run has had, the first one first.
    pub(crate) fn supervisors(&self) -> Vec<Value> {
        let status = self.json(&format!("supervise status --run-id {}", self.run_id));
        status["supervisors"].as_array().expect("a list").iter().rev().cloned().collect()
    }

    pub(crate) fn summary(&self) -> Value {
        self.json(&format!("run summary {}", self.run_id))
    }

    /// Starts `run drive`.
    pub(crate) fn drive(&self) -> Drive {
        self.drive_with("")
    }

    /// Starts it with a flag.
    pub(crate) fn drive_with(&self, flag: &str) -> Drive {
        let number = self.drives.fetch_add(1, Ordering::Relaxed);
        let [out, err] = ["out", "err"].map(|name| self.beside(&format!("drive-{number}.{name}")));
        let mut command = self.command(&format!("striatum run drive {} {flag}", self.run_id));
        command.stdout(File::create(&out).expect("a file")).stderr(File::create(&err).expect("a file"));
        Drive { process: command.spawn().expect("sh"), out, err }
    }

    /// Drives until the run is completed: where somebody has to decide, by the command that is told. The answer is
    /// these commands.
    pub(crate) fn complete(&self) -> Vec<String> {
        let mut commands = Vec::new();
        while let Some(command) = self.decide(&self.drive().ended()) {
            commands.push(command);
            assert!(commands.len() < 8, "it does not end: {commands:?}");
        }
        commands
    }

    /// Runs the command that a drive ended with, as it stands there but for a reason in the place of TEXT; nothing
    /// where the run is completed. A daemon that has just lost its server is asked again.
    pub(crate) fn decide(&self, driven: &Driven) -> Option<String> {
        if driven.code == Some(0) {
            return None;
        }
        let next = driven.next().unwrap_or_else(|| panic!("it is not said what to do: {driven:?}"));
        assert_eq!(driven.code, Some(4), "{driven:?}");
        let line = next.replace("TEXT", "'looked at it'");
        let mut said = String::new();
        until(&format!("{line} is done"), || {
            let output = self.command(&line).output().expect("sh");
            said = String::from_utf8_lossy(&output.stderr).into_owned();
            let passes =
                ["daemon_parked", "daemon_unreachable", "(busy)"].iter().any(|code| said.contains(code));
            assert!(output.status.success() || passes, "{line}: {said}");
            output.status.success()
        });
        Some(next)
    }

    /// Whether a check of doctor is well.
    pub(crate) fn assert_well(&self, check: &str) {
        let output = self.striatum("doctor --json");
        let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let planes = ["availability", "provenance"].map(|plane| said["data"][plane]["checks"].clone());
        let mut checks = planes.iter().flat_map(|checks| checks.as_array().expect("a list"));
        let found =
            checks.find(|found| found["name"] == check).unwrap_or_else(|| panic!("no {check}: {said}"));
        assert_eq!(found["ok"], true, "{found}");
    }

    /// The chains verify for whoever has nothing but their export, and the tables are what the events fold to.
    pub(crate) fn assert_proven(&self) {
        let folder = self.beside("chains");
        let url = self.database.admin_url();
        let line = format!("striatumd db export-chains '{}' --postgres-url '{url}'", folder.display());
        let exported = self.command(&line).output().expect("sh");
        assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
        let report = striatum_verify::verify(&folder).expect("an export");
        assert!(report.verdict == striatum_verify::Verdict::Verified, "{}", report.text());
        fs::remove_dir_all(&folder).expect("it goes");
        for check in ["fold", "run_fold", "audit_chain", "event_chains"] {
            self.assert_well(check);
        }
    }

    /// A superuser's connection.
    pub(crate) async fn admin(&self) -> PgConnection {
        self.database.admin().await.expect("a connection")
    }

    /// What a superuser sees; empty where there is none.
    pub(crate) async fn found(&self, query: &str) -> String {
        let query = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
        let found: Option<String> = query.fetch_optional(&mut self.admin().await).await.expect("a text");
        found.unwrap_or_default()
    }

    /// What a superuser sees.
    pub(crate) async fn number(&self, query: &str) -> i64 {
        let query = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
        query.fetch_one(&mut self.admin().await).await.expect("a number")
    }

    /// What is known of the agents that run now, by the files of their helpers.
    pub(crate) fn pidfiles(&self) -> Vec<Value> {
        let folder = self.daemon.setup().runtime_dir.join("h");
        let files = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        files
            .filter(|file| file.extension().is_some_and(|end| end == "pid"))
            .filter_map(|file| serde_json::from_slice(&fs::read(file).ok()?).ok())
            .collect()
    }

    /// What an agent's terminal showed.
    pub(crate) fn terminal(&self, supervisor_id: &Value) -> String {
        read(&self.log(supervisor_id))
    }

    /// Where that is kept.
    pub(crate) fn log(&self, supervisor_id: &Value) -> PathBuf {
        self.repository().join(".striatum/scratch").join(text(supervisor_id)).join("pty.log")
    }

    fn explain(&self) {
        for name in (0..self.drives.load(Ordering::Relaxed))
            .flat_map(|n| [format!("drive-{n}.out"), format!("drive-{n}.err")])
        {
            eprintln!("{name}:\n{}", read(&self.beside(&name)));
        }
        for line in ["status --run-id", "supervise status --run-id", "why"] {
            let said = self.striatum(&format!("{line} {} --verbose", self.run_id));
            eprintln!(
                "{line}:\n{}{}",
                String::from_utf8_lossy(&said.stdout),
                String::from_utf8_lossy(&said.stderr)
            );
        }
        let scratch = fs::read_dir(self.repository().join(".striatum/scratch"));
        for log in scratch.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path().join("pty.log")))
        {
            let shown = read(&log);
            let lines: Vec<&str> = shown.lines().collect();
            eprintln!("{}:\n{}", log.display(), lines[lines.len().saturating_sub(40)..].join("\n"));
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.explain();
        }
    }
}

impl Folder {
    fn new() -> Self {
        let base = fs::canonicalize(std::env::temp_dir()).expect("a folder for temporary files");
        let closed = fs::Permissions::from_mode(0o700);
        let path = tempfile::Builder::new().prefix("striatum-run.").permissions(closed).tempdir_in(base);
        let path = path.expect("a folder").keep();
        // In a group of its own: the interrupt that ends the tests must not end it before it has cleared up.
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(&path)
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped());
        Self { path, keeper: keeper.spawn().expect("sh") }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let ended = self.keeper.wait();
        assert!(ended.is_ok() && (!self.path.exists() || std::thread::panicking()), "something is left");
    }
}

impl Drive {
    /// What it has told so far, a line each.
    pub(crate) fn told(&self) -> Vec<String> {
        read(&self.out).lines().map(str::to_owned).collect()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Waits until it has ended. One that has not after two minutes counts as hung.
    pub(crate) fn ended(mut self) -> Driven {
        until("run drive ends", || self.has_ended());
        let code = self.process.wait().expect("it has ended").code();
        Driven { code, out: read(&self.out), err: read(&self.err) }
    }
}

impl Drop for Drive {
    fn drop(&mut self) {
        if !self.has_ended() {
            drop(self.process.kill());
            drop(self.process.wait());
        }
    }
}

impl Driven {
    /// The first command that it says.
    pub(crate) fn next(&self) -> Option<String> {
        self.all_next().first().cloned()
    }

    /// The commands that it says.
    pub(crate) fn all_next(&self) -> Vec<String> {
        if let Ok(refusal) = serde_json::from_str::<Value>(self.err.trim()) {
            let next = refusal["error"]["next"].as_array().into_iter().flatten();
            return next.filter_map(Value::as_str).map(str::to_owned).collect();
        }
        let lines = self.err.lines().chain(self.out.lines());
        lines.filter_map(|line| line.strip_prefix("next:")).map(|next| next.trim().to_owned()).collect()
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Whether a process is there, and no zombie.
pub(crate) fn is_alive(pid: i64) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn read(file: &Path) -> String {
    fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The sorted values of a key, each once.
pub(crate) fn distinct(rows: &[Value], key: &str) -> Vec<String> {
    let mut values: Vec<String> = rows.iter().map(|row| row[key].to_string()).collect();
    values.sort();
    values.dedup();
    values
}
