//! The programs of all crates, beside each other as an installation has them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Their folder. Cargo builds for tests the programs of their own package alone; the others are built here.
pub(crate) fn programs() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let agent = Path::new(env!("CARGO_BIN_EXE_scripted-agent"));
        let folder = agent.parent().expect("target/debug/scripted-agent");
        let mut build = Command::new(env!("CARGO"));
        // With the places at which the crash test ends it: all tests run the same daemon.
        build.args(["build", "--quiet", "--locked", "--bins", "--features", "striatumd/faults"]);
        build.args([
            "--package",
            "striatum-cli",
            "--package",
            "striatumd",
            "--package",
            "striatum-supervisor",
        ]);
        build.arg("--target-dir").arg(folder.parent().expect("target/debug"));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo");
        assert!(built.success(), "the programs cannot be built");
        folder.to_owned()
    })
}

/// Where commands and agents look for programs: ours first.
pub(crate) fn path() -> String {
    format!("{}:/usr/local/bin:/usr/bin:/bin", programs().display())
}
