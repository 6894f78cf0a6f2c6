//! `scripts/trace` counts what ran and passed, and nothing else.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use striatum_testkit::skipped_line;

use crate::root;

/// A repository of four requirement lines, three tests and what cargo said about them.
fn repository(folder: &Path, deferred: &str, log: &str) {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    // Ids are put together here, so that this file cites none itself.
    let lines: Vec<String> = (1..=4).map(|n| format!("- STR-LOCK-0{n} — Line {n}.\n")).collect();
    write("docs/spec/requirements-striatum.md", &lines.concat());
    write("docs/spec/requirements-harness.md", "");
    write("docs/spec/scope.md", "| area | lines |\n| --- | --- |\n| LOCK | all |\n");
    write("docs/spec/deferred.md", &format!("| id | part | reason |\n| --- | --- | --- |\n{deferred}"));
    write("Cargo.toml", "[workspace]\nmembers = [\"thing\"]\n");
    write("thing/Cargo.toml", "[package]\nname = \"thing\"\n");
    let test = |n: u8, name: &str| format!("/// STR-LOCK-0{n}: it holds.\n#[test]\nfn {name}() {{}}\n");
    write("thing/tests/thing/main.rs", &(test(1, "passes") + &test(2, "fails") + &test(3, "is_ignored")));
    write(
        "target/test.log",
        &format!("     Running tests/thing/main.rs (target/debug/deps/thing-0123456789abcdef)\n{log}"),
    );
}

fn trace(folder: &Path) -> Output {
    Command::new("python3")
        .arg(root().join("scripts/trace"))
        .arg("--root")
        .arg(folder)
        .output()
        .expect("python3")
}

#[test]
fn a_line_counts_when_a_test_that_cites_it_ran_and_passed() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "test passes ... ok\ntest fails ... FAILED\ntest is_ignored ... ignored\n";
    repository(folder.path(), "", log);
    let answer = trace(folder.path());
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    let open: Vec<&str> = said.lines().filter(|line| line.starts_with("open ")).collect();
    assert_eq!(open.len(), 3, "{said}");
    assert!(!open.iter().any(|line| line.contains(&format!("STR-LOCK-{:02}", 1))), "{said}");
    assert_eq!(answer.status.code(), Some(1));
}

/// A test that passes itself over is none that passed, wherever its line stands.
#[test]
fn a_test_that_was_skipped_answers_for_nothing() {
    let marked = skipped_line("passes", "no engine");
    for log in [format!("{marked}test passes ... ok\n"), format!("test passes ... ok\n{marked}")] {
        let folder = tempfile::tempdir().expect("a folder");
        let deferred: String = (2..=4).map(|n| format!("| STR-LOCK-{n:02} | whole | later |\n")).collect();
        repository(folder.path(), &deferred, &log);
        let answer = trace(folder.path());
        let said = String::from_utf8_lossy(&answer.stdout).into_owned();
        assert!(said.contains("cited by thing: passes (skipped)"), "{said}");
        assert_eq!(answer.status.code(), Some(1));
    }
}

#[test]
fn deferred_lines_are_not_open_and_nothing_else_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    repository(
        folder.path(),
        &format!("| STR-LOCK-{:02} | whole | comes later |\n", 4),
        "test passes ... ok\ntest fails ... ok\ntest is_ignored ... ok\n",
    );
    let answer = trace(folder.path());
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stdout));
}

#[test]
fn a_deferred_line_that_a_test_answers_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    repository(
        folder.path(),
        &(1..=4)
            .filter(|n| *n != 2 && *n != 3)
            .map(|n| format!("| STR-LOCK-{n:02} | whole | later |\n"))
            .collect::<String>(),
        "test passes ... ok\ntest fails ... ok\ntest is_ignored ... ok\n",
    );
    assert_eq!(trace(folder.path()).status.code(), Some(1));
}

#[test]
fn of_a_line_that_is_deferred_in_part_the_rest_is_open() {
    let folder = tempfile::tempdir().expect("a folder");
    repository(
        folder.path(),
        &format!("| STR-LOCK-{:02} | the second half | comes later |\n", 4),
        "test passes ... ok\ntest fails ... ok\ntest is_ignored ... ok\n",
    );
    let answer = trace(folder.path());
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(said.contains(&format!("open      STR-LOCK-{:02}", 4)), "{said}");
    assert_eq!(answer.status.code(), Some(1));
}

/// Another test of the same name, in another module, answers for nothing.
#[test]
fn a_test_is_known_by_its_module_and_not_by_its_name_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "test other::passes ... ok\ntest fails ... ok\ntest is_ignored ... ok\n";
    repository(folder.path(), &format!("| STR-LOCK-{:02} | whole | comes later |\n", 4), log);
    let answer = trace(folder.path());
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(said.contains(&format!("open      STR-LOCK-{:02}", 1)), "{said}");
}

#[test]
fn a_source_that_is_newer_than_the_log_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "test passes ... ok\ntest fails ... ok\ntest is_ignored ... ok\n";
    repository(folder.path(), &format!("| STR-LOCK-{:02} | whole | comes later |\n", 4), log);
    let file = fs::File::options().write(true).open(folder.path().join("target/test.log")).expect("the log");
    file.set_modified(std::time::UNIX_EPOCH).expect("an old log");
    let answer = trace(folder.path());
    let said = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(said.contains("thing/tests/thing/main.rs is newer than the log; next: make test"), "{said}");
    assert_eq!(answer.status.code(), Some(1));
}
