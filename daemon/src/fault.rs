//! Places in the code at which a crash test ends the daemon. In a program that users get there is none: without the
//! feature `faults` a point is nothing.

/// A place by its name. With the feature `faults` the process ends here, as by a kill, when `STRIATUM_FAULT` is
/// `name` or `name:N` and this is the Nth time.
#[cfg(feature = "faults")]
#[expect(clippy::disallowed_methods, reason = "a test says where the daemon ends")]
pub(crate) fn point(name: &str) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let Ok(wanted) = std::env::var("STRIATUM_FAULT") else { return };
    let (wanted, nth) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if wanted == name && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == nth.parse().unwrap_or(1) {
        std::process::abort();
    }
}

/// Nothing.
#[cfg(not(feature = "faults"))]
pub(crate) fn point(_name: &str) {}
