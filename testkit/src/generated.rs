//! The files that are generated, from a freshly installed database and from the contract, and kept in the repository.

mod catalogue;
mod methods;
mod workflow;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use striatum_contract::methods::Registry;
use striatum_contract::refusal::ErrorCode;

use crate::Database;

/// A generated file: where it belongs and what must stand in it.
pub struct Generated {
    /// Below the root of the repository.
    pub path: &'static str,
    /// The whole text.
    pub text: String,
}

impl Generated {
    /// The full path.
    pub fn file(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(self.path)
    }
}

/// Every generated file, as a fresh database says it.
///
/// # Errors
/// What the server said.
pub async fn all() -> Result<Vec<Generated>> {
    let database = Database::fresh().await?;
    let mut connection = database.admin().await?;
    let codes: serde_json::Value = sqlx::query_scalar(
        "select jsonb_agg(to_jsonb(c) order by code collate \"C\") from striatumd.error_codes c",
    )
    .fetch_one(&mut connection)
    .await?;
    let codes: Vec<ErrorCode> =
        serde_json::from_value(codes).context("error_codes as the contract knows them")?;
    let registry: serde_json::Value = sqlx::query_scalar(
        "select jsonb_build_object('schema_version', 1, 'methods_etag', striatumd.methods_etag(),
                'methods', (select jsonb_agg(to_jsonb(m) order by method collate \"C\") from striatumd.methods m))",
    )
    .fetch_one(&mut connection)
    .await?;
    let registry: Registry =
        serde_json::from_value(registry).context("methods as the contract knows them")?;
    Ok(vec![
        Generated { path: "contract/methods.json", text: serde_json::to_string_pretty(&registry)? + "\n" },
        Generated { path: "contract/errors.json", text: serde_json::to_string_pretty(&codes)? + "\n" },
        Generated { path: "docs/artifacts.md", text: striatum_contract::artifact::kinds_page() },
        Generated { path: "docs/reference/errors.md", text: error_reference(&codes)? },
        Generated { path: "docs/reference/methods.md", text: methods::reference(&registry)? },
        Generated { path: "docs/catalogue.md", text: catalogue::reference()? },
        Generated { path: "docs/workflow.md", text: workflow::reference()? },
    ])
}

fn error_reference(codes: &[ErrorCode]) -> Result<String> {
    let mut page = String::from(
        "# Error codes\n\n\
         Generated from `sql/functions/core/error_codes.sql` by `make docs`.\n\n\
         A refusal is `{code, message, details, next}`: the code is stable and never reused, the message names the\n\
         thing, `details` is an object for programs, `next` lists the exact commands or methods that resolve it.\n\n\
         | code | exit code | HTTP status | the same request may succeed later | meaning |\n\
         |---|---|---|---|---|\n",
    );
    for code in codes {
        let later = if code.is_retryable { "yes" } else { "no" };
        let ErrorCode { code, exit_code, http_status, explanation, .. } = code;
        writeln!(page, "| `{code}` | {exit_code} | {http_status} | {later} | {explanation} |")?;
    }
    Ok(page)
}
