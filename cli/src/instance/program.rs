//! Programs of others and of our own: found, run, replaced by.
#![expect(
    clippy::disallowed_methods,
    reason = "this program starts striatumd and PostgreSQL's own programs, here alone"
)]

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use clap::ArgMatches;
use serde_json::Value;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;

use super::Instance;
use super::files::{self, Owner};

/// The daemon's program: beside this one, else on the path.
pub(crate) fn striatumd() -> Result<PathBuf, Refusal> {
    let beside = std::env::current_exe().ok().and_then(|this| Some(this.parent()?.join("striatumd")));
    beside.into_iter().chain(on_path("striatumd")).find(|program| files::is_program(program)).ok_or_else(
        || {
            Refusal::new(
                "program_missing",
                "striatumd is neither beside this program nor on the PATH",
                ["cargo build --release --package striatumd".to_owned()],
            )
        },
    )
}

/// Where a program of this name would be, folder by folder of the path.
pub(super) fn on_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .collect()
}

/// The folder that a variable names.
pub(super) fn folder_named_by(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Becomes `striatumd`: its streams and its exit code are then this program's. Comes back only where that failed.
pub(crate) fn become_striatumd(
    matches: &ArgMatches,
    words: &[&str],
    flags: &[&str],
    own: &[PathBuf],
) -> Refusal {
    let program = match striatumd() {
        Ok(program) => program,
        Err(refusal) => return refusal,
    };
    let mut command = Command::new(&program);
    command.args(words);
    for flag in flags {
        if let Some(value) = matches.get_one::<String>(flag) {
            command.arg(format!("--{flag}")).arg(value);
        }
    }
    let name = matches.get_one::<String>("instance");
    if let Some(name) = name {
        command.args(["--instance", name]);
    }
    if !matches.contains_id("config")
        && let Some(file) = Instance::configuration_elsewhere(name.map(String::as_str))
    {
        command.arg("--config").arg(file);
    }
    if matches.get_flag("json") {
        command.arg("--json");
    }
    if !own.is_empty() {
        command.arg("--").args(own);
    }
    let error = command.exec();
    Refusal::new(
        "program_missing",
        format!("{} cannot be started: {error}", program.display()),
        [format!("{} --version", shell_path(&program))],
    )
}

/// One program, to be run.
pub(super) struct Run<'r> {
    command: Command,
    lock: Option<&'r File>,
}

impl<'r> Run<'r> {
    /// A program of PostgreSQL's, as its user. No variable of this shell decides what it does.
    pub(super) fn postgres(program: &Path, owner: Option<Owner>) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("LC_ALL", "C");
        if let Some(owner) = owner {
            command.uid(owner.uid).gid(owner.gid);
        }
        Self { command, lock: None }
    }

    /// A program that says what the system knows.
    pub(super) fn plain(program: &str) -> Self {
        let mut command = Command::new(program);
        command.env("LC_ALL", "C");
        Self { command, lock: None }
    }

    /// Our own daemon's program. What libpq's variables say is for other programs.
    pub(super) fn striatumd() -> Result<Self, Refusal> {
        let mut command = Command::new(striatumd()?);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
            command.env_remove(name);
        }
        Ok(Self { command, lock: None })
    }

    pub(super) fn args<S: AsRef<std::ffi::OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Lets it hold the installation's lock as well: where this program is killed, the next one waits for it.
    pub(super) fn with(mut self, lock: &'r File) -> Self {
        self.lock = Some(lock);
        self
    }

    /// Runs it to its end, in the root folder, with nothing to read.
    pub(super) fn output(mut self) -> io::Result<Output> {
        self.command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn()?.wait_with_output()
    }

    /// Lets it run; all that it says goes into a log.
    pub(super) fn detached(mut self, log: File) -> io::Result<Child> {
        self.command.current_dir("/").stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.spawn()
    }

    fn spawn(&mut self) -> io::Result<Child> {
        if let Some(lock) = self.lock {
            files::inherit(lock, true)?;
        }
        let child = self.command.spawn();
        if let Some(lock) = self.lock {
            files::inherit(lock, false)?;
        }
        child
    }
}

/// What a program said last that is more than white space.
pub(super) fn last_words(output: &Output) -> String {
    let said = [&output.stderr, &output.stdout].map(|stream| String::from_utf8_lossy(stream).into_owned());
    let lines = said.iter().flat_map(|stream| stream.lines().rev()).map(str::trim);
    let last = lines.into_iter().find(|line| !line.is_empty()).unwrap_or("nothing");
    last.to_owned()
}

/// The refusal that stands in what `striatumd` said, on the last line that is one.
pub(super) fn refusal_in(said: &str) -> Option<Refusal> {
    said.lines().rev().find_map(|line| {
        let mut value: Value = serde_json::from_str(line).ok()?;
        serde_json::from_value(value.get_mut("error")?.take()).ok()
    })
}
