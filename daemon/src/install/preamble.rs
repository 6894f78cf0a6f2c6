//! The preamble: what must hold around the schema before anything is put into it.
//!
//! A superuser makes the facts that do not hold; any other login can only be told which they are.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use super::facts::{FACTS, Way};
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
        let version = version / 10_000;
        reasons.push(format!("the server is version {version}, and 15 is the oldest that will do"));
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

/// Makes what does not hold and says what that was; or refuses with everything that stays so, and what to do about it.
pub(super) async fn establish(
    connection: &mut PgConnection,
    database: &DatabaseName,
) -> Result<Vec<&'static str>, InstallError> {
    let mut made = Vec::new();
    if is_superuser(connection).await? {
        for fact in FACTS {
            if let Way::Make { holds, text } = &fact.way
                && !self::holds(connection, database, holds).await?
                && make(connection, database, holds, text).await?
            {
                made.push(fact.says);
            }
        }
    }
    let lacking = look(connection, database).await?;
    if lacking.is_empty() { Ok(made) } else { Err(InstallError::Preamble(lacking)) }
}

/// What does not hold now; changes nothing.
pub(super) async fn look(
    connection: &mut PgConnection,
    database: &DatabaseName,
) -> Result<Lacking, sqlx::Error> {
    let mut lacking = Lacking::default();
    for fact in FACTS {
        match &fact.way {
            Way::Make { holds, .. } => {
                if !self::holds(connection, database, holds).await? {
                    lacking.to_make.push(fact.says);
                }
            }
            Way::TakeBack { statements } => {
                let statements: Vec<String> = ask(connection, database, statements).await?;
                if !statements.is_empty() {
                    lacking.to_take_back.push((fact.says, statements));
                }
            }
        }
    }
    if !may_act_as_the_owner(connection).await? {
        lacking.to_make.push("this login is a member of striatum_owner");
    }
    Ok(lacking)
}

pub(super) async fn is_superuser(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select rolsuper from pg_roles where rolname = current_user")
        .fetch_one(connection)
        .await
}

/// Facts that do not hold after all was done that may be done.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// Only a superuser can make these.
    pub to_make: Vec<&'static str>,
    /// A person has to take back what stands against these; the exact statements with each.
    pub to_take_back: Vec<(&'static str, Vec<String>)>,
}

impl Lacking {
    /// Whether all holds.
    pub fn is_empty(&self) -> bool {
        self.to_make.is_empty() && self.to_take_back.is_empty()
    }

    /// Every sentence that does not hold.
    pub fn sentences(&self) -> Vec<&'static str> {
        self.to_make.iter().copied().chain(self.to_take_back.iter().map(|(says, _)| *says)).collect()
    }
}

/// The columns that a condition and a query see.
const NAMED: &str = "with named as (select $1::text as database, $2::text as login)";

async fn holds(
    connection: &mut PgConnection,
    database: &DatabaseName,
    holds: &str,
) -> Result<bool, sqlx::Error> {
    let query = format!("{NAMED} select coalesce(({holds}), false) from named");
    let answer = sqlx::query_scalar(AssertSqlSafe(query)).bind(database.as_str()).bind(database.login());
    answer.fetch_one(connection).await
}

async fn ask(
    connection: &mut PgConnection,
    database: &DatabaseName,
    statements: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let query = format!("{NAMED} select statement from named, lateral ({statements}) as found (statement)");
    let answer = sqlx::query_scalar(AssertSqlSafe(query)).bind(database.as_str()).bind(database.login());
    answer.fetch_all(connection).await
}

/// Says whether it holds afterwards. Roles belong to the whole server, so an apply in another database may be making
/// the same one: the lock on the catalogue of roles, which all databases share, lets one of them go first.
async fn make(
    connection: &mut PgConnection,
    database: &DatabaseName,
    condition: &str,
    text: &str,
) -> Result<bool, sqlx::Error> {
    let text = text.replace("{database}", database.as_str()).replace("{login}", &database.login());
    let mut transaction = connection.begin().await?;
    transaction.execute("lock table pg_catalog.pg_authid in share row exclusive mode").await?;
    if !holds(&mut transaction, database, condition).await? {
        transaction.execute(sqlx::raw_sql(AssertSqlSafe(text))).await?;
    }
    let made = holds(&mut transaction, database, condition).await?;
    transaction.commit().await?;
    Ok(made)
}

/// A superuser may, and so may a member.
pub(super) async fn may_act_as_the_owner(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select rolsuper or exists (select from pg_roles o where o.rolname = 'striatum_owner' \
                                    and pg_has_role(o.oid, 'member')) \
           from pg_roles where rolname = current_user",
    )
    .fetch_one(connection)
    .await
}
