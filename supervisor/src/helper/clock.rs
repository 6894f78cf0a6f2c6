//! The host's clock, for events alone: nothing is decided by it.
#![expect(clippy::disallowed_methods, reason = "an event says when it happened, and no database is at hand")]

use std::time::SystemTime;

use time::OffsetDateTime;

/// Now: UTC, always six digits.
pub(super) fn now() -> String {
    let now = OffsetDateTime::from(SystemTime::now());
    let (date, time) = (now.date(), now.time());
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.microsecond()
    )
}
