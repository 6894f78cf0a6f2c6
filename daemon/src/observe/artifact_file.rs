//! `artifact_file`: what a file is that is to become an artifact: its hash, its size, who signed it, and whether it
//! keeps the contract of its kind.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use striatum_contract::artifact;

use super::Observer;
use super::beneath::{Beneath, open_beneath};
use crate::bootstrap::hex;

pub(super) const OBSERVER: Observer = Observer { name: "artifact_file", look };

/// Octets of a file that are read at most.
pub(super) const MOST: u64 = 64 * 1024 * 1024;
/// Octets that are read at once.
const CHUNK: usize = 64 * 1024;
/// Lines of a title block.
const TITLE_BLOCK: usize = 20;
/// Signatures of one file that are told, and characters of one. More can be no signature that anybody expects.
const MOST_LINES: usize = 8;
const LONGEST_LINE: usize = 400;

fn look(what: &Value) -> Value {
    let (root, path) = (&what["root"], &what["path"]);
    let (Some(folder), Some(file)) = (root.as_str(), path.as_str()) else {
        return json!({"root": root, "path": path, "state": "unknown", "problem": "nothing was said to look at"});
    };
    match open_beneath(Path::new(folder), file, MOST).and_then(|opened| read(opened, is_markdown(file))) {
        Ok(read) => json!({
            "root": root,
            "path": path,
            "state": "present",
            "sha256": read.sha256,
            "octets": read.octets,
            "author_lines": read.author_lines,
            "contract": contract(what["kind"].as_str().unwrap_or_default(), &read.beginning),
        }),
        Err(why) => json!({"root": root, "path": path, "state": why.state(), "problem": why.to_string()}),
    }
}

/// What its kind says to a file.
fn contract(kind: &str, beginning: &[u8]) -> Value {
    let checked = artifact::check(kind, beginning);
    json!({
        "kind": checked.kind,
        "verdict": checked.front_matter["verdict"],
        "problems": checked.problems,
        "more": checked.more,
        "corrected": checked.corrected,
    })
}

/// What there is to know of a file.
pub(super) struct Seen {
    pub(super) sha256: String,
    octets: u64,
    author_lines: Vec<Value>,
    /// As much of it as front matter can be.
    beginning: Vec<u8>,
}

/// Reads a file through once.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn read(file: File, is_markdown: bool) -> Result<Seen, Beneath> {
    let mut hash = Sha256::new();
    let mut octets = 0;
    let mut beginning = Vec::new();
    let mut file = file.take(MOST + 1);
    let mut some = vec![0; CHUNK];
    loop {
        let read = match file.read(&mut some) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Beneath::Unknown(error)),
        };
        hash.update(&some[..read]);
        octets += read as u64;
        let missing = artifact::BEGINNING.saturating_sub(beginning.len()).min(read);
        beginning.extend_from_slice(&some[..missing]);
    }
    if octets > MOST {
        return Err(Beneath::TooLarge(MOST));
    }
    let author_lines =
        if is_markdown { author_lines(&String::from_utf8_lossy(&beginning)) } else { Vec::new() };
    Ok(Seen { sha256: hex(&hash.finalize()), octets, author_lines, beginning })
}

