//! The audit chain: one a database, a row a request.

use striatum_contract::hash::{AUDIT_COLUMNS, AUDIT_FIELDS};

use crate::Unreadable;
use crate::chain::{self, Layout, Listed, Rows};
use crate::files::Export;
use crate::form;
use crate::manifest::{self, Manifest};
use crate::object::Object;
use crate::report::{ChainReport, Code, Difference};
use crate::row::{Column, Kind, Row, position, positions};

const COLUMNS: [Column; 20] = [
    Column::new("segment_id", Kind::Decimal),
    Column::new("audit_id", Kind::Decimal),
    Column::new("ts", Kind::Seconds),
    Column::new("recorded_at", Kind::Micros),
    Column::new("schema_version", Kind::Number),
    Column::new("hash_format_version", Kind::Number),
    Column::nullable("daemon_version", Kind::Text),
    Column::nullable("client_id", Kind::Text),
    Column::nullable("principal_id", Kind::Text),
    Column::nullable("session_id", Kind::Text),
    Column::nullable("repository_id", Kind::Text),
    Column::new("method", Kind::Text),
    Column::new("decision", Kind::OneOf(&["allowed", "denied", "error"])),
    Column::nullable("denial_reason", Kind::Text),
    Column::new("transport", Kind::OneOf(&["rpc", "mcp", "web", "internal"])),
    Column::nullable("request_id", Kind::Text),
    Column::nullable("exit_code", Kind::Number),
    Column::nullable("params_sha256", Kind::Digest),
    Column::nullable("previous_hash", Kind::Text),
    Column::new("row_hash", Kind::Text),
];

// Each column of an export has its kind above.
const _: [usize; 20] = positions(&COLUMNS, &AUDIT_COLUMNS);

static LAYOUT: Layout<20, 15> = Layout {
    columns: COLUMNS,
    hashed: positions(&COLUMNS, &AUDIT_FIELDS),
    segment_id: position(&COLUMNS, "segment_id"),
    id: position(&COLUMNS, "audit_id"),
    second: position(&COLUMNS, "ts"),
    recorded_at: position(&COLUMNS, "recorded_at"),
    previous_hash: position(&COLUMNS, "previous_hash"),
    row_hash: position(&COLUMNS, "row_hash"),
};

const SCHEMA_VERSION: usize = position(&COLUMNS, "schema_version");
const HASH_FORMAT_VERSION: usize = position(&COLUMNS, "hash_format_version");
const CLIENT_ID: usize = position(&COLUMNS, "client_id");
const PRINCIPAL_ID: usize = position(&COLUMNS, "principal_id");
const SESSION_ID: usize = position(&COLUMNS, "session_id");
const METHOD: usize = position(&COLUMNS, "method");
const DECISION: usize = position(&COLUMNS, "decision");
const DENIAL_REASON: usize = position(&COLUMNS, "denial_reason");
const EXIT_CODE: usize = position(&COLUMNS, "exit_code");

/// Checks it, and answers the newest segment where it is good: events cannot be in a newer one.
pub(crate) fn verify(export: &Export, manifest: &Manifest) -> Result<(ChainReport, Option<u64>), Unreadable> {
    let Object(head) = &manifest.audit;
    let listed = Listed {
        repository_id: None,
        file: manifest::AUDIT,
        rows: head.rows,
        last_id: head.last_audit_id.as_deref(),
        last_hash: head.last_hash.as_deref(),
        last_id_key: "audit.last_audit_id".to_owned(),
        last_hash_key: "audit.last_hash".to_owned(),
    };
    let (report, segment) = chain::verify(export, &LAYOUT, &listed, &mut Audit)?;
    let newest = report.difference.is_none().then_some(segment);
    Ok((report, newest))
}

struct Audit;

impl Rows<20> for Audit {
    fn check(&mut self, row: &Row<'_, 20>) -> Result<(), Box<Difference>> {
        match row.text(HASH_FORMAT_VERSION) {
            "3" => {}
            "2" => return Err(row.differs(Code::HashFormatUnsupported, HASH_FORMAT_VERSION, Some("3"))),
            _ => return Err(row.differs(Code::HashFormatUnknown, HASH_FORMAT_VERSION, Some("3"))),
        }
        if row.text(SCHEMA_VERSION) != "1" {
            return Err(row.differs(Code::ValueMalformed, SCHEMA_VERSION, Some("1")));
        }
        let is_allowed = row.text(DECISION) == "allowed";
        if is_allowed != (row.value(EXIT_CODE).is_none() && row.value(DENIAL_REASON).is_none()) {
            let expected = match is_allowed {
                true => "denied or error, where there is an exit code or a denial reason",
                false => "allowed, where there is neither exit code nor denial reason",
            };
            return Err(row.differs(Code::ColumnsDisagree, DECISION, Some(expected)));
        }
        // Somebody may have asked for a method that does not exist, or in a way in which none could be read; then
        // the row holds what was asked for.
        if is_allowed && !form::is_method(row.text(METHOD)) {
            return Err(row.differs(Code::ValueMalformed, METHOD, Some("the name of a method")));
        }
        for of_client in [PRINCIPAL_ID, SESSION_ID] {
            if row.value(CLIENT_ID).is_none() && row.value(of_client).is_some() {
                return Err(row.differs(Code::ColumnsDisagree, of_client, None));
            }
        }
        Ok(())
    }

    fn apply(&mut self, _: &Row<'_, 20>) -> Result<(), Box<Difference>> {
        Ok(())
    }
}
