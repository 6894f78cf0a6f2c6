//! What an export says about itself: which chains there are, how long each is, and where each ends.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::files::Export;
use crate::form;
use crate::object::Object;
use crate::report::{Code, Difference, Stop};

pub(crate) const FORMAT: &str = "striatum.chains.v1";
pub(crate) const NAME: &str = "manifest.json";
pub(crate) const AUDIT: &str = "audit.jsonl";
pub(crate) const EVENTS: &str = "events";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    #[serde(rename = "format")]
    _format: String,
    exported_at: String,
    pub(crate) audit: Object<AuditHead>,
    pub(crate) events: Vec<Object<EventsHead>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuditHead {
    pub(crate) rows: u64,
    // Named, so that serde asks for the key even where its value may be null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) last_audit_id: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) last_hash: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsHead {
    pub(crate) repository_id: String,
    pub(crate) file: String,
    pub(crate) rows: u64,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) last_event_id: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) last_hash: Option<String>,
}

/// Of a manifest in a format that is not known nothing else can be asked.
#[derive(Deserialize)]
struct FormatAlone {
    format: String,
}

impl Manifest {
    /// Reads it, and checks what can be checked without the chains.
    pub(crate) fn read(export: &Export) -> Result<Self, Stop> {
        let octets = export.manifest()?;
        if let Ok(Object(FormatAlone { format: found })) = serde_json::from_slice(&octets)
            && found != FORMAT
        {
            return Err(crate::Unreadable::Format { found }.into());
        }
        let Object(manifest): Object<Self> = serde_json::from_slice(&octets).map_err(|error| {
            let line = u64::try_from(error.line()).ok().filter(|line| *line > 0);
            let expected = format!("a manifest of {FORMAT}");
            Difference::new(Code::ManifestMalformed, None, Some(&expected), Some(&error.to_string()))
                .at(NAME, line)
        })?;
        manifest.check().map_err(|difference| difference.at(NAME, None))?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), Box<Difference>> {
        let malformed = |column: &str, expected: &str, found: &str| {
            Err(Difference::new(Code::ManifestMalformed, Some(column), Some(expected), Some(found)))
        };
        if !form::is_micros(&self.exported_at) {
            return malformed("exported_at", "a UTC instant with six digits", &self.exported_at);
        }
        let mut seen = BTreeSet::new();
        for (position, Object(listed)) in self.events.iter().enumerate() {
            let key = |key: &str| format!("events[{position}].{key}");
            if !form::is_repository_id(&listed.repository_id) {
                return malformed(&key("repository_id"), "letters, digits and _", &listed.repository_id);
            }
            if !seen.insert(&listed.repository_id) {
                return malformed(&key("repository_id"), "each repository once", &listed.repository_id);
            }
            let file = format!("{EVENTS}/{}.jsonl", listed.repository_id);
            if listed.file != file {
                return malformed(&key("file"), &file, &listed.file);
            }
        }
        Ok(())
    }

    /// The paths of its files of events.
    pub(crate) fn event_files(&self) -> BTreeSet<&str> {
        self.events.iter().map(|Object(listed)| listed.file.as_str()).collect()
    }
}
