//! The octets of a workflow file: is it one JSON object, and would it be kept as it is written?

use serde_json::Value;

use super::bounds::MOST_OCTETS;
use super::finding::{Findings, Severity};
use super::rule::Told;
use crate::json::{Kind, walk};

/// What can be wrong with octets.
pub(super) const CODES: &[Told] = &[
    Told::error("file_too_large", "The file has more octets than a workflow can have"),
    Told::error("file_has_mark", "The file begins with a byte order mark"),
    Told::error("file_not_utf8", "The file is not UTF-8"),
    Told::error("file_is_yaml", "The file is YAML"),
    Told::error("json_malformed", "The file is not JSON"),
    Told::error("json_trailing", "Something follows the JSON object"),
    Told::error("json_not_object", "The file is JSON, and not an object"),
    Told::error("json_too_deep", "Brackets are nested too deep"),
    Told::error("json_unsafe", "A text or number would not be kept as it is written"),
    Told::error("key_repeated", "A key stands twice in one object"),
];

/// Whether a name says that a file is YAML.
pub(super) fn is_yaml_name(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml"))
}

/// The JSON of a file, where it has one that can be checked further.
pub(super) fn value(octets: &[u8], findings: &mut Findings) -> Option<Value> {
    if octets.len() as u64 > MOST_OCTETS {
        let message = format!("has more than {MOST_OCTETS} octets");
        findings.error("file_too_large", "", message, "split the workflow");
        return None;
    }
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe"];
    if marks.iter().any(|mark| octets.starts_with(mark)) {
        findings.error(
            "file_has_mark",
            "",
            "begins with a byte order mark",
            "save it as UTF-8 without a byte order mark",
        );
        return None;
    }
    if let Err(error) = std::str::from_utf8(octets) {
        let place = line_and_column(octets, error.valid_up_to());
        findings.error_in_text("file_not_utf8", place, "", "is not UTF-8", "save it as UTF-8");
        return None;
    }
    if is_yaml(octets) {
        yaml(findings);
        return None;
    }
    let found = walk(octets, &[], 0);
    for (problem, (kind, at)) in found.problems.listed().iter().zip(&found.noted) {
        // A pointer that was cut points to nothing.
        let pointer = if problem.pointer.ends_with("...") { "" } else { &problem.pointer };
        let code = match kind {
            Kind::Syntax => "json_malformed",
            Kind::Trailing => "json_trailing",
            Kind::Encoding => "file_not_utf8",
            Kind::Repeated => "key_repeated",
            Kind::Deep => "json_too_deep",
            Kind::Unsafe => "json_unsafe",
        };
        let place = line_and_column(octets, *at);
        match kind {
            Kind::Syntax => {
                let said = problem.problem.split(" at octet ").next().unwrap_or_default();
                let hint = "mend that place; a workflow file is one JSON object";
                findings.error_in_text(code, place, pointer, said, hint);
            }
            Kind::Trailing => {
                let hint = "keep one JSON object in the file";
                findings.error_in_text(code, place, pointer, "has more behind its end", hint);
            }
            _ => findings.error(code, pointer, problem.problem.clone(), problem.hint.clone()),
        }
    }
    if found.is_malformed {
        return None;
    }
    let value: Value = serde_json::from_slice(octets).ok()?;
    if value.is_object() {
        return Some(value);
    }
    findings.error(
        "json_not_object",
        "",
        "is JSON, and not an object",
        "write the workflow as one JSON object",
    );
    None
}

/// Says that a file is YAML.
pub(super) fn yaml(findings: &mut Findings) {
    findings.add(
        "file_is_yaml",
        Severity::Error,
        "",
        "is YAML, and a workflow file is JSON",
        "write it as JSON; `striatum workflow schema` lets editors help",
    );
}

/// Whether a text that is no JSON begins like YAML: a marker, a comment, a key without quotes.
fn is_yaml(octets: &[u8]) -> bool {
    let text = octets.trim_ascii_start();
    let line = text.split(|octet| *octet == b'\n').next().unwrap_or_default();
    let line = &line[..line.len().min(300)];
    let key =
        line.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b"_-. ".contains(octet)).count();
    line.starts_with(b"---")
        || line.starts_with(b"%YAML")
        || line.starts_with(b"#")
        || (key > 0 && !line.starts_with(b"-") && line.get(key) == Some(&b':'))
}

fn line_and_column(octets: &[u8], at: usize) -> (usize, usize) {
    let before = &octets[..at.min(octets.len())];
    let begins = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |end| end + 1);
    let line = before.iter().filter(|octet| **octet == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[begins..]).chars().count() + 1)
}
