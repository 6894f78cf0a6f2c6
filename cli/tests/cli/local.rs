//! `striatum local`: from nothing to a daemon that serves, whatever came in between.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::bench::{Bench, is_root};
use crate::{stderr, stdout};

fn pid(status: &Value, what: &str) -> i64 {
    status[what]["pid"].as_i64().unwrap_or_else(|| panic!("{status} has no pid of {what}"))
}

fn is_alive(pid: i64) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn kill(pid: i64) {
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill").success());
    while is_alive(pid) {
        std::thread::yield_now();
    }
}

#[test]
fn one_command_leads_from_nothing_to_a_daemon_that_answers() {
    let bench = Bench::new();
    let status = bench.json("a", &["local", "status"]);
    assert_eq!(
        (&status["postgres"]["state"], &status["daemon"]["state"]),
        (&json!("absent"), &json!("stopped"))
    );
    assert!(!bench.data("a").exists(), "a look makes nothing");

    let up = bench.run("a", &["local", "up"]);
    assert!(up.status.success(), "{}", stderr(&up));
    for step in [
        "making a cluster with PostgreSQL ",
        "starting PostgreSQL ",
        "making the database",
        "starting the daemon",
    ] {
        assert!(stderr(&up).contains(step), "{step}: {}", stderr(&up));
    }
    assert!(stdout(&up).ends_with("next:  striatum repo add . --init --instance a\n"), "{}", stdout(&up));

    // As the answer says.
    let app = bench.folder().join("app");
    fs::create_dir(&app).expect("a folder");
    assert!(Command::new("git").args(["init", "-q"]).arg(&app).status().expect("git").success());
    let added =
        bench.command("a", &["repo", "add", ".", "--init"]).current_dir(&app).output().expect("it starts");
    assert!(added.status.success(), "{}", stderr(&added));
    assert!(app.join(".striatum/scratch").is_dir());

    // Again, nothing is done.
    let before = bench.json("a", &["local", "status"]);
    let again = bench.run("a", &["local", "up"]);
    assert_eq!((again.status.code(), stderr(&again)), (Some(0), ""));
    assert!(stdout(&again).ends_with("next:  striatum status --instance a\n"), "{}", stdout(&again));
    let after = bench.json("a", &["local", "status"]);
    assert_eq!(
        (pid(&before, "postgres"), pid(&before, "daemon")),
        (pid(&after, "postgres"), pid(&after, "daemon"))
    );
    assert_eq!(
        (&after["postgres"]["state"], &after["daemon"]["state"]),
        (&json!("running"), &json!("serving"))
    );

    // And down, with what was put there.
    let down = bench.json("a", &["local", "down"]);
    assert_eq!((&down["daemon_stopped"], &down["postgres_stopped"]), (&json!(true), &json!(true)));
    assert!(!is_alive(pid(&after, "postgres")) && !is_alive(pid(&after, "daemon")));
    let down = bench.json("a", &["local", "down"]);
    assert_eq!((&down["daemon_stopped"], &down["postgres_stopped"]), (&json!(false), &json!(false)));
    bench.json("a", &["local", "up"]);
    let added =
        bench.command("a", &["repo", "add", ".", "--json"]).current_dir(&app).output().expect("it starts");
    assert!(
        stdout(&added).contains("\"is_new\":false") || stdout(&added).contains("\"is_new\": false"),
        "{}",
        stdout(&added)
    );
}

