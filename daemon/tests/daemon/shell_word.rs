//! A word in a next step: SQL and Rust write the same, and a shell reads back what was meant.
#![expect(clippy::disallowed_methods, reason = "a shell is asked what it reads")]

use std::process::Command;

use striatum_contract::shell_word::shell_word;
use striatum_testkit::Database;

#[tokio::test]
async fn sql_and_rust_write_a_word_alike_and_a_shell_reads_it_back() {
    let nasty = [
        "/srv/app",
        "",
        " ",
        "-rf",
        "~",
        "~root",
        "#x",
        "a b",
        "it's",
        "''",
        "\\",
        "a\\'b",
        "\"q\"",
        "$HOME",
        "$(touch x)",
        "`id`",
        "x;reboot",
        "a&b|c>d<e",
        "{a,b}",
        "*?[a]",
        "!x!",
        "a\nb\n",
        "\n",
        "\t",
        "\r\u{1b}[2J",
        "\u{1}2",
        "a\u{7f}f",
        "$'x'\n",
        "grün 🧠",
        "\u{9b}31m",
        "\u{202e}txt",
        "\u{2028}",
        "a, b; c",
    ];
    let database = Database::fresh().await.expect("a database");
    let mut admin = database.admin().await.expect("a connection");
    for text in nasty {
        let word = shell_word(text);
        let of_sql: String = sqlx::query_scalar("select striatumd.shell_word($1)")
            .bind(text)
            .fetch_one(&mut admin)
            .await
            .expect("a word");
        assert_eq!(of_sql, word, "{text:?}");
        let line = format!("printf '%s|' {word} end");
        let read = Command::new("bash").args(["-c", &line]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&read.stdout), format!("{text}|end|"), "{word}");
    }
}
