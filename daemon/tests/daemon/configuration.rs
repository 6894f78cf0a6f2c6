//! B086: what is wrong with the configuration is said before anything is done, all at once, with exit code 78.
#![expect(clippy::disallowed_methods, reason = "a test writes the files that the daemon reads")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::{Value, json};
use striatum_testkit::{Daemon, Database, Setup, is_socket};

use crate::stage::{STRIATUMD, folder};

/// It ends; one that served instead would end with the test.
fn refusal(setup: &Setup) -> Value {
    let mut daemon = Daemon::spawn(setup.clone()).expect("the program runs");
    let ended = daemon.ended().expect("an end");
    assert_eq!(ended.status.code(), Some(78), "{:?}", daemon.log());
    assert!(ended.error["next"].as_array().is_some_and(|next| !next.is_empty()), "{:?}", daemon.log());
    ended.error
}

/// The sentences of a `config_invalid`.
fn problems(setup: &Setup) -> Vec<String> {
    let error = refusal(setup);
    assert_eq!(error["code"], "config_invalid", "{error}");
    serde_json::from_value(error["details"]["problems"].clone()).expect("a list of texts")
}

fn file(setup: &mut Setup, text: &str) {
    let path = setup.runtime_dir.with_extension("toml");
    fs::write(&path, text).expect("a file");
    setup.arguments = vec!["--config".to_owned(), path.display().to_string()];
}

#[test]
fn every_problem_of_a_configuration_is_said_at_once() {
    let own = folder();
    let mut setup = Setup::new(STRIATUMD, "", own.path());
    file(
        &mut setup,
        "mode = 1\n[databse]\nurl = 'x'\n[database]\nurl = 5\nbootstrap_url = 'mysql://a/b'\nuser = 'me'\n\
         [daemon]\nlog_level = 'loud'\n[limits]\ndb_reads = 0\nline_bytes = 'many'\n",
    );
    setup.arguments.extend(["--instance".to_owned(), "../up".to_owned()]);
    let problems = problems(&setup);
    for part in [
        "there is no section [mode]",
        "there is no section [databse]",
        "there is no key user in [database]",
        "[database] url is a integer",
        "[database] bootstrap_url: it does not begin with postgres://",
        "[daemon] log_level",
        "[limits] db_reads",
        "[limits] line_bytes",
        "[database] url is missing",
        "the instance is called \"../up\"",
    ] {
        let found = problems.iter().filter(|problem| problem.contains(part)).count();
        assert_eq!(found, 1, "{part}: {problems:#?}");
    }
    assert_eq!(problems.len(), 10, "{problems:#?}");
    assert!(!setup.runtime_dir.exists(), "nothing was made");
}

#[test]
fn each_wrong_url_is_refused_and_not_repeated() {
    let own = folder();
    for url in [
        "localhost/striatum",
        "mysql://localhost/striatum",
        "postgres://localhost",
        "postgres://localhost:port/striatum",
        "postgres:///Odd-Name",
        "postgres://me:hidden-word@localhost/a b",
    ] {
        let problems = problems(&Setup::new(STRIATUMD, url, own.path()));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].starts_with("[database] url: ") && !problems[0].contains("hidden-word"),
            "{problems:?}"
        );
    }
    let mut setup = Setup::new(STRIATUMD, "postgres:///striatum", own.path());
    setup.arguments = vec!["--config".to_owned(), own.path().join("missing").display().to_string()];
    assert!(problems(&setup)[0].contains("cannot be read"));
    file(&mut setup, "[database\n");
    assert!(problems(&setup)[0].contains("is not TOML"));
}

/// What is no plain file is refused, and nobody waits for what may never come.
#[test]
fn a_pipe_or_a_folder_is_no_configuration() {
    let own = folder();
    let mut setup = Setup::new(STRIATUMD, "postgres:///striatum?host=/nowhere", own.path());
    let (pipe, other) = (own.path().join("pipe"), own.path().join("folder"));
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).expect("a pipe");
    fs::create_dir(&other).expect("a folder");
    for path in [pipe, other] {
        let path = path.display().to_string();
        setup.arguments = vec!["--config".to_owned(), path.clone()];
        assert_eq!(problems(&setup), [format!("{path} cannot be read: it is no plain file")]);
    }
}

