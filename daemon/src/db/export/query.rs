//! What an export asks of the database.

use sqlx::PgConnection;

/// Rows of the audit chain in a batch: each has at most a few hundred octets that a caller chose.
const AUDIT_ROWS: i64 = 4096;
/// Events in a batch: each may have 256 KiB, and twice that as JSON in JSON.
const EVENTS: i64 = 64;

/// A row of a chain, as the line of a file.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) segment_id: i64,
    /// Whose chain it is; nobody's in the audit chain.
    pub(super) repository_id: String,
    pub(super) id: i64,
    pub(super) row_hash: String,
    /// One JSON object, its keys the names of the columns.
    pub(super) line: String,
}

/// One snapshot for all of it, as the owner, writing nothing.
pub(super) async fn begin(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(
        "begin transaction isolation level repeatable read, read only;
         set local role striatum_owner;
         set local search_path = pg_catalog, pg_temp;
         set local timezone = 'UTC';
         set local statement_timeout = 0;
         set local lock_timeout = '10s';
         select from striatumd.audit_chain_head",
    )
    .execute(connection)
    .await
    .map(drop)
}

/// The instant of the snapshot.
pub(super) async fn exported_at(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar(r#"select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"#)
        .fetch_one(connection)
        .await
}

/// How many rows the audit chain has, by the number of its last one.
pub(super) async fn audit_rows(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let head = sqlx::query_scalar("select audit_id from striatumd.audit_chain_head");
    Ok(head.fetch_optional(connection).await?.unwrap_or_default())
}

/// The rows of the audit chain that come next.
pub(super) async fn audit(connection: &mut PgConnection, after: (i64, i64)) -> Result<Vec<Row>, sqlx::Error> {
    let rows: Vec<(i64, i64, String, String)> =
        sqlx::query_as(AUDIT).bind(after.0).bind(after.1).bind(AUDIT_ROWS).fetch_all(connection).await?;
    let row = |(segment_id, id, row_hash, line)| Row {
        segment_id,
        repository_id: String::new(),
        id,
        row_hash,
        line,
    };
    Ok(rows.into_iter().map(row).collect())
}

/// The events that come next, by segment, repository and id.
pub(super) async fn events(
    connection: &mut PgConnection,
    after: &(i64, String, i64),
) -> Result<Vec<Row>, sqlx::Error> {
    let query = sqlx::query_as(EVENT).bind(after.0).bind(&after.1).bind(after.2).bind(EVENTS);
    let rows: Vec<(i64, String, i64, String, String)> = query.fetch_all(connection).await?;
    let row = |(segment_id, repository_id, id, row_hash, line)| Row {
        segment_id,
        repository_id,
        id,
        row_hash,
        line,
    };
    Ok(rows.into_iter().map(row).collect())
}

const AUDIT: &str = r#"
select segment_id, audit_id, row_hash, json_build_object(
         'segment_id', segment_id::text, 'audit_id', audit_id::text,
         'ts', to_char(ts, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
         'recorded_at', to_char(recorded_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
         'schema_version', schema_version, 'hash_format_version', hash_format_version,
         'daemon_version', daemon_version, 'client_id', client_id, 'principal_id', principal_id,
         'session_id', session_id, 'repository_id', repository_id, 'method', method, 'decision', decision,
         'denial_reason', denial_reason, 'transport', transport, 'request_id', request_id, 'exit_code', exit_code,
         'params_sha256', params_sha256, 'previous_hash', previous_hash, 'row_hash', row_hash)::text
  from striatumd.audit_log
 where (segment_id, audit_id) > ($1, $2)
 order by segment_id, audit_id
 limit $3"#;

const EVENT: &str = r#"
select segment_id, repository_id, event_id, row_hash, json_build_object(
         'segment_id', segment_id::text, 'repository_id', repository_id, 'event_id', event_id::text,
         'run_id', run_id, 'event_type', event_type, 'actor_session_id', actor_session_id, 'job_id', job_id,
         'message_id', message_id, 'artifact_id', artifact_id, 'lease_id', lease_id,
         'payload_json', payload_json,
         'created_at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
         'recorded_at', to_char(recorded_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
         'previous_hash', previous_hash, 'row_hash', row_hash)::text
  from striatumd.events
 where (segment_id, repository_id, event_id) > ($1, $2, $3)
 order by segment_id, repository_id, event_id
 limit $4"#;
