//! Exported chains: every row is there, and whoever has the files alone can recompute every hash.
#![expect(clippy::disallowed_methods, reason = "the test reads what was written")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};
use striatum_contract::hash::{AUDIT_COLUMNS, AUDIT_FIELDS, EVENT_COLUMNS, EVENT_FIELDS, hash_v3};
use striatum_testkit::Database;

use crate::program::{Program, said};

async fn run(connection: &mut PgConnection, text: &str) {
    let ran = connection.execute(sqlx::raw_sql(AssertSqlSafe(text))).await;
    ran.unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// A database whose chains are longer than a batch of either kind, and go over two segments.
async fn filled() -> Database {
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    run(
        &mut admin,
        r#"set search_path = tap, public;
        select tap.open_door();
        select tap.plant('planted.thrice', '{"changes": true, "capability": "admin"}', $$
          return striatumd.decided('{}', (select jsonb_agg(striatumd.event(p ->> 'id', 'planted.done', 'plänted "🧠"',
            p_call.client_id, '[]')) from generate_series(1, 3)), '[]');
        $$);
        select count(tap.ask('ada', 'repo.add', jsonb_build_object('path', '/srv/' || n), tap.folder('/srv/' || n)))
          from generate_series(1, 70) n;
        select count(tap.ask('ada', 'planted.thrice', jsonb_build_object('id', repository_id)))
          from striatumd.repositories, generate_series(1, 30) where root in ('/srv/7', '/srv/8');
        select count(tap.ask(null, 'no.such' || chr(10) || '"', '{}')) from generate_series(1, 4100)"#,
    )
    .await;
    // The closing of segments is not built yet: the rows of a second one, put there by hand.
    run(
        &mut admin,
        "create table striatumd.audit_log_2 partition of striatumd.audit_log for values in (2);
         create table striatumd.events_2 partition of striatumd.events for values in (2);
         insert into striatumd.audit_log
         select 2, audit_id + 1, at, at, 1, 3, '0.1.0', null, null, null, null, 'planted.done', 'allowed', null,
                'internal', null, null, repeat('a', 64), row_hash,
                striatumd.hash_v3(striatumd.utc_seconds(at), '1', '3', '0.1.0', null, null, 'planted.done', 'allowed',
                                  null, 'internal', null, null, repeat('a', 64), row_hash, '2')
           from (select audit_id, date_trunc('second', recorded_at) as at, row_hash
                   from striatumd.audit_chain_head) h;
         insert into striatumd.events
         select 2, repository_id, event_id + 1, null, 'planted.done', null, null, null, null, null, '{}',
                recorded_at, recorded_at, row_hash,
                striatumd.hash_v3(row_hash, repository_id, (event_id + 1)::text, null, 'planted.done', null, null,
                                  null, null, null, '{}', striatumd.utc_seconds(recorded_at))
           from (select repository_id, event_id, date_trunc('second', recorded_at) as recorded_at, row_hash
                   from striatumd.repo_event_chain_heads) h",
    )
    .await;
    database
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("a file");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn columns(row: &Value) -> BTreeSet<&str> {
    row.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The text that is hashed of a value: numbers are written as decimals.
fn hashed(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        number => Some(number.to_string()),
    }
}

/// Checks ids, links and hashes of a chain; answers its number of rows, its last id and its last hash.
fn verified(rows: &[Value], id: &str, instant: &str, fields: &[&str]) -> (Value, Value, Value) {
    let (mut last_id, mut last_hash) = (0, Value::Null);
    for row in rows {
        last_id += 1;
        assert_eq!(row[id], json!(last_id.to_string()));
        assert_eq!(row["previous_hash"], last_hash, "{row}");
        let fields = fields.iter().map(|field| match *field {
            "payload" => hashed(&row["payload_json"]),
            field => hashed(row.get(field).unwrap_or_else(|| panic!("{row} has no {field}"))),
        });
        let fields: Vec<Option<String>> = fields.collect();
        assert_eq!(row["row_hash"], json!(hash_v3(fields.iter().map(Option::as_deref))), "{row}");
        let (second, micros) =
            (row[instant].as_str().expect("text"), row["recorded_at"].as_str().expect("text"));
        assert_eq!((second.len(), micros.len()), (20, 27), "{row}");
        assert_eq!(second[..19], micros[..19], "{row}");
        last_hash = row["row_hash"].clone();
    }
    let last_id = if rows.is_empty() { Value::Null } else { json!(last_id.to_string()) };
    (json!(rows.len()), last_id, last_hash)
}

#[tokio::test]
async fn every_row_is_exported_and_every_hash_can_be_recomputed() {
    let database = filled().await;
    let program = Program::of(&database);
    let folder = program.home().join("export");
    let shown = folder.display().to_string();
    let text = said(&program.run(&["db", "export-chains", &shown]));
    assert_eq!(
        text,
        format!(
            "exported 4231 audit rows, and 320 events of 70 repositories, into {shown}\n\
             next:  striatum-verify {shown}\n"
        )
    );

    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).expect("a manifest"))
            .expect("JSON");
    assert_eq!(manifest["format"], "striatum.chains.v1");
    assert_eq!(manifest["exported_at"].as_str().map(str::len), Some(27));
    let audit = lines(&folder.join("audit.jsonl"));
    let (rows, last_id, last_hash) = verified(&audit, "audit_id", "ts", &AUDIT_FIELDS);
    assert_eq!(manifest["audit"], json!({"rows": rows, "last_audit_id": last_id, "last_hash": last_hash}));
    assert_eq!(columns(&audit[0]), BTreeSet::from(AUDIT_COLUMNS));

    let chains = manifest["events"].as_array().expect("a list");
    assert_eq!(chains.len(), 70);
    assert_eq!(fs::read_dir(folder.join("events")).expect("a folder").count(), 70);
    let mut of_two_segments = 0;
    for chain in chains {
        let events = lines(&folder.join(chain["file"].as_str().expect("a name")));
        assert!(events.iter().all(|event| event["repository_id"] == chain["repository_id"]));
        let (rows, last_id, last_hash) = verified(&events, "event_id", "created_at", &EVENT_FIELDS);
        assert_eq!(
            (&chain["rows"], &chain["last_event_id"], &chain["last_hash"]),
            (&rows, &last_id, &last_hash)
        );
        assert!(events.iter().all(|event| columns(event) == BTreeSet::from(EVENT_COLUMNS)));
        of_two_segments += u32::from(events.last().expect("an event")["segment_id"] == "2");
    }
    assert_eq!(of_two_segments, 70);
    let report = striatum_verify::verify(&folder).expect("an export");
    assert!(report.verdict == striatum_verify::Verdict::Verified, "{}", report.text());
    let mode =
        |name: &str| fs::metadata(folder.join(name)).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("audit.jsonl"), mode("manifest.json")), (0o700, 0o600, 0o600));
}

