//! A million rows verified, against sha256 over the same canonical octets alone; and the most memory that it took.
#![expect(clippy::disallowed_methods, reason = "the export is written, and the process's own memory read")]

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use striatum_contract::hash::{AUDIT_FIELDS, EVENT_FIELDS, canonical_v3, hash_v3};
use striatum_verify::{Verdict, verify};

const AUDIT_ROWS: u64 = 500_000;
const REPOSITORIES: u64 = 4;
const JOBS: u64 = 25_000;
const ROWS: u64 = AUDIT_ROWS + REPOSITORIES * JOBS * 5;
const ROUNDS: u32 = 5;
/// Forms hashed between two looks at the clock, which moves in steps.
const AT_ONCE: usize = 20_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let export = folder.path().join("chains");
    let octets = folder.path().join("octets");
    write(&export, &octets);

    let before = peak();
    let mut verified = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = on_processor();
        let report = verify(&export).expect("it can be read");
        verified = verified.min(on_processor() - start);
        assert_eq!(report.verdict, Verdict::Verified, "{}", report.text());
        assert_eq!(report.audit_rows + report.events, ROWS);
    }
    let after = peak();
    let raw = (0..ROUNDS).map(|_| hashed(&octets)).min().expect("a round");

    println!("export: {ROWS} rows, {} MB; canonical form {} MB", size(&export), size(&octets));
    println!(
        "verified:                  {:.2} s, {:.0} rows/s",
        verified.as_secs_f64(),
        per_second(verified)
    );
    println!("sha256 of the same octets: {:.2} s, {:.0} rows/s", raw.as_secs_f64(), per_second(raw));
    println!("ratio:                     {:.2}", raw.as_secs_f64() / verified.as_secs_f64());
    println!("peak memory (VmHWM):       {} MB, of which {} MB before the first row was read", after, before);
}

fn per_second(time: Duration) -> f64 {
    ROWS as f64 / time.as_secs_f64()
}

/// The time that this thread, the only one, has been on a processor: what else the machine does is not in it.
fn on_processor() -> Duration {
    let text = fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

/// The most memory that this process has had, in MB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number")
        / 1024
}

/// Octets below a path, in MB.
fn size(path: &Path) -> u64 {
    fn octets(path: &Path) -> u64 {
        match fs::read_dir(path) {
            Ok(entries) => entries.map(|entry| octets(&entry.expect("an entry").path())).sum(),
            Err(_) => fs::metadata(path).expect("a file").len(),
        }
    }
    octets(path) / 1_000_000
}

/// The time that sha256 alone takes; reading is not counted.
fn hashed(octets: &Path) -> Duration {
    let mut file = BufReader::with_capacity(1 << 20, File::open(octets).expect("written before"));
    let mut time = Duration::ZERO;
    let mut forms: Vec<Vec<u8>> = vec![Vec::new(); AT_ONCE];
    for _ in 0..ROWS / AT_ONCE as u64 {
        for form in &mut forms {
            let mut length = [0; 4];
            file.read_exact(&mut length).expect("a length");
            form.resize(u32::from_le_bytes(length) as usize, 0);
            file.read_exact(form).expect("a form");
        }
        let start = on_processor();
        for form in &forms {
            black_box(Sha256::digest(black_box(form)));
        }
        time += on_processor() - start;
    }
    time
}

/// One chain on its way to disk, with its canonical octets beside it.
struct Chain<'o> {
    file: BufWriter<File>,
    octets: &'o mut BufWriter<File>,
    previous: Option<String>,
    rows: u64,
}

impl Chain<'_> {
    fn push(&mut self, mut row: Value, fields: &[&str]) {
        row["previous_hash"] = json!(self.previous);
        let key = |field: &str| if field == "payload" { "payload_json" } else { field }.to_owned();
        let texts: Vec<Option<String>> = fields
            .iter()
            .map(|field| match &row[key(field)] {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                number => Some(number.to_string()),
            })
            .collect();
        let fields = || texts.iter().map(Option::as_deref);
        let form = canonical_v3(fields());
        self.octets.write_all(&(form.len() as u32).to_le_bytes()).expect("room");
        self.octets.write_all(&form).expect("room");
        let hash = hash_v3(fields());
        row["row_hash"] = json!(hash);
        serde_json::to_writer(&mut self.file, &row).expect("room");
        self.file.write_all(b"\n").expect("room");
        self.previous = Some(hash);
        self.rows += 1;
    }
}

