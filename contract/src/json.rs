//! Walks a JSON text and finds what PostgreSQL would choke on, or would not keep as it was written.
//!
//! The walk has no recursion and keeps the path to where it is, not what it has passed: no input makes it deep. What
//! it lets pass, every other reader of JSON reads in one way only.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::problem::{self, Problem, Problems};

/// Brackets that may be open at once.
pub(crate) const DEEPEST: usize = 64;

/// The largest magnitude up to which every integer is one of its own as a 64-bit float.
const LARGEST: u64 = 1 << 53;

/// Which problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is no JSON.
    Syntax,
    /// Something follows what is JSON.
    Trailing,
    /// A text is not UTF-8.
    Encoding,
    /// A key stands twice in one object.
    Repeated,
    /// Too many brackets are open.
    Deep,
    /// It would not be kept as it is written.
    Unsafe,
}

/// What a walk found.
#[derive(Default)]
pub(crate) struct Found {
    /// All that is wrong.
    pub(crate) problems: Problems,
    /// Whether the text is no JSON at all: its syntax, its encoding, a raw NUL.
    pub(crate) is_malformed: bool,
    /// Of each problem that was written down: which it is, and the octet where the walk stood.
    pub(crate) noted: Vec<(Kind, usize)>,
    /// The texts directly under these keys of the outermost object, as far as the walk got.
    pub(crate) told: Vec<(&'static str, String)>,
}

/// Walks a whole text. Texts of the outermost object under the keys `wanted` are handed back, cut to `most` octets,
/// with U+FFFD for what cannot be stored.
pub(crate) fn walk(text: &[u8], wanted: &'static [&'static str], most: usize) -> Found {
    let mut walk = Walk { text, at: 0, open: Vec::new(), wanted, most, found: Found::default() };
    if let Err(Syntax { expected }) = walk.document() {
        let at = walk.at;
        let found = match text.get(at) {
            Some(octet) if octet.is_ascii_graphic() => format!("`{}`", char::from(*octet)),
            Some(octet) => format!("octet 0x{octet:02x}"),
            None => "the end".to_owned(),
        };
        walk.found.is_malformed = true;
        walk.note(
            if expected == NOTHING_MORE { Kind::Trailing } else { Kind::Syntax },
            || format!("is not JSON: {expected} was expected at octet {}, not {found}", at + 1),
            "send one JSON object a line",
        );
    }
    walk.found
}

/// What the text would have needed where the walk stands, to be JSON.
struct Syntax {
    expected: &'static str,
}

/// What has to follow a whole text.
const NOTHING_MORE: &str = "nothing more";

/// What is open around the place where the walk stands.
enum Open<'t> {
    /// The key is the one that was passed last; `None` where the next one is still to come.
    Object {
        keys: HashSet<Cow<'t, str>>,
        key: Option<Cow<'t, str>>,
    },
    Array {
        index: usize,
    },
}

struct Walk<'t> {
    text: &'t [u8],
    at: usize,
    open: Vec<Open<'t>>,
    wanted: &'static [&'static str],
    most: usize,
    found: Found,
}

impl<'t> Walk<'t> {
    fn document(&mut self) -> Result<(), Syntax> {
        loop {
            self.space();
            if self.value()? {
                continue;
            }
            // A value has ended, and with it perhaps what it is in.
            loop {
                self.space();
                match (self.open.last_mut(), self.text.get(self.at)) {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return Err(Syntax { expected: NOTHING_MORE }),
                    (Some(Open::Array { .. }), Some(b']')) | (Some(Open::Object { .. }), Some(b'}')) => {
                        self.at += 1;
                        self.open.pop();
                    }
                    (Some(Open::Array { index }), Some(b',')) => {
                        *index += 1;
                        self.at += 1;
                        break;
                    }
                    (Some(Open::Object { key, .. }), Some(b',')) => {
                        *key = None;
                        self.at += 1;
                        self.space();
                        self.key()?;
                        break;
                    }
                    (Some(Open::Array { .. }), _) => return Err(Syntax { expected: "`,` or `]`" }),
                    (Some(Open::Object { .. }), _) => return Err(Syntax { expected: "`,` or `}`" }),
                }
            }
        }
    }

