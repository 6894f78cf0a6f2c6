//! `repository_root`: what a folder is that somebody wants to register.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Observer;
use crate::effect::scratch_present;

pub(super) const OBSERVER: Observer = Observer { name: "repository_root", look };

/// The first octets of every SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Octets of a `.git` that is a file.
const LONGEST_LINK: u64 = 4096;
/// Entries of `.striatum` that are looked at.
const MOST_ENTRIES: usize = 1000;

fn look(what: &Value) -> Value {
    let path = what["path"].as_str().unwrap_or_default();
    match seen(Path::new(path)) {
        Ok(seen) => seen,
        Err(error) => json!({"path": path, "state": state(&error), "problem": error.to_string()}),
    }
}

fn state(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "absent",
        io::ErrorKind::NotADirectory => "no_folder",
        _ => "unknown",
    }
}

fn seen(path: &Path) -> io::Result<Value> {
    if !path.is_absolute() {
        return Ok(json!({"path": path, "state": "unknown", "problem": "the path is not absolute"}));
    }
    let real = fs::canonicalize(path)?;
    let Some(real_path) = real.to_str() else {
        return Ok(json!({"path": path, "state": "unknown", "problem": "the real path is not UTF-8"}));
    };
    let is = fs::metadata(&real)?;
    if !is.is_dir() {
        return Ok(json!({"path": path, "state": "no_folder", "real_path": real_path}));
    }
    Ok(json!({
        "path": path,
        "state": "present",
        "real_path": real_path,
        "symlink": first_symlink(path)?,
        "inode": is.ino().to_string(),
        "has_git": has_git(&real)?,
        "git_top": git_top(&real),
        "has_scratch": scratch_present::has_scratch(&real)?,
        "is_ignored": scratch_present::is_ignored(&real)?,
        "legacy_state": legacy_state(&real)?,
    }))
}

/// The first component of a path that is a symbolic link.
fn first_symlink(path: &Path) -> io::Result<Option<String>> {
    let mut so_far = PathBuf::new();
    for component in path.components() {
        so_far.push(component);
        if fs::symlink_metadata(&so_far)?.is_symlink() {
            return Ok(Some(so_far.display().to_string()));
        }
    }
    Ok(None)
}

/// The nearest folder above that is the top of a git work tree.
fn git_top(real: &Path) -> Option<String> {
    let top = real.ancestors().skip(1).find(|above| has_git(above).unwrap_or(false))?;
    top.to_str().map(str::to_owned)
}

/// Whether a folder is the top of a git work tree: `.git` is a folder as git keeps one, or a file that names one.
fn has_git(top: &Path) -> io::Result<bool> {
    let git = top.join(".git");
    let Some(is) = found(&git)? else { return Ok(false) };
    if is.is_dir() {
        return Ok(found(&git.join("HEAD"))?.is_some());
    }
    if !is.is_file() {
        return Ok(false);
    }
    let text = start_of(&git, LONGEST_LINK)?;
    let Some(named) = text.strip_prefix(b"gitdir: ") else { return Ok(false) };
    let named = Path::new(OsStr::from_bytes(named.trim_ascii_end()));
    Ok(found(&top.join(named).join("HEAD"))?.is_some())
}

/// What stands there, without following a link; nothing where there is nothing.
fn found(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(is) => Ok(Some(is)),
        Err(error) if matches!(state(&error), "absent" | "no_folder") => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first octets of a file. A pipe in a file's place would hold the observer for ever.
fn start_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits().cast_signed();
    let mut start = Vec::new();
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    file.take(most).read_to_end(&mut start)?;
    Ok(start)
}

/// An SQLite database directly in `.striatum`: an older program kept its state so.
fn legacy_state(root: &Path) -> io::Result<Option<String>> {
    let entries = match fs::read_dir(root.join(".striatum")) {
        Ok(entries) => entries,
        Err(error) if matches!(state(&error), "absent" | "no_folder") => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries.take(MOST_ENTRIES) {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    for path in files {
        if start_of(&path, SQLITE.len() as u64)? == SQLITE {
            return Ok(Some(path.display().to_string()));
        }
    }
    Ok(None)
}
