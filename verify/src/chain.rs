//! What all chains have in common: ids without a gap, links, hashes, and an end where the manifest says.

use std::str;

use striatum_contract::hash::hash_v3_in;

use crate::Unreadable;
use crate::files::Export;
use crate::form;
use crate::manifest;
use crate::report::{ChainReport, Code, Difference, Stop};
use crate::row::{Column, Row};

/// The columns of a kind of chain, and the positions of those that play a part in every chain.
pub(crate) struct Layout<const N: usize, const H: usize> {
    pub(crate) columns: [Column; N],
    /// In the order in which they are hashed.
    pub(crate) hashed: [usize; H],
    pub(crate) segment_id: usize,
    pub(crate) id: usize,
    /// The hashed second.
    pub(crate) second: usize,
    pub(crate) recorded_at: usize,
    pub(crate) previous_hash: usize,
    pub(crate) row_hash: usize,
}

/// What a kind of chain checks beyond that.
pub(crate) trait Rows<const N: usize> {
    /// Checks the columns of a row against each other, before its hash.
    fn check(&mut self, row: &Row<'_, N>) -> Result<(), Box<Difference>>;

    /// Takes a row that has been found good but for what it does.
    fn apply(&mut self, row: &Row<'_, N>) -> Result<(), Box<Difference>>;
}

/// What the manifest says about a chain.
pub(crate) struct Listed<'m> {
    pub(crate) repository_id: Option<&'m str>,
    pub(crate) file: &'m str,
    pub(crate) rows: u64,
    pub(crate) last_id: Option<&'m str>,
    pub(crate) last_hash: Option<&'m str>,
    /// The keys of the manifest that say so.
    pub(crate) last_id_key: String,
    pub(crate) last_hash_key: String,
}

/// Reads a chain to its first difference. Also answers the segment of the last good row.
pub(crate) fn verify<const N: usize, const H: usize>(
    export: &Export,
    layout: &'static Layout<N, H>,
    listed: &Listed<'_>,
    rows: &mut impl Rows<N>,
) -> Result<(ChainReport, u64), Unreadable> {
    let mut walk = Walk { layout, rows: 0, segment: 0, last_hash: None, form: Vec::with_capacity(1024) };
    let difference = match walk.all(export, listed, rows) {
        Ok(()) => None,
        Err(Stop::Differs(difference)) => Some(*difference),
        Err(Stop::Unreadable(why)) => return Err(why),
    };
    let report = ChainReport {
        repository_id: listed.repository_id.map(str::to_owned),
        file: listed.file.to_owned(),
        rows: walk.rows,
        last_hash: walk.last_hash().map(str::to_owned),
        difference,
    };
    Ok((report, walk.segment))
}

/// How far a chain has been found good.
struct Walk<const N: usize, const H: usize> {
    layout: &'static Layout<N, H>,
    rows: u64,
    segment: u64,
    last_hash: Option<[u8; 64]>,
    /// The canonical form of a row: one buffer for all.
    form: Vec<u8>,
}

impl<const N: usize, const H: usize> Walk<N, H> {
    fn all(&mut self, export: &Export, listed: &Listed<'_>, rows: &mut impl Rows<N>) -> Result<(), Stop> {
        let mut lines = export.lines(listed.file)?;
        while lines.advance()? {
            let place = |difference: Box<Difference>| difference.at(listed.file, Some(lines.number()));
            if self.rows == listed.rows {
                return Err(place(Difference::new(Code::RowUnexpected, None, None, Some("a row"))).into());
            }
            self.row(lines.line(), rows).map_err(place)?;
        }
        self.end(listed)
    }

    fn row(&mut self, line: &[u8], rows: &mut impl Rows<N>) -> Result<(), Box<Difference>> {
        let row = Row::read(line, &self.layout.columns)
            .map_err(|difference| difference.of_row(&(self.rows + 1).to_string()))?;
        let checked =
            self.checked(&row, rows).map_err(|difference| difference.of_row(row.text(self.layout.id)));
        let (segment, hash) = checked?;
        self.rows += 1;
        self.segment = segment;
        self.last_hash = Some(hash);
        Ok(())
    }

    /// The row's segment and hash, where all of it is good.
    fn checked(
        &mut self,
        row: &Row<'_, N>,
        rows: &mut impl Rows<N>,
    ) -> Result<(u64, [u8; 64]), Box<Difference>> {
        let layout = self.layout;
        if form::decimal(row.text(layout.id)) != Some(self.rows + 1) {
            let next = (self.rows + 1).to_string();
            return Err(row.differs(Code::OutOfSequence, layout.id, Some(&next)));
        }
        let segment = form::decimal(row.text(layout.segment_id)).unwrap_or_default();
        if segment < self.segment {
            let least = format!("{} or more, as before", self.segment);
            return Err(row.differs(Code::OutOfSequence, layout.segment_id, Some(&least)));
        }
        if !form::is_same_second(row.text(layout.second), row.text(layout.recorded_at)) {
            let cut = row.text(layout.recorded_at).get(..19).map(|second| format!("{second}Z"));
            return Err(row.differs(Code::ColumnsDisagree, layout.second, cut.as_deref()));
        }
        rows.check(row)?;
        if row.value(layout.previous_hash) != self.last_hash() {
            return Err(row.differs(Code::LinkBroken, layout.previous_hash, self.last_hash()));
        }
        let hash = hash_v3_in(&mut self.form, layout.hashed.iter().map(|at| row.value(*at)));
        if row.text(layout.row_hash).as_bytes() != hash {
            return Err(row.differs(Code::HashDiffers, layout.row_hash, str::from_utf8(&hash).ok()));
        }
        rows.apply(row)?;
        Ok((segment, hash))
    }

    /// Whether the chain ends where the manifest says.
    fn end(&self, listed: &Listed<'_>) -> Result<(), Stop> {
        if self.rows < listed.rows {
            let next = (self.rows + 1).to_string();
            let expected = format!("{} rows, as the manifest says", listed.rows);
            let found = format!("{} rows", self.rows);
            let missing = Difference::new(Code::RowMissing, None, Some(&expected), Some(&found));
            return Err(missing.at(listed.file, Some(self.rows + 1)).of_row(&next).into());
        }
        let differs = |key: &str, expected: Option<&str>, found: Option<&str>| {
            Stop::from(
                Difference::new(Code::ManifestDiffers, Some(key), expected, found).at(manifest::NAME, None),
            )
        };
        let last_id = (self.rows > 0).then(|| self.rows.to_string());
        let is_none = self.rows == 0 && listed.last_id == Some("0");
        if listed.last_id != last_id.as_deref() && !is_none {
            return Err(differs(&listed.last_id_key, last_id.as_deref(), listed.last_id));
        }
        if listed.last_hash != self.last_hash() {
            return Err(differs(&listed.last_hash_key, self.last_hash(), listed.last_hash));
        }
        Ok(())
    }

    fn last_hash(&self) -> Option<&str> {
        self.last_hash.as_ref().map(|hash| str::from_utf8(hash).expect("hexadecimal digits are ASCII"))
    }
}
