//! The private PostgreSQL of an installation, made and run with the machine's own programs.
//!
//! Each step can be repeated, and whoever is killed between two of them leaves nothing that the next one trips
//! over: the cluster is made beside its place and put there whole, and what is started is known by its folder.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::LONGEST_SOCKET_PATH;
use striatum_contract::shell_word::shell_path;

use super::postgres::Programs;
use super::process::{self, Living, Signed};
use super::program::{Run, last_words};
use super::{Instance, Progress, files, pause, settings, text, unsafe_data};

/// How long a start may take: after a crash it goes through the log of changes first.
const START: Duration = Duration::from_secs(300);
/// How long a stop may take.
const STOP: Duration = Duration::from_secs(120);

/// Where it is.
pub(crate) struct Cluster<'i> {
    instance: &'i Instance,
    data: PathBuf,
    pub(crate) sockets: PathBuf,
    pub(crate) log: PathBuf,
    pidfile: PathBuf,
}

/// What a look at it finds.
pub(crate) enum State {
    /// There is none.
    Absent,
    /// It is there and does not run.
    Stopped,
    /// It runs.
    Running {
        /// The postmaster.
        pid: i32,
        /// Whether it takes connections.
        is_ready: bool,
    },
}

impl<'i> Cluster<'i> {
    pub(crate) fn of(instance: &'i Instance) -> Self {
        let at = |name: &str| instance.data.join(name);
        Self {
            instance,
            data: at("cluster.data"),
            sockets: at("cluster.socket"),
            log: at("cluster.log"),
            pidfile: at("cluster.pid"),
        }
    }

    /// The version that made it.
    pub(crate) fn version(&self) -> Option<String> {
        Some(files::read(&self.data.join("PG_VERSION")).ok()??.trim().to_owned())
    }

    /// Looks, and changes nothing.
    pub(crate) fn state(&self) -> State {
        match (self.version(), self.postmaster()) {
            (None, _) => State::Absent,
            (Some(_), None) => State::Stopped,
            (Some(_), Some((pid, is_ready, _))) => State::Running { pid, is_ready },
        }
    }

    /// Brings it about that it runs and holds the database.
    pub(crate) fn up(&self, lock: &File, progress: &Progress) -> Result<(), Refusal> {
        self.fits()?;
        let programs = Programs::of(&self.data, self.version().as_deref(), &self.instance.data)?;
        if self.version().is_none() {
            progress.say(&format!(
                "making a cluster with PostgreSQL {} in {}",
                programs.version,
                text(&self.data)
            ));
            self.make(&programs, lock)?;
        }
        let is_changed = self.configure(&programs).map_err(|error| self.not_written(&error))?;
        match self.state() {
            State::Running { .. } if is_changed => {
                self.run(&programs, "pg_ctl", &["-D", &text(&self.data), "reload"])?
            }
            State::Running { is_ready: true, .. } => {}
            State::Running { .. } => progress.say("waiting for PostgreSQL, which is starting"),
            State::Absent | State::Stopped => {
                progress.say(&format!("starting PostgreSQL {}", programs.version));
                self.start(&programs)?;
            }
        }
        self.until_ready()?;
        self.sign();
        let has_database = || {
            let found = self.ask(&programs, "select 1 from pg_database where datname = 'striatum'")?;
            Ok::<_, Refusal>(!found.is_empty())
        };
        if !has_database()? {
            progress.say("making the database");
            let made = self.ask(&programs, "create database striatum template template0 encoding 'UTF8'");
            // Whoever was killed while it did the same may have left a server that is just finishing it.
            if made.is_err() && !has_database()? {
                made?;
            }
        }
        Ok(())
    }

