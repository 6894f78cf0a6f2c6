//! What striatum does not do: guards over the sources.

use striatum_contract::methods;

use crate::{files, root, texts};

/// The sources in which one of these words stands, however it is broken into lines, but for those that may.
fn naming(words: &[&str], programs: &[(&str, &str)], may: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, ending) in programs {
        for (file, text) in texts(folder, ending) {
            let file = file.display().to_string();
            let text = flat(&text);
            let named = words.iter().filter(|word| text.contains(**word));
            found.extend(
                named.filter(|_| !may.contains(&file.as_str())).map(|word| format!("{file} names {word}")),
            );
        }
    }
    found
}

/// In small letters, with one space where there was any white space.
fn flat(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

const DAEMON: &[(&str, &str)] = &[("daemon/src", "rs"), ("sql/functions", "sql"), ("sql/owner", "sql")];

/// Where what a terminal showed is named, to be refused; the packet tells agents to publish none of it.
const REFUSING: &[&str] = &[
    "sql/functions/artifact/declared_artifact.sql",
    "sql/functions/artifact/is_transcript_name.sql",
    "sql/functions/artifact/publish.sql",
    "sql/functions/core/error_codes.sql",
    "sql/functions/review/submit.sql",
    "sql/functions/work/packet.sql",
    "sql/owner/V0001__domains.sql",
];

/// STR-BOUNDARY-05: what a terminal shows has no column and no way into the database: the places that name it are the
/// constraint and the check of artifacts that refuse it (sql/tests/owner/domains.sql and sql/tests/artifact/publish.sql
/// see them refuse).
#[test]
fn no_source_stores_what_a_terminal_showed() {
    let words = ["transcript", "scrollback", "terminal_output", "pty_log", "raw_output"];
    assert_eq!(naming(&words, DAEMON, REFUSING), [""; 0]);
    assert!(!naming(&words, DAEMON, &[]).is_empty(), "the guard sees the constraint");
}

/// STR-BOUNDARY-09: nothing that decides or reads state looks at marker files, panes, terminals or a provider's hooks.
#[test]
fn no_state_is_read_from_a_terminal_or_a_marker_file() {
    let words = ["tmux", "capture-pane", "pane_id", "marker file", ".done\"", "hooks.json"];
    assert_eq!(naming(&words, DAEMON, &[]), [""; 0]);
    assert!(!naming(&words, &[("testkit/tests", "rs")], &[]).is_empty(), "the guard sees itself");
}

/// STR-BOUNDARY-15: no gate runs a test or a check: the daemon starts no program but git, in one place.
/// STR-STORE-18: so it starts, stops and installs no PostgreSQL either; `striatum local` does, beside it.
#[test]
fn the_daemon_starts_no_program_but_git() {
    let words = [
        "process::command",
        "process::{",
        "process::*",
        "command::new(",
        "pg_ctl",
        "initdb",
        "apt-get",
        "execv",
        "fork(",
        "posix_spawn",
        "to program",
        "from program",
        "language plpython",
        "language plperl",
        "language c ",
    ];
    assert_eq!(naming(&words, DAEMON, &["daemon/src/observe/git.rs"]), [""; 0]);
    let git = std::fs::read_to_string(root().join("daemon/src/observe/git.rs")).expect("the place");
    let started: Vec<&str> =
        git.split("Command::new(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert_eq!(started, ["\"git\""]);
    for word in ["pg_ctl", "command::new("] {
        assert!(!naming(&[word], &[("cli/src", "rs")], &[]).is_empty(), "the guard sees who does");
    }
}

