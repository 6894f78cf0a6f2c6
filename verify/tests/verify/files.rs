//! Files that are missing, too many, or not files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use striatum_verify::{Code, Unreadable, Verdict, verify};

use crate::export::{Export, REPOSITORIES, put};

fn first(folder: &Path) -> (Code, String) {
    let report = verify(folder).expect("it can be read");
    assert_eq!(report.verdict, Verdict::Differs);
    let first = report.first_difference.expect("a difference");
    (first.code, first.file)
}

#[test]
fn a_file_that_is_missing_is_missed() {
    let events = format!("events/{}.jsonl", REPOSITORIES[1]);
    for name in ["audit.jsonl", &events] {
        let folder = Export::good().write();
        fs::remove_file(folder.path().join(name)).expect("it was there");
        assert_eq!(first(folder.path()), (Code::FileMissing, name.to_owned()));
    }
    let folder = Export::good().write();
    fs::remove_dir_all(folder.path().join("events")).expect("it was there");
    assert_eq!(first(folder.path()), (Code::FileMissing, format!("events/{}.jsonl", REPOSITORIES[0])));
}

#[test]
fn a_file_that_nobody_listed_is_seen() {
    for name in
        ["notes.txt", ".hidden", "events/repo_00000000000000cc.jsonl", "events/deeper", "audit.jsonl.gz"]
    {
        let folder = Export::good().write();
        put(folder.path(), name, b"");
        assert_eq!(first(folder.path()), (Code::FileUnexpected, name.to_owned()));
    }
    // A repository that the manifest was made to forget, with all its events.
    let mut export = Export::good();
    export.manifest["events"].as_array_mut().expect("a list").remove(0);
    assert_eq!(
        first(export.write().path()),
        (Code::FileUnexpected, format!("events/{}.jsonl", REPOSITORIES[0]))
    );
}

#[test]
fn the_first_by_name_is_named_each_time() {
    let folder = Export::good().write();
    ["z", "b", "events/a", "y"].iter().for_each(|name| put(folder.path(), name, b""));
    assert_eq!(first(folder.path()), (Code::FileUnexpected, "b".to_owned()));
}

#[test]
fn no_link_is_followed_and_no_pipe_waited_for() {
    let elsewhere = Export::good().write();
    let events = format!("events/{}.jsonl", REPOSITORIES[0]);
    for name in ["manifest.json", "audit.jsonl", &events, "events"] {
        let folder = Export::good().write();
        let path = folder.path().join(name);
        fs::rename(&path, elsewhere.path().join("moved")).expect("it was there");
        symlink(elsewhere.path().join("moved"), &path).expect("a link");
        assert_eq!(first(folder.path()), (Code::FileNotRegular, name.to_owned()), "a link");
        fs::remove_file(&path).expect("the link");
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        assert_eq!(first(folder.path()), (Code::FileNotRegular, name.to_owned()), "a pipe");
        let moved = elsewhere.path().join("moved");
        if moved.is_dir() { fs::remove_dir_all(moved) } else { fs::remove_file(moved) }.expect("gone");
    }
}

/// The files behind a folder that is a link are not even opened.
#[test]
fn no_chain_is_read_through_a_link() {
    let (folder, elsewhere) = (Export::good().write(), tempfile::tempdir().expect("a folder"));
    let (events, moved) = (folder.path().join("events"), elsewhere.path().join("events"));
    fs::rename(&events, &moved).expect("it was there");
    symlink(&moved, &events).expect("a link");
    let report = verify(folder.path()).expect("it can be read");
    let codes: Vec<_> =
        report.chains.iter().map(|chain| chain.difference.as_ref().map(|found| found.code)).collect();
    assert_eq!(codes, [None, Some(Code::FileNotRegular), Some(Code::FileNotRegular)]);
    assert_eq!(report.events, 0);
}

#[test]
fn a_folder_in_the_place_of_a_file_is_no_file() {
    for name in ["manifest.json", "audit.jsonl"] {
        let folder = Export::good().write();
        fs::remove_file(folder.path().join(name)).expect("it was there");
        fs::create_dir(folder.path().join(name)).expect("a folder");
        assert_eq!(first(folder.path()), (Code::FileNotRegular, name.to_owned()));
    }
}

#[test]
fn what_is_no_export_is_not_judged() {
    let folder = Export::good().write();
    let missing = folder.path().join("nowhere");
    assert!(matches!(verify(&missing), Err(Unreadable::Unread { path, .. }) if path == missing));
    let file = folder.path().join("audit.jsonl");
    assert!(matches!(verify(&file), Err(Unreadable::NoFolder { path }) if path == file));
    let manifest = folder.path().join("manifest.json");
    fs::remove_file(&manifest).expect("it was there");
    assert!(matches!(verify(folder.path()), Err(Unreadable::Unread { path, .. }) if path == manifest));
}

/// Whoever names a folder by a link chose it.
#[test]
fn the_folder_itself_may_be_a_link() {
    let (folder, other) = (Export::good().write(), tempfile::tempdir().expect("a folder"));
    let link = other.path().join("chains");
    symlink(folder.path(), &link).expect("a link");
    assert_eq!(verify(&link).expect("it can be read").verdict, Verdict::Verified);
}
