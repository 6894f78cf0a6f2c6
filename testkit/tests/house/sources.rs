//! The shape of the source tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use striatum_testkit::Database;

use crate::texts;

/// Names below a folder, without their ending.
fn names(folder: &str) -> BTreeSet<String> {
    let name = |file: &Path| {
        file.strip_prefix(folder).expect("listed below it").with_extension("").display().to_string()
    };
    texts(folder, "sql").iter().map(|(file, _)| name(file)).collect()
}

/// Nothing is only on one side.
fn assert_paired(one: &BTreeSet<String>, other: &BTreeSet<String>, says: impl Fn(&String, bool) -> String) {
    assert!(!one.is_empty(), "nothing to look at");
    let missing = one.difference(other).map(|name| says(name, true));
    let left_over = other.difference(one).map(|name| says(name, false));
    let lines: Vec<String> = missing.chain(left_over).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn each_function_file_has_a_test_of_its_name_and_each_test_its_function_file() {
    let mut tests = names("sql/tests");
    // The catalogue is about all functions, `door/` about the door as a whole, `owner/` about tables.
    tests.retain(|test| !["catalogue/", "door/", "owner/"].iter().any(|folder| test.starts_with(folder)));
    assert_paired(&names("sql/functions"), &tests, |name, is_missing| match is_missing {
        true => format!("sql/functions/{name}.sql has no sql/tests/{name}.sql"),
        false => format!("sql/tests/{name}.sql tests no sql/functions/{name}.sql"),
    });
}

#[test]
fn each_owner_bundle_has_a_test_of_its_name() {
    let bundles = names("sql/owner");
    let bundles =
        bundles.iter().map(|name| name.split_once("__").map_or(name.as_str(), |(_, what)| what).into());
    assert_paired(&bundles.collect(), &names("sql/tests/owner"), |what, is_missing| match is_missing {
        true => format!("the bundle {what} has no sql/tests/owner/{what}.sql"),
        false => format!("sql/tests/owner/{what}.sql tests no bundle of that name"),
    });
}

/// A function is called as its file, or as its domain and its file: `repo_add` lives in `registry/repo_add`,
/// `work_claim_next` in `work/claim_next`.
#[tokio::test]
async fn each_function_lives_in_the_file_of_its_name() {
    let installed = column(
        "select proname::text from pg_proc
          where pronamespace = 'striatumd'::regnamespace and prorettype <> 'trigger'::regtype",
    )
    .await;
    let filed: BTreeSet<String> = texts("sql/functions", "sql")
        .iter()
        .filter(|(_, text)| text.to_lowercase().contains("create function"))
        .map(|(file, _)| called(file.strip_prefix("sql/functions").expect("listed below it"), &installed))
        .collect();
    assert_paired(&installed, &filed, |name, is_missing| match is_missing {
        true => format!("striatumd.{name} is not in a file of its name"),
        false => format!("the file for striatumd.{name} does not create it"),
    });
}

/// Each constraint that refuses a row is named by a test of its bundle, as the one that refused. The key of a
/// partitioned table refuses by the name that it has in the partition.
#[tokio::test]
async fn each_constraint_is_seen_to_refuse() {
    let constraints = column(
        "select conname::text from pg_constraint
          join pg_class on pg_class.oid = conrelid
          where connamespace = 'striatumd'::regnamespace and contype in ('c', 'p', 'u', 'x', 'f')
            and conrelid <> 'striatumd.owner_bundles'::regclass
            and not (contype in ('p', 'u') and relkind = 'p')",
    )
    .await;
    let tests = texts("sql/tests/owner", "sql");
    let unseen: Vec<&String> = constraints
        .iter()
        .filter(|name| !tests.iter().any(|(_, text)| text.contains(&format!("'{name}')"))))
        .collect();
    assert!(!constraints.is_empty());
    assert!(unseen.is_empty(), "no tap.refused(...) below sql/tests/owner names these: {unseen:?}");
}

/// The first column of what a freshly installed database answers.
async fn column(query: &'static str) -> BTreeSet<String> {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    sqlx::query_scalar(query).fetch_all(&mut connection).await.expect("names").into_iter().collect()
}

fn called(file: &Path, installed: &BTreeSet<String>) -> String {
    let in_full = file.with_extension("").display().to_string().replace('/', "_");
    let short = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    if installed.contains(&in_full) { in_full } else { short }
}

/// Owner bundles are the owner's, the daemon's own schema is the daemon's: neither text names the other.
#[test]
fn owner_and_daemon_do_not_name_each_others_schema() {
    for (file, text) in [texts("sql/owner", "sql"), texts("sql/functions", "sql")].concat() {
        assert!(!text.contains("striatum_ops"), "{}", file.display());
    }
    for (file, text) in texts("sql/migrations", "sql") {
        assert!(!text.contains("striatumd"), "{}", file.display());
    }
}

/// Tables and types are the owner bundles'.
#[test]
fn no_function_file_makes_or_changes_a_table_or_a_type() {
    for (file, text) in texts("sql/functions", "sql") {
        let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["create table", "alter table", "drop table", "create type", "alter type", "drop type"] {
            assert!(!text.contains(words), "{}: {words}", file.display());
        }
    }
}

/// A bundle is one transaction with its record, the functions are one together: no file ends it before its time.
#[test]
fn no_file_of_the_installer_ends_its_transaction() {
    for (file, text) in [texts("sql/owner", "sql"), texts("sql/functions", "sql")].concat() {
        for line in text.lines() {
            assert!(!controls_a_transaction(line), "{}: {line}", file.display());
        }
    }
}

#[test]
fn transaction_control_is_told_from_words_that_look_like_it() {
    for line in
        ["commit; begin;", "Rollback;", "end; commit -- done", "begin;", "start transaction;", "savepoint a;"]
    {
        assert!(controls_a_transaction(line), "{line}");
    }
    for line in [
        "begin",
        "commit_sha text,",
        "  start_at timestamptz",
        "-- commit it later; or never",
        "release_reason text",
    ] {
        assert!(!controls_a_transaction(line), "{line}");
    }
}

/// A statement of its own, as far as a line can tell; the `begin` of a body ends without a semicolon.
fn controls_a_transaction(line: &str) -> bool {
    let line = line.split("--").next().unwrap_or_default().to_lowercase();
    let mut statements =
        line.split(';').map(|statement| statement.split_whitespace().next().unwrap_or_default());
    let controls =
        |word: &str| matches!(word, "commit" | "rollback" | "abort" | "savepoint" | "release" | "start");
    let opens = line.split(';').rev().skip(1).any(|statement| statement.trim() == "begin");
    opens || statements.any(controls)
}

/// The Rust sources of what is delivered.
fn rust() -> Vec<(PathBuf, String)> {
    ["cli", "contract", "daemon", "supervisor", "verify"]
        .map(|part| texts(&format!("{part}/src"), "rs"))
        .concat()
}

/// STR-BOUNDARY-02: no address but this machine's own stands in a program.
#[test]
fn no_program_holds_an_address() {
    for (file, text) in [rust(), texts("sql", "sql")].concat() {
        for (at, mark) in text.match_indices("://") {
            let host = &text[at + mark.len()..];
            let own = ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| host.starts_with(here))
                // The name of a format, which nobody looks up.
                || host.starts_with("www.w3.org/2000/svg\\\"")
                // The form of a database's URL, without a host: which one it is the operator says.
                || text[..at].ends_with("postgres") && !host.starts_with(char::is_alphanumeric)
                || text[..at].ends_with("postgresql") && !host.starts_with(char::is_alphanumeric);
            assert!(own, "{}: {}", file.display(), host.lines().next().unwrap_or_default());
        }
    }
}

