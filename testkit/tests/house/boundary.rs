//! What striatum does not do: guards over the sources.

use striatum_contract::methods;

use crate::{root, texts};

/// The sources in which one of these words stands, but for those that may.
fn naming(words: &[&str], programs: &[(&str, &str)], may: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, ending) in programs {
        for (file, text) in texts(folder, ending) {
            let file = file.display().to_string();
            let text = text.to_lowercase();
            let named = words.iter().filter(|word| text.contains(**word));
            found.extend(
                named.filter(|_| !may.contains(&file.as_str())).map(|word| format!("{file} names {word}")),
            );
        }
    }
    found
}

const DAEMON: &[(&str, &str)] = &[("daemon/src", "rs"), ("sql/functions", "sql"), ("sql/owner", "sql")];

/// STR-BOUNDARY-05: what a terminal shows has no column and no way into the database: the one place that names it is
/// the constraint that refuses it (sql/tests/owner/domains.sql sees it refuse).
#[test]
fn no_source_stores_what_a_terminal_showed() {
    let words = ["transcript", "scrollback", "terminal_output", "pty_log", "raw_output"];
    assert_eq!(naming(&words, DAEMON, &["sql/owner/V0001__domains.sql"]), [""; 0]);
    assert!(!naming(&words, DAEMON, &[]).is_empty(), "the guard sees the constraint");
}

/// STR-BOUNDARY-09: nothing that decides or reads state looks at marker files, panes, terminals or a provider's hooks.
#[test]
fn no_state_is_read_from_a_terminal_or_a_marker_file() {
    let words = ["tmux", "capture-pane", "pane_id", "marker file", ".done\"", "hooks.json"];
    assert_eq!(naming(&words, DAEMON, &[]), [""; 0]);
}

/// STR-BOUNDARY-15: no gate runs a test or a check: the daemon starts no program at all.
/// STR-STORE-18: so it starts, stops and installs no PostgreSQL either; `striatum local` does, beside it.
#[test]
fn the_daemon_starts_no_program() {
    let words = ["process::command", "command::new(", "pg_ctl", "initdb", "apt-get", "execv", "fork("];
    assert_eq!(naming(&words, DAEMON, &[]), [""; 0]);
    assert!(!naming(&["pg_ctl"], &[("cli/src", "rs")], &[]).is_empty(), "the guard sees who does");
}

/// STR-STORE-21: what an older program left of runs over several repositories is neither read nor written.
/// STR-REGISTRY-11: what was retired is reached by no method.
#[test]
fn nothing_names_what_was_retired() {
    let everywhere = [DAEMON, &[("cli/src", "rs"), ("contract/src", "rs")]].concat();
    assert_eq!(naming(&["cross_repo", "audit_repositories"], &everywhere, &[]), [""; 0]);
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
}

/// STR-STORE-14: a runtime migration that would touch a table of the owner's is refused by this guard.
#[test]
fn no_runtime_migration_touches_a_table_of_the_owners() {
    let touches = |text: &str| text.to_lowercase().contains("striatumd");
    for (file, text) in texts("sql/migrations", "sql") {
        assert!(!touches(&text), "{} names the owner's schema", file.display());
    }
    assert!(touches("alter table Striatumd.events add x int"), "the guard sees");
}

/// STR-AUTHZ-27: nothing that ships deletes, empties or detaches a chain; the tables themselves refuse it
/// (sql/tests/owner/chains.sql).
#[test]
fn nothing_takes_rows_of_a_chain_away() {
    let words = [
        "delete from striatumd.audit_log",
        "delete from striatumd.events",
        "truncate striatumd",
        "detach partition",
        "drop table striatumd.audit",
        "drop table striatumd.events",
    ];
    let everywhere = [DAEMON, &[("cli/src", "rs"), ("sql/migrations", "sql")]].concat();
    assert_eq!(naming(&words, &everywhere, &[]), [""; 0]);
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
    for name in ["README.md", "SECURITY.md", "ARCHITECTURE.md", "docs/operating.md", "docs/verifying.md"] {
        let text = page(name).to_lowercase();
        for claim in claims {
            assert!(!text.contains(claim), "{name} says {claim}");
        }
    }
    assert!(page("README.md").contains("shared_user"), "the README says which posture holds");
}

/// STR-AUTHZ-28: the documents say that writing past the daemon is out of contract, whatever the rights at hand allow.
#[test]
fn the_documents_say_that_nobody_writes_past_the_daemon() {
    for name in ["SECURITY.md", "docs/operating.md"] {
        assert!(page(name).contains("past the daemon is out of contract"), "{name} does not say it");
    }
}

/// STR-DDD-08: whoever adds a concept is told what belongs to it.
/// STR-DDD-09: coordinator and operator are two words that name each other.
#[test]
fn the_papers_say_what_a_concept_needs_and_tell_the_two_roles_apart() {
    let contributing = page("CONTRIBUTING.md");
    for needed in
        ["glossary", "aggregate", "value object", "event", "validator", "introspection", "changelog"]
    {
        assert!(contributing.to_lowercase().contains(needed), "CONTRIBUTING.md does not name {needed}");
    }
    let glossary = page("docs/glossary.md");
    for (role, other) in [("operator", "not the coordinator"), ("coordinator", "not the operator")] {
        let entry =
            glossary.lines().find(|line| line.starts_with(&format!("- **{role}**"))).expect("an entry");
        assert!(entry.contains(other), "{entry}");
    }
}
