//! Owner bundles: tables, types and constraints. Each is applied once, in order, together with its record.
//!
//! refinery keeps order and hashes. It has no driver for sqlx, and a second database client for one list is more
//! than the thirty lines below.

use std::error::Error as _;

use refinery_core::error::Kind;
use refinery_core::traits::r#async::{AsyncMigrate, AsyncQuery, AsyncTransaction};
use refinery_core::{Migration, Runner};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::source::{self, Files};
use super::{Fit, InstallError};

const HISTORY: &str = "striatumd.owner_bundles";

/// Applies what is missing and says what it was.
pub(super) async fn apply(connection: &mut PgConnection) -> Result<Vec<String>, InstallError> {
    apply_files(connection, source::BUNDLES).await
}

async fn apply_files(connection: &mut PgConnection, files: Files) -> Result<Vec<String>, InstallError> {
    let bundles: Vec<Migration> = files
        .iter()
        .map(|(path, text)| Migration::unapplied(path, text))
        .collect::<Result<_, _>>()
        .map_err(InstallError::Record)?;
    let mut runner = Runner::new(&bundles);
    runner.set_migration_table_name(HISTORY);
    let report =
        runner.run_async(&mut History(connection)).await.map_err(|error| explained(error, &bundles))?;
    Ok(report.applied_migrations().iter().map(name).collect())
}

/// A bundle as the database has it on record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct OnRecord {
    version: i32,
    name: String,
    checksum: String,
}

impl OnRecord {
    /// Without its ending.
    fn file_name(&self) -> String {
        format!("V{:04}__{}", self.version, self.name)
    }
}

/// How the bundles on record compare with those of this program, by file name without its ending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundles {
    /// How many are on record.
    pub on_record: usize,
    /// Those that an apply would apply.
    pub to_apply: Vec<String>,
    /// On record with another text.
    pub differing: Vec<String>,
    /// On record, and not known to this program.
    pub unknown: Vec<String>,
}

/// Looks what is on record, and changes nothing.
pub(super) async fn look(connection: &mut PgConnection) -> Result<Vec<OnRecord>, sqlx::Error> {
    let is_there: bool = sqlx::query_scalar("select to_regclass('striatumd.owner_bundles') is not null")
        .fetch_one(&mut *connection)
        .await?;
    if !is_there {
        return Ok(Vec::new());
    }
    let rows = sqlx::query_as(
        "select version, name::text, checksum::text from striatumd.owner_bundles order by version",
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(version, name, checksum)| OnRecord { version, name, checksum }).collect())
}

/// The bundles of this program, as a database has them on record that holds them all.
pub(super) fn carried() -> Vec<OnRecord> {
    let bundles = source::BUNDLES.iter().map(|(path, text)| {
        let ours = Migration::unapplied(path, text).expect("the build names bundles as refinery does");
        OnRecord {
            version: ours.version(),
            name: ours.name().to_owned(),
            checksum: ours.checksum().to_string(),
        }
    });
    bundles.collect()
}

/// Each difference between the bundles on record and those of this program.
pub(super) fn differences(on_record: &[OnRecord]) -> Bundles {
    let mut bundles = Bundles { on_record: on_record.len(), ..Bundles::default() };
    for ours in carried() {
        match on_record.iter().find(|theirs| theirs.version == ours.version) {
            None => bundles.to_apply.push(ours.file_name()),
            Some(theirs) if theirs.checksum != ours.checksum => bundles.differing.push(theirs.file_name()),
            Some(_) => {}
        }
    }
    let known = i32::try_from(source::BUNDLES.len()).expect("a few bundles");
    let unknown = on_record.iter().filter(|theirs| theirs.version > known);
    bundles.unknown = unknown.map(OnRecord::file_name).collect();
    bundles
}

/// The first difference between the bundles on record and those of this program.
pub(super) fn compare(on_record: &[OnRecord]) -> Fit {
    let Bundles { to_apply, differing, unknown, .. } = differences(on_record);
    match (to_apply.into_iter().chain(differing).min(), unknown.into_iter().next()) {
        (Some(behind), _) => Fit::Behind(behind),
        (None, Some(ahead)) => Fit::Ahead(ahead),
        (None, None) => Fit::Fits,
    }
}

