//! The log: JSON lines on standard error, key fields only; never params, tokens or payloads.

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

/// Begins to log what this program says at this level and above. Of the database client nothing is taken over: it
/// logs statements, and words of the server.
pub fn start(level: tracing::Level) {
    let own = tracing_subscriber::filter::filter_fn(|metadata| metadata.target().starts_with("striatumd"));
    let lines = fmt::layer().json().flatten_event(true).with_writer(std::io::stderr);
    tracing_subscriber::registry()
        .with(lines.with_filter(LevelFilter::from_level(level)).with_filter(own))
        .init();
}
