//! What has to hold in the database after all that, checked apart from the program: hashes are computed here, from the
//! rows.

use sqlx::{PgConnection, Row as _};
use striatum_contract::hash::{AUDIT_FIELDS, EVENT_FIELDS, hash_v3};
use striatum_testkit::Database;

use crate::clients::{Clients, ignored};

const AUDIT: &str = "select audit_id as id, row_hash, 'audit' as chain,
    to_char(ts at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as ts, schema_version::text,
    hash_format_version::text, daemon_version, client_id, repository_id, method, decision::text, denial_reason,
    transport::text, request_id, exit_code::text, params_sha256, previous_hash, segment_id::text
  from striatumd.audit_log order by audit_id";

const EVENTS: &str = "select event_id as id, row_hash, repository_id as chain, previous_hash, repository_id,
    event_id::text, run_id, event_type, actor_session_id, job_id, message_id, artifact_id, lease_id,
    payload_json as payload, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as created_at
  from striatumd.events order by repository_id, event_id";

/// Every row follows from the one before and has the hash of what stands in it; how many there are.
async fn chain(connection: &mut PgConnection, query: &'static str, fields: &[&str], seed: u64) -> usize {
    let rows = sqlx::query(query).fetch_all(connection).await.expect("rows");
    let mut before: (String, i64, Option<String>) = (String::new(), 0, None);
    for row in &rows {
        let (chain, id): (String, i64) = (row.get("chain"), row.get("id"));
        if chain != before.0 {
            before = (chain.clone(), 0, None);
        }
        let values: Vec<Option<String>> = fields.iter().map(|field| row.get(*field)).collect();
        assert_eq!(id, before.1 + 1, "seed {seed}: {chain}");
        assert_eq!(row.get::<Option<String>, _>("previous_hash"), before.2, "seed {seed}: {chain} {id}");
        let hash = hash_v3(values.iter().map(Option::as_deref));
        assert_eq!(row.get::<String, _>("row_hash"), hash, "seed {seed}: {chain} {id}");
        before = (chain, id, Some(hash));
    }
    rows.len()
}

pub(crate) async fn holds(database: &Database, clients: &Clients, seed: u64) {
    let mut admin = database.admin().await.expect("a connection");
    assert!(chain(&mut admin, AUDIT, &AUDIT_FIELDS, seed).await > 0);
    chain(&mut admin, EVENTS, &EVENT_FIELDS, seed).await;
    for (what, query) in [
        ("a root with two rows", "select count(*) from (
               select root from striatumd.repositories group by root having count(*) > 1) t"),
        (
            "a repository with other events than its own",
            "select count(*) from (select r.repository_id from striatumd.repositories r
               left join striatumd.events e on e.repository_id = r.repository_id group by r.repository_id, root
             having coalesce(string_agg(event_type, ' ' order by event_id), '')
                 <> case when root like '%/ready-%' then 'repository.added'
                         else 'repository.added repository.initialized' end) t",
        ),
        ("events of no repository", "select count(*) from striatumd.events e where not exists
            (select from striatumd.repositories r where r.repository_id = e.repository_id)"),
        (
            "a repository that its events do not tell",
            "select count(*) from striatumd.repositories r where striatumd.repository_folded(r)
                 is distinct from striatumd.fold_repository(r.repository_id)",
        ),
        ("an effect that is not done", "select count(*) from striatumd.effects where state <> 'done'"),
        ("a repository that is not initialized",
            "select count(*) from striatumd.repositories where not is_initialized"),
        ("a change without its row", "select count(*) from striatumd.command_requests c where not exists
            (select from striatumd.audit_log a where a.client_id = c.client_id and a.decision = 'allowed'
                and a.request_id = c.request_id and a.method = c.method)"),
    ] {
        let found: i64 = sqlx::query_scalar(query).fetch_one(&mut admin).await.expect("a count");
        assert_eq!(found, 0, "seed {seed}: {what}");
    }
    for told in clients.told() {
        let row: (String, i64) =
            sqlx::query_as("select min(repository_id), count(*) from striatumd.repositories where root = $1")
                .bind(told.root.to_str())
                .fetch_one(&mut admin)
                .await
                .expect("a row");
        assert_eq!((told.data["repository_id"].as_str(), 1), (Some(row.0.as_str()), row.1), "seed {seed}");
        assert_eq!(ignored(&told.root), ".striatum/\n", "seed {seed}: {}", told.root.display());
    }
}
