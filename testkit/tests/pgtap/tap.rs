//! Runs one pgTAP file and reads what it says.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use futures_util::TryStreamExt as _;
use sqlx::{AssertSqlSafe, Executor as _, Row as _};
use striatum_testkit::Database;
use striatumd::install::Said;

/// Runs a file in a fresh database. A superuser runs it, with pgTAP's schema first on the path.
pub(crate) async fn run(file: &Path) -> Result<()> {
    let database = Database::fresh().await?;
    let mut connection = database.admin().await?;
    connection.execute("set search_path = tap, public").await?;
    let text = fs::read_to_string(file)?;
    if !text.contains("select * from finish();") {
        bail!("it does not ask finish(), which alone knows of assertions that no row shows");
    }
    let mut lines = Vec::new();
    let mut rows = sqlx::raw_sql(AssertSqlSafe(text.as_str())).fetch(&mut connection);
    loop {
        match rows.try_next().await {
            // Statements that return something else than lines of TAP are not the reader's business.
            Ok(Some(row)) => lines.extend(row.try_get::<Option<String>, _>(0).ok().flatten()),
            Ok(None) => return verdict(&lines),
            Err(error) => {
                let before = lines.iter().flat_map(|text| text.lines()).filter(|line| is_complaint(line));
                let before: Vec<&str> = before.collect();
                bail!("{}\nthen: {}", before.join("\n"), Said::about(&error, &text));
            }
        }
    }
}

/// Passes when the plan was kept and every assertion held; else fails with the lines that say why.
fn verdict(lines: &[String]) -> Result<()> {
    let lines: Vec<&str> = lines.iter().flat_map(|text| text.lines()).collect();
    let planned: Option<usize> = lines.iter().find_map(|line| line.strip_prefix("1..")?.parse().ok());
    let ran = lines.iter().filter(|line| line.starts_with("ok ") || line.starts_with("not ok ")).count();
    let complaints: Vec<&str> = lines.iter().copied().filter(|line| is_complaint(line)).collect();
    if !complaints.is_empty() {
        bail!("{}", complaints.join("\n"));
    }
    if lines.iter().filter(|line| line.starts_with("1..")).count() > 1 {
        bail!("it has more than one plan");
    }
    match planned {
        Some(planned) if planned == ran && ran > 0 => Ok(()),
        _ => bail!("{ran} assertions ran, and the plan said {planned:?}"),
    }
}

/// A failed assertion, what pgTAP says about one, a test that was passed over, or the end of all.
fn is_complaint(line: &str) -> bool {
    line.starts_with("not ok ")
        || line.starts_with('#')
        || line.starts_with("Bail out!")
        || (line.starts_with("ok ") && line.to_lowercase().contains("# skip"))
}
