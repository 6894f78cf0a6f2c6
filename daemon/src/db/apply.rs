//! `db apply`: brings the database to what this program carries.

use std::time::Duration;

use serde_json::json;
use striatum_contract::refusal::Refusal;

use super::{Said, connect, told};
use crate::config::Place;
use crate::install;

/// How long an apply waits for a lock.
const LOCKS: Duration = Duration::from_secs(30);

/// Applies, and says what was made.
///
/// # Errors
/// Why it stopped; what was made before stays.
pub async fn apply(place: &Place) -> Result<Said, Refusal> {
    let mut connection = connect(place).await?;
    let applied = install::apply(&mut connection, LOCKS).await.map_err(|error| told(&error))?;
    let mut text = format!("database {}\n", place.name.as_str());
    for sentence in &applied.preamble {
        text.push_str(&format!("  made      {sentence}\n"));
    }
    for bundle in &applied.bundles {
        text.push_str(&format!("  applied   {bundle}\n"));
    }
    text.push_str(match applied.functions {
        true => "  replaced  functions\n",
        false => "  made anew functions, of the same text\n",
    });
    text.push_str("next:  striatum daemon start\n");
    let data = json!({
        "preamble": applied.preamble, "bundles": applied.bundles, "functions_replaced": applied.functions,
    });
    Ok(Said { text, data })
}
