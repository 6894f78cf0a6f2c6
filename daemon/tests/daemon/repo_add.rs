//! `repo.add` against real folders.
#![expect(clippy::disallowed_methods, reason = "a test makes the folders that the daemon is led to")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use striatum_testkit::{Client, skipped_unless};

use crate::stage::{Stage, code, init};

/// Everything below a folder: names, kinds, texts.
fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is = fs::symlink_metadata(&path).expect("an entry");
            let what = if is.is_dir() {
                open.push(path.clone());
                "folder".to_owned()
            } else if is.is_symlink() {
                format!("link to {}", fs::read_link(&path).expect("a link").display())
            } else {
                String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
            };
            found.push(format!("{}: {what}", path.strip_prefix(folder).expect("below it").display()));
        }
    }
    found.sort();
    found
}

/// Real git, which nobody has configured; whether it says yes.
fn git(folder: &Path, arguments: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments).current_dir(folder);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.output().expect("git").status.success()
}

async fn refused(stage: &mut Stage, params: Value, expected: &str, exit: i32) -> Value {
    let (state, files) = (stage.state().await, listing(&stage.world));
    let reply = stage.client().ask("repo.add", params.clone()).expect("a reply");
    assert_eq!(code(&reply), expected, "{params}: {reply}");
    assert_eq!(stage.last_row().await.6, Some(exit), "{params}");
    assert_eq!(stage.state().await, state, "{params}");
    assert_eq!(listing(&stage.world), files, "{params}");
    reply
}

/// STR-REGISTRY-04: the root is the folder's one real name: links, also of parents, and detours are refused, and what
/// is registered is its path and its inode.
#[tokio::test]
async fn a_root_is_registered_by_its_real_name_alone() {
    let mut stage = Stage::set().await;
    let root = stage.repository("real/app");
    let top = stage.world.clone();
    symlink(&root, top.join("link")).expect("a link");
    symlink(top.join("real"), top.join("parent")).expect("a link");
    let shown = root.display().to_string();

    for (path, expected) in [
        (top.join("link"), "symlink_refused"),
        (top.join("parent/app"), "symlink_refused"),
        (top.join("real/../real/app"), "path_traversal"),
        (top.join("real/./app"), "path_traversal"),
        (top.join("real//app"), "path_traversal"),
        (top.join("real/app/"), "path_traversal"),
        (top.join("real/app/.."), "path_traversal"),
    ] {
        let reply = refused(&mut stage, json!({"path": path.to_str(), "init": true}), expected, 6).await;
        if !path.ends_with("..") {
            assert_eq!(reply["error"]["next"][0], format!("striatum repo add {shown}"), "the name to ask by");
        }
    }
    refused(&mut stage, json!({"path": "real/app", "init": true}), "path_not_absolute", 2).await;

    let reply = stage.client().ask("repo.add", init(&root)).expect("a reply");
    assert_eq!((&reply["data"]["root"], &reply["data"]["is_new"]), (&json!(shown), &json!(true)), "{reply}");
    let inode = std::os::unix::fs::MetadataExt::ino(&fs::metadata(&root).expect("a folder")).to_string();
    assert_eq!(
        stage.text("select root || ' ' || inode from striatumd.repositories").await,
        format!("{shown} {inode}")
    );
    // Under another name it is no other repository, and under its own it is known.
    refused(&mut stage, json!({"path": top.join("link")}), "symlink_refused", 6).await;
    let again = stage.client().ask("repo.add", json!({"path": root})).expect("a reply");
    assert_eq!(again["data"]["repository_id"], reply["data"]["repository_id"]);
    assert_eq!(again["data"]["is_new"], false);
}

