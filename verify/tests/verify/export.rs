//! An export that a test makes, changes and has verified: rows as JSON values, hashed with the contract's own function.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use striatum_contract::hash::{AUDIT_FIELDS, EVENT_FIELDS, hash_v3};
use striatum_verify::{Report, verify};
use tempfile::TempDir;

/// The repositories of the good export.
pub(crate) const REPOSITORIES: [&str; 2] = ["repo_00000000000000aa", "repo_00000000000000bb"];

/// Files before they are files.
#[derive(Debug, Clone)]
pub(crate) struct Export {
    pub(crate) manifest: Value,
    pub(crate) audit: Vec<Value>,
    pub(crate) events: Vec<(String, Vec<Value>)>,
}

impl Export {
    /// Two repositories; nulls, text beyond ASCII, escapes, all decisions.
    pub(crate) fn good() -> Self {
        let mut export = Self { manifest: Value::Null, audit: audit_rows(), events: Vec::new() };
        let [one, other] = REPOSITORIES;
        export.events.push((one.to_owned(), job_story(one)));
        export.events.push((other.to_owned(), note_story(other)));
        export.seal();
        export
    }

    /// Ids, links, hashes and manifest anew, as the database would have made them of these rows.
    pub(crate) fn seal(&mut self) {
        seal(&mut self.audit, "audit_id", &AUDIT_FIELDS);
        let events: Vec<Value> = self
            .events
            .iter_mut()
            .map(|(repository, rows)| {
                seal(rows, "event_id", &EVENT_FIELDS);
                json!({"repository_id": repository, "file": format!("events/{repository}.jsonl"),
                       "rows": rows.len(), "last_event_id": last(rows, "event_id"),
                       "last_hash": last(rows, "row_hash")})
            })
            .collect();
        let audit = json!({"rows": self.audit.len(), "last_audit_id": last(&self.audit, "audit_id"),
                           "last_hash": last(&self.audit, "row_hash")});
        self.manifest = json!({"format": "striatum.chains.v1", "exported_at": "2026-11-30T01:00:00.000000Z",
                               "audit": audit, "events": events});
    }

    /// Hashes of one row anew, without those after it: what is left to whoever changes a row and knows the format.
    pub(crate) fn hash_event(&mut self, repository: usize, row: usize) {
        let row = &mut self.events[repository].1[row];
        row["row_hash"] = json!(row_hash(row, &EVENT_FIELDS));
    }

    /// The rows of a chain: 0 the audit chain, then those of the repositories.
    pub(crate) fn chain(&mut self, chain: usize) -> &mut Vec<Value> {
        match chain {
            0 => &mut self.audit,
            events => &mut self.events[events - 1].1,
        }
    }

    /// The name of its file.
    pub(crate) fn file(&self, chain: usize) -> String {
        match chain {
            0 => "audit.jsonl".to_owned(),
            events => format!("events/{}.jsonl", self.events[events - 1].0),
        }
    }

    /// Each file with its octets.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let lines =
            |rows: &[Value]| rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes();
        let mut files = vec![
            ("manifest.json".to_owned(), self.manifest.to_string().into_bytes()),
            (self.file(0), lines(&self.audit)),
        ];
        files.extend(self.events.iter().enumerate().map(|(n, (_, rows))| (self.file(n + 1), lines(rows))));
        files
    }

    /// Written to a folder that goes away with what is answered.
    pub(crate) fn write(&self) -> TempDir {
        write(&self.files())
    }

    /// Written, verified, gone.
    pub(crate) fn verify(&self) -> Report {
        verify(self.write().path()).expect("it can be read")
    }
}

/// Files of an export in a new folder.
pub(crate) fn write(files: &[(String, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("events")).expect("a folder");
    for (name, octets) in files {
        put(folder.path(), name, octets);
    }
    folder
}

/// One file.
pub(crate) fn put(folder: &Path, name: &str, octets: &[u8]) {
    fs::write(folder.join(name), octets).expect("a file");
}

fn last(rows: &[Value], key: &str) -> Value {
    rows.last().map_or(Value::Null, |row| row[key].clone())
}

fn seal(rows: &mut [Value], id: &str, fields: &[&str]) {
    let mut previous = Value::Null;
    for (n, row) in rows.iter_mut().enumerate() {
        row[id] = json!((n + 1).to_string());
        row["previous_hash"] = previous;
        row["row_hash"] = json!(row_hash(row, fields));
        previous = row["row_hash"].clone();
    }
}

/// By the names of the published fields, so that a wrong order in the verifier cannot hide in the test.
fn row_hash(row: &Value, fields: &[&str]) -> String {
    let texts: Vec<Option<String>> = fields
        .iter()
        .map(|field| match &row[if *field == "payload" { "payload_json" } else { field }] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            number => Some(number.to_string()),
        })
        .collect();
    hash_v3(texts.iter().map(Option::as_deref))
}

