//! Functions: dropped and created anew as a whole, in one transaction, and stamped with the hash of their files.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use super::{InstallError, Said, source};

/// What this program carries but the database does not have is replaced; says whether that was so.
pub(super) async fn apply(connection: &mut PgConnection) -> Result<bool, InstallError> {
    let carried = source::functions_sha256();
    if stamp(connection).await?.as_deref() == Some(carried.as_str()) {
        return Ok(false);
    }
    let mut transaction = connection.begin().await?;
    // Files may name functions of later files, so bodies are looked at only once all are there.
    transaction.execute("set local check_function_bodies = off").await?;
    transaction.execute(DROP).await?;
    transaction.execute("delete from striatumd.error_codes").await?;
    for (path, text) in source::FUNCTIONS {
        transaction
            .execute(sqlx::raw_sql(*text))
            .await
            .map_err(|error| invalid(format!("sql/functions/{path}"), &error, text))?;
    }
    transaction.execute("set local check_function_bodies = on").await?;
    let bodies: Vec<(String, String, String)> = sqlx::query_as(BODIES).fetch_all(&mut *transaction).await?;
    for (function, body, validate) in bodies {
        transaction
            .execute(sqlx::raw_sql(AssertSqlSafe(validate)))
            .await
            .map_err(|error| invalid(format!("the body of {function}"), &error, &body))?;
    }
    transaction.execute("revoke all on all functions in schema striatumd from public").await?;
    sqlx::query(
        "update striatumd.installation set functions_sha256 = $1, functions_applied_at = clock_timestamp()",
    )
    .bind(carried)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}

/// The hash of the installed functions; null before the first apply.
///
/// # Errors
/// What the database said; `42P01` where no bundle was applied yet.
pub async fn stamp(connection: &mut PgConnection) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("select functions_sha256 from striatumd.installation").fetch_one(connection).await
}

/// Every function but trigger functions, which belong to the bundles. All in one statement, so that no order of
/// dependencies matters; without `cascade`, so that nothing else can go with them.
const DROP: &str = "
do $$
declare
  v_all text := (select string_agg(p.oid::regprocedure::text, ', ') from pg_catalog.pg_proc p
                  where p.pronamespace = 'striatumd'::regnamespace and p.prorettype <> 'trigger'::regtype);
begin
  if v_all is not null then
    execute 'drop function ' || v_all;
  end if;
end
$$";

/// Each function, its body, and the call that does what `check_function_bodies` would have done at its creation.
const BODIES: &str = "
select p.oid::regprocedure::text, p.prosrc, format('select %s(%s)', l.lanvalidator::regproc, p.oid)
  from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang
 where p.pronamespace = 'striatumd'::regnamespace
 order by 1";

fn invalid(what: String, error: &sqlx::Error, text: &str) -> InstallError {
    InstallError::Function { what, source: Said::about(error, text) }
}