#[tokio::test]
async fn chains_without_a_row_are_an_export_too() {
    let database = Database::fresh().await.expect("a database");
    let program = Program::of(&database);
    let folder = program.home().join("export");
    fs::create_dir(&folder).expect("an empty folder");
    let answer = said(&program.run(&["db", "export-chains", "--json", &folder.display().to_string()]));
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let manifest = &answer["data"]["manifest"];
    assert_eq!(manifest["audit"], json!({"rows": 0, "last_audit_id": null, "last_hash": null}));
    assert_eq!(manifest["events"], json!([]));
    assert_eq!(lines(&folder.join("audit.jsonl")), Vec::<Value>::new());
}

#[tokio::test]
async fn a_folder_that_holds_something_is_left_alone() {
    let database = Database::fresh().await.expect("a database");
    let program = Program::of(&database);
    fs::write(program.home().join("mine"), "mine").expect("a file");
    let home = program.home().display().to_string();
    for (target, code, exit_code) in [
        (home.clone(), "folder_not_empty", 4),
        (format!("{home}/mine"), "export_not_written", 1),
        (format!("{home}/no/such"), "export_not_written", 1),
    ] {
        let refused = program.run(&["db", "export-chains", &target, "--json"]);
        let refusal: Value = serde_json::from_slice(&refused.stderr).expect("JSON");
        assert_eq!(
            (&refusal["error"]["code"], refused.status.code()),
            (&json!(code), Some(exit_code)),
            "{refusal}"
        );
    }
    let names: Vec<_> = fs::read_dir(program.home())
        .expect("a folder")
        .map(|entry| entry.expect("one").file_name())
        .collect();
    assert_eq!(names, ["mine"]);
}

/// What a person is told next stays with the installation of the line, and leads somewhere.
#[tokio::test]
async fn a_folder_without_a_parent_is_said_to_lack_it() {
    let database = Database::fresh().await.expect("a database");
    let program = Program::of(&database);
    let home = program.home().display().to_string();
    let refused = program.run(&["db", "export-chains", &format!("{home}/n o/it's"), "--instance", "a"]);
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        format!(
            "error: {home}/n o/it's cannot be made: the folder {home}/n o, in which it would be, is missing \
             (export_not_written)\nnext:  mkdir -p '{home}/n o'\n\
             next:  striatum db export-chains '{home}/n o/it'\\''s' --instance a\n"
        )
    );
    let status = said(&program.run(&["db", "status", "--instance", "a"]));
    assert!(status.ends_with("next:  striatum daemon start --instance a\n"), "{status}");
    let status = said(&program.run(&["db", "status", "--instance", "a", "--json"]));
    assert!(status.contains(r#""next":["striatum daemon start"]"#), "{status}");
}

/// What has no manifest is no export: rows whose owner cannot be a file's name end it before that.
#[tokio::test]
async fn an_export_that_stops_has_no_manifest() {
    let database = filled().await;
    let mut admin = database.admin().await.expect("a connection");
    run(
        &mut admin,
        "insert into striatumd.events
         select 1, '../../outside', 1, null, 'planted.done', null, null, null, null, null, '{}',
                '2026-01-01Z', '2026-01-01Z', null, repeat('a', 64)",
    )
    .await;
    let program = Program::of(&database);
    let folder = program.home().join("export");
    let refused = program.run(&["db", "export-chains", &folder.display().to_string()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(export_not_written)\nnext:  rm -r "));
    assert!(folder.join("audit.jsonl").exists() && !folder.join("manifest.json").exists());
    assert!(!program.home().join("outside.jsonl").exists());
}

#[tokio::test]
async fn who_is_not_the_owner_exports_nothing() {
    let database = Database::fresh().await.expect("a database");
    let program =
        Program::at(&Program::of(&database).url().replace("user=postgres", "user=striatum_bootstrap"));
    let folder = program.home().join("export");
    let refused = program.run(&["db", "export-chains", &folder.display().to_string()]);
    assert_eq!(refused.status.code(), Some(13), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(!folder.exists());
}
