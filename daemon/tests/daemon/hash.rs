//! The reference vectors, through SQL.

use serde_json::Value;
use striatum_testkit::Database;

/// STR-AUTHZ-12: SQL reproduces every vector that Rust reproduces.
#[tokio::test]
async fn sql_reproduces_every_vector() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    let mut count = 0;
    for file in [
        include_str!("../../../contract/vectors/audit-v3.json"),
        include_str!("../../../contract/vectors/event-v3.json"),
    ] {
        let file: Value = serde_json::from_str(file).expect("the vector file is JSON");
        let order = file["fields_in_order"].as_array().expect("a list");
        for vector in file["rows"].as_array().expect("a list") {
            let fields: Vec<Option<String>> = order
                .iter()
                .map(|field| match &vector["row"][field.as_str().expect("a name")] {
                    Value::Null => None,
                    Value::String(text) => Some(text.clone()),
                    number => Some(number.to_string()),
                })
                .collect();
            let hash: String = sqlx::query_scalar("select striatumd.hash_v3(variadic $1)")
                .bind(&fields)
                .fetch_one(&mut connection)
                .await
                .expect("a hash");
            assert_eq!(hash, vector["row_hash"].as_str().expect("a hash"), "{fields:?}");
            count += 1;
        }
    }
    assert_eq!(count, 12);
}
