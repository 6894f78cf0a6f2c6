//! The glossary knows every word that the database can hold, and every name that doctor answers with.

use sqlx::Row as _;
use striatum_testkit::Database;

use crate::{root, texts};

/// STR-DDD-02: what the tests below do not see of the words in messages is deferred.
/// STR-DDD-01: every value of every closed enumeration, every event type and every doctor check has an entry, with the
/// name of its vocabulary.
#[tokio::test]
async fn every_value_event_type_and_doctor_check_has_an_entry() {
    let glossary = std::fs::read_to_string(root().join("docs/glossary.md")).expect("the glossary");
    let mut missing = Vec::new();
    for entries in [values().await, event_types(), doctor_checks()] {
        assert!(!entries.is_empty(), "nothing to look at");
        missing.extend(
            entries.into_iter().filter(|entry| !glossary.lines().any(|line| line.starts_with(entry))),
        );
    }
    assert!(missing.is_empty(), "not in docs/glossary.md:\n{}", missing.join("\n"));
}

/// By a freshly installed database.
async fn values() -> Vec<String> {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    sqlx::query(
        "select e.enumlabel::text, replace(t.typname, '_', ' ') from pg_enum e join pg_type t on t.oid = e.enumtypid
          where t.typnamespace = 'striatumd'::regnamespace order by 2, e.enumsortorder",
    )
    .fetch_all(&mut connection)
    .await
    .expect("values")
    .iter()
    .map(|row| entry(row.get(0), row.get(1)))
    .collect()
}

/// By the calls of `striatumd.event`: of what stands in quotes there, the first that is a noun and a participle.
fn event_types() -> Vec<String> {
    quoted_in_calls("striatumd.event(")
        .into_iter()
        .map(|quoted| {
            let is_type = |word: &&String| word.split('.').count() == 2;
            entry(quoted.iter().find(is_type).expect("an event has a type"), "event")
        })
        .collect()
}

/// By the calls of `striatumd.finding`: the plane, and then the name.
fn doctor_checks() -> Vec<String> {
    quoted_in_calls("striatumd.finding(")
        .into_iter()
        .map(|quoted| entry(quoted.get(1).expect("a check has a name"), "doctor check"))
        .collect()
}

fn entry(word: &str, vocabulary: &str) -> String {
    format!("- `{word}` ({vocabulary}) — ")
}

/// For each call of a function in the function files, what stands in quotes from there on.
fn quoted_in_calls(call: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (_, text) in texts("sql/functions", "sql") {
        for (at, _) in text.match_indices(call).filter(|(at, _)| !text[..*at].ends_with("create function ")) {
            found.push(text[at..].split('\'').skip(1).step_by(2).map(str::to_owned).collect());
        }
    }
    found
}

#[test]
fn event_types_and_checks_are_found() {
    assert!(event_types().contains(&entry("repository.initialized", "event")));
    assert!(doctor_checks().contains(&entry("lane_isolation", "doctor check")));
}