#[test]
fn nobody_else_gets_in_and_nothing_listens_on_the_network() {
    let bench = Bench::new();
    let up = bench.json("a", &["local", "up"]);
    let postgres = &up["installation"]["postgres"];
    let socket = postgres["socket_dir"].as_str().expect("a folder");
    let ask = |user: &str, database: &str, what: &str| {
        let arguments = ["-X", "-w", "-A", "-t", "-h", socket, "-U", user, "-d", database, "-c", what];
        Command::new("psql").args(arguments).env("LC_ALL", "C").output().expect("psql")
    };
    for (setting, value) in
        [("listen_addresses", ""), ("fsync", "on"), ("full_page_writes", "on"), ("data_checksums", "on")]
    {
        let answer = ask("postgres", "striatum", &format!("show {setting}"));
        assert_eq!(stdout(&answer).trim_end_matches('\n'), value, "{setting}: {}", stderr(&answer));
    }
    let rejected = ask("striatum_owner", "striatum", "select 1");
    assert!(stderr(&rejected).contains("pg_hba.conf rejects"), "{}", stderr(&rejected));
    let rejected = ask("striatumd_rw_striatum", "postgres", "select 1");
    assert!(stderr(&rejected).contains("pg_hba.conf rejects"), "{}", stderr(&rejected));
    let asked = ask("striatumd_rw_striatum", "striatum", "select 1");
    assert!(stderr(&asked).contains("no password supplied"), "{}", stderr(&asked));

    let mode =
        |path: &str| fs::metadata(bench.data("a").join(path)).expect(path).permissions().mode() & 0o777;
    assert_eq!(mode("") & 0o066, 0, "others may pass at most");
    for private in ["cluster.data", "cluster.socket"] {
        assert_eq!(mode(private), 0o700, "{private}");
    }
    for private in ["cluster.log", "daemon.log", "daemon.toml", "client.token"] {
        assert_eq!(mode(private), 0o600, "{private}");
    }
}

#[test]
fn two_installations_stand_side_by_side() {
    let bench = Bench::new();
    let (a, b) = std::thread::scope(|scope| {
        let one = scope.spawn(|| bench.json("a", &["local", "up"]));
        let other = scope.spawn(|| bench.json("b", &["local", "up"]));
        (one.join().expect("a"), other.join().expect("b"))
    });
    assert_ne!(pid(&a["installation"], "postgres"), pid(&b["installation"], "postgres"));
    bench.json("a", &["local", "down"]);
    let b = bench.json("b", &["local", "status"]);
    assert_eq!((&b["postgres"]["state"], &b["daemon"]["state"]), (&json!("running"), &json!("serving")));
}

/// Two at once are one: the second waits for the first, and finds all done.
#[test]
fn two_ups_at_once_make_one_installation() {
    let bench = Bench::new();
    let (a, b) = std::thread::scope(|scope| {
        let one = scope.spawn(|| bench.json("a", &["local", "up"]));
        let other = scope.spawn(|| bench.json("a", &["local", "up"]));
        (one.join().expect("one"), other.join().expect("the other"))
    });
    assert_eq!(pid(&a["installation"], "postgres"), pid(&b["installation"], "postgres"));
    assert_eq!(pid(&a["installation"], "daemon"), pid(&b["installation"], "daemon"));
}

