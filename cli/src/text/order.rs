//! Which keys a person is shown, and in which order: as the method was registered, else what helps most comes first.

use serde_json::{Map, Value};

use super::{Reading, cell};

/// The members of an object that are shown. Where the registration names none of them, that is all.
pub(super) fn members<'v>(
    members: &'v Map<String, Value>,
    reading: Reading<'_>,
) -> Vec<(&'v str, &'v Value)> {
    let mut members: Vec<(&str, &Value)> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
    sort(&mut members, reading);
    members
}

/// Leaves the members that are shown, in their order.
pub(super) fn sort(members: &mut Vec<(&str, &Value)>, reading: Reading<'_>) {
    let place = |key: &str| reading.shows.iter().position(|shown| shown == key);
    if !reading.verbose && members.iter().any(|(key, _)| place(key).is_some()) {
        members.retain(|(key, _)| place(key).is_some());
    }
    members.sort_by_key(|(key, value)| (place(key).unwrap_or(usize::MAX), rank(key, value), key.to_owned()));
}

/// Ids, names, states, instants, the rest; behind them what has lines of its own.
fn rank(key: &str, value: &Value) -> u8 {
    let (is, ends) = (|words: &[&str]| words.contains(&key), |end| key.ends_with(end));
    match value {
        _ if cell::needs_lines(key, value) => 5,
        _ if key == "id" || ends("_id") => 0,
        _ if is(&["name", "method", "title"]) || ends("_name") => 1,
        Value::Bool(_) => 2,
        _ if is(&["state", "status", "kind"]) || ends("_state") => 2,
        _ if ends("_at") => 3,
        _ => 4,
    }
}
