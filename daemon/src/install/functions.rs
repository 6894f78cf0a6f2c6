//! Functions: dropped and created anew as a whole, in one transaction, and stamped with the hash of their files.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use super::InstallError;
use super::source::{self, Files};

/// Replaces all functions by those of this program; says whether that were others, by the stamp.
pub(super) async fn apply(connection: &mut PgConnection) -> Result<bool, InstallError> {
    let before = stamp(connection).await?;
    replace(connection, source::FUNCTIONS).await?;
    Ok(before.as_deref() != Some(source::functions_sha256().as_str()))
}

/// The hash of the installed functions; null before the first apply.
///
/// # Errors
/// What the database said; `42P01` where no bundle was applied yet.
pub async fn stamp(connection: &mut PgConnection) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("select functions_sha256 from striatumd.installation").fetch_one(connection).await
}

/// How the functions of a database compare with those of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// None were applied yet.
    Missing,
    /// By their stamp they are those of another version.
    OfAnotherVersion,
    /// By their stamp they are those of this program, and somebody has changed them since.
    Changed,
    /// They are those of this program.
    AsCarried,
}

/// Looks, and changes nothing. The bundles are there.
pub(super) async fn look(connection: &mut PgConnection) -> Result<Functions, sqlx::Error> {
    let (stamp, live_then): (Option<String>, Option<String>) =
        sqlx::query_as("select functions_sha256, functions_live_sha256 from striatumd.installation")
            .fetch_one(&mut *connection)
            .await?;
    Ok(match stamp {
        None => Functions::Missing,
        Some(stamp) if stamp != source::functions_sha256() => Functions::OfAnotherVersion,
        Some(_) if live_then != Some(live(connection).await?) => Functions::Changed,
        Some(_) => Functions::AsCarried,
    })
}

/// The hash over every function as the catalogue has it now: text, settings, rights and owner.
async fn live(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar(live_text()).fetch_one(connection).await
}

/// The body of the function that doctor asks, to be run under the settings of an installation: one text, and that of
/// this program, whatever the database has in its place.
fn live_text() -> &'static str {
    let (_, file) = source::FUNCTIONS
        .iter()
        .find(|(path, _)| *path == "read/functions_live_sha256.sql")
        .expect("the file is part of the program");
    file.split("$$").nth(1).expect("it holds one body")
}

async fn replace(connection: &mut PgConnection, files: Files) -> Result<(), InstallError> {
    let mut transaction = connection.begin().await?;
    // Files may name functions of later files, so bodies are looked at only once all are there.
    transaction.execute("set local check_function_bodies = off").await?;
    transaction.execute(DROP).await?;
    transaction.execute("delete from striatumd.error_codes; delete from striatumd.methods").await?;
    for (path, text) in files {
        transaction
            .execute(sqlx::raw_sql(*text))
            .await
            .map_err(|error| InstallError::about(format!("sql/functions/{path}"), &error, text))?;
    }
    transaction.execute("set local check_function_bodies = on").await?;
    let bodies: Vec<(String, String, String)> = sqlx::query_as(BODIES).fetch_all(&mut *transaction).await?;
    for (function, body, validate) in bodies {
        transaction
            .execute(sqlx::raw_sql(AssertSqlSafe(validate)))
            .await
            .map_err(|error| InstallError::about(format!("the body of {function}"), &error, &body))?;
    }
    transaction
        .execute(REGISTRY)
        .await
        .map_err(|error| InstallError::about("the registry of methods".to_owned(), &error, REGISTRY))?;
    transaction.execute("revoke all on all functions in schema striatumd from public").await?;
    let live = live(&mut transaction).await?;
    sqlx::query(
        "update striatumd.installation set functions_sha256 = $1, functions_live_sha256 = $2, \
         functions_applied_at = clock_timestamp()",
    )
    .bind(source::sha256(files))
    .bind(live)
    .execute(&mut *transaction)
    .await?;
    Ok(transaction.commit().await?)
}

