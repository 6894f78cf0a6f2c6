//! The one way in which each kind of value is written. Another way that means the same is a difference.

/// Decimal digits of a positive number that a bigint holds, without leading zeros.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    let is_canonical =
        matches!(text.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit));
    let number = if is_canonical { text.parse().ok()? } else { return None };
    (number <= i64::MAX as u64).then_some(number)
}

/// `2026-11-30T00:00:00Z`, a moment that exists.
pub(crate) fn is_seconds(text: &str) -> bool {
    let octets = text.as_bytes();
    octets.len() == 20 && octets[19] == b'Z' && is_moment(octets)
}

/// `2026-11-30T00:00:00.000000Z`, a moment that exists.
pub(crate) fn is_micros(text: &str) -> bool {
    let octets = text.as_bytes();
    octets.len() == 27
        && octets[19] == b'.'
        && octets[20..26].iter().all(u8::is_ascii_digit)
        && octets[26] == b'Z'
        && is_moment(octets)
}

/// Whether both are the same second; each has been found canonical.
pub(crate) fn is_same_second(seconds: &str, micros: &str) -> bool {
    seconds.as_bytes().get(..19) == micros.as_bytes().get(..19)
}

/// `YYYY-MM-DDTHH:MM:SS` at the beginning.
fn is_moment(octets: &[u8]) -> bool {
    let pair = |at: usize| match (octets[at], octets[at + 1]) {
        (tens @ b'0'..=b'9', ones @ b'0'..=b'9') => Some((tens - b'0') * 10 + (ones - b'0')),
        _ => None,
    };
    let between = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let parts = (pair(0), pair(2), pair(5), pair(8), pair(11), pair(14), pair(17));
    let (Some(century), Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)) = parts
    else {
        return false;
    };
    between.iter().all(|(at, mark)| octets[*at] == *mark)
        && (1..=12).contains(&month)
        && (1..=days(u16::from(century) * 100 + u16::from(year), month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60
}

fn days(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// 64 lower-case hexadecimal digits.
pub(crate) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|octet| matches!(octet, b'0'..=b'9' | b'a'..=b'f'))
}

/// What may be the name of a file of events: it can neither leave the folder nor mean another file.
pub(crate) fn is_repository_id(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_')
}

/// Words with points between them, as methods are named: `work.claim_next`, `doctor`.
pub(crate) fn is_method(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|octet| matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    text.split('.').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::{decimal, is_method, is_micros, is_repository_id, is_seconds};

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(decimal("1"), Some(1));
        assert_eq!(decimal("9223372036854775807"), Some(9_223_372_036_854_775_807));
        for other in ["", "0", "01", "+1", "-1", " 1", "1 ", "1.0", "٣", "9223372036854775808"] {
            assert_eq!(decimal(other), None, "{other}");
        }
    }

    #[test]
    fn a_moment_is_written_in_one_way_and_exists() {
        assert!(is_seconds("2028-02-29T23:59:59Z") && is_micros("2026-11-30T00:00:00.000000Z"));
        for other in [
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T00:60:00Z",
            "2026-11-30T00:00:60Z",
            "2026-11-30 00:00:00Z",
            "2026-11-30T00:00:00z",
            "2026-11-30T00:00:00+00:00",
            "2026-11-30T00:00:00.0Z",
            "+026-11-30T00:00:00Z",
            "",
        ] {
            assert!(!is_seconds(other), "{other}");
        }
        for other in
            ["2026-11-30T00:00:00.00000Z", "2026-11-30T00:00:00.0000000Z", "2026-11-30T00:00:00,000000Z"]
        {
            assert!(!is_micros(other), "{other}");
        }
    }

    #[test]
    fn the_id_of_a_repository_names_one_file_in_its_folder() {
        assert!(is_repository_id("repo_0123456789abcdef"));
        for other in
            ["", ".", "..", "a/b", "../repo_1", "repo_1.jsonl", "repo 1", "répo", "a\0", &"r".repeat(129)]
        {
            assert!(!is_repository_id(other), "{other}");
        }
    }

    #[test]
    fn a_method_is_words_with_points_between_them() {
        assert!(is_method("work.claim_next") && is_method("doctor"));
        for other in ["", "work.", ".claim", "Work.claim", "work claim", "work..claim"] {
            assert!(!is_method(other), "{other}");
        }
    }
}