/// Killed as soon as it has said what it begins, and let go on from there.
#[test]
fn whoever_is_killed_at_a_step_is_followed_by_one_that_ends_well() {
    for step in
        ["making a cluster", "starting PostgreSQL", "making the database", "applying", "starting the daemon"]
    {
        let bench = Bench::new();
        let mut up = bench
            .command("a", &["local", "up"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the built program starts");
        let mut said = BufReader::new(up.stderr.take().expect("piped")).lines();
        let is_there = said.any(|line| line.expect("text").starts_with(step));
        up.kill().expect("a kill");
        up.wait().expect("an end");
        assert!(is_there, "{step} was not said");
        let up = bench.json("a", &["local", "up"]);
        assert_eq!(up["installation"]["daemon"]["state"], "serving", "{step}");
        let down = bench.json("a", &["local", "down"]);
        assert_eq!(
            (&down["daemon_stopped"], &down["postgres_stopped"]),
            (&json!(true), &json!(true)),
            "{step}"
        );
    }
}

/// As after a crash of the machine: everything dead, the files of the dead there, and their numbers given to others.
#[test]
fn after_a_crash_it_comes_up_and_nobody_is_signalled_for_having_a_number() {
    let bench = Bench::new();
    let up = bench.json("a", &["local", "up"]);
    let token = fs::read_to_string(bench.runtime("a").join("client-token")).expect("a token");
    kill(pid(&up["installation"], "daemon"));
    kill(pid(&up["installation"], "postgres"));

    let mut bystander = Command::new("sleep").arg("600").current_dir("/").spawn().expect("a bystander");
    let number = bystander.id().to_string();
    let data = bench.data("a").join("cluster.data");
    for file in [data.join("postmaster.pid"), bench.data("a").join("cluster.socket/.s.PGSQL.5432.lock")] {
        let text = fs::read_to_string(&file).expect("what the dead left");
        let rest = text.split_once('\n').expect("lines").1;
        fs::write(&file, format!("{number}\n{rest}")).expect("a number of another");
    }
    let pidfile = bench.runtime("a").join("daemon.pid");
    let signed = fs::read_to_string(&pidfile).expect("what the dead left");
    fs::write(&pidfile, format!("{number} {}", signed.split_once(' ').expect("words").1))
        .expect("another's number");

    let down = bench.json("a", &["local", "down"]);
    assert_eq!((&down["daemon_stopped"], &down["postgres_stopped"]), (&json!(false), &json!(false)));
    // The folder for what lasts until the machine ends is empty after that.
    fs::remove_dir_all(bench.runtime("a")).expect("the runtime directory");
    let up = bench.json("a", &["local", "up"]);
    let is_unharmed = bystander.try_wait().expect("a look").is_none();
    bystander.kill().expect("an end");
    bystander.wait().expect("an end");
    assert!(is_unharmed);
    assert_eq!(up["installation"]["daemon"]["state"], "serving");
    assert_eq!(fs::read_to_string(bench.runtime("a").join("client-token")).expect("a token"), token);
}

/// The number is right and the folder too, and it was started at another time: it is told, and let be.
#[test]
fn a_server_that_was_started_at_another_time_is_not_stopped() {
    let bench = Bench::new();
    let up = bench.json("a", &["local", "up"]);
    let file = bench.data("a").join("cluster.pid");
    let signed = fs::read_to_string(&file).expect("a record");
    let words: Vec<&str> = signed.split_whitespace().collect();
    fs::write(&file, format!("{} 1 {}\n", words[0], words[2])).expect("another start");
    let (refusal, exit_code) = bench.refused("a", &["local", "down"]);
    assert_eq!((&refusal["code"], exit_code), (&json!("process_differs"), 4), "{refusal}");
    assert!(is_alive(pid(&up["installation"], "postgres")));
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_made() {
    let bench = Bench::new();
    let long = bench.folder().join("x".repeat(90)).display().to_string();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_striatum"))
            .args(["--json", "local", "up"])
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("STRIATUM_DAEMON_RUNTIME_DIR", bench.folder().join("run"))
            .envs(variables.iter().copied())
            .output()
            .expect("it starts");
        let refusal: Value = serde_json::from_slice(&output.stderr).expect("JSON");
        (refusal["error"]["code"].as_str().map(str::to_owned).expect("a code"), output.status.code())
    };
    assert_eq!(run(&["--data-dir", &long], &[]), ("socket_path_long".to_owned(), Some(78)));
    let data = bench.data("a").display().to_string();
    assert_eq!(
        run(&["--data-dir", &data], &[("STRIATUM_PG_BIN", "/nowhere")]),
        ("postgres_missing".to_owned(), Some(78))
    );
    fs::set_permissions(bench.data("a"), fs::Permissions::from_mode(0o777)).expect("its mode");
    assert_eq!(run(&["--data-dir", &data], &[]), ("data_dir_unsafe".to_owned(), Some(78)));
    if is_root() {
        let closed = bench.folder().join("closed");
        fs::create_dir(&closed).expect("a folder");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("its mode");
        let inside = closed.join("data").display().to_string();
        assert_eq!(run(&["--data-dir", &inside], &[]), ("data_dir_unsafe".to_owned(), Some(78)));
    }
}
