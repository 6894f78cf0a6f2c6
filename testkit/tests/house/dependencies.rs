//! Who may depend on what: the architecture as edges between crates (deny.toml says the same to cargo-deny).

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::root;

/// Each program and library of ours, and what it may not reach, over any number of edges, outside of its tests. One
/// that does not exist yet has its line already.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    ("striatum-cli", &["sqlx", "striatumd"], "the command line links no database client"),
    (
        "striatum-contract",
        &["clap", "nix", "rustix", "sqlx", "tokio"],
        "the vocabulary does no input or output",
    ),
    ("striatum-supervisor", &["axum", "hyper", "sqlx", "striatumd"], "the helper knows one terminal"),
    ("striatum-verify", &["sqlx", "striatumd", "tokio"], "the verifier knows only files"),
    ("striatumd", &["portable-pty", "pty-process", "striatum-cli"], "terminals are the supervisor's"),
];

/// A crate of others, and the crates of ours that alone may name it as their own.
const RESERVED: &[(&str, &[&str])] = &[
    ("axum", &["striatumd"]),
    ("portable-pty", &["striatum-supervisor"]),
    ("pty-process", &["striatum-supervisor"]),
    ("sqlx", &["striatumd", "striatum-testkit"]),
    ("testcontainers", &["striatum-testkit"]),
    ("libsqlite3-sys", &[]),
    ("native-tls", &[]),
    ("openssl", &[]),
    ("redb", &[]),
    ("rusqlite", &[]),
    ("sled", &[]),
    ("tokio-postgres", &[]),
];

/// What stands in the names of crates that would talk to somebody outside, or speak for a provider.
const UNWANTED: &[&str] = &[
    "anthropic",
    "openai",
    "gemini",
    "bedrock",
    "octocrab",
    "gitlab",
    "github",
    "sentry",
    "telemetry",
    "posthog",
    "slack",
    "datadog",
    "honeycomb",
    "mixpanel",
];

/// What each crate of ours reaches on this platform, by edges that are not only for tests.
fn reach() -> BTreeMap<String, BTreeSet<String>> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--no-deps"])).expect("JSON");
    let ours = metadata["packages"].as_array().expect("a list");
    ours.iter()
        .map(|package| {
            let from = package["name"].as_str().expect("a name");
            let tree = cargo(&[
                "tree",
                "--package",
                from,
                "--edges",
                "no-dev",
                "--prefix",
                "none",
                "--format",
                "{p}",
            ]);
            let reached = tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
            (from.to_owned(), reached.filter(|to| to != from).collect())
        })
        .collect()
}

fn cargo(arguments: &[&str]) -> String {
    let answer = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(arguments)
        .args(["--locked", "--offline"])
        .output()
        .expect("cargo answers");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).expect("text")
}

#[test]
fn no_crate_reaches_what_it_may_not() {
    let reach = reach();
    for (from, forbidden, why) in FORBIDDEN {
        for name in *forbidden {
            let reaches = reach.get(*from).is_some_and(|reached| reached.contains(*name));
            assert!(!reaches, "{from} reaches {name}, but {why}");
        }
    }
    for ours in reach.keys().filter(|name| *name != "striatum-testkit") {
        assert!(
            FORBIDDEN.iter().any(|(from, ..)| from == ours),
            "{ours} has no line: what may it not reach?"
        );
    }
    assert!(reach["striatumd"].contains("sqlx"), "the guard sees edges");
}

/// STR-BOUNDARY-13: no program can open a database that is a file, whatever it refuses.
#[test]
fn what_is_reserved_is_used_by_its_owner_alone() {
    for (from, reached) in reach() {
        for (name, owners) in RESERVED {
            let by_way_of_an_owner = owners.iter().any(|owner| *owner == from || reached.contains(*owner));
            assert!(by_way_of_an_owner || !reached.contains(*name), "{from} reaches {name}");
        }
    }
}

#[test]
fn the_test_farm_is_no_part_of_a_program() {
    for (from, reached) in reach() {
        assert!(!reached.contains("striatum-testkit"), "{from} reaches the test farm outside of its tests");
    }
}

/// STR-BOUNDARY-03: no model provider's, no hosted git provider's library.
/// STR-BOUNDARY-02: no library that reports to somebody.
#[test]
fn no_crate_speaks_for_a_provider_or_reports_to_one() {
    for name in reach().into_values().flatten() {
        let unwanted = UNWANTED.iter().find(|part| name.to_lowercase().contains(**part));
        assert_eq!(unwanted, None, "{name}");
        // A word of many names (unicode-segmentation): only as one of its own.
        assert!(!name.split(['-', '_']).any(|word| word == "segment"), "{name}");
    }
}
