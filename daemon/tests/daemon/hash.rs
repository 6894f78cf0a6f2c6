//! The reference vectors, through SQL.

use striatum_testkit::{Database, vectors};

/// STR-AUTHZ-12: SQL reproduces every vector that Rust reproduces.
#[tokio::test]
async fn sql_reproduces_every_vector() {
    let database = Database::fresh().await.expect("a database");
    let mut connection = database.admin().await.expect("a connection");
    let rows = [vectors::audit().rows, vectors::event().rows];
    let rows: Vec<_> = rows.iter().flatten().collect();
    assert_eq!(rows.len(), 12);
    for vector in rows {
        let hash: String = sqlx::query_scalar("select striatumd.hash_v3(variadic $1)")
            .bind(&vector.values)
            .fetch_one(&mut connection)
            .await
            .expect("a hash");
        assert_eq!(hash, vector.row_hash, "{:?}", vector.values);
    }
}
