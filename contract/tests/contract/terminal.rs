//! What may reach a terminal.

use striatum_contract::terminal::{harmless, harmless_json};

#[test]
fn what_steers_a_terminal_is_written_out_and_letters_are_left_alone() {
    assert_eq!(harmless("\u{1b}[2J\r\n\u{9b}31m", ""), "\\u{1b}[2J\\r\\n\\u{9b}31m");
    assert_eq!(harmless("\u{202e}txt.exe\u{2066}", ""), "\\u{202e}txt.exe\\u{2066}");
    assert_eq!(harmless("a\tb\nc\u{7}", "\n\t"), "a\tb\nc\\u{7}");
    assert_eq!(harmless("Grüße, 作業 🧠", ""), "Grüße, 作業 🧠");
}

#[test]
fn json_that_is_made_harmless_means_the_same() {
    let sent = "{\"a\":\t\"x\u{9b}\u{7f}\u{202e}\",\"b\":\"\\u0007\"}\r";
    let shown = harmless_json(sent);
    assert_eq!(shown, "{\"a\": \"x\\u009b\\u007f\\u202e\",\"b\":\"\\u0007\"}");
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(read(&shown), read(sent));
}
