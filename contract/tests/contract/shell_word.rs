//! A text as one word of a shell's line.

use std::path::Path;

use striatum_contract::shell_word::{shell_path, shell_word};

#[test]
fn plain_words_stay_and_others_are_quoted() {
    for (text, word) in [
        ("/srv/app-1_b.d", "/srv/app-1_b.d"),
        ("key=1,2:3@4%5+6", "key=1,2:3@4%5+6"),
        ("", "''"),
        ("/srv/my app", "'/srv/my app'"),
        ("$(touch x)", "'$(touch x)'"),
        ("it's", r"'it'\''s'"),
        ("~", "'~'"),
        ("/srv/grün", "'/srv/grün'"),
        ("a\nrm -rf b", r"$'a\nrm -rf b'"),
        ("a\\\t'b", r"$'a\\\t\'b'"),
        ("\r\u{1b}[2J\u{7f}z", r"$'\x0d\x1b[2J\x7fz'"),
    ] {
        assert_eq!(shell_word(text), word);
        assert_eq!(shell_path(Path::new(text)), word);
    }
}