/// A runtime directory that will not do: the database is not even asked.
#[tokio::test]
async fn an_unsafe_runtime_directory_is_refused_before_anything_is_done() {
    let database = Database::fresh().await.expect("a database");
    let own = folder();
    let setup = |name: &str| Setup {
        runtime_dir: own.path().join(name),
        ..Setup::new(STRIATUMD, database.url(), own.path())
    };
    fs::create_dir(own.path().join("open")).expect("a folder");
    fs::set_permissions(own.path().join("open"), fs::Permissions::from_mode(0o755)).expect("permissions");
    fs::write(own.path().join("file"), "").expect("a file");
    fs::create_dir(own.path().join("real")).expect("a folder");
    symlink(own.path().join("real"), own.path().join("link")).expect("a link");
    let long = "l".repeat(110);
    for (name, says) in [
        ("open", "others may enter it (mode 755)"),
        ("file", "it cannot be made"),
        ("link", "it is no folder"),
        (long.as_str(), "longer than 107 octets"),
    ] {
        let error = refusal(&setup(name));
        assert_eq!(error["code"], "runtime_dir_unsafe", "{name}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(says)), "{name}: {error}");
    }
    if fs::metadata("/proc/self").is_ok_and(|is| std::os::unix::fs::MetadataExt::uid(&is) == 0) {
        let theirs = setup("theirs");
        theirs.make_runtime_dir().expect("a folder");
        std::os::unix::fs::chown(&theirs.runtime_dir, Some(65534), None).expect("another owner");
        assert!(
            refusal(&theirs)["message"].as_str().is_some_and(|said| said.contains("belongs to user 65534"))
        );
    }
    assert!(!own.path().join(&long).exists());
    for name in ["open", "real"] {
        assert_eq!(fs::read_dir(own.path().join(name)).expect("a folder").count(), 0, "{name}");
    }
    let mut admin = database.admin().await.expect("a connection");
    let touched: i64 = sqlx::query_scalar(
        "select (select count(*) from striatumd.audit_log) + (select count(*) from striatumd.daemon_authority)",
    )
    .fetch_one(&mut admin)
    .await
    .expect("a count");
    assert_eq!(touched, 0);
}

/// STR-STORE-17: the database is the flag's, else the environment's, else that of `~/.config/striatum/daemon.toml`.
#[tokio::test]
async fn a_flag_comes_before_the_environment_and_that_before_the_file() {
    let (one, two, three) = (
        Database::fresh().await.expect("a database"),
        Database::fresh().await.expect("a database"),
        Database::fresh().await.expect("a database"),
    );
    let own = folder();
    let setup = Setup::new(STRIATUMD, "", own.path());
    let config = setup.home().join(".config/striatum");
    fs::create_dir_all(&config).expect("a folder");
    fs::write(config.join("daemon.toml"), format!("[database]\nurl = '{}'\n", three.url())).expect("a file");
    let by_variable = setup.clone().with("STRIATUM_DAEMON_DB_URL", two.url());
    let by_flag = Setup { url: one.url().to_owned(), ..by_variable.clone() };
    for (setup, database) in [(by_flag, one), (by_variable, two), (setup, three)] {
        let mut daemon = Daemon::start(setup).expect("a daemon");
        let instance = daemon.until_serving().expect("a hello")["instance_id"].clone();
        let mut admin = database.admin().await.expect("a connection");
        let served: String = sqlx::query_scalar("select instance_id from striatumd.daemon_authority")
            .fetch_one(&mut admin)
            .await
            .expect("a daemon's row");
        assert_eq!(instance, json!(served));
        daemon.kill().expect("an end");
    }
}

/// The runtime directory likewise: the variable, else a folder of the session's, and in it one of the instance's.
#[tokio::test]
async fn the_runtime_directory_is_where_the_variables_say() {
    let database = Database::fresh().await.expect("a database");
    let own = folder();
    let named = own.path().join("named");
    fs::create_dir(own.path().join("session")).expect("a folder");
    let base = Setup { names_runtime_dir: false, ..Setup::new(STRIATUMD, database.url(), own.path()) }
        .with("XDG_RUNTIME_DIR", &own.path().join("session").display().to_string());
    let by_variable = base.clone().with("STRIATUM_DAEMON_RUNTIME_DIR", &named.display().to_string());
    let by_instance = Setup { arguments: vec!["--instance".to_owned(), "two".to_owned()], ..base.clone() };
    for (setup, folder) in
        [(by_variable, "named"), (base, "session/striatum"), (by_instance, "session/striatum/two")]
    {
        let runtime_dir = own.path().join(folder);
        let mut daemon = Daemon::start(Setup { runtime_dir: runtime_dir.clone(), ..setup }).expect(folder);
        assert!(is_socket(&runtime_dir.join("striatumd.sock")), "{folder}");
        assert!(
            mode(&runtime_dir) == 0o700 && mode(&runtime_dir.join("striatumd.sock")) == 0o600,
            "{folder}"
        );
        assert_eq!(mode(&runtime_dir.join("daemon.pid")), 0o600, "{folder}");
        daemon.terminate().expect("a signal");
        assert_eq!(daemon.ended().expect("an end").told(), (0, ""));
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o777
}
