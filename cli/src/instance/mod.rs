//! An installation on this machine: its data directory, its private PostgreSQL, its daemon. What `striatum local` and
//! `striatum daemon` stand on.

pub(crate) mod agents;
mod belongs;
pub(crate) mod cluster;
pub(crate) mod daemon;
mod database;
mod files;
mod postgres;
pub(crate) mod process;
pub(crate) mod program;
mod settings;
mod token;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, value_parser};
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::{CONFIGURATION, data_directory};
use striatum_contract::shell_word::shell_path;

use crate::daemon::place;

/// How long another command of the same installation is waited for.
const TURN: Duration = Duration::from_secs(180);
/// Between two looks at something that tells nobody when it changes.
const PAUSE: Duration = Duration::from_millis(50);

/// Where an installation is.
pub(crate) struct Instance {
    /// None: the one without a name.
    pub(crate) name: Option<String>,
    /// The data directory.
    pub(crate) data: PathBuf,
    /// The runtime directory that this shell's variables lead to.
    pub(crate) runtime: PathBuf,
    /// Whether the data directory is another than the usual one.
    is_elsewhere: bool,
}

/// The flag that puts the data directory elsewhere.
pub(crate) fn data_dir_flag() -> Arg {
    Arg::new("data-dir")
        .long("data-dir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("Data directory, instead of the usual one of the instance")
}

impl Instance {
    /// The one that a command line means, and that the data directory is the one of. The words name the command.
    pub(crate) fn of(matches: &ArgMatches, words: &str) -> Result<Self, Refusal> {
        let name = matches.get_one::<String>("instance").cloned();
        let runtime = place::runtime_directory(name.as_deref())?;
        let lives_in = belongs::lives_in(name.as_deref(), &runtime);
        let usual = usual(name.as_deref());
        let data = match (matches.get_one::<PathBuf>("data-dir"), &lives_in) {
            (Some(given), _) => PathBuf::from(place::absolute(given)?),
            (None, Some(known)) => known.clone(),
            (None, None) => usual.clone()?,
        };
        let is_elsewhere = usual.as_ref() != Ok(&data);
        let is_plain = data.to_str().is_some_and(|path| !path.chars().any(char::is_control));
        if !is_plain {
            let said = format!("the data directory {data:?} has a name that configuration files cannot hold");
            return Err(unsafe_data(said));
        }
        let instance = Self { name, data, runtime, is_elsewhere };
        instance.fits(words, lives_in.as_deref())?;
        Ok(instance)
    }

    /// The configuration of an installation that is known to live elsewhere than usual.
    pub(crate) fn configuration_elsewhere(name: Option<&str>) -> Option<PathBuf> {
        let data = belongs::lives_in(name, &place::runtime_directory(name).ok()?)?;
        let file = data.join(CONFIGURATION);
        (usual(name).as_ref() != Ok(&data) && files::exists(&file)).then_some(file)
    }

    /// The daemon's configuration.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.data.join(CONFIGURATION)
    }

    /// A command line of ours for this instance.
    pub(crate) fn line(&self, words: &str) -> String {
        let mut line = format!("striatum {words}");
        if let Some(name) = &self.name {
            line.push_str(&format!(" --instance {name}"));
        }
        if self.is_elsewhere {
            line.push_str(&format!(" --data-dir {}", shell_path(&self.data)));
        }
        line
    }

    /// A command line for this instance that asks its daemon.
    pub(crate) fn asks(&self, words: &str) -> String {
        match &self.name {
            Some(name) => format!("striatum {words} --instance {name}"),
            None => format!("striatum {words}"),
        }
    }

    /// Makes the data directory where it is missing. As root it lets others pass, since PostgreSQL runs as another user
    /// there; nobody can list it.
    pub(crate) fn make(&self) -> Result<(), Refusal> {
        let mode = if rustix::process::geteuid().is_root() { 0o711 } else { 0o700 };
        files::make_folder(&self.data, mode).map_err(|error| {
            unsafe_data(format!("the data directory {} cannot be made: {error}", self.data.display()))
        })?;
        files::look_at_folder(&self.data).map_err(|problem| {
            unsafe_data(format!("the data directory {} will not do: {problem}", self.data.display()))
        })
    }

    /// Makes the runtime directory where it is missing.
    fn make_runtime(&self) -> Result<(), Refusal> {
        let failed = |error: std::io::Error| unsafe_data(format!("{}: {error}", text(&self.runtime)));
        files::make_folder(&self.runtime, 0o700).map_err(failed)?;
        let unsafe_runtime = |problem| unsafe_data(format!("{} will not do: {problem}", text(&self.runtime)));
        files::look_at_folder(&self.runtime).map_err(unsafe_runtime)
    }

    /// What to say where nothing is found in the usual data directory; nothing where it was told.
    pub(crate) fn hint(&self) -> &'static str {
        match self.is_elsewhere {
            true => "",
            false => "; where it was made with --data-dir, give that again",
        }
    }

    /// Whether the data directory is there.
    pub(crate) fn is_there(&self) -> bool {
        files::exists(&self.data)
    }

    /// Waits until no other command works on this installation, and keeps others out as long as the file is open.
    pub(crate) fn lock(&self, progress: &Progress) -> Result<File, Refusal> {
        let path = self.data.join("local.lock");
        let failed = |error: std::io::Error| unsafe_data(format!("{}: {error}", path.display()));
        let file = files::open_lock(&path).map_err(failed)?;
        let until = Instant::now() + TURN;
        let mut is_told = false;
        while !files::try_lock(&file).map_err(failed)? {
            if !is_told {
                progress.say("waiting for another command that works on this instance");
                is_told = true;
            }
            if Instant::now() > until {
                let said = format!("another command has been at work on {} for minutes", self.data.display());
                return Err(Refusal::new("busy", said, [self.line("local status")]));
            }
            pause();
        }
        Ok(file)
    }
}

/// Words on standard error about long work, for whoever waits. A program that reads JSON gets none.
pub(crate) struct Progress {
    /// Whether nothing is said.
    pub(crate) is_quiet: bool,
}

impl Progress {
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        Self { is_quiet: matches.get_flag("json") }
    }

    pub(crate) fn say(&self, what: &str) {
        if !self.is_quiet {
            // Nobody is harmed where nobody reads.
            let _ = writeln!(std::io::stderr(), "{what} ...");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the data directory is a convention of the environment")]
fn usual(name: Option<&str>) -> Result<PathBuf, Refusal> {
    let (xdg, home) = (std::env::var_os("XDG_DATA_HOME"), std::env::var_os("HOME"));
    let uid = rustix::process::geteuid().as_raw();
    data_directory(xdg.as_deref(), home.as_deref(), uid, name)
        .ok_or_else(|| unsafe_data("neither XDG_DATA_HOME nor HOME says where data belongs".to_owned()))
}

pub(crate) fn unsafe_data(said: String) -> Refusal {
    Refusal::new("data_dir_unsafe", said, ["striatum local up --data-dir DIR".to_owned()])
}

#[expect(clippy::disallowed_methods, reason = "nothing tells when another process is done")]
pub(crate) fn pause() {
    std::thread::sleep(PAUSE);
}

/// The path as text; an instance has no other.
pub(crate) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
