//! The repository around a file, looked at and not changed. No path leads out of it, and none through a link.
#![expect(clippy::disallowed_methods, reason = "a file that a person names is read here")]

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_word;
use striatum_contract::workflow::{Entry, MOST_OCTETS};

use crate::daemon::place::absolute;

/// A file of a repository.
pub(crate) struct Found {
    /// The top of the repository; the file's folder where it is in none.
    pub(crate) root: PathBuf,
    /// The path of the file from there.
    pub(crate) path: String,
    /// What is in it; of what is larger than a workflow may be one octet more than that.
    pub(crate) octets: Vec<u8>,
}

/// Reads a workflow file that somebody names.
pub(crate) fn find(file: &Path) -> Result<Found, Refusal> {
    let full = PathBuf::from(absolute(file)?);
    let again = || [format!("striatum workflow validate {}", shell_word(&file.to_string_lossy()))];
    let folder = full.parent().unwrap_or(Path::new("/"));
    let top = folder.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    let top = top.unwrap_or(folder);
    let path = full.strip_prefix(top).unwrap_or(&full).to_string_lossy().into_owned();
    let missing =
        || Refusal::new("workflow_missing", format!("there is no file {}", file.display()), again());
    let unreadable = |why: String| {
        Refusal::new("workflow_unreadable", format!("{} could not be read: {why}", file.display()), again())
    };
    // The way to the repository may lead through links, the way in it may not.
    let root = fs::canonicalize(top).map_err(|_| missing())?;
    let opened = open(&root, &path, OFlags::RDONLY | OFlags::NONBLOCK).map_err(|error| match error {
        Errno::NOENT | Errno::NOTDIR => missing(),
        Errno::XDEV | Errno::LOOP => {
            let message =
                format!("{} leads out of the repository, or through a symbolic link", file.display());
            let next = ["striatum workflow validate FILE, of the file itself".to_owned()];
            Refusal::new("workflow_path_refused", message, next)
        }
        error => unreadable(error.to_string()),
    })?;
    if !opened.metadata().is_ok_and(|is| is.is_file()) {
        return Err(unreadable("it is no regular file".to_owned()));
    }
    let mut octets = Vec::new();
    opened.take(MOST_OCTETS + 1).read_to_end(&mut octets).map_err(|error| unreadable(error.to_string()))?;
    Ok(Found { root, path, octets })
}

/// What stands at a path of the repository.
pub(crate) fn look(root: &Path, path: &str) -> Entry {
    match open(root, path, OFlags::PATH) {
        Ok(found) => match found.metadata() {
            Ok(is) if is.is_file() => Entry::File,
            Ok(is) if is.is_dir() => Entry::Folder,
            _ => Entry::Unknown,
        },
        Err(Errno::NOENT | Errno::NOTDIR) => Entry::Missing,
        Err(Errno::XDEV | Errno::LOOP) => Entry::Escapes,
        Err(_) => Entry::Unknown,
    }
}

fn open(root: &Path, path: &str, flags: OFlags) -> Result<File, Errno> {
    let root = rustix::fs::open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    Ok(File::from(openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve)?))
}
