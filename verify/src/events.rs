//! The event chains: one a repository, a row a change of state.

use striatum_contract::hash::{EVENT_COLUMNS, EVENT_FIELDS};

use crate::Unreadable;
use crate::chain::{self, Layout, Listed, Rows};
use crate::files::Export;
use crate::fold::Fold;
use crate::form;
use crate::manifest::EventsHead;
use crate::payload;
use crate::report::{ChainReport, Code, Difference};
use crate::row::{Column, Kind, Row, position, positions};

const COLUMNS: [Column; 15] = [
    Column::new("segment_id", Kind::Decimal),
    Column::new("repository_id", Kind::Text),
    Column::new("event_id", Kind::Decimal),
    Column::nullable("run_id", Kind::Text),
    Column::new("event_type", Kind::Text),
    Column::nullable("actor_session_id", Kind::Text),
    Column::nullable("job_id", Kind::Text),
    Column::nullable("message_id", Kind::Text),
    Column::nullable("artifact_id", Kind::Text),
    Column::nullable("lease_id", Kind::Text),
    Column::new("payload_json", Kind::Text),
    Column::new("created_at", Kind::Seconds),
    Column::new("recorded_at", Kind::Micros),
    Column::nullable("previous_hash", Kind::Text),
    Column::new("row_hash", Kind::Text),
];

// Each column of an export has its kind above.
const _: [usize; 15] = positions(&COLUMNS, &EVENT_COLUMNS);

/// The hashed fields by the names of their columns: the payload's has another.
const HASHED: [&str; 12] = {
    let mut names = EVENT_FIELDS;
    names[10] = "payload_json";
    names
};

static LAYOUT: Layout<15, 12> = Layout {
    columns: COLUMNS,
    hashed: positions(&COLUMNS, &HASHED),
    segment_id: position(&COLUMNS, "segment_id"),
    id: position(&COLUMNS, "event_id"),
    second: position(&COLUMNS, "created_at"),
    recorded_at: position(&COLUMNS, "recorded_at"),
    previous_hash: position(&COLUMNS, "previous_hash"),
    row_hash: position(&COLUMNS, "row_hash"),
};

const SEGMENT_ID: usize = position(&COLUMNS, "segment_id");
const REPOSITORY_ID: usize = position(&COLUMNS, "repository_id");
const PAYLOAD: usize = position(&COLUMNS, "payload_json");

/// Checks the events of the repository that stands at this position of the manifest. The segment of an event is not
/// hashed; it is held against the audit chain's newest, where that chain is good.
pub(crate) fn verify(
    export: &Export,
    head: &EventsHead,
    position: usize,
    newest_segment: Option<u64>,
) -> Result<ChainReport, Unreadable> {
    let listed = Listed {
        repository_id: Some(&head.repository_id),
        file: &head.file,
        rows: head.rows,
        last_id: head.last_event_id.as_deref(),
        last_hash: head.last_hash.as_deref(),
        last_id_key: format!("events[{position}].last_event_id"),
        last_hash_key: format!("events[{position}].last_hash"),
    };
    let mut events = Events { repository_id: &head.repository_id, newest_segment, fold: Fold::default() };
    chain::verify(export, &LAYOUT, &listed, &mut events).map(|(report, _)| report)
}

struct Events<'m> {
    repository_id: &'m str,
    newest_segment: Option<u64>,
    fold: Fold,
}

impl Rows<15> for Events<'_> {
    fn check(&mut self, row: &Row<'_, 15>) -> Result<(), Box<Difference>> {
        if row.text(REPOSITORY_ID) != self.repository_id {
            return Err(row.differs(Code::ColumnsDisagree, REPOSITORY_ID, Some(self.repository_id)));
        }
        if let Some(newest) = self.newest_segment
            && form::decimal(row.text(SEGMENT_ID)).is_none_or(|segment| segment > newest)
        {
            let expected = format!("at most {newest}, the newest of the audit chain");
            return Err(row.differs(Code::OutOfSequence, SEGMENT_ID, Some(&expected)));
        }
        Ok(())
    }

    fn apply(&mut self, row: &Row<'_, 15>) -> Result<(), Box<Difference>> {
        payload::read(row.text(PAYLOAD), &mut |change| self.fold.apply(&change))
    }
}
