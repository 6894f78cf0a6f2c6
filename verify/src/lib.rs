//! Checks a chain export offline: every hash, every link, every column that can be checked against another, and the
//! fold over what the events say they changed. What is checked, and by which formula, stands in `docs/verifying.md`.
//!
//! Nothing but files is looked at, and nothing in them is trusted. Memory does not grow with the number of rows; the
//! fold keeps one small entry for each object that still exists, of one repository at a time.

mod audit;
mod chain;
mod events;
mod files;
mod fold;
mod form;
mod manifest;
mod object;
mod payload;
mod report;
mod row;
mod unreadable;

use std::path::Path;

pub use files::LONGEST_LINE;
pub use report::{ChainReport, Code, Difference, Report, Verdict};
pub use unreadable::Unreadable;

use files::Export;
use manifest::Manifest;
use report::Stop;

/// Checks the export in this folder, all of it: a chain that differs does not keep the others from being checked.
///
/// An error means that nothing can be said: the folder is no export, or a file of it cannot be read. What an export
/// says wrongly is no error but a [`Difference`] in the report.
pub fn verify(folder: &Path) -> Result<Report, Unreadable> {
    let export = Export::open(folder)?;
    let manifest = match Manifest::read(&export) {
        Ok(manifest) => manifest,
        Err(Stop::Differs(difference)) => return Ok(Report::new(Some(*difference), Vec::new())),
        Err(Stop::Unreadable(why)) => return Err(why),
    };
    let around = export.first_difference(&manifest)?;
    let (audit, last_segment) = audit::verify(&export, &manifest)?;
    let mut chains = vec![audit];
    for (position, object::Object(listed)) in manifest.events.iter().enumerate() {
        chains.push(events::verify(&export, listed, position, last_segment)?);
    }
    Ok(Report::new(around.map(|difference| *difference), chains))
}
