//! Other ways to commit, for the bench to measure against; in no program that users get.
#![expect(clippy::disallowed_methods, reason = "the bench says which")]

use std::sync::LazyLock;

use super::lane::Commit;

static COMMITS: LazyLock<String> =
    LazyLock::new(|| std::env::var("STRIATUM_BENCH_COMMITS").unwrap_or_default());

pub(super) fn commit(is_alone: bool) -> Commit {
    match COMMITS.as_str() {
        "" => Commit { is_durable: is_alone, is_flushed: !is_alone },
        "each" => Commit { is_durable: true, is_flushed: false },
        "never" => Commit { is_durable: false, is_flushed: false },
        other => panic!("STRIATUM_BENCH_COMMITS is {other}: each, never, or nothing"),
    }
}
