//! The preamble: what must hold around the schema before anything is put into it.
//!
//! A superuser makes the facts that do not hold; any other login can only be told which they are.

use sqlx::{AssertSqlSafe, PgConnection};

use super::facts::{FACTS, Fact};
use super::{DatabaseName, InstallError};

/// The oldest server: 15, as `server_version_num` writes it.
const OLDEST_SERVER: i32 = 150_000;

/// Refuses a server or a database that cannot hold striatum, all reasons at once; answers the database's name.
pub(super) async fn suitable(connection: &mut PgConnection) -> Result<DatabaseName, InstallError> {
    let (name, version, encoding): (String, i32, String) = sqlx::query_as(
        "select current_database()::text, current_setting('server_version_num')::int, \
         current_setting('server_encoding')",
    )
    .fetch_one(connection)
    .await?;
    let mut reasons = Vec::new();
    if version < OLDEST_SERVER {
        reasons
            .push(format!("the server is version {}, and 15 is the oldest that will do", version / 10_000));
    }
    if encoding != "UTF8" {
        reasons.push(format!("the database is in {encoding}, and text is hashed as UTF-8"));
    }
    match DatabaseName::parse(&name) {
        Ok(database) if reasons.is_empty() => return Ok(database),
        Ok(_) => {}
        Err(reason) => reasons.push(reason),
    }
    Err(InstallError::Unsuitable(reasons.join("; ")))
}

/// Makes what does not hold and says what that was. Refuses with the whole list: where this login is no superuser, all
/// that is lacking; else what stays so because nothing may be made of it.
pub(super) async fn establish(
    connection: &mut PgConnection,
    database: &DatabaseName,
) -> Result<Vec<&'static str>, InstallError> {
    let is_superuser: bool = sqlx::query_scalar("select rolsuper from pg_roles where rolname = current_user")
        .fetch_one(&mut *connection)
        .await?;
    let (mut made, mut lacking) = (Vec::new(), Vec::new());
    for fact in FACTS {
        match fact.make {
            _ if fact.holds(connection, database).await? => {}
            Some(text) if is_superuser => {
                let text =
                    text.replace("{database}", database.as_str()).replace("{login}", &database.login());
                sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *connection).await?;
                if fact.holds(connection, database).await? {
                    made.push(fact.says);
                } else {
                    lacking.push(fact.says);
                }
            }
            _ => lacking.push(fact.says),
        }
    }
    if !is_superuser && !is_member_of_the_owner(connection).await? {
        lacking.push("this login is a member of striatum_owner");
    }
    match (lacking.is_empty(), is_superuser) {
        (true, _) => Ok(made),
        (false, true) => Err(InstallError::PreambleUnmet(lacking)),
        (false, false) => Err(InstallError::OwnerRightsMissing(lacking)),
    }
}

async fn is_member_of_the_owner(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select exists (select from pg_roles where rolname = 'striatum_owner' and pg_has_role(oid, 'member'))",
    )
    .fetch_one(connection)
    .await
}

impl Fact {
    async fn holds(
        &self,
        connection: &mut PgConnection,
        database: &DatabaseName,
    ) -> Result<bool, sqlx::Error> {
        let query = format!(
            "select coalesce(({}), false) from (select $1::text as database, $2::text as login) as named",
            self.holds
        );
        sqlx::query_scalar(AssertSqlSafe(query))
            .bind(database.as_str())
            .bind(database.login())
            .fetch_one(connection)
            .await
    }
}
