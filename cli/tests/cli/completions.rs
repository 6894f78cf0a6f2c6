//! `striatum completions`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::{stdout, striatum};

#[test]
fn bash_takes_them_and_completes_a_command() {
    let script = striatum(&["completions", "bash"]);
    assert!(script.status.success());
    let ask = "\nCOMP_WORDS=(striatum completi); COMP_CWORD=1\n\
               _striatum striatum completi striatum; echo \"${COMPREPLY[@]}\"\n";
    let mut bash = Command::new("bash").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("bash");
    let mut stdin = bash.stdin.take().expect("piped");
    stdin.write_all(&script.stdout).expect("the script");
    stdin.write_all(ask.as_bytes()).expect("the question");
    drop(stdin);
    assert_eq!(stdout(&bash.wait_with_output().expect("an answer")).trim(), "completions");
}

#[test]
fn as_json_the_script_is_a_value() {
    let answer = striatum(&["completions", "fish", "--json"]);
    assert!(stdout(&answer).starts_with(r#"{"data":{"script":"#), "{}", stdout(&answer));
    assert!(stdout(&answer).trim_end().ends_with(r#""shell":"fish"},"ok":true}"#), "{}", stdout(&answer));
}