fn is_markdown(path: &str) -> bool {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["md", "markdown"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Every line that signs a Markdown text: in its front matter, and in the title block behind that. The same line in the
/// same place is told once, so that none that differs hides behind copies.
fn author_lines(text: &str) -> Vec<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let fence = |line: &&str| matches!(line.trim_end(), "---" | "...");
    let front_matter = match lines.split_first() {
        Some((first, rest)) if first.trim_end() == "---" => rest.iter().position(fence).map(|end| end + 2),
        _ => None,
    }
    .unwrap_or(0);
    let (front, rest) = lines.split_at(front_matter);
    let title = rest.iter().take(TITLE_BLOCK).map(|line| ("title_block", line.trim_start()));
    let signed =
        |line: &str| line.get(.."author:".len()).is_some_and(|key| key.eq_ignore_ascii_case("author:"));
    let mut signatures = Vec::new();
    for (place, line) in front.iter().map(|line| ("front_matter", *line)).chain(title) {
        let signature = json!({"place": place, "line": told(line)});
        if signed(line) && signatures.len() < MOST_LINES && !signatures.contains(&signature) {
            signatures.push(signature);
        }
    }
    signatures
}

/// A line as it is told: without what stands invisibly at its end, and bounded.
fn told(line: &str) -> String {
    let plain =
        |character: char| if character.is_control() { char::REPLACEMENT_CHARACTER } else { character };
    line.trim_end().chars().take(LONGEST_LINE).map(plain).collect()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files that are looked at")]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::{LONGEST_LINE, MOST, author_lines, look};

    fn signed(text: &str) -> Vec<String> {
        let line = |line: &Value| format!("{} {}", line["place"], line["line"]).replace('"', "");
        author_lines(text).iter().map(line).collect()
    }

    /// STR-BYLINE-08: the author line is the one that is read from the file.
    #[test]
    fn a_signature_stands_in_front_matter_or_in_the_title_block() {
        for (text, expected) in [
            ("---\ntitle: x\nauthor: a-b-001\n---\n# T\n", vec!["front_matter author: a-b-001"]),
            ("\u{feff}---\r\nauthor: a-b-001\r\n---\r\n", vec!["front_matter author: a-b-001"]),
            ("# T\n\nauthor: a-b-001  \n", vec!["title_block author: a-b-001"]),
            ("# T\n  Author: x\n", vec!["title_block Author: x"]),
            ("---\nauthor: a\n---\nauthor: b\n", vec!["front_matter author: a", "title_block author: b"]),
            // Nested, the key is of something else; never closed, it is no front matter.
            ("---\nby:\n  author: a\n---\n", vec![]),
            ("---\nauthor: a\n", vec!["title_block author: a"]),
            ("# T\nthe author: a\nauthors: b\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(signed(text), expected, "{text:?}");
        }
        let below = |lines: usize| signed(&format!("{}author: a\n", "x\n".repeat(lines)));
        assert_eq!((below(19).len(), below(20).len()), (1, 0));
    }

    #[test]
    fn what_is_told_of_a_signature_is_bounded_and_plain() {
        assert_eq!(signed("author: a\u{0}b"), ["title_block author: a\u{fffd}b"]);
        let long = author_lines(&format!("author: {}", "é".repeat(1000)));
        assert_eq!(long[0]["line"].as_str().map(|line| line.chars().count()), Some(LONGEST_LINE));
        assert_eq!(signed(&"author: a\n".repeat(20)), ["title_block author: a"]);
        let copies = format!("{}author: b\n", "author: a\n".repeat(19));
        assert_eq!(signed(&copies), ["title_block author: a", "title_block author: b"]);
        let others: String = (0..20).map(|n| format!("author: {n}\n")).collect();
        assert_eq!(signed(&others).len(), 8);
    }

    /// STR-ARTIFACT-03: and it stays as it is; nobody but this looks at the file of an artifact that is published.
    #[test]
    fn a_file_is_hashed_and_told_with_what_was_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::write(root.join("draft.MD"), "author: a\n").expect("a file");
        fs::write(root.join("draft.txt"), "author: a\n").expect("a file");
        let seen = |path: &str| look(&json!({"root": root.display().to_string(), "path": path}));
        let markdown = seen("draft.MD");
        assert_eq!(markdown["state"], "present");
        assert_eq!(markdown["path"], "draft.MD");
        assert_eq!(markdown["octets"], 10);
        assert_eq!(markdown["sha256"], "f3b74d92ae99fc01add3c19a67327a4cf80c7722ec189da52f12f12fda970b16");
        assert_eq!(markdown["author_lines"], json!([{"place": "title_block", "line": "author: a"}]));
        assert_eq!(fs::read_to_string(root.join("draft.MD")).expect("the file"), "author: a\n");
        assert_eq!(seen("draft.txt")["author_lines"], json!([]), "other files are not signed");
        assert_eq!(seen("none.md")["state"], "missing");
        assert_eq!(seen("../draft.md")["state"], "escapes");
        assert_eq!(look(&json!({"path": "draft.MD"}))["state"], "unknown");
        assert_eq!(markdown["contract"]["problems"][0]["code"], "kind_unknown", "nobody said as what");
        let finding = "---\nverdict_intent: accept\nartifact_kind: finding\n---\n";
        fs::write(root.join("finding.md"), finding).expect("a file");
        let what = json!({"root": root.display().to_string(), "path": "finding.md", "kind": "finding"});
        let contract = &look(&what)["contract"];
        assert_eq!((&contract["kind"], &contract["verdict"]), (&json!("finding"), &json!(null)));
        assert_eq!(contract["problems"][0]["field"], "schema_version");
        assert!(contract["corrected"].as_str().is_some_and(|block| block.contains("striatum.finding.v1")));
        let large = fs::File::create(root.join("large.md")).expect("a file");
        large.set_len(MOST + 1).expect("a length");
        assert_eq!(seen("large.md")["state"], "too_large");
    }
}
