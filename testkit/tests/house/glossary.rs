//! The glossary knows every word that the database can hold.

use sqlx::Row as _;
use striatum_testkit::Database;

use crate::root;

/// Every value of every closed enumeration has an entry, with its vocabulary's name.
#[tokio::test]
async fn every_value_of_every_enumeration_has_an_entry() {
    let glossary = std::fs::read_to_string(root().join("docs/glossary.md")).expect("the glossary");
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    let values = sqlx::query(
        "select replace(t.typname, '_', ' '), e.enumlabel::text from pg_enum e join pg_type t on t.oid = e.enumtypid
          where t.typnamespace = 'striatumd'::regnamespace order by 1, e.enumsortorder",
    )
    .fetch_all(&mut connection)
    .await
    .expect("values");
    assert!(!values.is_empty());
    let missing: Vec<String> = values
        .iter()
        .map(|row| format!("- `{}` ({})", row.get::<String, _>(1), row.get::<String, _>(0)))
        .filter(|entry| !glossary.lines().any(|line| line.starts_with(entry.as_str())))
        .collect();
    assert!(missing.is_empty(), "not in docs/glossary.md:\n{}", missing.join("\n"));
}
