//! Lists the SQL files, so that they are compiled into the program: the name and the text of each, in path order.
#![expect(clippy::disallowed_methods, reason = "a build script reads the source tree")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../sql");
    let mut list = String::new();
    for (name, folder) in [("BUNDLES", "owner"), ("FUNCTIONS", "functions")] {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files);
        files.sort();
        if name == "BUNDLES" {
            files.iter().enumerate().for_each(|(n, file)| assert_bundle(n + 1, file));
        }
        writeln!(list, "pub(super) const {name}: Files = &[").expect("a string takes all");
        for file in files {
            let path = file.strip_prefix(&folder).expect("collected below the folder").display().to_string();
            writeln!(list, "    ({path:?}, include_str!({:?})),", file.display().to_string())
                .expect("a string takes all");
        }
        list.push_str("];\n");
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("source.rs");
    fs::write(out, list).expect("OUT_DIR can be written");
}

/// Every `.sql` file below a folder. What an editor leaves is passed over; anything else would go unnoticed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if name.starts_with('.') || name.ends_with('~') {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            assert!(
                path.extension().is_some_and(|end| end == "sql"),
                "{} is not an SQL file",
                path.display()
            );
            files.push(path);
        }
    }
}

/// Bundles are numbered from 1 without a gap: `V0001__what.sql`. refinery passes other names over without a word.
fn assert_bundle(number: usize, file: &Path) {
    let name = file.file_name().expect("a file has a name").to_string_lossy();
    let what = name.strip_prefix(&format!("V{number:04}__")).and_then(|rest| rest.strip_suffix(".sql"));
    let is_word = |what: &str| {
        what.starts_with(|c: char| c.is_ascii_lowercase())
            && what.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    assert!(what.is_some_and(is_word), "{} should be called V{number:04}__<what>.sql", file.display());
}