    /// Passes a value, or what opens one; true where a value has to follow.
    fn value(&mut self) -> Result<bool, Syntax> {
        match self.text.get(self.at) {
            Some(b'{' | b'[') if self.open.len() == DEEPEST => self.too_deep()?,
            Some(b'{') => {
                self.at += 1;
                self.open.push(Open::Object { keys: HashSet::new(), key: None });
                self.space();
                if !self.passes(b'}') {
                    self.key()?;
                    return Ok(true);
                }
                self.open.pop();
            }
            Some(b'[') => {
                self.at += 1;
                self.open.push(Open::Array { index: 0 });
                self.space();
                if !self.passes(b']') {
                    return Ok(true);
                }
                self.open.pop();
            }
            Some(b'"') => {
                let string = self.string()?;
                self.judge(&string);
                self.tell(&string);
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word(b"true")?,
            Some(b'f') => self.word(b"false")?,
            Some(b'n') => self.word(b"null")?,
            _ => return Err(Syntax { expected: "a value" }),
        }
        Ok(false)
    }

    fn key(&mut self) -> Result<(), Syntax> {
        if self.text.get(self.at) != Some(&b'"') {
            return Err(Syntax { expected: "a key in quotes" });
        }
        let string = self.string()?;
        let name = decoded(string.raw, usize::MAX);
        let mut is_new = true;
        if let Some(Open::Object { keys, key }) = self.open.last_mut() {
            is_new = keys.insert(name.clone());
            *key = Some(name);
        }
        if !is_new {
            self.note(Kind::Repeated, || "stands twice in one object".to_owned(), "give each key once");
        }
        self.judge(&string);
        self.space();
        if !self.passes(b':') {
            return Err(Syntax { expected: "`:`" });
        }
        Ok(())
    }

    /// Takes note of what a string or a key holds that cannot be stored.
    fn judge(&mut self, string: &Scanned<'t>) {
        if string.has_nul {
            self.note(Kind::Unsafe, || "holds NUL, which cannot be stored".to_owned(), "leave U+0000 out");
        }
        if string.has_lone_surrogate {
            let hint = "escape a character beyond U+FFFF as two surrogates, high and low";
            self.note(
                Kind::Unsafe,
                || "holds half of a surrogate pair, which is no character".to_owned(),
                hint,
            );
        }
        if string.raw.contains(&0) {
            self.found.is_malformed = true;
        }
        if let Err(error) = std::str::from_utf8(string.raw) {
            self.found.is_malformed = true;
            let at = string.start + error.valid_up_to();
            self.note(Kind::Encoding, || format!("is not UTF-8 at octet {}", at + 1), "send text in UTF-8");
        }
    }

    /// Keeps a text that was asked for.
    fn tell(&mut self, string: &Scanned<'t>) {
        let [Open::Object { key: Some(key), .. }] = self.open.as_slice() else { return };
        let Some(wanted) = self.wanted.iter().find(|wanted| **wanted == *key) else { return };
        if self.found.told.iter().all(|(known, _)| known != wanted) {
            let mut text = decoded(string.raw, self.most).replace('\0', "\u{fffd}");
            problem::cut(&mut text, self.most);
            self.found.told.push((wanted, text));
        }
    }

    /// Refuses one bracket too many, and passes all that is in it without looking.
    fn too_deep(&mut self) -> Result<(), Syntax> {
        self.note(Kind::Deep, || format!("nests deeper than {DEEPEST}"), "send it flatter, or as a text");
        let mut open = 0usize;
        loop {
            match self.text.get(self.at) {
                None => return Err(Syntax { expected: "a closing bracket" }),
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(b'{' | b'[') => open += 1,
                Some(b'}' | b']') => open -= 1,
                Some(_) => {}
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn string(&mut self) -> Result<Scanned<'t>, Syntax> {
        let start = self.at + 1;
        let (mut has_nul, mut has_lone_surrogate) = (false, false);
        let mut high = false;
        self.at = start;
        loop {
            let octet = *self.text.get(self.at).ok_or(Syntax { expected: "the end of a text" })?;
            let mut is_high = false;
            match octet {
                b'"' => break,
                b'\\' => match self.escape()? {
                    0 => has_nul = true,
                    0xd800..=0xdbff => is_high = true,
                    0xdc00..=0xdfff if high => high = false,
                    0xdc00..=0xdfff => has_lone_surrogate = true,
                    _ => {}
                },
                0 => has_nul = true,
                0x01..=0x1f => return Err(Syntax { expected: "no raw control character in a text" }),
                _ => {}
            }
            has_lone_surrogate |= high;
            high = is_high;
            self.at += 1;
        }
        has_lone_surrogate |= high;
        let raw = &self.text[start..self.at];
        self.at += 1;
        Ok(Scanned { raw, start, has_nul, has_lone_surrogate })
    }

    /// The unit that an escape stands for; the walk stands on its last octet then.
    fn escape(&mut self) -> Result<u16, Syntax> {
        self.at += 1;
        match self.text.get(self.at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(1),
            Some(b'u') => {
                let mut unit = 0;
                for _ in 0..4 {
                    self.at += 1;
                    let digit = self.text.get(self.at).and_then(|octet| char::from(*octet).to_digit(16));
                    let digit = digit.ok_or(Syntax { expected: "four hexadecimal digits" })?;
                    unit = unit * 16 + digit as u16;
                }
                Ok(unit)
            }
            _ => Err(Syntax { expected: "an escape that JSON knows" }),
        }
    }

    fn number(&mut self) -> Result<(), Syntax> {
        let start = self.at;
        self.passes(b'-');
        if !self.passes(b'0') {
            self.digits()?;
        }
        let whole_end = self.at;
        if self.passes(b'.') {
            self.digits()?;
        }
        let end = self.at;
        let has_exponent = self.passes(b'e') || self.passes(b'E');
        if has_exponent {
            let _ = self.passes(b'+') || self.passes(b'-');
            self.digits()?;
        }
        let text = self.text;
        let ascii = |from, to| std::str::from_utf8(&text[from..to]).expect("digits are ASCII");
        let (whole, number) = (ascii(start, whole_end), ascii(start, end));
        if has_exponent {
            self.note(Kind::Unsafe, || "is a number with an exponent".to_owned(), "write its digits out");
        } else if beyond(whole) {
            let hint = "send it as a text";
            self.note(Kind::Unsafe, || format!("is a number beyond {LARGEST} in magnitude"), hint);
        } else if let Some(kept) = rewritten(number) {
            self.note(
                Kind::Unsafe,
                || "is a number that would not be kept as it is written".to_owned(),
                &format!("write {kept}"),
            );
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Syntax> {
        let count = self.text[self.at..].iter().take_while(|octet| octet.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(Syntax { expected: "a digit" }) } else { Ok(()) }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Syntax> {
        if !self.text[self.at..].starts_with(word) {
            return Err(Syntax { expected: "a value" });
        }
        self.at += word.len();
        Ok(())
    }

    fn passes(&mut self, octet: u8) -> bool {
        let is_there = self.text.get(self.at) == Some(&octet);
        self.at += usize::from(is_there);
        is_there
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// Takes note of a problem where the walk stands.
    fn note(&mut self, kind: Kind, problem: impl FnOnce() -> String, hint: &str) {
        let (open, noted, at) = (&self.open, &mut self.found.noted, self.at);
        self.found.problems.add(|| {
            noted.push((kind, at));
            let mut pointer = String::new();
            for around in open {
                match around {
                    Open::Object { key: Some(key), .. } => problem::step(&mut pointer, key),
                    Open::Object { key: None, .. } => {}
                    Open::Array { index } => problem::step(&mut pointer, &index.to_string()),
                }
            }
            Problem { pointer, problem: problem(), hint: hint.to_owned() }
        });
    }
}

/// A string or a key that was passed.
struct Scanned<'t> {
    /// Between its quotes, as it was sent.
    raw: &'t [u8],
    start: usize,
    has_nul: bool,
    has_lone_surrogate: bool,
}

/// What a string stands for, at least its first `most` octets; U+FFFD for what is no character.
fn decoded(raw: &[u8], most: usize) -> Cow<'_, str> {
    // An escape is at most six octets long for at least one of its text.
    let raw = &raw[..raw.len().min(most.saturating_mul(6))];
    if !raw.contains(&b'\\') {
        return String::from_utf8_lossy(raw);
    }
    let mut text = String::new();
    let mut rest = raw;
    while let Some(at) = rest.iter().position(|octet| *octet == b'\\') {
        text.push_str(&String::from_utf8_lossy(&rest[..at]));
        let (c, length) = unescaped(&rest[at..]);
        text.push(c);
        rest = &rest[(at + length).min(rest.len())..];
    }
    text.push_str(&String::from_utf8_lossy(rest));
    Cow::Owned(text)
}

/// The character of an escape, and how long the escape is.
fn unescaped(escape: &[u8]) -> (char, usize) {
    let unit = |at: usize| {
        let digits = std::str::from_utf8(escape.get(at..at + 4)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    let c = match escape.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let first = unit(2).unwrap_or(0xfffd);
            let second = escape.get(6..8).filter(|next| next == b"\\u").and_then(|_| unit(8));
            return match (first, second) {
                (high @ 0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                    let c = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(c).unwrap_or('\u{fffd}'), 12)
                }
                _ => (char::from_u32(first).unwrap_or('\u{fffd}'), 6),
            };
        }
        Some(octet) => char::from(*octet),
        None => '\u{fffd}',
    };
    (c, 2)
}

/// Whether the digits before the point are those of too large a number.
fn beyond(whole: &str) -> bool {
    let digits = whole.trim_start_matches('-');
    digits.len() > 16 || digits.parse::<u64>().is_ok_and(|number| number > LARGEST)
}

/// What would be left of a number, where it is not what was written: one way to write each number is enough, and only
/// it is the same everywhere.
fn rewritten(number: &str) -> Option<String> {
    if number == "-0" {
        return Some("0".to_owned());
    }
    if !number.contains('.') {
        return None;
    }
    let kept = match number.parse::<f64>() {
        Ok(0.0) | Err(_) => "0".to_owned(),
        // Digits that begin so late are less than the rounding of anything that is counted.
        Ok(value) if value.abs() < 1e-15 => "0".to_owned(),
        Ok(value) => value.to_string(),
    };
    (kept != number).then_some(kept)
}