#[tokio::test]
async fn what_is_no_work_tree_is_refused() {
    let mut stage = Stage::set().await;
    let top = stage.world.clone();
    fs::write(top.join("file"), "text").expect("a file");
    fs::create_dir(top.join("bare")).expect("a folder");
    // What git would not take for its own is none.
    for (name, text) in [("empty", ""), ("other", "gitdir: ../bare\n"), ("nowhere", "gitdir: ../missing\n")] {
        fs::create_dir(top.join(name)).expect("a folder");
        fs::write(top.join(name).join(".git"), text).expect("a file");
        refused(&mut stage, init(&top.join(name)), "repo_git_missing", 12).await;
    }
    fs::create_dir_all(top.join("hollow/.git")).expect("a folder");
    refused(&mut stage, init(&top.join("hollow")), "repo_git_missing", 12).await;
    refused(&mut stage, init(&top.join("missing")), "repo_root_missing", 12).await;
    refused(&mut stage, init(&top.join("file")), "repo_root_missing", 12).await;
    refused(&mut stage, init(&top.join("file/below")), "repo_root_missing", 12).await;
    refused(&mut stage, init(&top.join("bare")), "repo_git_missing", 12).await;
    let reply = refused(&mut stage, json!({"path": top.join("bare")}), "repo_git_missing", 12).await;
    let problems = reply["error"]["details"]["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 2, "and what comes next is said at once: {reply}");
}

#[tokio::test]
async fn a_folder_that_cannot_be_looked_at_is_unknown() {
    let stage = Stage::set().await;
    let root = stage.repository("app");
    fs::create_dir(root.join(".striatum")).expect("a folder");
    let closed = fs::Permissions::from_mode(0o000);
    fs::set_permissions(root.join(".striatum"), closed).expect("permissions");
    let is_closed = fs::read_dir(root.join(".striatum")).is_err();
    if skipped_unless(is_closed, "to root no folder is closed") {
        return;
    }
    let reply = stage.client().ask("repo.add", init(&root)).expect("a reply");
    assert_eq!(code(&reply), "repo_root_unknown", "{reply}");
}

/// STR-REGISTRY-02: init makes the scratch folder and the entry and nothing else; without it, and without the folder,
/// registering is refused.
#[tokio::test]
async fn init_makes_the_scratch_folder_and_the_entry_and_nothing_else() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    fs::write(root.join("README"), "text\n").expect("a file");
    let refusal = refused(&mut stage, json!({"path": root}), "repo_scratch_missing", 12).await;
    assert_eq!(refusal["error"]["next"][0], format!("striatum repo add {} --init", root.display()));
    let reply = stage.client().ask("repo.add", init(&root)).expect("a reply");
    assert_eq!(reply["ok"], true, "{reply}");
    let made = [
        ".git/HEAD: ref: refs/heads/main\n",
        ".git: folder",
        ".gitignore: .striatum/\n",
        ".striatum/scratch: folder",
        ".striatum: folder",
        "README: text\n",
    ];
    assert_eq!(listing(&root), made);
    let rows = stage.text("select string_agg(event_type, ' ' order by event_id) from striatumd.events").await;
    assert_eq!(rows, "repository.added repository.initialized");
    assert_eq!(stage.number("select count(*) from striatumd.repositories where is_initialized").await, 1);
    // With the scratch folder there, no init is needed.
    let ready = stage.repository("ready");
    fs::create_dir_all(ready.join(".striatum/scratch")).expect("a folder");
    let reply = stage.client().ask("repo.add", json!({"path": ready})).expect("a reply");
    assert_eq!(reply["ok"], true, "{reply}");
    let kept = [
        ".git/HEAD: ref: refs/heads/main\n",
        ".git: folder",
        ".striatum/scratch: folder",
        ".striatum: folder",
    ];
    assert_eq!(listing(&ready), kept);
}

/// A work tree that git has linked to a repository is one as well.
#[tokio::test]
async fn a_linked_work_tree_is_registered() {
    let stage = Stage::set().await;
    for arguments in [
        &["init", "-q", "main"][..],
        &["-C", "main", "commit", "-q", "--allow-empty", "-m", "one"],
        &["-C", "main", "worktree", "add", "-q", "../linked"],
    ] {
        assert!(git(&stage.world, arguments), "{arguments:?}");
    }
    assert!(stage.world.join("linked/.git").is_file());
    let reply = stage.client().ask("repo.add", init(&stage.world.join("linked"))).expect("a reply");
    assert_eq!(reply["ok"], true, "{reply}");
}