/// STR-STORE-21: what an older program left of runs over several repositories is neither read nor written.
/// STR-REGISTRY-11, STR-RECOVERY-27: what was retired is reached by no method.
#[test]
fn nothing_names_what_was_retired() {
    let everywhere = [DAEMON, &[("cli/src", "rs"), ("contract/src", "rs")]].concat();
    // A workflow that asks for it is told so.
    let refused = ["contract/src/workflow/rules/other_repository_refused.rs"];
    assert_eq!(naming(&["cross_repo", "audit_repositories"], &everywhere, &refused), [""; 0]);
    for retired in [
        "apply.reviewed_patch",
        "cross_repo.create",
        "cross_repo.start",
        "daemon.migrate_repo_local",
        "dogfood.publish_on_behalf",
        "dogfood.surgical_recovery",
        "recovery.auto",
        "ack",
        "claim_next",
        "complete",
        "verdict",
    ] {
        assert!(methods::find(retired).is_none(), "{retired} is registered");
    }
    assert!(methods::find("repo.add").is_some(), "the guard sees what is registered");
}

/// STR-STORE-14: a runtime migration that would touch a table of the owner's is refused by this guard. What changes a
/// shape, a function or a right stands in the owner's bundles and in what the owner applies, and nowhere else
/// (sql/tests/catalogue/grants.sql sees the runtime login refused).
#[test]
fn what_changes_a_shape_stands_with_the_owner() {
    let touches = |text: &str| flat(text).contains("striatumd");
    for (file, text) in texts("sql/migrations", "sql") {
        assert!(!touches(&text), "{} names the owner's schema", file.display());
    }
    assert!(touches("alter table Striatumd.events add x int"), "the guard sees");

    let shapes = [
        "alter table",
        "create table",
        "drop table",
        "create trigger",
        "drop trigger",
        "alter function",
        "drop function",
        "drop routine",
        "create or replace",
        "alter role",
        "create role",
    ];
    let beside: Vec<String> = naming(&shapes, &[("daemon/src", "rs"), ("sql/functions", "sql")], &[])
        .into_iter()
        .filter(|found| !found.starts_with("daemon/src/install/"))
        .collect();
    assert_eq!(beside, [""; 0]);
    assert!(!naming(&shapes, &[("sql/owner", "sql")], &[]).is_empty(), "the guard sees the owner's");
    let elsewhere = [("cli/src", "rs"), ("contract/src", "rs"), ("verify/src", "rs")];
    assert_eq!(naming(&shapes, &elsewhere, &[]), [""; 0]);
}

/// STR-STORE-12: one command applies, and one more that makes an installation; no other has a way to.
#[test]
fn two_commands_apply() {
    let whole = |folder, word| naming(&[word], &[(folder, "rs")], &[]);
    assert_eq!(
        whole("cli/src", "\"apply\""),
        ["cli/src/instance/database.rs names \"apply\"", "cli/src/local/db.rs names \"apply\""]
    );
    assert_eq!(whole("daemon/src", "install::apply("), ["daemon/src/db/apply.rs names install::apply("]);
}

/// STR-AUTHZ-27: nothing that ships deletes, empties or detaches a chain; the tables themselves refuse it
/// (sql/tests/owner/chains.sql).
#[test]
fn nothing_takes_rows_of_a_chain_away() {
    assert_eq!(taking_away(&[DAEMON, &[("cli/src", "rs"), ("sql/migrations", "sql")]].concat()), [""; 0]);
    assert!(!taking_away(&[("sql/tests", "sql")]).is_empty(), "the guard sees who tries");
    for tried in [
        "delete from striatumd.events",
        "DELETE\n  FROM ONLY striatumd.audit_log_1",
        "truncate striatumd.events",
        "truncate table only striatumd.audit_log",
        "drop table if exists striatumd.events",
        "alter table striatumd.events detach  partition striatumd.events_1",
        "format('truncate %s', v_table)",
    ] {
        assert!(takes_away(tried), "not seen: {tried}");
    }
    assert!(!takes_away("delete from striatumd.methods; text.truncate(end)"), "and what is none");
}

fn taking_away(places: &[(&str, &str)]) -> Vec<String> {
    let all = places.iter().flat_map(|(folder, ending)| texts(folder, ending));
    all.filter(|(_, text)| takes_away(text)).map(|(file, _)| file.display().to_string()).collect()
}

