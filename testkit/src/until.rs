//! Waiting for what is waited for: no test sleeps for a time, and none compares times.

use std::time::{Duration, Instant};

/// A test that waits for so long counts as hung.
const HUNG: Duration = Duration::from_secs(120);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Looks until it is so. Blocks.
///
/// # Panics
/// When it is not so for so long that the test counts as hung.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + HUNG;
    while !is_so() {
        assert!(Instant::now() < end, "hung: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// The same for what is asked of a database.
///
/// # Panics
/// When it is not so for so long that the test counts as hung.
pub async fn until_asked(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + HUNG;
    while !is_so().await {
        assert!(Instant::now() < end, "hung: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}
