//! How much a workflow may hold, where its schema cannot say it.

/// Octets of a workflow file.
pub const MOST_OCTETS: u64 = 4 << 20;
/// Octets of a key.
pub(super) const LONGEST_KEY: usize = 256;
/// Keys of one object, where the schema says no number.
pub(super) const MOST_KEYS: usize = 1000;
/// Keys of a whole file that are not known.
pub(super) const MOST_UNKNOWN: usize = 1000;
/// Findings that are kept of each kind, those that forbid a run and the others; what is more is counted.
pub(super) const MOST_KEPT: usize = 500;
