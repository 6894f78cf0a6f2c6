//! Lines that fit.

use unicode_width::UnicodeWidthStr as _;

/// A text as lines of at most so many columns, turned between words. A word is never broken: it may be a path or an id
/// that somebody copies.
pub(super) fn wrap(text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width.filter(|width| text.width() > *width) else { return vec![text.to_owned()] };
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut().filter(|line| line.width() + 1 + word.width() <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The columns of the widest word.
pub(super) fn widest_word(text: &str) -> usize {
    text.split(' ').map(|word| word.width()).max().unwrap_or(0)
}

/// A text filled up to so many columns.
pub(super) fn filled(text: &str, width: usize) -> String {
    format!("{text}{:gap$}", "", gap = width.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::{filled, widest_word, wrap};

    #[test]
    fn lines_turn_between_words_and_no_word_is_broken() {
        assert_eq!(wrap("one two three", Some(7)), ["one two", "three"]);
        assert_eq!(wrap("one two three", Some(13)), ["one two three"]);
        assert_eq!(wrap("one two three", None), ["one two three"]);
        assert_eq!(wrap("a /very/long/path b", Some(5)), ["a", "/very/long/path", "b"]);
        assert_eq!(wrap("作業 作業 x", Some(9)), ["作業 作業", "x"]);
        assert_eq!(wrap("", Some(1)), [""]);
    }

    #[test]
    fn widths_are_those_on_the_screen() {
        assert_eq!(widest_word("a 作業 bcd"), 4);
        assert_eq!(filled("作業", 6), "作業  ");
        assert_eq!(filled("abc", 2), "abc");
    }
}
