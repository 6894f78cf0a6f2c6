//! `db export-chains DIR`: the chains as files, for whoever checks them without this database.
//!
//! One snapshot, read in batches by key, so that neither a long chain nor a writer in the meantime is in the way. The
//! manifest comes last: a folder without one is no export.

mod folder;
mod query;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sqlx::PgConnection;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;

use super::{Said, connect};
use crate::config::Place;
use crate::install::InstallError;
use folder::{Folder, Progress};

/// The name and version of this layout.
const FORMAT: &str = "striatum.chains.v1";

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("a file could not be written")]
    Written(#[from] std::io::Error),
    #[error("the database could not be read")]
    Read(#[from] sqlx::Error),
}

/// What was written of a chain.
#[derive(Debug, Default)]
struct Written {
    rows: u64,
    last_id: Option<String>,
    last_hash: Option<String>,
}

impl Written {
    fn add(&mut self, id: String, hash: String) {
        self.rows += 1;
        (self.last_id, self.last_hash) = (Some(id), Some(hash));
    }
}

/// Writes both kinds of chain into a fresh folder.
///
/// # Errors
/// The folder is not empty or cannot be written, or the database cannot be read by this login.
pub async fn export(place: &Place, target: &Path) -> Result<Said, Refusal> {
    let mut connection = connect(place).await?;
    query::begin(&mut connection).await.map_err(|error| refused(&error.into(), target))?;
    let folder = Folder::fresh(target)?;
    let manifest = write(&mut connection, &folder).await.map_err(|error| refused(&error, target))?;
    let rows = |chain: &Value| chain["rows"].as_u64().unwrap_or_default();
    let events = manifest["events"].as_array().map_or(0, |chains| chains.iter().map(rows).sum());
    let chains = manifest["events"].as_array().map_or(0, Vec::len);
    let shown = target.display();
    Ok(Said {
        text: format!(
            "exported {} audit rows, and {events} events of {chains} repositories, into {shown}\n\
             next:  striatum-verify {}\n",
            rows(&manifest["audit"]),
            shell_path(target)
        ),
        data: json!({"directory": target.to_string_lossy(), "manifest": manifest}),
    })
}

async fn write(connection: &mut PgConnection, folder: &Folder) -> Result<Value, Stopped> {
    let exported_at = query::exported_at(connection).await?;
    let mut progress = Progress::new(query::audit_rows(connection).await?);
    let audit = audit(connection, folder, &mut progress).await?;
    let events = events(connection, folder, &mut progress).await?;
    progress.end();
    let manifest = json!({
        "format": FORMAT, "exported_at": exported_at,
        "audit": {"rows": audit.rows, "last_audit_id": audit.last_id, "last_hash": audit.last_hash},
        "events": events,
    });
    folder.finish(&manifest)?;
    Ok(manifest)
}

async fn audit(
    connection: &mut PgConnection,
    folder: &Folder,
    progress: &mut Progress,
) -> Result<Written, Stopped> {
    let mut file = folder.open("audit.jsonl")?;
    let mut written = Written::default();
    let mut after = (0, 0);
    loop {
        let rows = query::audit(connection, after).await?;
        let Some(last) = rows.last() else { break };
        after = (last.segment_id, last.id);
        for row in rows {
            file.line(&row.line)?;
            written.add(row.id.to_string(), row.row_hash);
        }
        progress.audit(written.rows);
    }
    file.close()?;
    Ok(written)
}

/// The chains come segment by segment, in each of them repository by repository: one file is open at a time.
async fn events(
    connection: &mut PgConnection,
    folder: &Folder,
    progress: &mut Progress,
) -> Result<Value, Stopped> {
    let mut chains: BTreeMap<String, Written> = BTreeMap::new();
    let mut open: Option<(String, folder::Lines)> = None;
    let mut after = (0, String::new(), 0);
    let mut rows_of_all = 0;
    folder.make("events")?;
    loop {
        let rows = query::events(connection, &after).await?;
        let Some(last) = rows.last() else { break };
        after = (last.segment_id, last.repository_id.clone(), last.id);
        for row in rows {
            let file = match open.take() {
                Some((of, file)) if of == row.repository_id => file,
                before => {
                    if let Some((_, file)) = before {
                        file.close()?;
                    }
                    folder.open(&name_of(&row.repository_id)?)?
                }
            };
            let (_, file) = open.insert((row.repository_id.clone(), file));
            file.line(&row.line)?;
            chains.entry(row.repository_id).or_default().add(row.id.to_string(), row.row_hash);
            rows_of_all += 1;
        }
        progress.events(rows_of_all);
    }
    if let Some((_, file)) = open {
        file.close()?;
    }
    let chains = chains.into_iter().map(|(repository_id, written)| {
        let file = name_of(&repository_id)?;
        Ok(json!({
            "repository_id": repository_id, "file": file, "rows": written.rows,
            "last_event_id": written.last_id, "last_hash": written.last_hash,
        }))
    });
    Ok(Value::Array(chains.collect::<Result<_, Stopped>>()?))
}

/// Below the folder. An id is a word; whatever else stands in its place must not become a path.
fn name_of(repository_id: &str) -> Result<String, Stopped> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if repository_id.is_empty() || repository_id.len() > 128 || !repository_id.chars().all(is_word) {
        return Err(std::io::Error::other(format!("{repository_id:?} is the id of no repository")).into());
    }
    Ok(format!("events/{repository_id}.jsonl"))
}

fn refused(stopped: &Stopped, target: &Path) -> Refusal {
    let (shown, word) = (target.display(), shell_path(target));
    let again = format!("striatum db export-chains {word}");
    match stopped {
        Stopped::Written(error) => Refusal::new(
            "export_not_written",
            format!("{shown} could not be written: {error}; what is there has no manifest and is no export"),
            [format!("rm -r {word}"), again],
        ),
        Stopped::Read(error) => match error.as_database_error().and_then(|said| said.code()).as_deref() {
            Some("42501") => Refusal::new(
                "owner_rights_missing",
                "this login is no member of striatum_owner, who alone can read the chains",
                [format!("striatum db export-chains {word} --postgres-url URL, with the URL of a superuser")],
            ),
            Some("3F000" | "42P01" | "42703" | "22023") => Refusal::new(
                "database_behind",
                "there are no chains in this database yet",
                ["striatum db apply".to_owned()],
            ),
            _ => {
                tracing::error!(%error, "the chains could not be read");
                InstallError::Database(sqlx::Error::WorkerCrashed).refusal()
            }
        },
    }
}
