//! Each file below `sql/tests` is a test of its own, run in a database of its own; and one test checks every body.
#![expect(clippy::disallowed_methods, reason = "the runner lists the files of the source tree")]

mod plpgsql_check;
mod tap;

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sql/tests");
    let mut trials: Vec<Trial> = files(&root)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("listed below the root").with_extension("");
            Trial::test(name.display().to_string(), move || run(tap::run(&path)))
        })
        .collect();
    trials.push(Trial::test("plpgsql_check", || run(plpgsql_check::run())));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(test: impl Future<Output = anyhow::Result<()>>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(test).map_err(|error| format!("{error:#}").into())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("sql/tests is readable") {
        let path = entry.expect("sql/tests is readable").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "sql") {
            found.push(path);
        }
    }
    found.sort();
    found
}