fn audit_rows() -> Vec<Value> {
    let row = |second: u8, differs: Value| {
        let mut row = json!({
            "segment_id": "1", "audit_id": null, "ts": format!("2026-11-30T00:00:{second:02}Z"),
            "recorded_at": format!("2026-11-30T00:00:{second:02}.000123Z"), "schema_version": 1,
            "hash_format_version": 3, "daemon_version": "0.1.0", "client_id": "client_1", "principal_id": "prin_1",
            "session_id": "sess_1", "repository_id": REPOSITORIES[0], "method": "work.claim_next",
            "decision": "allowed", "denial_reason": null, "transport": "mcp", "request_id": "r-2", "exit_code": null,
            "params_sha256": "d0e4505ab5e45c540d6502d07898872b029a4c2904a8b7d657094e4da2aa2735",
            "previous_hash": null, "row_hash": null,
        });
        set(&mut row, differs);
        row
    };
    vec![
        row(
            0,
            json!({"client_id": null, "principal_id": null, "session_id": null, "repository_id": null,
            "method": "daemon.hello", "transport": "rpc", "request_id": "r-1",
            "params_sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}),
        ),
        row(1, json!({})),
        row(
            1,
            json!({"decision": "denied", "denial_reason": "lease_not_active", "exit_code": 4, "transport": "rpc"}),
        ),
        row(
            2,
            json!({"decision": "denied", "exit_code": 10, "denial_reason": null, "method": "Grüße, 作業\n\"1:\"",
            "request_id": null, "params_sha256": null, "principal_id": null, "session_id": null}),
        ),
        row(
            3,
            json!({"decision": "error", "exit_code": 1, "denial_reason": "internal_error", "transport": "web"}),
        ),
        row(
            3,
            json!({"segment_id": "2", "client_id": "", "transport": "internal", "method": "effect.record"}),
        ),
    ]
}

/// Puts these values into a row.
pub(crate) fn set(row: &mut Value, values: Value) {
    let (Value::Object(row), Value::Object(values)) = (row, values) else { panic!("objects") };
    row.extend(values);
}

/// An event of these changes.
pub(crate) fn event(repository: &str, event_type: &str, changes: &[Value]) -> Value {
    let payload = json!({"changes": changes, "reason": "because of «this»\t\u{1f9e0}", "by": "sess_1"});
    json!({
        "segment_id": "1", "repository_id": repository, "event_id": null, "run_id": "run_1", "event_type": event_type,
        "actor_session_id": null, "job_id": "job_1", "message_id": null, "artifact_id": null, "lease_id": "lease_1",
        "payload_json": payload.to_string(), "created_at": "2026-11-30T00:00:05Z",
        "recorded_at": "2026-11-30T00:00:05.999999Z", "previous_hash": null, "row_hash": null,
    })
}

/// One object's change.
pub(crate) fn change(of: &str, id: &str, from: Value, to: Value) -> Value {
    json!({"of": of, "id": id, "from": from, "to": to})
}

/// A job that is made, claimed and completed, and its lease, which goes away.
pub(crate) fn job_story(repository: &str) -> Vec<Value> {
    let scope = json!({"allowed": ["src/ä b.rs", "docs/"], "forbidden": [], "long": "x".repeat(80)});
    let lease = json!({"session_id": "sess_1", "ttl_s": 1800});
    vec![
        event(
            repository,
            "job.created",
            &[change(
                "job",
                "job_1",
                Value::Null,
                json!({"state": "queued", "attempt": 1, "lease_id": null, "scope": scope}),
            )],
        ),
        event(
            repository,
            "job.claimed",
            &[
                change(
                    "job",
                    "job_1",
                    json!({"state": "queued", "lease_id": null}),
                    json!({"state": "running", "lease_id": "lease_1"}),
                ),
                change("lease", "lease_1", Value::Null, lease.clone()),
            ],
        ),
        event(repository, "lease.released", &[change("lease", "lease_1", lease, Value::Null)]),
        event(
            repository,
            "job.completed",
            &[change(
                "job",
                "job_1",
                json!({"state": "running", "scope": scope}),
                json!({"state": "completed", "scope": {}}),
            )],
        ),
    ]
}

/// Events without changes, with none, and one object made twice.
fn note_story(repository: &str) -> Vec<Value> {
    let made = |to: &str| change("note", "n/1", Value::Null, json!({"text": to}));
    let gone = |from: &str| change("note", "n/1", json!({"text": from}), Value::Null);
    let mut rows = vec![
        event(repository, "note.taken", &[made("ein „Text“")]),
        event(repository, "note.dropped", &[gone("ein „Text“")]),
        event(repository, "note.taken", &[made("another")]),
        event(repository, "decision.recorded", &[]),
        event(repository, "decision.recorded", &[]),
    ];
    set(&mut rows[3], json!({"payload_json": "{}", "segment_id": "2"}));
    set(&mut rows[4], json!({"payload_json": "{\"unknown\": [1, {\"stdout\": null}]}", "segment_id": "2"}));
    rows
}

/// The changed payload of an event.
pub(crate) fn edit_payload(row: &mut Value, edit: impl FnOnce(&mut Map<String, Value>)) {
    let text = row["payload_json"].as_str().expect("a text");
    let mut payload: Map<String, Value> = serde_json::from_str(text).expect("an object");
    edit(&mut payload);
    row["payload_json"] = json!(Value::Object(payload).to_string());
}
