//! Texts with places to fill in.

/// With each `{name}` of the words filled in; other braces stay.
pub(super) fn filled(text: &str, words: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let word = rest.find('}').and_then(|end| {
            words.iter().find(|(name, _)| *name == &rest[1..end]).map(|(_, word)| (end, word))
        });
        match word {
            Some((end, word)) => {
                out.push_str(word);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The letter of a number from 0; the number itself past z.
pub(super) fn letter(at: usize) -> String {
    let letter = u8::try_from(at).ok().filter(|at| *at < 26).map(|at| char::from(b'a' + at).to_string());
    letter.unwrap_or_else(|| (at + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::{filled, letter};

    #[test]
    fn what_is_known_is_filled_in_once_and_the_rest_stays() {
        let words = [("n", "2".to_owned()), ("item", "{n}".to_owned())];
        assert_eq!(filled("turn-{n}: {item} {other} {", &words), "turn-2: {n} {other} {");
        assert_eq!([letter(0), letter(25), letter(26)], ["a", "z", "27"]);
    }
}
