//! What is refused, all at once.

use super::{made, refused, request};
use crate::catalogue::Request;
use crate::workflow::Severity;

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let mut asked = request("review", "author_reviewer", &[]);
    asked.options = [
        ("reviewer_count", "0"),
        ("reviewer_cuont", "2"),
        ("review_postures", "neutral,cross"),
        ("lanes.auhtor.command", "claude"),
        ("lanes.reviewer.command", "claude --print"),
        ("lanes.judge.model", "x"),
        ("lane_of.review", "nobody"),
        ("lane_of.nothing", "author"),
        ("max_revision_cycles", "1"),
        ("max_revision_cycles", "2"),
        ("lanes.x", "y"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .to_vec();
    asked.workflow_id = Some("a b".to_owned());
    asked.scaffold_root = Some("../out".to_owned());
    asked.artifact_root = Some(".git/x".to_owned());
    assert_eq!(
        refused(&asked),
        [
            "--workflow-id is `a b`",
            "--scaffold-root is `../out`",
            "--artifact-root is `.git/x`",
            "--option reviewer_count is `0`",
            "--option reviewer_cuont is no option of review",
            "--option review_postures holds `cross`",
            "--option max_revision_cycles is given twice, now as 2",
            "--option lanes.x names no field of a lane",
            "--option lanes.auhtor.command names a lane that author_reviewer has not",
            "--option lanes.reviewer.command is `claude --print`",
            "--option lanes.author.command is missing",
            "--option lanes.judge.model is said of a lane without a command",
            "--option lanes.reviewer.command is missing",
            "--option lane_of.review is `nobody`, which is no lane",
        ]
    );
    let asked = request("review", "author_reviewer", &[("lane_of.nothing", "author")]);
    assert_eq!(refused(&asked), ["--option lane_of.nothing names neither a seat nor a job"]);
    let request = Request { shape: "reviw".to_owned(), lane_set: "locl".to_owned(), ..Request::default() };
    let problems = made(&request).expect_err("neither is there");
    assert_eq!(
        refused(&request),
        [
            "--shape is `reviw`, which the catalogue has not",
            "--lane-set is `locl`, which the catalogue has not"
        ]
    );
    assert!(problems[0].hint.starts_with("did you mean review? "), "{}", problems[0].hint);
}

#[test]
fn what_is_needed_is_asked_for() {
    for (shape, needed) in [("multi_phase", "phases"), ("falsification_gate", "topic"), ("custom", "plan")] {
        let asked = Request { shape: shape.to_owned(), lane_set: "local".to_owned(), ..Request::default() };
        assert_eq!(refused(&asked), [format!("--option {needed} is missing")]);
    }
    let plan = |text: &str| {
        let asked = Request {
            shape: "custom".to_owned(),
            lane_set: "local".to_owned(),
            options: vec![("plan".to_owned(), text.to_owned())],
            ..Request::default()
        };
        refused(&asked)
    };
    for (text, said) in [
        ("[]", "--option plan is no JSON object"),
        ("{\"jobs\": []}", "--option plan is no plan: missing field `schema_version`"),
        (
            r#"{"schema_version": "striatum.workflow_plan.v1", "jobs": [{"key": "a", "type": "draft", "role": "author",
                "title": "A", "objective": "A", "after": ["b"]}]}"#,
            "the shape has the job a, which names `b`",
        ),
        (
            r#"{"schema_version": "striatum.workflow_plan.v1", "jobs": [{"key": "a", "type": "draft", "role": "author",
                "title": "A", "objective": "A", "each": "b"}]}"#,
            "the shape has a for each of `b`, which is no list",
        ),
    ] {
        assert_eq!(plan(text), [said]);
    }
}