    /// Stops it, if it runs: open transactions are rolled back, all is on disk. Says whether it ran.
    pub(crate) fn down(&self, progress: &Progress) -> Result<bool, Refusal> {
        let Some((pid, _, living)) = self.postmaster() else { return Ok(false) };
        if let Some(signed) = Signed::read(&self.pidfile).filter(|signed| signed.pid == pid)
            && signed.living().is_none()
        {
            let said = format!("process {pid} was started at another time than this instance's PostgreSQL");
            return Err(Refusal::new("process_differs", said, [format!("ps -o pid,lstart,args -p {pid}")]));
        }
        progress.say("stopping PostgreSQL");
        living
            .signal(Signal::INT)
            .map_err(|error| self.failed(&format!("it cannot be told to stop: {error}")))?;
        if !living.has_ended_within(STOP) {
            return Err(self.failed(&format!("it has not stopped within {} s", STOP.as_secs())));
        }
        files::remove(&self.pidfile).map_err(|error| self.not_written(&error))?;
        Ok(true)
    }

    /// The postmaster: the living process that its file names and that works in the cluster's folder. Only PostgreSQL's
    /// own processes do that, and a number that was given to another process since does not.
    fn postmaster(&self) -> Option<(i32, bool, Living)> {
        let text = files::read(&self.data.join("postmaster.pid")).ok()??;
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok().filter(|pid| *pid > 0)?;
        let living = Living::open(pid)?;
        let folder = files::canonical(&self.data).ok()?;
        let is_ours = process::folder_of(pid)? == folder && process::name_of(pid)? == "postgres";
        let is_ready = lines.nth(6).is_some_and(|status| status.trim() == "ready");
        is_ours.then_some((pid, is_ready, living))
    }

    fn fits(&self) -> Result<(), Refusal> {
        let socket = self.sockets.join(format!(".s.PGSQL.{}", settings::PORT));
        let length = socket.as_os_str().len();
        if length <= LONGEST_SOCKET_PATH {
            return Ok(());
        }
        Err(Refusal::new(
            "socket_path_long",
            format!(
                "PostgreSQL's socket would be {}: {length} octets, and a socket's path can have {LONGEST_SOCKET_PATH}",
                socket.display()
            ),
            ["striatum local up --data-dir DIR, with a shorter one".to_owned()],
        ))
    }

    /// Beside its place first, and there once it is whole.
    fn make(&self, programs: &Programs, lock: &File) -> Result<(), Refusal> {
        let draft = self.instance.data.join("cluster.making");
        files::fresh_folder(&draft, programs.owner).map_err(|error| self.not_written(&error))?;
        let mut outcome = Ok(());
        for locale in ["C.UTF-8", "C"] {
            let arguments = [
                "-D",
                &text(&draft),
                "-U",
                "postgres",
                "--auth=reject",
                "--data-checksums",
                "--encoding=UTF8",
            ];
            let run = programs.run("initdb").args(arguments).args([format!("--locale={locale}")]).with(lock);
            outcome = match run.output() {
                Ok(output) if output.status.success() => Ok(()),
                Ok(output) => Err(self.failed(&format!("initdb: {}", last_words(&output)))),
                Err(error) => Err(self.failed(&format!("initdb: {error}"))),
            };
            if outcome.is_ok() {
                break;
            }
            files::fresh_folder(&draft, programs.owner).map_err(|error| self.not_written(&error))?;
        }
        outcome?;
        files::add(&draft.join("postgresql.conf"), settings::INCLUDE)
            .and_then(|()| files::rename(&draft, &self.data))
            .map_err(|error| self.not_written(&error))
    }

    /// Says whether anything was another before.
    fn configure(&self, programs: &Programs) -> std::io::Result<bool> {
        files::private_folder(&self.sockets, programs.owner)?;
        files::open_log(&self.log, programs.owner)?;
        let user = Run::plain("id").args(["-un"]).output()?;
        let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
        let mut is_changed = false;
        for (name, text) in [
            ("striatum.conf", settings::postgres(&self.sockets)),
            ("pg_hba.conf", settings::hba()),
            ("pg_ident.conf", settings::ident(&user)),
        ] {
            is_changed |= files::write(&self.data.join(name), &text, programs.owner)?;
        }
        Ok(is_changed)
    }

