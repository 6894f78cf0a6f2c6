//! The rules of the house that no compiler knows: each reads the source tree, or a freshly installed database. And what
//! the test farm promises (`server`).
#![expect(
    clippy::disallowed_methods,
    reason = "the rules are about files and processes, and some ask cargo or python"
)]

mod boundary;
mod dependencies;
mod door;
mod examples;
mod generated;
mod glossary;
mod refusals;
mod server;
mod sources;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository is there")
}

/// Every file of the source tree, below its root: nothing hidden, nothing built.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("the source tree is readable") {
            let path = entry.expect("the source tree is readable").path();
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if name.starts_with('.') || name.ends_with('~') || path == root().join("target") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root()).expect("found below the root").to_owned());
            }
        }
    }
    found.sort();
    found
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
