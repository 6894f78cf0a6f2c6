//! The glossary knows every word that the database can hold, and every name that doctor answers with.

use std::collections::BTreeSet;

use sqlx::Row as _;
use striatum_testkit::Database;

use crate::{root, texts};

/// STR-DDD-02: doctor checks have an entry each; names are the test below.
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

/// Words of names that say nothing of striatum alone: of SQL, of the host, of English.
const PLAIN: &[&str] = &[
    "acquired",
    "args",
    "base",
    "begun",
    "bootstrapped",
    "checksum",
    "content",
    "cut",
    "dependent",
    "due",
    "examples",
    "explanation",
    "extra",
    "heading",
    "host",
    "init",
    "inode",
    "logical",
    "maybe",
    "micros",
    "moved",
    "non",
    "octets",
    "payload",
    "positionals",
    "prefix",
    "present",
    "previous",
    "rationale",
    "retryable",
    "seconds",
    "sha256",
    "shell",
    "shutdown",
    "split",
    "submit",
    "title",
    "ts",
    "ungrantable",
    "uninspectable",
    "unlinked",
    "unpreparable",
    "utc",
    "v3",
];

/// STR-DDD-02: each word in the name of a table, a column, a type, a function or a parameter stands in the glossary, as
/// it is or bent, or in the list above, in which nothing stands that no name needs.
#[tokio::test]
async fn names_are_made_of_words_of_the_glossary() {
    let glossary =
        std::fs::read_to_string(root().join("docs/glossary.md")).expect("the glossary").to_lowercase();
    let known: BTreeSet<&str> = glossary.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let names = names().await;
    assert!(["events", "lane", "plane"].iter().all(|name| names.contains(*name)), "names are found");
    let words: BTreeSet<&str> =
        names.iter().flat_map(|name| name.split('_')).filter(|w| !w.is_empty()).collect();
    let strange: Vec<&&str> = words.iter().filter(|word| !is_known(&known, word)).collect();
    assert_eq!(strange, PLAIN.iter().collect::<Vec<_>>(), "of {names:?}");
    assert!(!is_known(&known, "handler") && !is_known(&known, "mgr"), "a word that is not there is seen");
}

fn is_known(known: &BTreeSet<&str>, word: &str) -> bool {
    let stem = ["ed", "d", "s", ""].iter().filter_map(|end| word.strip_suffix(end));
    stem.flat_map(|stem| ["", "s", "es", "d", "ed", "ing"].map(|end| format!("{stem}{end}")))
        .any(|form| known.contains(form.as_str()))
}

/// By a freshly installed database; without what says that it is a parameter.
async fn names() -> BTreeSet<String> {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    sqlx::query_scalar(
        "with ours as (select 'striatumd'::regnamespace as n)
         select relname::text from ours, pg_class where relnamespace = n and relkind in ('r', 'p', 'v', 'c')
         union select attname from ours, pg_class c join pg_attribute a on attrelid = c.oid
          where relnamespace = n and relkind in ('r', 'p', 'v', 'c') and attnum > 0
         union select typname from ours, pg_type where typnamespace = n and typtype = 'e'
         union select proname from ours, pg_proc where pronamespace = n
         union select regexp_replace(a, '^p_', '') from ours, pg_proc, unnest(proargnames) as a
          where pronamespace = n and a <> 'p'",
    )
    .fetch_all(&mut connection)
    .await
    .expect("names")
    .into_iter()
    .collect()
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

/// By the calls that make events: of what stands in quotes there, the first that is a noun and a participle. A call
/// that is told the type by its caller has none of its own.
fn event_types() -> Vec<String> {
    let is_type = |word: &&String| word.split('.').count() == 2 && word.split('.').all(is_plain_word);
    ["striatumd.event(", "striatumd.run_event(", "striatumd.hand_back("]
        .into_iter()
        .flat_map(quoted_in_calls)
        .filter_map(|quoted| quoted.iter().find(is_type).map(|word| entry(word, "event")))
        .collect()
}

fn is_plain_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
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
    for found in ["repository.initialized", "supervisor.starting", "job.released"] {
        assert!(event_types().contains(&entry(found, "event")), "{found}");
    }
    assert!(doctor_checks().contains(&entry("lane_isolation", "doctor check")));
}
