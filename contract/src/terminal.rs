//! Text of the world, made fit for a terminal.

/// The text with every character written out that could steer a terminal, break a line or turn the direction of
/// reading, but for those that the caller means: what comes from the world must not.
pub fn harmless(text: &str, meant: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) && !meant.contains(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A line of JSON with those characters as escapes, which means the same: outside of texts JSON has none of them but
/// white space.
pub fn harmless_json(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.trim_end_matches('\r').chars() {
        match c {
            '\t' => shown.push(' '),
            c if steers(c) => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown
}

fn steers(c: char) -> bool {
    c.is_control() || TURNS.contains(&c)
}

/// Marks, embeddings, overrides and isolates of direction, and the separators of lines and paragraphs.
const TURNS: [char; 14] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202b}', '\u{202c}',
    '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];
