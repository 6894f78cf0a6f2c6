//! The word that was meant.

use striatum_contract::nearest::nearest;

#[test]
fn a_word_is_found_by_what_looks_like_it() {
    let known = ["path", "init", "repository_id", "x"];
    for (word, meant) in [
        ("pth", Some("path")),
        ("paht", Some("path")),
        ("Path", Some("path")),
        ("repository-id", Some("repository_id")),
        ("repo_id", None),
        ("colour", None),
        ("", Some("x")),
    ] {
        assert_eq!(nearest(word, known), meant, "{word}");
    }
    assert_eq!(nearest(&"path".repeat(100_000), known), None);
    assert_eq!(nearest("path", []), None);
}
