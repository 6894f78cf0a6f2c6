//! Where the places of a file stand in it.

use std::collections::{HashMap, HashSet};

use crate::problem::step;

/// What is open around the place where the scan stands.
struct Open {
    /// The length of the pointer to it.
    length: usize,
    /// Of a list, the index of the entry that comes next.
    next: Option<usize>,
}

/// Line and column, each from 1, of those pointers that are in a text: of a member its key's, of an entry its own.
/// The text is JSON; in another nothing is found, or something else.
pub(super) fn positions(text: &[u8], wanted: &HashSet<&str>) -> HashMap<String, (usize, usize)> {
    let offsets = offsets(text, wanted);
    let mut found: Vec<(usize, String)> = offsets.into_iter().map(|(pointer, at)| (at, pointer)).collect();
    found.sort_unstable();
    let (mut line, mut column, mut at) = (1, 1, 0);
    let placed = found.into_iter().map(|(offset, pointer)| {
        for octet in &text[at..offset] {
            match octet {
                b'\n' => (line, column) = (line + 1, 1),
                // Inside of a character.
                0x80..=0xbf => {}
                _ => column += 1,
            }
        }
        at = offset;
        (pointer, (line, column))
    });
    placed.collect()
}

fn offsets(text: &[u8], wanted: &HashSet<&str>) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    let mut open: Vec<Open> = Vec::new();
    let mut pointer = String::new();
    let mut at = 0;
    // Whether a text that comes next is a key, and whether a value has been announced by its key.
    let (mut is_key, mut is_announced) = (false, false);
    while found.len() < wanted.len() && at < text.len() {
        let octet = text[at];
        if matches!(octet, b' ' | b'\t' | b'\n' | b'\r' | b':') {
            at += 1;
            continue;
        }
        if matches!(octet, b'}' | b']' | b',') {
            if octet != b',' {
                open.pop();
            }
            let Some(around) = open.last() else { break };
            pointer.truncate(around.length);
            (is_key, is_announced) = (octet == b',' && around.next.is_none(), false);
            at += 1;
            continue;
        }
        if is_key {
            let end = end_of_text(text, at);
            let key = serde_json::from_slice::<String>(&text[at..end]).unwrap_or_default();
            step(&mut pointer, &key);
            note(&mut found, wanted, &pointer, at);
            (is_key, is_announced, at) = (false, true, end);
            continue;
        }
        if !is_announced {
            if let Some(index) = open.last_mut().and_then(|around| around.next.as_mut()) {
                step(&mut pointer, &index.to_string());
                *index += 1;
            }
            note(&mut found, wanted, &pointer, at);
        }
        match octet {
            b'{' | b'[' => {
                open.push(Open { length: pointer.len(), next: (octet == b'[').then_some(0) });
                (is_key, is_announced) = (octet == b'{', false);
                at += 1;
            }
            b'"' => at = end_of_text(text, at),
            _ => {
                let ends = |octet: &u8| b",]} \t\n\r".contains(octet);
                at += text[at..].iter().position(ends).unwrap_or(text.len() - at);
            }
        }
    }
    found
}

fn note(found: &mut HashMap<String, usize>, wanted: &HashSet<&str>, pointer: &str, at: usize) {
    if wanted.contains(pointer) {
        // Of a key that stands twice the last one holds, as everywhere.
        found.insert(pointer.to_owned(), at);
    }
}

/// Behind the closing quote of the text that begins here.
fn end_of_text(text: &[u8], begins: usize) -> usize {
    let mut at = begins + 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::positions;

    #[test]
    fn a_place_is_where_its_key_or_its_entry_begins() {
        let text = "{\"a\": [1,\n  {\"b/c\": \"x,}\\\"\"}, []],\n \"ü\": {}, \"d\": {\"e\": null}}";
        let of =
            |pointer: &'static str| positions(text.as_bytes(), &HashSet::from([pointer])).remove(pointer);
        for (pointer, place) in [
            ("", (1, 1)),
            ("/a", (1, 2)),
            ("/a/0", (1, 8)),
            ("/a/1", (2, 3)),
            ("/a/1/b~1c", (2, 4)),
            ("/a/2", (2, 21)),
            ("/ü", (3, 2)),
            ("/d", (3, 11)),
            ("/d/e", (3, 17)),
        ] {
            assert_eq!(of(pointer), Some(place), "{pointer}");
        }
        assert_eq!(of("/a/3"), None);
        assert_eq!(of("/d/e/f"), None);
    }
}
