//! How much a workflow may hold.

/// Octets of a workflow file.
pub const MOST_OCTETS: u64 = 4 << 20;
/// Jobs.
pub(super) const MOST_JOBS: usize = 2000;
/// Edges.
pub(super) const MOST_EDGES: usize = 20_000;
/// Lanes, and roles.
pub(super) const MOST_NAMED: usize = 200;
/// Words of a lane's command, paths of a write scope, artifacts of a job.
pub(super) const MOST_ITEMS: usize = 1000;
/// How often one review may send its job back.
pub(super) const MOST_ITERATIONS: i64 = 1000;
