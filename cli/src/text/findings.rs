//! What is to be said about a workflow file, as a person reads it.

use serde_json::Value;

use super::paint::Paint;
use super::wrap::wrap;

/// The columns before what is said.
const INDENT: usize = 8;

/// Findings, each with its place, what is wrong, how to mend it, and its code; none where these are no findings.
pub(crate) fn findings(list: &Value, paint: Paint, width: Option<usize>) -> String {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter(|finding| is_finding(finding)).map(|finding| one(finding, paint, width)).collect()
}

/// Whether something is a finding of a workflow file.
pub(crate) fn is_finding(value: &Value) -> bool {
    value["line"].is_u64() && value["severity"].is_string()
}

fn one(finding: &Value, paint: Paint, width: Option<usize>) -> String {
    let part = |key: &str| finding[key].as_str().unwrap_or_default();
    let word = part("severity");
    let said = match word {
        "error" | "refusal" => paint.fault(word),
        "unsupported" => paint.head("not yet"),
        other => paint.head(other),
    };
    let pointer = if part("pointer").is_empty() { "the file" } else { part("pointer") };
    let place = format!("{}:{}", finding["line"], finding["column"]);
    let mut lines = format!("{place:<INDENT$}{said}: {pointer} ({})\n", part("code"));
    let width = width.map(|width| width.saturating_sub(INDENT).max(40));
    for (mark, text) in [("", part("message")), ("-> ", part("hint"))] {
        for line in wrap(&format!("{mark}{text}"), width) {
            lines.push_str(&format!("{:INDENT$}{line}\n", ""));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::findings;
    use crate::text::Paint;

    #[test]
    fn a_finding_is_its_place_what_is_wrong_and_how_to_mend_it() {
        let list = json!([
            {"code": "role_unknown", "severity": "error", "pointer": "/jobs/0/role_id", "line": 3, "column": 15,
             "message": "is `x`, which is no role", "hint": "name one of roles"},
            {"problem": "something else"},
            {"code": "c", "severity": "unsupported", "pointer": "", "line": 1, "column": 1,
             "message": "m", "hint": "h"},
        ]);
        assert_eq!(
            findings(&list, Paint(false), None),
            "3:15    error: /jobs/0/role_id (role_unknown)\n        is `x`, which is no role\n        \
             -> name one of roles\n1:1     not yet: the file (c)\n        m\n        -> h\n"
        );
    }
}
