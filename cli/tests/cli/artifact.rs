//! What an author is told about artifacts, without a daemon and without a database.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use striatum_contract::artifact::{KINDS, contract};

use crate::{stderr, stdout, striatum};

fn check(file: &Path, kind: &str, more: &[&str]) -> std::process::Output {
    let file = file.to_str().expect("text");
    striatum(&[&["artifact", "check", file, "--kind", kind], more].concat())
}

/// What an author sees is enough: both blocks of each page, copied as they stand, pass the check.
#[test]
fn the_blocks_of_each_contract_pass_the_check_as_they_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let kinds = stdout(&striatum(&["artifact", "kinds"])).to_owned();
    for kind in KINDS.iter() {
        assert!(kinds.contains(&format!("\n{} ", kind.kind)), "{}", kind.kind);
        let answer = striatum(&["artifact", "contract", &kind.kind]);
        let page = stdout(&answer);
        assert!(answer.status.success() && stderr(&answer).is_empty());
        let blocks: Vec<&str> =
            page.split("```yaml\n").skip(1).filter_map(|part| part.split("```").next()).collect();
        assert_eq!(blocks.len(), if contract(&kind.kind).is_some() { 2 } else { 0 }, "{page}");
        for block in blocks {
            let file = folder.path().join("copied.md");
            fs::write(&file, format!("{block}# Title\n")).expect("a file");
            let answer = check(&file, &kind.kind, &[]);
            assert!(answer.status.success(), "{}", stderr(&answer));
            assert!(stdout(&answer).ends_with(&format!("keeps the contract of {}\n", kind.kind)));
        }
    }
    let data: Value =
        serde_json::from_str(stdout(&striatum(&["artifact", "kinds", "--json"]))).expect("JSON");
    assert_eq!(data["data"]["kinds"].as_array().map(Vec::len), Some(26));
    let data: Value = serde_json::from_str(stdout(&striatum(&["artifact", "contract", "finding", "--json"])))
        .expect("JSON");
    assert_eq!(data["data"]["schema"]["required"][2], "verdict_intent");
}

/// STR-FRONTMATTER-03: ends with 6, and says all of it at once.
#[test]
fn a_file_that_does_not_keep_its_contract_is_refused_with_all_that_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a finding.md");
    let text = "---\nschema_version: striatum.finding.v1\nartifact_kind: finding\n\
                severity: blocker\n---\n# \u{1b}[31m\n";
    fs::write(&file, text).expect("a file");
    let answer = check(&file, "finding", &[]);
    assert_eq!((answer.status.code(), stdout(&answer)), (Some(6), ""));
    let shown = file.display();
    assert_eq!(
        stderr(&answer),
        format!(
            "error: {shown} does not keep the contract of finding: 2 problems (artifact_front_matter_invalid)\n\
             \x20      line 2: verdict_intent is missing; add it: the verdict that the reviewer means to give (one of \
             accept, accept_with_findings, needs_revision, reject)\n\
             \x20      line 4: severity is \"blocker\", which is not allowed; how bad the worst of it is (one of info, \
             low, medium, high, critical)\n\
             corrected:\n---\nschema_version: striatum.finding.v1\nartifact_kind: finding\n\
             verdict_intent: \"<choose: accept|accept_with_findings|needs_revision|reject>\"\n\
             severity: \"<choose: info|low|medium|high|critical>\"\n---\n\
             next:  striatum artifact check '{shown}' --kind finding\nnext:  striatum artifact contract finding\n"
        )
    );
    let answer = check(&file, "finding", &["--json"]);
    assert_eq!(answer.status.code(), Some(6));
    let error: Value = serde_json::from_str(stderr(&answer)).expect("JSON");
    let problems = &error["error"]["details"]["problems"];
    assert_eq!(problems[1]["pointer"], "/severity");
    assert_eq!((&problems[1]["line"], &problems[1]["given"]), (&4.into(), &"blocker".into()));
    assert_eq!(problems[1]["allowed"].as_array().map(Vec::len), Some(5));
    assert_eq!(fs::read_to_string(&file).expect("the file"), text, "and it is left as it was");
}

#[test]
fn what_cannot_be_checked_is_refused_with_the_next_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.md");
    fs::write(&file, "# No block\n").expect("a file");
    let pipe = folder.path().join("pipe.md");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let cases: &[(&Path, &str, i32, &str)] = &[
        (&file, "findings", 6, "next:  striatum artifact contract finding\nnext:  striatum artifact kinds\n"),
        (&file, "collaboration_ledger", 6, "(artifact_front_matter_invalid)"),
        (&folder.path().join("none.md"), "finding", 6, "(artifact_file_missing)"),
        (folder.path(), "finding", 6, "(artifact_unreadable)"),
        (&pipe, "finding", 6, "pipe.md cannot be read: it is no regular file (artifact_unreadable)"),
        (Path::new("/dev/null"), "finding", 6, "/dev/null cannot be read: it is no regular file"),
    ];
    for (file, kind, code, said) in cases {
        let answer = check(file, kind, &[]);
        assert_eq!(answer.status.code(), Some(*code), "{kind}");
        assert!(stderr(&answer).contains(said), "{}", stderr(&answer));
    }
    assert!(stdout(&check(&file, "finding", &[])).contains("no front matter"));
    assert!(
        stdout(&check(&file, "handoff", &[]))
            .contains("handoff wants no front matter; a line `author:` is compared when")
    );
    assert_eq!(striatum(&["artifact", "contract", "nothing"]).status.code(), Some(6));
}
