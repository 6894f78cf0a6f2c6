//! The runtime directory: socket, first token, pidfile, and the lock that keeps a second daemon out.
#![expect(
    clippy::disallowed_methods,
    reason = "these files are the daemon's own, and looked after here alone"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;
use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::{
    CLIENT_TOKEN, LONGEST_SOCKET_PATH, SOCKET, Surroundings, directory, doubtful, is_instance_name, is_own,
};
use striatum_contract::shell_word::shell_path;

/// How often it is looked whether the socket is still there.
const LOOK: Duration = Duration::from_secs(2);

/// The runtime directory of this process: the one named, else the one that its surroundings give.
///
/// # Errors
/// A sentence, where the instance's name cannot be one of a folder.
pub fn resolve(named: Option<PathBuf>, instance: Option<&str>) -> Result<PathBuf, String> {
    if let Some(name) = instance.filter(|name| !is_instance_name(name)) {
        return Err(format!("the instance is called {name:?}, and a name is 1 to 32 of A-Z a-z 0-9 _ -"));
    }
    let (xdg, temporary) = (std::env::var_os("XDG_RUNTIME_DIR"), std::env::temp_dir());
    let surroundings = Surroundings {
        setting: named.as_deref().map(Path::as_os_str),
        xdg: xdg.as_deref(),
        temporary: &temporary,
        uid: geteuid().as_raw(),
    };
    Ok(directory(surroundings, instance))
}

/// The directory, ours and locked for as long as this lives.
#[derive(Debug)]
pub struct RuntimeDir {
    path: PathBuf,
    pidfile: File,
    /// Device and inode of the socket that this process has made.
    socket: Option<(u64, u64)>,
}

impl RuntimeDir {
    /// Makes it where it is missing, looks whether it is safe, and locks it for this process.
    ///
    /// # Errors
    /// `runtime_dir_unsafe`, or `daemon_already_serving` where another process holds it.
    pub fn claim(path: &Path) -> Result<Self, Refusal> {
        let not = |problem: String| unsafe_dir(path, &problem);
        let socket = path.join(SOCKET);
        if socket.as_os_str().len() > LONGEST_SOCKET_PATH {
            return Err(not(format!("{} is longer than {LONGEST_SOCKET_PATH} octets", socket.display())));
        }
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| not(format!("it cannot be made: {error}")))?;
        if let Some(folder) = doubtful(path, &std::env::temp_dir()) {
            let is = fs::symlink_metadata(folder).map_err(|error| not(error.to_string()))?;
            if !is_own(is.is_dir(), is.uid(), is.mode(), geteuid().as_raw()) {
                return Err(not(format!("others can write to {}", folder.display())));
            }
        }
        let is = fs::symlink_metadata(path).map_err(|error| not(error.to_string()))?;
        if !is.is_dir() {
            return Err(not("it is no folder".to_owned()));
        }
        if is.uid() != geteuid().as_raw() {
            return Err(not(format!("it belongs to user {}", is.uid())));
        }
        if is.mode() & 0o077 != 0 {
            return Err(not(format!("others may enter it (mode {:o})", is.mode() & 0o777)));
        }
        let pidfile = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
            .open(path.join("daemon.pid"))
            .map_err(|error| not(format!("daemon.pid: {error}")))?;
        flock(&pidfile, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            rustix::io::Errno::WOULDBLOCK => serving(path),
            other => not(format!("daemon.pid: {other}")),
        })?;
        Ok(Self { path: path.to_owned(), pidfile, socket: None })
    }

    /// Writes who serves: `pid start_token boot_id`, the start token in clock ticks since boot.
    ///
    /// # Errors
    /// What the system said.
    pub fn sign(&self) -> io::Result<()> {
        let stat = fs::read_to_string("/proc/self/stat")?;
        // The name of the program may hold anything, also a bracket: what counts stands after the last one.
        let started = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(19));
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        self.pidfile.set_len(0)?;
        let line = format!("{} {} {}\n", std::process::id(), started.unwrap_or("-"), boot.trim());
        rustix::io::pwrite(&self.pidfile, line.as_bytes(), 0)?;
        Ok(())
    }

    /// Where the socket belongs. One that is left over is taken away: the lock says that nobody listens on it.
    ///
    /// # Errors
    /// What the system said; also where something else than a socket stands there.
    pub fn socket(&self) -> io::Result<PathBuf> {
        use std::os::unix::fs::FileTypeExt as _;
        let path = self.path.join(SOCKET);
        match fs::symlink_metadata(&path) {
            Ok(is) if is.file_type().is_socket() => fs::remove_file(&path)?,
            Ok(_) => return Err(io::Error::other(format!("{} is no socket", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(path)
    }

    /// Keeps the socket that was just made there from everybody else, and knows it again.
    ///
    /// # Errors
    /// What the system said.
    pub fn keep_socket(&mut self) -> io::Result<()> {
        let path = self.path.join(SOCKET);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let is = fs::symlink_metadata(&path)?;
        self.socket = Some((is.dev(), is.ino()));
        Ok(())
    }

    /// Comes about when the socket is not there any more, or is another's: somebody has cleaned up.
    pub async fn lost(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            if !self.has_socket() {
                return;
            }
        }
    }

    /// The refusal to serve on without it.
    pub fn gone(&self) -> Refusal {
        let path = self.path.display();
        Refusal::new(
            "runtime_dir_unsafe",
            format!("the socket in {path} was taken away, so that nobody can reach the daemon: it ends"),
            ["striatum daemon start".to_owned()],
        )
    }

    fn has_socket(&self) -> bool {
        let found = fs::symlink_metadata(self.path.join(SOCKET)).ok().map(|is| (is.dev(), is.ino()));
        found.is_some() && found == self.socket
    }

    /// Takes the socket away, so that clients are told at once that nobody serves. Another one in its place stays:
    /// somebody listens there.
    pub fn leave(&self) {
        if self.has_socket() {
            drop(fs::remove_file(self.path.join(SOCKET)));
        }
    }

    /// Puts a token into `client-token`, whole or not at all.
    ///
    /// # Errors
    /// What the system said.
    pub fn write_token(&self, token: &str) -> io::Result<PathBuf> {
        let path = self.path.join(CLIENT_TOKEN);
        let draft = self.path.join(format!("{CLIENT_TOKEN}.{}", std::process::id()));
        drop(fs::remove_file(&draft));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(format!("{token}\n").as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &path)?;
        File::open(&self.path)?.sync_all()?;
        Ok(path)
    }
}

fn unsafe_dir(path: &Path, problem: &str) -> Refusal {
    let (path, word) = (path.display(), shell_path(path));
    Refusal::new(
        "runtime_dir_unsafe",
        format!("the runtime directory {path} will not do: {problem}"),
        [format!("chmod 700 {word}, as its owner"), "striatumd --runtime-dir DIR".to_owned()],
    )
}

fn serving(path: &Path) -> Refusal {
    let who = fs::read_to_string(path.join("daemon.pid")).unwrap_or_default();
    let pid = who.split_whitespace().next().unwrap_or("of unknown number").to_owned();
    Refusal::new(
        "daemon_already_serving",
        format!("process {pid} holds the runtime directory {}", path.display()),
        ["striatum daemon status".to_owned(), "striatum daemon shutdown".to_owned()],
    )
}
