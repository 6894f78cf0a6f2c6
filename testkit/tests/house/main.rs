//! The rules of the house that no compiler knows. Each reads the source tree, or a freshly installed database.
#![expect(clippy::disallowed_methods, reason = "the rules are about files, and one asks cargo and git")]

mod dependencies;
mod generated;
mod glossary;
mod refusals;
mod sources;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository is there")
}

/// Every file that belongs to the repository, below its root: tracked, or new and not ignored.
fn files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .expect("git lists the files");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("names in UTF-8");
    let mut files: Vec<PathBuf> = names.split_terminator('\0').map(PathBuf::from).collect();
    files.retain(|file| root().join(file).is_file());
    files
}

/// Those of them that lie below a folder and end so, with their text.
fn texts(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|file| file.starts_with(folder) && file.extension().is_some_and(|end| end == ending))
        .map(|file| {
            let text = fs::read_to_string(root().join(&file)).expect("text in UTF-8");
            (file, text)
        })
        .collect()
}