/// refinery's error in the words of an installation.
fn explained(error: refinery_core::Error, bundles: &[Migration]) -> InstallError {
    match error.kind() {
        // refinery says the same of a bundle that is missing on record below the newest: a tampered record.
        Kind::MissingVersion(missing)
            if bundles.iter().all(|bundle| bundle.version() != missing.version()) =>
        {
            InstallError::DatabaseAhead(name(missing))
        }
        Kind::DivergentVersion(on_record, carried) => {
            InstallError::BundleDiffers { on_record: name(on_record), carried: name(carried) }
        }
        Kind::Connection(said, _) => match database_error(&error) {
            Some(source) => {
                // refinery names the bundle at the end of its words, where it was applying one.
                let bundle = bundles.iter().find(|bundle| said.ends_with(&bundle.to_string()));
                let what =
                    bundle.map_or(HISTORY.to_owned(), |bundle| format!("sql/owner/{}.sql", name(bundle)));
                InstallError::about(what, source, bundle.and_then(Migration::sql).unwrap_or_default())
            }
            None => InstallError::Record(error),
        },
        _ => InstallError::Record(error),
    }
}

/// refinery wraps what the database said once or twice.
fn database_error(error: &refinery_core::Error) -> Option<&sqlx::Error> {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(said) = error.downcast_ref() {
            return Some(said);
        }
        source = error.source();
    }
    None
}

/// As the file is called, which refinery's own form is not: it drops the zeros.
fn name(bundle: &Migration) -> String {
    format!("{}{:04}__{}", bundle.prefix(), bundle.version(), bundle.name())
}

/// refinery's view of a connection.
struct History<'c>(&'c mut PgConnection);

impl AsyncTransaction for History<'_> {
    type Error = sqlx::Error;

    async fn execute<'a, T: Iterator<Item = &'a str> + Send + 'a>(
        &'a mut self,
        statements: T,
    ) -> Result<usize, Self::Error> {
        let mut transaction = self.0.begin().await?;
        let mut count = 0;
        for text in statements {
            // A bundle holds many statements, so it goes by the simple protocol; its text is this program's own.
            transaction.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(text))).await?;
            count += 1;
        }
        transaction.commit().await?;
        Ok(count)
    }
}

impl AsyncQuery<Vec<Migration>> for History<'_> {
    async fn query<'a>(&'a mut self, query: &'a str) -> Result<Vec<Migration>, Self::Error> {
        let rows = self.0.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(query))).await?;
        rows.iter()
            .map(|row| {
                let applied_on: String = row.try_get(2)?;
                let checksum: String = row.try_get(3)?;
                let applied_on = OffsetDateTime::parse(&applied_on, &Rfc3339).map_err(undecodable)?;
                let checksum = checksum.parse().map_err(undecodable)?;
                Ok(Migration::applied(row.try_get(0)?, row.try_get(1)?, applied_on, checksum))
            })
            .collect()
    }
}

impl AsyncMigrate for History<'_> {}

fn undecodable(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}

#[cfg(test)]
mod tests {
    use striatum_testkit::Database;

    use super::super::source;
    use super::{Files, apply_files};

    /// B084: a bundle and its record come together or not at all.
    #[tokio::test]
    async fn of_a_bundle_that_fails_half_way_nothing_remains() {
        let database = Database::fresh().await.expect("a database");
        let mut connection = database.admin().await.expect("a connection");
        let mut files = source::BUNDLES.to_vec();
        files.push(("V9998__whole.sql", "create table striatumd.whole ()"));
        files.push(("V9999__half.sql", "create table striatumd.half (); select 1 / 0"));
        let files: Files = files.leak();

        let error = apply_files(&mut connection, files).await.expect_err("a division by zero");
        assert_eq!(error.log_line(), "applying sql/owner/V9999__half.sql: division by zero (22012)");
        let (whole, half, record): (bool, bool, i32) = sqlx::query_as(
            "select to_regclass('striatumd.whole') is not null, to_regclass('striatumd.half') is not null,
                    (select max(version) from striatumd.owner_bundles)",
        )
        .fetch_one(&mut connection)
        .await
        .expect("an answer");
        assert_eq!((whole, half, record), (true, false, 9998), "the one before stays, with its record");
    }

    /// B084: the same where the bundle is fine and its record is not.
    #[tokio::test]
    async fn of_a_bundle_that_cannot_be_recorded_nothing_remains() {
        let database = Database::fresh().await.expect("a database");
        let mut connection = database.admin().await.expect("a connection");
        let barrier = "alter table striatumd.owner_bundles add constraint no_more check (version < 9998)";
        sqlx::raw_sql(barrier).execute(&mut connection).await.expect("a constraint");
        let mut files = source::BUNDLES.to_vec();
        files.push(("V9998__whole.sql", "create table striatumd.whole ()"));

        apply_files(&mut connection, files.leak()).await.expect_err("no record");
        let whole: bool = sqlx::query_scalar("select to_regclass('striatumd.whole') is not null")
            .fetch_one(&mut connection)
            .await
            .expect("an answer");
        assert!(!whole);
    }
}
