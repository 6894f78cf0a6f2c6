//! `daemon_host`: as which user the daemon runs, and its version.

use rustix::process::geteuid;
use serde_json::{Value, json};

use super::Observer;

pub(super) const OBSERVER: Observer = Observer { name: "daemon_host", look };

fn look(_what: &Value) -> Value {
    let uid = geteuid().as_raw();
    json!({"uid": uid, "user": name(uid), "version": env!("CARGO_PKG_VERSION")})
}

/// The user's name as `/etc/passwd` has it, else the number.
#[expect(clippy::disallowed_methods, reason = "an observer looks at the host")]
fn name(uid: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let number = uid.to_string();
    let line = users.lines().find(|line| line.split(':').nth(2) == Some(&number));
    line.and_then(|line| line.split(':').next()).map_or(number.clone(), str::to_owned)
}