fn takes_away(text: &str) -> bool {
    let mut text = flat(text);
    for filler in [" only", " if exists", " table"] {
        text = text.replace(&format!("{filler} striatumd."), " striatumd.");
        text = text.replace(&format!("{filler} %"), " %");
    }
    ["delete from", "truncate", "drop"].iter().any(|verb| {
        ["striatumd.audit_log", "striatumd.events", "%"]
            .iter()
            .any(|what| text.contains(&format!("{verb} {what}")))
    }) || text.contains("detach partition")
        || text.contains("truncate striatumd.")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// STR-AUTHZ-16: no text for an operator claims more of the database than the posture `full` would prove.
#[test]
fn no_text_claims_what_the_posture_does_not_prove() {
    let claims = ["database-enforced", "tamper-proof", "tamperproof", "unforgeable", "impossible to forge"];
    let texts_for_people = [DAEMON, &[("cli/src", "rs")]].concat();
    assert_eq!(naming(&claims, &texts_for_people, &[]), [""; 0]);
    let pages = || files().into_iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
    // The requirements say which claim is which posture's.
    for name in pages().filter(|name| !name.starts_with("docs/spec")) {
        let text = flat(&page(&name.display().to_string()));
        for claim in claims {
            assert!(!text.contains(claim), "{} says {claim}", name.display());
        }
    }
    let requirements = flat(&page("docs/spec/requirements-striatum.md"));
    assert!(requirements.contains("database-enforced"), "the guard sees who does");
    assert!(page("README.md").contains("shared_user"), "the README says which posture holds");
}

/// STR-BYLINE-13: attestation is nowhere taken for proof of who wrote something: no text for people says so, and what
/// explains the word says that it is none.
#[test]
fn no_text_takes_attestation_for_authorship() {
    let claims = [
        "proof of authorship",
        "proves authorship",
        "proven author",
        "verified author",
        "proves who wrote",
        "proves which model",
        "proof of the model",
        "written by the model",
        "signed by the model",
    ];
    let texts_for_people = [DAEMON, &[("cli/src", "rs"), ("contract/src", "rs")]].concat();
    assert_eq!(naming(&claims, &texts_for_people, &[]), [""; 0]);
    let pages = || files().into_iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
    for name in pages().filter(|name| !name.starts_with("docs/spec")) {
        let text = flat(&page(&name.display().to_string())).replace("never proof of authorship", "");
        for claim in claims {
            assert!(!text.contains(claim), "{} says {claim}", name.display());
        }
    }
    let glossary = page("docs/glossary.md");
    let entry = glossary.lines().find(|line| line.starts_with("- **attestation**")).expect("an entry");
    assert!(entry.contains("never proof of authorship"), "{entry}");
}

/// STR-AUTHZ-28: the documents say that writing past the daemon is out of contract, whatever the rights at hand allow.
#[test]
fn the_documents_say_that_nobody_writes_past_the_daemon() {
    for name in ["SECURITY.md", "docs/operating.md"] {
        assert!(page(name).contains("past the daemon is out of contract"), "{name} does not say it");
    }
}

/// STR-DDD-08: whoever adds a concept is told what belongs to it. Of what there is, each table has to stand in the read
/// inventory (sql/tests/read/read_inventory.sql), and its words in the glossary (`glossary.rs`).
/// STR-DDD-09: coordinator and operator are two words that name each other.
#[test]
fn the_papers_say_what_a_concept_needs_and_tell_the_two_roles_apart() {
    let contributing = page("CONTRIBUTING.md");
    let section = contributing.split("\n## ").find(|section| section.starts_with("A new concept\n"));
    let section = flat(section.expect("the section about a new concept"));
    for needed in
        ["glossary", "aggregate", "value object", "event", "validator", "introspection", "changelog"]
    {
        assert!(section.contains(needed), "CONTRIBUTING.md does not say that a concept needs {needed}");
    }
    let glossary = page("docs/glossary.md");
    for (role, other) in [("operator", "not the coordinator"), ("coordinator", "not the operator")] {
        let entry =
            glossary.lines().find(|line| line.starts_with(&format!("- **{role}**"))).expect("an entry");
        assert!(entry.contains(other), "{entry}");
    }
}
