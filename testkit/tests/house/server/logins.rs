//! Who is believed on the operating system's word, and who has to know a password.

use sqlx::{ConnectOptions as _, Executor as _};
use striatum_testkit::server;

#[tokio::test]
async fn bootstrap_connects_without_a_password_and_nobody_else_does() {
    let server = server(&[]).expect("a server");
    let mut admin = server.admin().database("postgres").connect().await.expect("the superuser");
    admin.execute("create role striatum_bootstrap login").await.expect("a role");
    admin.execute("create role somebody login password 'known'").await.expect("another");

    let bootstrap = server.bootstrap().database("postgres");
    let mut connection = bootstrap.connect().await.expect("bootstrap");
    let user: String =
        sqlx::query_scalar("select session_user::text").fetch_one(&mut connection).await.expect("a name");
    assert_eq!(user, "striatum_bootstrap");

    let somebody = server.login().database("postgres").username("somebody");
    assert_eq!(refused(somebody.clone()).await.as_deref(), Some("28P01"));
    assert_eq!(refused(somebody.clone().password("guessed")).await.as_deref(), Some("28P01"));
    somebody.password("known").connect().await.expect("whoever knows the password");
}

/// The code with which the server refused; none when it did not, or when nobody asked it.
async fn refused(who: sqlx::postgres::PgConnectOptions) -> Option<String> {
    let error = who.connect().await.err()?;
    Some(error.as_database_error()?.code()?.into_owned())
}