/// A model that would judge its own family's work is told of, and made only where somebody accepts it.
#[test]
fn one_family_on_both_sides_is_accepted_by_a_person() {
    let mut asked = request("review", "author_reviewer", &[]);
    asked.options[1].1 = "claude".to_owned();
    let refusals = |asked: &Request| {
        let made = made(asked).expect("a workflow");
        made.read.findings.iter().filter(|found| found.severity == Severity::Refusal).count()
    };
    assert_eq!(refusals(&asked), 2);
    asked.accepts_same_model = true;
    assert_eq!(refusals(&asked), 0);
    assert_eq!(made(&asked).expect("a workflow").workflow()["allow_same_model_review_pairing"], true);
}

#[test]
fn what_is_said_of_lanes_stands_in_the_file() {
    let asked = request(
        "code_change",
        "author_reviewer",
        &[
            ("lanes.author.model", "claude-x"),
            ("lanes.author.constraints", r#"{"network": "forbidden"}"#),
            ("lanes.reviewer.display_model", "GPT"),
            ("shared_checkout", "nobody else is there"),
            ("code_paths", "lib/,bin/"),
            ("branch", "feature/x"),
            ("name", "A change"),
        ],
    );
    let made = made(&asked).expect("a workflow");
    let workflow = made.workflow();
    let author = &workflow["lanes"]["author"];
    assert_eq!(
        (&author["model"], &author["constraints"]["network"]),
        (&"claude-x".into(), &"forbidden".into())
    );
    assert_eq!(author["shared_checkout_repo_write_rationale"], "nobody else is there");
    assert!(
        workflow["lanes"]["reviewer"].get("allow_shared_checkout_repo_write").is_none(),
        "it writes no code"
    );
    let words = serde_json::json!([
        "claude",
        "Read workflows/code-change-starter/agent.md and work exactly as it says, until you are told to leave."
    ]);
    assert_eq!(author["command"], words);
    let scope = &workflow["jobs"][2]["write_scope"];
    assert_eq!(
        scope["allowed_paths"],
        serde_json::json!(["lib/", "bin/", "docs/code-change-starter/apply/"])
    );
    assert_eq!(
        (&workflow["branch"]["suggested_name"], &workflow["name"]),
        (&"feature/x".into(), &"A change".into())
    );
}

/// STR-WORKFLOW-27: the branch of a workflow that is made is one that git can have.
#[test]
fn an_id_with_a_colon_makes_a_branch_without_one() {
    let mut asked = request("review", "author_reviewer", &[]);
    asked.workflow_id = Some("team:notes".to_owned());
    let made = made(&asked).expect("a workflow");
    assert_eq!(made.workflow()["branch"]["suggested_name"], "striatum/team-notes");
    assert!(made.read.findings.iter().all(|found| found.code != "branch_name_invalid"));
}

/// Else a list with a typing mistake would be a program by that name.
#[test]
fn what_begins_as_a_list_is_one_or_is_refused() {
    for (command, why) in [
        (r#"["sh","-c""#, "EOF while parsing a list at line 1 column 10"),
        (r#" ["sh", 1]"#, "invalid type: integer `1`, expected a string at line 1 column 9"),
        ("[sh]", "expected value at line 1 column 2"),
    ] {
        let given = [("lanes.agent.command", command), ("code_paths", command)];
        let mut asked = request("code_change", "single_agent", &[]);
        asked.options = given.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let said = format!("is `{}`, which is no JSON list of texts: {why}", command.escape_debug());
        let refused = refused(&asked);
        for option in ["lanes.agent.command", "code_paths"] {
            assert!(refused.contains(&format!("--option {option} {said}")), "{refused:?}");
        }
    }
    let asked =
        request("review", "custom", &[("lanes.three.command", r#"["sh", "-c", "[ -t 0 ]", "{brief}"]"#)]);
    let made = made(&asked).expect("a workflow");
    let words = &made.workflow()["lanes"]["three"]["command"];
    assert_eq!((&words[2], words[3] == "{brief}"), (&"[ -t 0 ]".into(), false));
}
