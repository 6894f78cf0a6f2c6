//! plpgsql_check over every function of the schema, trigger functions with each of their tables.

use anyhow::{Result, bail};
use sqlx::Row as _;
use striatum_testkit::Database;

const FINDINGS: &str = "
select format('%s line %s: %s: %s%s', p.oid::regprocedure, coalesce(c.lineno, 0), c.level, c.message,
              coalesce(' (' || nullif(c.hint, '') || ')', ''))
  from pg_proc p
  join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
  left join pg_trigger t on t.tgfoid = p.oid
 cross join lateral tap.plpgsql_check_function_tb(p.oid, coalesce(t.tgrelid, 0), fatal_errors => false,
                                                  performance_warnings => false, extra_warnings => true,
                                                  security_warnings => true) c
 where p.pronamespace = 'striatumd'::regnamespace
   -- A method need not read its parameters, and what the door dispatches to is known at run time alone.
   and c.message not in ('unused parameter \"p\"', 'unused parameter \"p_call\"',
                         'cannot determinate a result of dynamic SQL')
   and (p.prorettype <> 'trigger'::regtype or t.oid is not null)
 order by 1";

/// A function with a finding fails; so does a list that does not see a planted one, or finds no function at all.
pub(crate) async fn run() -> Result<()> {
    let database = Database::fresh().await?;
    let mut connection = database.admin().await?;
    let findings = sqlx::query(FINDINGS).fetch_all(&mut connection).await?;
    if !findings.is_empty() {
        let lines: Vec<String> = findings.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
        bail!("{}", lines.join("\n"));
    }
    sqlx::raw_sql(
        "create function striatumd.planted() returns int language plpgsql as 'begin return nowhere; end'",
    )
    .execute(&mut connection)
    .await?;
    match sqlx::query(FINDINGS).fetch_all(&mut connection).await?.len() {
        0 => bail!("the planted error was not found: the check checks nothing"),
        _ => Ok(()),
    }
}
