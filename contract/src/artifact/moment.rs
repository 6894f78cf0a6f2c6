//! A day, or an instant, as people and programs write it: the text stays as it is, but it has to be one that exists.

/// `2026-11-30`; behind it, after `T` or a blank, `09:30`, `09:30:00` or `09:30:00.5`; behind that `Z` or an offset
/// (`-5`, `+01`, `+01:00`, `+0100`), which a blank may precede.
pub(super) fn is_moment(text: &str) -> bool {
    let (Some(day), rest) = split(text, 10) else { return false };
    is_day(day) && (rest.is_empty() || rest.strip_prefix(['T', 't', ' ']).is_some_and(is_time))
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (Some(clock), rest) = split(text, 5) else { return false };
    let Some((hour, minute)) = clock.split_once(':') else { return false };
    if !(number(hour, 2).is_some_and(|hour| hour < 24) && number(minute, 2).is_some_and(|minute| minute < 60))
    {
        return false;
    }
    let Some(rest) = rest.strip_prefix(':') else { return is_zone(rest) };
    // A leap second is one that exists.
    let (Some(second), rest) = split(rest, 2) else { return false };
    let Some(fraction) = rest.strip_prefix('.') else {
        return number(second, 2).is_some_and(|second| second <= 60) && is_zone(rest);
    };
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    number(second, 2).is_some_and(|second| second <= 60) && digits > 0 && is_zone(&fraction[digits..])
}

fn is_zone(text: &str) -> bool {
    let text = text.strip_prefix(' ').unwrap_or(text);
    if matches!(text, "" | "Z" | "z") {
        return true;
    }
    let Some(offset) = text.strip_prefix(['+', '-']) else { return false };
    let (hours, minutes) = match offset.split_once(':') {
        Some(parts) => parts,
        None if offset.len() == 4 => match split(offset, 2) {
            (Some(hours), minutes) => (hours, minutes),
            (None, _) => return false,
        },
        None => (offset, "00"),
    };
    let hours = number(hours, 2).or_else(|| number(hours, 1));
    hours.is_some_and(|hours| hours < 24) && number(minutes, 2).is_some_and(|minutes| minutes < 60)
}

fn number(digits: &str, length: usize) -> Option<u32> {
    let is_plain = digits.len() == length && digits.bytes().all(|octet| octet.is_ascii_digit());
    is_plain.then(|| digits.parse().ok()).flatten()
}

fn split(text: &str, at: usize) -> (Option<&str>, &str) {
    match (text.get(..at), text.get(at..)) {
        (Some(head), Some(rest)) => (Some(head), rest),
        _ => (None, text),
    }
}