fn write(export: &Path, octets: &Path) {
    fs::create_dir_all(export.join("events")).expect("a folder");
    let mut octets = BufWriter::new(File::create(octets).expect("a file"));
    let open = |name: &str| BufWriter::with_capacity(1 << 20, File::create(export.join(name)).expect(name));
    let mut audit = Chain { file: open("audit.jsonl"), octets: &mut octets, previous: None, rows: 0 };
    (1..=AUDIT_ROWS).for_each(|id| audit.push(audit_row(id), &AUDIT_FIELDS));
    let head =
        json!({"rows": audit.rows, "last_audit_id": audit.rows.to_string(), "last_hash": audit.previous});
    drop(audit);
    let events: Vec<Value> = (1..=REPOSITORIES)
        .map(|repository| {
            let id = format!("repo_{repository:016x}");
            let file = format!("events/{id}.jsonl");
            let mut chain = Chain { file: open(&file), octets: &mut octets, previous: None, rows: 0 };
            (1..=JOBS).for_each(|job| job_events(&id, job, &mut chain));
            json!({"repository_id": id, "file": file, "rows": chain.rows,
                   "last_event_id": chain.rows.to_string(), "last_hash": chain.previous})
        })
        .collect();
    let manifest = json!({"format": "striatum.chains.v1", "exported_at": "2026-11-30T00:00:00.000000Z",
                          "audit": head, "events": events});
    fs::write(export.join("manifest.json"), manifest.to_string()).expect("room");
}

fn at(id: u64) -> (String, String) {
    let second = format!("2026-11-30T{:02}:{:02}:{:02}", id / 3600 % 24, id / 60 % 60, id % 60);
    (format!("{second}Z"), format!("{second}.{:06}Z", id % 1_000_000))
}

fn audit_row(id: u64) -> Value {
    let (ts, recorded_at) = at(id / 100);
    let denied = id.is_multiple_of(20);
    json!({
        "segment_id": "1", "audit_id": id.to_string(), "ts": ts, "recorded_at": recorded_at, "schema_version": 1,
        "hash_format_version": 3, "daemon_version": "0.1.0", "client_id": "client_0123456789abcdef",
        "principal_id": "prin_0123456789abcdef", "session_id": format!("sess_{:016x}", id % 50),
        "repository_id": "repo_0000000000000001", "method": "work.claim_next",
        "decision": if denied { "denied" } else { "allowed" },
        "denial_reason": if denied { json!("lease_not_active") } else { Value::Null }, "transport": "mcp",
        "request_id": format!("r-{id:016x}"), "exit_code": if denied { json!(4) } else { Value::Null },
        "params_sha256": hash_v3([Some(id.to_string().as_str())]),
    })
}

/// A job from its creation to its end: five events, three objects.
fn job_events(repository: &str, job: u64, chain: &mut Chain<'_>) {
    let (job, message, lease) =
        (format!("job_{job:016x}"), format!("msg_{job:016x}"), format!("lease_{job:016x}"));
    let change =
        |of: &str, id: &str, from: Value, to: Value| json!({"of": of, "id": id, "from": from, "to": to});
    let moved = |of: &str, id: &str, from: &str, to: &str| {
        change(of, id, json!({"state": from}), json!({"state": to}))
    };
    let created = json!({"state": "pending", "run_id": "run_0123456789abcdef", "workflow_job_id": "draft", "attempt": 1,
        "role": "author", "lane": "codex", "created_at": "2026-11-30T00:00:00.000000Z", "lease_id": null});
    let message_made = json!({"state": "pending", "job_id": job, "role": "author",
        "available_at": "2026-11-30T00:00:00.000000Z"});
    let lease_made =
        json!({"state": "active", "session_id": "sess_0123456789abcdef", "ttl_s": 1800, "job_id": job});
    let expires = |at: u64| json!({"expires_at": format!("2026-11-30T01:{at:02}:00.000000Z")});
    let story = [
        ("job.created", vec![change("job", &job, Value::Null, created)]),
        (
            "job.queued",
            vec![
                moved("job", &job, "pending", "queued"),
                change("message", &message, Value::Null, message_made),
            ],
        ),
        (
            "job.claimed",
            vec![
                change(
                    "job",
                    &job,
                    json!({"state": "queued", "lease_id": null}),
                    json!({"state": "running", "lease_id": lease}),
                ),
                moved("message", &message, "pending", "claimed"),
                change("lease", &lease, Value::Null, lease_made),
            ],
        ),
        ("lease.heartbeat", vec![change("lease", &lease, json!({"expires_at": null}), expires(1))]),
        (
            "job.completed",
            vec![
                moved("job", &job, "running", "completed"),
                moved("message", &message, "claimed", "completed"),
                moved("lease", &lease, "active", "released"),
            ],
        ),
    ];
    for (event_type, changes) in story {
        let (created_at, recorded_at) = at(chain.rows / 100);
        let payload = json!({"changes": changes, "reason": event_type, "by": "sess_0123456789abcdef"});
        let row = json!({
            "segment_id": "1", "repository_id": repository, "event_id": (chain.rows + 1).to_string(),
            "run_id": "run_0123456789abcdef", "event_type": event_type, "actor_session_id": "sess_0123456789abcdef",
            "job_id": job, "message_id": message, "artifact_id": null, "lease_id": lease,
            "payload_json": payload.to_string(), "created_at": created_at, "recorded_at": recorded_at,
        });
        chain.push(row, &EVENT_FIELDS);
    }
}
