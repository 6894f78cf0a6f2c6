//! `branch_name_invalid`: git can have no branch of the suggested name.

use crate::workflow::finding::Severity;
use crate::workflow::model::text;
use crate::workflow::rule::{Found, Rule, Subject};

pub(super) const RULE: Rule = Rule {
    code: "branch_name_invalid",
    severity: Severity::Error,
    about: "Git can have no branch of the suggested name",
    check,
};

/// What git keeps in a file has a name of so many octets at most, with what it adds.
const MOST: usize = 200;

fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let Some(name) = subject.workflow.root.get("branch").and_then(|branch| text(branch, "suggested_name"))
    else {
        return;
    };
    let Some(says) = wrong(name) else { return };
    let hint = match name.strip_prefix("refs/heads/").filter(|rest| wrong(rest).is_none()) {
        Some(rest) => format!("write {rest}"),
        None => "write a name that git check-ref-format --branch takes, as striatum/notes".to_owned(),
    };
    found.at("/branch/suggested_name", format!("is `{name}`, and git has no such branch: {says}"), hint);
}

/// Why git can have no branch of a name: `may_name_branch` of the database, with words.
fn wrong(name: &str) -> Option<String> {
    if name.len() > MOST {
        return Some(format!("it has {} octets, and {MOST} are the most", name.len()));
    }
    let refused = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    if let Some(c) = name.chars().find(|c| refused(*c)) {
        return Some(format!("it holds {c:?}"));
    }
    if let Some(part) = ["..", "@{"].iter().find(|part| name.contains(**part)) {
        return Some(format!("it holds `{part}`"));
    }
    let says = if name.is_empty() || name == "@" || name == "HEAD" {
        "it is no name of a branch"
    } else if name.starts_with("refs/") {
        "it is the path of a reference"
    } else if name.starts_with('-') {
        "it begins with a hyphen"
    } else if name.ends_with('.') {
        "it ends with a dot"
    } else if name.split('/').any(str::is_empty) {
        "it begins or ends with a slash, or has two in a row"
    } else if name.split('/').any(|part| part.starts_with('.')) {
        "a part of it begins with a dot"
    } else if name.split('/').any(|part| part.ends_with(".lock")) {
        "a part of it ends with .lock"
    } else {
        return None;
    };
    Some(says.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the database's own test.
    #[test]
    fn a_branch_may_be_called_what_git_calls_one() {
        let (long, wide) = ("x".repeat(200), "ä".repeat(100));
        for name in [
            "main",
            "feature/x",
            "striatum/real-05",
            "a.b",
            "ä",
            "a@b",
            "lock",
            "HEAD/x",
            &long,
            &wide,
            "a/refs/x",
        ] {
            assert_eq!(wrong(name), None, "{name}");
        }
        let (long, wide) = ("x".repeat(201), "ä".repeat(101));
        for name in [
            "",
            "-x",
            ".x",
            "x/.y",
            "x.",
            "x..y",
            "x//y",
            "/x",
            "x/",
            "x.lock",
            "x.lock/y",
            "x@{y",
            "@",
            "HEAD",
            "a b",
            "a~b",
            "a^b",
            "a:b",
            "a?b",
            "a*b",
            "a[b",
            "a\\b",
            "a\tb",
            "a\u{7f}b",
            "refs/heads/x",
            &long,
            &wide,
        ] {
            assert!(wrong(name).is_some(), "{name}");
        }
    }
}