/// STR-STORE-22: what repo.add renders into a folder is all that it does there; the state is what the door recorded.
#[tokio::test]
async fn an_entry_is_added_to_whatever_the_ignore_file_holds() {
    let mut stage = Stage::set().await;
    for (name, before, after) in [
        ("none", None, ".striatum/\n"),
        ("empty", Some(""), ".striatum/\n"),
        ("ends", Some("/target\n"), "/target\n.striatum/\n"),
        ("open", Some("/target"), "/target\n.striatum/\n"),
        ("crlf", Some("/target\r\n*.o\r\n"), "/target\r\n*.o\r\n.striatum/\n"),
        ("there", Some("a\n.striatum/\nb"), "a\n.striatum/\nb"),
        ("there_crlf", Some("a\r\n/.striatum\r\nb"), "a\r\n/.striatum\r\nb"),
        ("taken_back", Some(".striatum/\n!.striatum/\n"), ".striatum/\n!.striatum/\n.striatum/\n"),
        ("blanks", Some(".striatum/  \n!.striatum/ \n"), ".striatum/  \n!.striatum/ \n.striatum/\n"),
        ("and_again", Some("!/.striatum\n.striatum\n"), "!/.striatum\n.striatum\n"),
        ("like_it", Some("x.striatum/\n"), "x.striatum/\n.striatum/\n"),
    ] {
        let root = stage.world.join(name);
        assert!(git(&stage.world, &["init", "-q", name]));
        if let Some(before) = before {
            fs::write(root.join(".gitignore"), before).expect("a file");
        }
        for _ in 0..2 {
            let reply = stage.client().ask("repo.add", init(&root)).expect("a reply");
            assert_eq!((&reply["ok"], reply.get("effects")), (&json!(true), None), "{name}: {reply}");
            assert_eq!(fs::read_to_string(root.join(".gitignore")).expect("a file"), after, "{name}");
            assert!(root.join(".striatum/scratch").is_dir(), "{name}");
            assert!(git(&root, &["check-ignore", "-q", ".striatum/scratch"]), "{name}: git passes it over");
        }
    }
    assert_eq!(stage.number("select count(*) from striatumd.repositories where not is_initialized").await, 0);
    assert_eq!(stage.number("select count(*) from striatumd.effects where state <> 'done'").await, 0);
}

/// STR-REGISTRY-03: a database of an older program in the folder stands against registering it; the refusal says where
/// it is and what to do with it.
/// STR-STORE-12: nothing of it is taken over.
#[tokio::test]
async fn a_legacy_database_is_refused_and_left_alone() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    fs::create_dir_all(root.join(".striatum/scratch")).expect("a folder");
    fs::write(root.join(".striatum/state.db"), b"SQLite format 3\0 and more").expect("a file");
    fs::write(root.join(".striatum/short"), b"SQLite").expect("a file");
    let reply = refused(&mut stage, init(&root), "repo_legacy_state_present", 12).await;
    let state = fs::read(root.join(".striatum/state.db")).expect("it is still there");
    assert_eq!(state, b"SQLite format 3\0 and more");
    assert_eq!(stage.number("select count(*) from striatumd.repositories").await, 0);
    let next = reply["error"]["next"][0].as_str().expect("a step");
    assert_eq!(
        next,
        format!("mv {}/.striatum/state.db to a place outside of the repository", root.display())
    );
    fs::remove_file(root.join(".striatum/state.db")).expect("a file taken away");
    assert_eq!(stage.client().ask("repo.add", init(&root)).expect("a reply")["ok"], true);
}