/// clippy.toml bans the ways to the host; whoever may take one all the same stands here.
#[test]
fn only_listed_files_touch_the_host() {
    let listed = [
        "cli/src/daemon/call.rs",
        "cli/src/daemon/connection.rs",
        "cli/src/daemon/place.rs",
        "cli/src/daemon/token_file.rs",
        "cli/src/drive/mod.rs",
        "cli/src/instance/files.rs",
        "cli/src/instance/mod.rs",
        "cli/src/instance/process.rs",
        "cli/src/instance/program.rs",
        "cli/src/local/artifact_check.rs",
        "cli/src/output.rs",
        "cli/src/tree.rs",
        "daemon/src/config.rs",
        "daemon/src/db/export/folder.rs",
        "daemon/src/door/measured.rs",
        "daemon/src/fault.rs",
        "daemon/src/lanes/mod.rs",
        "daemon/src/runtime_dir.rs",
        "daemon/src/secret.rs",
        "daemon/src/transport/socket.rs",
        "supervisor/src/client.rs",
        "supervisor/src/helper/clock.rs",
        "supervisor/src/helper/detach.rs",
        "supervisor/src/helper/log.rs",
        "supervisor/src/helper/place.rs",
        "supervisor/src/tree.rs",
        "supervisor/src/pidfile.rs",
        "supervisor/src/process.rs",
        "verify/src/files.rs",
    ];
    for (file, text) in rust() {
        let may = listed.iter().any(|name| file == Path::new(name))
            || file.starts_with("daemon/src/observe")
            || file.starts_with("daemon/src/effect");
        assert!(may || !text.contains("clippy::disallowed_methods"), "{} touches the host", file.display());
    }
}

#[test]
fn no_file_is_too_long_or_too_wide_to_read() {
    let mut found = Vec::new();
    for (ending, most, widest) in [("rs", 500, 120), ("sql", 300, 100)] {
        for (file, text) in texts("", ending) {
            if text.lines().count() > most {
                found.push(format!("{} is longer than {most} lines", file.display()));
            }
            let wide = text.lines().enumerate().filter(|(_, line)| line.chars().count() > widest);
            found.extend(wide.map(|(n, _)| format!("{}:{} is wider than {widest}", file.display(), n + 1)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
