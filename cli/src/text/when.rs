//! Instants as a person reads them.

/// Seconds since 1970 of an instant in the one form in which the daemon writes them: `2026-11-30T00:00:00.000000Z`,
/// with or without the fraction.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z')?;
    let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let (day, time) = text.split_once('T')?;
    let is_digits =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|c| c.is_ascii_digit());
    let numbers = |text: &str, sign: char, lengths: [usize; 3]| -> Option<[i64; 3]> {
        let parts: Vec<&str> = text.split(sign).collect();
        let parts: [&str; 3] = parts.try_into().ok()?;
        let fits = parts.iter().zip(lengths).all(|(part, length)| is_digits(part, length));
        fits.then(|| parts.map(|part| part.parse().unwrap_or_default()))
    };
    let [year, month, day] = numbers(day, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    let is_real =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 61;
    let is_fraction = fraction.len() <= 9 && is_digits(fraction, fraction.len());
    (is_real && is_fraction).then(|| days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Days since 1970-01-01. Years are counted from March on, so that the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// How long ago an instant is, or how far away, in one unit.
pub(super) fn relative(then: i64, now: i64) -> String {
    let amount = span((now - then).unsigned_abs());
    match now - then {
        0 => "now".to_owned(),
        1.. => format!("{amount} ago"),
        _ => format!("in {amount}"),
    }
}

/// So many seconds, in one unit.
pub(crate) fn span(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::{relative, seconds};

    #[test]
    fn instants_of_the_daemon_are_read_and_others_are_not() {
        for (text, found) in [
            ("1970-01-01T00:00:00.000000Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-11-30T12:34:56.789012Z", 1_796_042_096),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(seconds(text), Some(found), "{text}");
        }
        for text in [
            "",
            "soon",
            "2026-11-30",
            "2026-11-30T00:00:00",
            "2026-13-30T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "+026-11-30T00:00:00Z",
            "2026-11-30T00:00:00.Z.",
            "2026-1-30T00:00:00Z",
            "2026-11-30T00:00:00+02:00Z",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn how_long_ago_is_said_in_one_unit() {
        for (then, said) in [
            (1_000_000, "now"),
            (999_941, "59 s ago"),
            (999_940, "1 min ago"),
            (996_401, "59 min ago"),
            (996_400, "1 h ago"),
            (827_201, "47 h ago"),
            (827_200, "2 days ago"),
            (1_000_090, "in 1 min"),
        ] {
            assert_eq!(relative(then, 1_000_000), said);
        }
    }
}
