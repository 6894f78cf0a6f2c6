//! `path_place`: which real path a path leads to; where it leads to none, that of the nearest folder above it.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Observer;

pub(super) const OBSERVER: Observer = Observer { name: "path_place", look };

fn look(what: &Value) -> Value {
    let path = Path::new(what["path"].as_str().unwrap_or_default());
    let found = path.ancestors().find_map(|above| fs::canonicalize(above).ok());
    match found.filter(|_| path.is_absolute()).as_deref().and_then(Path::to_str) {
        Some(real_path) => json!({"state": "present", "real_path": real_path}),
        None => json!({"state": "unknown"}),
    }
}
