//! Tests that cannot be had on every kind of server.

use std::io::Write as _;
use std::thread;

use crate::provider::in_container;

/// For a test of something that a container cannot give: where servers come from containers, says that the running
/// test is passed over, and why; the test then returns. `make test` and `scripts/trace` count it as skipped.
#[must_use = "a test that is passed over returns"]
pub fn skipped_in_container(why: &str) -> bool {
    skipped_unless(!in_container(), why)
}

/// For a test of something that this machine cannot give, as a second user: the same where it is not given.
#[must_use = "a test that is passed over returns"]
pub fn skipped_unless(is_given: bool, why: &str) -> bool {
    if !is_given {
        let test = thread::current();
        // Past the test runner, which keeps what a passing test prints; in one piece, to stay a line of its own.
        let line = skipped_line(test.name().unwrap_or("unnamed"), why);
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    }
    !is_given
}

/// How a test that is passed over says so; the runner may have left its line open before.
pub fn skipped_line(test: &str, why: &str) -> String {
    format!("\nskipped: {test}: {why}\n")
}
