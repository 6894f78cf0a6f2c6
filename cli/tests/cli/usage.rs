//! What a command line answers that is asked for help, or cannot be understood.

use crate::{stderr, stdout, striatum};

#[test]
fn help_and_version_go_to_standard_output_without_colours() {
    for (arguments, holds) in [
        (&["--help"][..], "Commands:"),
        (&["help", "completions"], "Examples:"),
        (&["--version"], concat!("striatum ", env!("CARGO_PKG_VERSION"))),
        (&["completions", "--help"], "Examples:"),
    ] {
        let answer = striatum(arguments);
        assert!(answer.status.success(), "{arguments:?}");
        assert!(stdout(&answer).contains(holds), "{arguments:?}: {}", stdout(&answer));
        assert!(!stdout(&answer).contains('\u{1b}'), "{arguments:?}: no escape where no terminal is");
        assert_eq!(stderr(&answer), "");
    }
}

#[test]
fn what_cannot_be_understood_ends_with_2_and_the_next_step() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "error: a command is missing (usage_invalid)\nnext:  striatum --help\n"),
        (
            &["--json", "--no-such"],
            "{\"error\":{\"code\":\"usage_invalid\",\"details\":{},\"message\":\"unexpected \
            argument '--no-such' found\",\"next\":[\"striatum --help\"]},\"ok\":false}\n",
        ),
        (
            &["completions", "a\nb\n\nc"],
            "error: invalid value 'a b c' for '<shell>' [possible values: bash, elvish, fish, powershell, zsh] \
             (usage_invalid)\nnext:  striatum completions --help\n",
        ),
        (
            &["completions", "tcsh"],
            "error: invalid value 'tcsh' for '<shell>' [possible values: bash, elvish, fish, powershell, zsh] \
             (usage_invalid)\nnext:  striatum completions zsh\nnext:  striatum completions --help\n",
        ),
        (
            &["describ"],
            "error: unrecognized subcommand 'describ' (usage_invalid)\n\
             next:  striatum describe\nnext:  striatum --help\n",
        ),
    ];
    for (arguments, said) in cases {
        let answer = striatum(arguments);
        assert_eq!(answer.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&answer), *said);
        assert_eq!(stdout(&answer), "");
    }
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    let answer = striatum(&["--no-daemon", "completions", "bash"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(stderr(&answer).starts_with("error: unexpected argument '--no-daemon' found (usage_invalid)\n"));
    let answer = striatum(&["--jsom=1", "completions", "bash"]);
    assert_eq!(
        stderr(&answer),
        "error: unexpected argument '--jsom' found (usage_invalid)\n\
         next:  striatum --json=1 completions bash\nnext:  striatum completions --help\n"
    );
}

#[test]
fn control_characters_of_the_command_line_do_not_reach_the_terminal() {
    let answer = striatum(&["\u{1b}]0;title\u{7}"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(!stderr(&answer).contains(['\u{1b}', '\u{7}']), "{:?}", stderr(&answer));
}

/// A corrected line can be given to a shell as it stands.
#[test]
fn words_of_a_corrected_line_are_quoted_for_a_shell() {
    let answer = striatum(&["--jsom", "completions", "it's $HOME", ""]);
    assert!(
        stderr(&answer).contains("next:  striatum --json completions 'it'\\''s $HOME' ''\n"),
        "{}",
        stderr(&answer)
    );
}

/// Where a flag is tried for what has none, no other flag is proposed that happens to look like it.
#[test]
fn what_stands_by_its_place_needs_no_flag() {
    for typed in [&["--run-id", "run_1"][..], &["--run-id=run_1"]] {
        let answer = striatum(&[&["list", "jobs"], typed].concat());
        assert!(stderr(&answer).contains("\nnext:  striatum list jobs run_1\n"), "{}", stderr(&answer));
    }
}

/// What was typed may look like a tip of the parser's: it is no next step for all that.
#[test]
fn what_was_typed_is_never_a_next_step() {
    for typed in ["x\ntip: run-me\n", "q\n\n  tip: run-me", "q\n\nUsage: run-me"] {
        for arguments in [&["completions", typed][..], &[typed]] {
            let answer = striatum(arguments);
            let next: Vec<&str> = stderr(&answer).lines().filter(|line| line.starts_with("next:")).collect();
            assert!(!next.is_empty() && next.iter().all(|line| !line.contains("run-me")), "{next:?}");
        }
    }
}

/// Of commands that look alike the nearest, and none that is far from what was typed.
#[test]
fn a_mistyped_command_leads_to_no_other_one() {
    let first = |words: &[&str]| {
        let answer = striatum(words);
        let next = stderr(&answer).lines().find_map(|line| line.strip_prefix("next:  "));
        next.expect("a next step").to_owned()
    };
    assert_eq!(first(&["run", "sumary", "run_1"]), "striatum run summary run_1");
    assert_eq!(first(&["run", "strat", "run_1"]), "striatum run start run_1");
    assert_eq!(first(&["run", "scare", "run_1"]), "striatum run --help");
    assert_eq!(first(&["run", "cancelled-ones", "run_1"]), "striatum run --help");
}

#[test]
fn a_long_argument_is_cut_where_it_is_quoted() {
    let answer = striatum(&["completions", &"x".repeat(100_000)]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(stderr(&answer).len() < 1000, "{}", stderr(&answer).len());
}

#[test]
fn a_refusal_is_json_where_json_was_asked_for() {
    let answer = striatum(&["completions", "--json"]);
    assert_eq!(answer.status.code(), Some(2));
    assert_eq!(
        stderr(&answer),
        "{\"error\":{\"code\":\"usage_invalid\",\"details\":{},\"message\":\"the following required arguments were not \
         provided: <shell>\",\"next\":[\"striatum completions --help\"]},\"ok\":false}\n"
    );
}
