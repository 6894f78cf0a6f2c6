//! The shape of the source tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sqlx::Row as _;
use striatum_testkit::Database;

use crate::{files, texts};

/// Names below a folder, without their ending.
fn names(folder: &str) -> BTreeSet<PathBuf> {
    texts(folder, "sql")
        .into_iter()
        .map(|(file, _)| file.strip_prefix(folder).expect("listed below it").with_extension(""))
        .collect()
}

#[test]
fn each_function_file_has_a_test_of_its_name_and_each_test_its_thing() {
    let functions = names("sql/functions");
    let mut tests = names("sql/tests");
    tests.retain(|test| !test.starts_with("catalogue") && !test.starts_with("owner"));
    assert!(!functions.is_empty());
    assert_eq!(functions, tests);

    let bundles: BTreeSet<String> = names("sql/owner")
        .iter()
        .map(|bundle| bundle.display().to_string().split_once("__").expect("V0001__what").1.to_owned())
        .collect();
    let tested: BTreeSet<String> =
        names("sql/tests/owner").iter().map(|test| test.display().to_string()).collect();
    assert_eq!(bundles, tested, "each owner bundle's tables have their illegal states tested");
}

/// A function is called as its file: `core` without, every other domain with its name before it.
#[tokio::test]
async fn each_function_lives_in_the_file_of_its_name() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    let installed: BTreeSet<String> =
        sqlx::query("select proname::text from pg_proc where pronamespace = 'striatumd'::regnamespace and prorettype <> 'trigger'::regtype")
            .fetch_all(&mut connection)
            .await
            .expect("names")
            .iter()
            .map(|row| row.get(0))
            .collect();
    let filed: BTreeSet<String> = texts("sql/functions", "sql")
        .iter()
        .filter(|(_, text)| text.contains("create function"))
        .map(|(file, _)| called(file.strip_prefix("sql/functions").expect("listed below it")))
        .collect();
    assert_eq!(installed, filed);
}

fn called(file: &Path) -> String {
    let name = file.with_extension("").display().to_string().replace('/', "_");
    name.strip_prefix("core_").unwrap_or(&name).to_owned()
}

/// Owner bundles are the owner's, the daemon's own schema is the daemon's: neither text names the other.
#[test]
fn owner_files_do_not_name_the_daemons_schema() {
    for (file, text) in [texts("sql/owner", "sql"), texts("sql/functions", "sql")].concat() {
        assert!(!text.contains("striatum_ops"), "{}", file.display());
    }
}

/// STR-STORE-14: only owner bundles change a table.
#[test]
fn no_table_is_changed_outside_of_an_owner_bundle() {
    for (file, text) in [texts("sql/functions", "sql"), texts("sql/migrations", "sql")].concat() {
        let text = text.to_lowercase();
        for words in ["alter table striatumd", "drop table striatumd", "create table striatumd"] {
            assert!(!text.contains(words), "{}: {words}", file.display());
        }
    }
}

/// STR-BOUNDARY-02: no address but this machine's own stands in a program.
#[test]
fn no_program_holds_an_address() {
    let programs =
        [texts("contract/src", "rs"), texts("daemon/src", "rs"), texts("cli/src", "rs"), texts("sql", "sql")];
    for (file, text) in programs.concat() {
        for address in text.match_indices("://").map(|(at, _)| &text[at..]) {
            let host = address.trim_start_matches("://");
            let own = ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| host.starts_with(here));
            assert!(own, "{}: {}", file.display(), host.lines().next().unwrap_or_default());
        }
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    for (ending, most) in [("rs", 500), ("sql", 300)] {
        for file in files().into_iter().filter(|file| file.extension().is_some_and(|end| end == ending)) {
            let text = std::fs::read_to_string(crate::root().join(&file)).expect("text in UTF-8");
            assert!(text.lines().count() <= most, "{} has {} lines", file.display(), text.lines().count());
        }
    }
}
