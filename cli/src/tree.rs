//! The repository around a file: looked at, and written to where nothing is yet. No path leads out of it, and none
//! through a link.
#![expect(
    clippy::disallowed_methods,
    reason = "files that a person names are read here, and new ones written"
)]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, mkdirat, openat2};
use rustix::io::Errno;
use striatum_contract::catalogue;
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
    let top = top_of(folder);
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
            Ok(is) if is.is_file() && is.permissions().mode() & 0o111 == 0 => Entry::Inert,
            Ok(is) if is.is_file() => Entry::File,
            Ok(is) if is.is_dir() => Entry::Folder,
            _ => Entry::Unknown,
        },
        Err(Errno::NOENT | Errno::NOTDIR) => Entry::Missing,
        Err(Errno::XDEV | Errno::LOOP) => Entry::Escapes,
        Err(_) => Entry::Unknown,
    }
}

/// The top of the repository of the working directory; that directory itself where it is in none.
pub(crate) fn here() -> Result<PathBuf, Refusal> {
    let here = PathBuf::from(absolute(".".as_ref())?);
    Ok(top_of(&here).to_owned())
}

fn top_of(folder: &Path) -> &Path {
    let top = folder.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    top.unwrap_or(folder)
}

/// What stands in a file that somebody names; else why that cannot be told.
pub(crate) fn text(file: &str) -> Result<String, String> {
    let wrong = |error: std::io::Error| format!("names {file}, which could not be read: {error}");
    let mut text = String::new();
    File::open(file).map_err(wrong)?.take(MOST_OCTETS).read_to_string(&mut text).map_err(wrong)?;
    Ok(text)
}

/// Writes files into a repository, each where nothing is, with the folders that lead there.
pub(crate) fn write(root: &Path, files: &[catalogue::File]) -> Result<(), Refusal> {
    for (at, file) in files.iter().enumerate() {
        create(root, &file.path)
            .and_then(|mut created| {
                created.write_all(file.text.as_bytes()).map_err(|error| error.to_string())
            })
            .map_err(|why| {
                let message =
                    format!("{} was not written ({why}); {at} of {} files were", file.path, files.len());
                let next =
                    ["look at the folder, and say the same again with another --scaffold-root".to_owned()];
                Refusal::new("scaffold_not_written", message, next)
            })?;
    }
    Ok(())
}

fn create(root: &Path, path: &str) -> Result<File, String> {
    let failed = |error: Errno| std::io::Error::from(error).to_string();
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let folder_flags = OFlags::PATH | OFlags::DIRECTORY;
    let mut at = open(root, ".", folder_flags).map_err(failed)?;
    for part in folder.split('/').filter(|part| *part != ".") {
        match mkdirat(&at, part, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(failed(error)),
        }
        at = File::from(
            openat2(&at, part, folder_flags | OFlags::CLOEXEC, Mode::empty(), RESOLVE).map_err(failed)?,
        );
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    openat2(&at, name, flags, Mode::from_raw_mode(0o666), RESOLVE).map(File::from).map_err(failed)
}

/// Below the folder, and through no link.
const RESOLVE: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

fn open(root: &Path, path: &str, flags: OFlags) -> Result<File, Errno> {
    let root = rustix::fs::open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(File::from(openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), RESOLVE)?))
}
