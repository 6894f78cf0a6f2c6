//! One way into the database.

use crate::texts;

/// STR-AUTHZ-07: the daemon asks the database at one place, with two bound parameters. Beside it only whoever becomes
/// the serving daemon (as `striatum_bootstrap`), the owner's own commands, and the flusher, which brings to disk
/// what calls have committed and tells the server nothing, speak to it.
#[test]
fn the_door_has_one_call_site() {
    let others =
        ["daemon/src/bootstrap.rs", "daemon/src/db/", "daemon/src/install/", "daemon/src/door/flusher.rs"];
    let mut sites = Vec::new();
    for (file, text) in texts("daemon/src", "rs") {
        let file = file.display().to_string();
        if others.iter().any(|other| file.starts_with(other)) {
            continue;
        }
        sites.extend(text.match_indices("sqlx::query").map(|_| file.clone()));
        sites.extend(text.match_indices("sqlx::raw_sql").map(|_| file.clone()));
    }
    assert_eq!(sites, ["daemon/src/door/lane.rs"]);
    let (_, lane) = &texts("daemon/src/door", "rs")
        .into_iter()
        .find(|(file, _)| file.ends_with("lane.rs"))
        .expect("the lane");
    assert_eq!(lane.matches(".bind(").count(), 2, "the secret and the requests");
    for (file, text) in texts("daemon/src/door", "rs").iter().filter(|(file, _)| file.ends_with("flusher.rs"))
    {
        assert!(!text.contains(".bind("), "{} tells the server something", file.display());
    }
    for (file, text) in texts("daemon/src", "rs") {
        let asks = text.matches("striatumd.call(").count();
        if file.starts_with("daemon/src/install") {
            continue; // gives out the right to it, and asks nothing
        }
        let is_door = file.ends_with("door.rs");
        assert_eq!(asks, usize::from(is_door), "{} names the door's function", file.display());
    }
}

/// STR-AUTHZ-07: what sets the secret and the labels is the first thing that the door does.
#[test]
fn the_prelude_is_the_first_step_of_a_call() {
    let (_, call) = &texts("sql/functions/core", "sql")
        .into_iter()
        .find(|(file, _)| file.ends_with("call.sql"))
        .expect("the door");
    let body = call.split_once("\nbegin\n").expect("a body").1;
    assert!(body.trim_start().starts_with("perform striatumd.prelude(p_authority, p_request);"), "{body}");
}
