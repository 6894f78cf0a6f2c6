//! The files of an installation.
#![expect(
    clippy::disallowed_methods,
    reason = "these files are the installation's own, and looked after here alone"
)]

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown,
};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::{Errno, FdFlags, fcntl_setfd};

/// Who runs PostgreSQL, where that is not who runs this program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

pub(super) fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(mode).create(path)
}

/// Says what is wrong with a folder that only this user should be able to write to.
pub(super) fn look_at_folder(path: &Path) -> Result<(), String> {
    let is = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    let uid = rustix::process::geteuid().as_raw();
    match () {
        () if !is.is_dir() => Err("it is no folder".to_owned()),
        () if is.uid() != uid => Err(format!("it belongs to user {}, and this is user {uid}", is.uid())),
        () if is.mode() & 0o022 != 0 => Err(format!("others may write to it (mode {:o})", is.mode() & 0o777)),
        () => Ok(()),
    }
}

/// An empty folder for one user alone. What an earlier attempt left in its place is taken away.
pub(super) fn fresh_folder(path: &Path, owner: Option<Owner>) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    private_folder(path, owner)
}

/// A folder for one user alone; it may be there.
pub(super) fn private_folder(path: &Path, owner: Option<Owner>) -> io::Result<()> {
    make_folder(path, 0o700)?;
    give(path, owner)?;
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

fn give(path: &Path, owner: Option<Owner>) -> io::Result<()> {
    match owner {
        Some(owner) => chown(path, Some(owner.uid), Some(owner.gid)),
        None => Ok(()),
    }
}

/// Puts a text into a file, whole or not at all; says whether it was another before.
pub(super) fn write(path: &Path, text: &str, owner: Option<Owner>) -> io::Result<bool> {
    if read(path)?.as_deref() == Some(text) {
        return Ok(false);
    }
    let draft = draft(path);
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    give(&draft, owner)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    rename(&draft, path)?;
    Ok(true)
}

fn draft(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// The text of a plain file; none where there is no file. A pipe in its place would keep whoever reads it for ever.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut file = match OpenOptions::new().read(true).custom_flags(no_wait).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Puts it there for good.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    match to.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

pub(super) fn add(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// The paths of the entries of a folder; none where there is no folder.
pub(super) fn entries(path: &Path) -> Vec<PathBuf> {
    fs::read_dir(path).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect()
}

/// Whether a program could be started from there.
pub(super) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|is| is.is_file() && is.mode() & 0o111 != 0)
}

/// A log for one user alone, open at its end.
pub(super) fn open_log(path: &Path, owner: Option<Owner>) -> io::Result<File> {
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(no_link).open(path)?;
    give(path, owner)?;
    Ok(file)
}

/// What was written to a log from an octet on.
pub(super) fn since(path: &Path, octet: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(octet))?;
    let mut text = Vec::new();
    file.take(1 << 20).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub(super) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |is| is.len())
}

pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Whether it is ours now. Programs that inherit the file have it with us.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// Says whether the programs that are started from now on get the file too.
pub(super) fn inherit(file: &File, is_inherited: bool) -> io::Result<()> {
    Ok(fcntl_setfd(file, if is_inherited { FdFlags::empty() } else { FdFlags::CLOEXEC })?)
}