/// What would lead out of the folder is not followed: nothing outside is touched, and nobody waits for it for ever.
#[tokio::test]
async fn links_in_the_place_of_what_is_made_lead_nowhere() {
    let mut stage = Stage::set().await;
    let outside = stage.world.join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("ignore"), "theirs\n").expect("a file");
    for (name, link, target) in [
        ("ignore", ".gitignore", outside.join("ignore")),
        ("ignore_to_nothing", ".gitignore", outside.join("nothing")),
        ("striatum", ".striatum", outside.clone()),
        ("scratch", ".striatum/scratch", outside.clone()),
    ] {
        let root = stage.repository(name);
        if link.contains('/') {
            fs::create_dir(root.join(".striatum")).expect("a folder");
        }
        symlink(&target, root.join(link)).expect("a link");
        let before = listing(&outside);
        let reply = stage.client().ask_as(name, "repo.add", init(&root)).expect("a reply");
        assert_eq!(code(&reply), "effect_failed", "{name}: {reply}");
        assert!(reply["error"]["details"]["problem"].is_string(), "{name}: {reply}");
        assert_eq!(listing(&outside), before, "{name}");
        let mut admin = stage.database.admin().await.expect("a connection");
        let state: (String, i32) =
            sqlx::query_as("select state::text, attempts from striatumd.effects where request_id = $1")
                .bind(name)
                .fetch_one(&mut admin)
                .await
                .expect("an effect");
        assert_eq!(state, ("abandoned".to_owned(), 1), "{name}: without hope, so it is not tried again");
        assert_eq!(stage.number("select count(*) from striatumd.repositories where is_initialized").await, 0);
    }
    // Mended, a new request does it.
    let root = stage.world.join("ignore");
    fs::remove_file(root.join(".gitignore")).expect("the link taken away");
    let reply = stage.client().ask("repo.add", init(&root)).expect("a reply");
    assert_eq!((&reply["ok"], &reply["data"]["is_new"]), (&json!(true), &json!(false)), "{reply}");
    assert_eq!(stage.number("select count(*) from striatumd.repositories where is_initialized").await, 1);
}

/// STR-REGISTRY-05: another folder in the place of a registered one is refused by the id that holds the place.
#[tokio::test]
async fn another_folder_in_the_place_of_a_registered_one_is_refused() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    let first = stage.client().ask("repo.add", init(&root)).expect("a reply");
    fs::rename(&root, stage.world.join("moved")).expect("a move");
    stage.repository("app");
    let reply = refused(&mut stage, init(&root), "repo_identity_differs", 12).await;
    assert_eq!(reply["error"]["details"]["repository_id"], first["data"]["repository_id"]);
    assert_eq!(
        reply["error"]["next"][0],
        format!("striatum repo remove {}", first["data"]["repository_id"].as_str().expect("an id"))
    );
}

/// Twenty at once: one registration, one event of each kind, one entry.
#[tokio::test]
async fn twenty_additions_of_one_folder_at_once_make_one_repository() {
    let mut stage = Stage::set().await;
    let root = stage.repository("app");
    let clients: Vec<Client> = (0..20).map(|_| stage.client()).collect();
    let replies: Vec<Value> = std::thread::scope(|scope| {
        let asking: Vec<_> = clients
            .into_iter()
            .map(|mut client| {
                scope.spawn({
                    let root = &root;
                    move || client.ask("repo.add", init(root)).expect("a reply")
                })
            })
            .collect();
        asking.into_iter().map(|one| one.join().expect("a client")).collect()
    });
    assert!(replies.iter().all(|reply| reply["ok"] == true), "{replies:?}");
    let new: Vec<&Value> = replies.iter().filter(|reply| reply["data"]["is_new"] == true).collect();
    assert_eq!(new.len(), 1);
    assert!(replies.iter().all(|reply| reply["data"]["repository_id"] == new[0]["data"]["repository_id"]));
    assert_eq!(stage.number("select count(*) from striatumd.repositories").await, 1);
    let events =
        stage.text("select string_agg(event_type, ' ' order by event_id) from striatumd.events").await;
    assert_eq!(events, "repository.added repository.initialized");
    assert_eq!(fs::read_to_string(root.join(".gitignore")).expect("a file"), ".striatum/\n");
    assert_eq!(stage.number("select count(*) from striatumd.effects where state <> 'done'").await, 0);
}