    fn start(&self, programs: &Programs) -> Result<(), Refusal> {
        let folder = files::canonical(&self.data).map_err(|error| self.not_written(&error))?;
        // One that was killed may have told it to start: what it told goes on, and is waited for.
        let until = Instant::now() + START;
        while !process::naming(&self.data, &["pg_ctl", "postgres", "sh"]).is_empty() {
            if matches!(self.state(), State::Running { .. }) {
                return Ok(());
            }
            if Instant::now() > until {
                return Err(self.failed("another program is starting or stopping it"));
            }
            pause();
        }
        // After a crash of the machine the number in these files may be another process's, which would keep PostgreSQL
        // from starting. Nobody works in the folder: they are left over.
        if process::in_folder(&folder).is_empty() {
            let sockets = files::entries(&self.sockets);
            for file in sockets.into_iter().chain([self.data.join("postmaster.pid")]) {
                files::remove(&file).map_err(|error| self.not_written(&error))?;
            }
        }
        let before = files::length(&self.log);
        let (data, log, patience) = (text(&self.data), text(&self.log), START.as_secs().to_string());
        let started =
            self.run(programs, "pg_ctl", &["-D", &data, "-l", &log, "-w", "-t", &patience, "start"]);
        started.map_err(|refusal| {
            let said = files::since(&self.log, before).unwrap_or_default();
            let fatal = said.lines().rev().find_map(|line| line.split_once("FATAL:"));
            fatal.map_or(refusal, |(_, why)| self.failed(&format!("it does not start: {}", why.trim())))
        })
    }

    fn until_ready(&self) -> Result<(), Refusal> {
        let until = Instant::now() + START;
        loop {
            match self.state() {
                State::Running { is_ready: true, .. } => return Ok(()),
                State::Running { .. } if Instant::now() < until => pause(),
                State::Running { .. } => return Err(self.failed("it takes no connections")),
                State::Absent | State::Stopped => return Err(self.failed("it has ended again")),
            }
        }
    }

    /// Keeps on record which process it is.
    fn sign(&self) {
        let signed = self.postmaster().and_then(|(pid, _, _)| Signed::of(pid));
        if let Some(signed) = signed {
            // Without the record a stop goes by the folder alone.
            let _ = files::write(&self.pidfile, &signed.line(), None);
        }
    }

    fn ask(&self, programs: &Programs, statement: &str) -> Result<String, Refusal> {
        let sockets = text(&self.sockets);
        let arguments =
            ["-X", "-q", "-t", "-A", "-w", "-v", "ON_ERROR_STOP=1", "-h", &sockets, "-p", settings::PORT];
        // As this user, not as the one that PostgreSQL runs as: that is who may be superuser.
        let run = Run::postgres(&programs.path("psql"), None);
        let run = run.args(arguments).args(["-U", "postgres", "-d", "postgres", "-c", statement]);
        match run.output() {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            }
            Ok(output) => Err(self.failed(&format!("psql: {}", last_words(&output)))),
            Err(error) => Err(self.failed(&format!("psql: {error}"))),
        }
    }

    fn run(&self, programs: &Programs, program: &str, arguments: &[&str]) -> Result<(), Refusal> {
        match programs.run(program).args(arguments).output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(_) => Err(self.failed(&format!("{program} {} failed", arguments.last().unwrap_or(&"")))),
            Err(error) => Err(self.failed(&format!("{program}: {error}"))),
        }
    }

    fn failed(&self, problem: &str) -> Refusal {
        let said = format!("the private PostgreSQL in {}: {problem}", text(&self.data));
        Refusal::new(
            "cluster_failed",
            said,
            [format!("tail {}", shell_path(&self.log)), self.instance.line("local up")],
        )
    }

    fn not_written(&self, error: &std::io::Error) -> Refusal {
        unsafe_data(format!("a file below {} cannot be written: {error}", text(&self.instance.data)))
    }
}