/// Every routine but trigger functions, which belong to the bundles. All in one statement, so that no order of
/// dependencies matters; without `cascade`, so that nothing else can go with them.
const DROP: &str = "
do $$
declare
  v_all text := (select string_agg(p.oid::regprocedure::text, ', ') from pg_catalog.pg_proc p
                  where p.pronamespace = 'striatumd'::regnamespace and p.prorettype <> 'trigger'::regtype);
begin
  if v_all is not null then
    execute 'drop routine ' || v_all;
  end if;
end
$$";

/// Each function, its body, and the call that does what `check_function_bodies` would have done at its creation.
const BODIES: &str = "
select p.oid::regprocedure::text, p.prosrc, format('select %s(%s)', l.lanvalidator::regproc, p.oid)
  from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang
 where p.pronamespace = 'striatumd'::regnamespace
 order by 1";

/// Refuses a registry that names a function, or a code, that is not there.
const REGISTRY: &str = "
do $$
declare
  v_missing text;
begin
  with named (what, signature) as (
    select method, format('striatumd.%I(striatumd.call_context, jsonb)', replace(method, '.', '_'))
      from striatumd.methods
    union all
    select method, format('striatumd.%I(striatumd.call_context, jsonb)', 'observe_' || observer)
      from striatumd.methods, unnest(observers) as observer
    union all
    select method, format('striatumd.%I(striatumd.call_context, jsonb)', 'effect_' || kind || '_recorded')
      from striatumd.methods, unnest(effects) as kind),
  missing as (
    select format('%s names %s, which is not there', what, signature) as says from named
     where to_regprocedure(signature) is null
    union all
    select format('%s names the error code %s, which is not there', method, code)
      from striatumd.methods, unnest(error_codes) as code
     where code not in (select e.code from striatumd.error_codes e))
  select string_agg(says, '; ' order by says) into v_missing from missing;
  if v_missing is not null then
    raise exception '%', v_missing;
  end if;
end
$$";

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use striatum_testkit::Database;

    use super::{Files, replace, stamp};

    /// What a broken file or body is reported as; and that nothing of the attempt remains.
    async fn refused(files: Files) -> String {
        let database = Database::fresh().await.expect("a database");
        let mut connection = database.admin().await.expect("a connection");
        let before = stamp(&mut connection).await.expect("a stamp");
        let error = replace(&mut connection, files).await.expect_err("a refusal");
        assert_eq!(stamp(&mut connection).await.expect("a stamp"), before);
        let now: bool = sqlx::query_scalar("select striatumd.now() is not null")
            .fetch_one(&mut connection)
            .await
            .expect("the functions of before");
        assert!(now);
        format!("{error}: {}", error.source().expect("what PostgreSQL said"))
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_run_is_named_with_its_line() {
        assert_eq!(
            refused(&[("core/a.sql", "-- one\n-- two\ncrate function striatumd.a();")]).await,
            "applying sql/functions/core/a.sql: line 3: syntax error at or near \"crate\" (42601)"
        );
    }

    #[tokio::test]
    async fn a_body_that_means_nothing_is_named_with_its_line() {
        let files: Files = &[(
            "core/a.sql",
            "create function striatumd.a() returns int language sql as $$\n  select striatumd.b()\n$$;",
        )];
        let said = refused(files).await;
        let start = "applying the body of striatumd.a(): line 2: function striatumd.b() does not exist";
        assert!(said.starts_with(start), "{said}");
    }

    #[tokio::test]
    async fn a_body_may_name_a_function_of_a_later_file() {
        let database = Database::fresh().await.expect("a database");
        let mut connection = database.admin().await.expect("a connection");
        let files: Files = &[
            (
                "core/a.sql",
                "create function striatumd.a() returns int language sql as 'select striatumd.b()';",
            ),
            ("core/b.sql", "create function striatumd.b() returns int language sql as 'select 1';"),
        ];
        replace(&mut connection, files).await.expect("both");
    }
}
