//! What is wrong with a document, all of it at once.

use serde::Serialize;
use serde_json::json;

use crate::refusal::Refusal;

/// Problems that a refusal lists; the others it counts.
pub const MOST_LISTED: usize = 20;

/// Octets of a pointer that are shown; what is longer ends in `...` and points to nothing.
const MOST_POINTED: usize = 256;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, as a JSON pointer (RFC 6901) into the request; empty for the whole of it. Where a key is missing, the
    /// object that should have it.
    pub pointer: String,
    /// What, as the end of a sentence about that place.
    pub problem: String,
    /// What to do instead.
    pub hint: String,
}

/// Problems as they are found: the first of them are kept, all are counted.
#[derive(Debug, Default)]
pub struct Problems {
    listed: Vec<Problem>,
    count: usize,
}

impl Problems {
    /// Takes note of one more; it is written down only where there is still room for it.
    pub fn add(&mut self, problem: impl FnOnce() -> Problem) {
        self.count += 1;
        if self.listed.len() < MOST_LISTED {
            let mut problem = problem();
            let whole = problem.pointer.len();
            cut(&mut problem.pointer, MOST_POINTED);
            if problem.pointer.len() < whole {
                problem.pointer.push_str("...");
            }
            self.listed.push(problem);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Those that were written down.
    pub(crate) fn listed(&self) -> &[Problem] {
        &self.listed
    }

    /// `schema_invalid`, with `{"problems": [...]}` and, where they are more than are listed, `"more": <count>`.
    pub fn into_refusal(self, next: impl IntoIterator<Item = String>) -> Refusal {
        let first = self.listed.first().map_or_else(String::new, |first| {
            let place = if first.pointer.is_empty() { "the request" } else { &first.pointer };
            format!("{place} {}", first.problem)
        });
        let message = match self.count {
            0 | 1 => first,
            2 => format!("{first} (and 1 more problem)"),
            count => format!("{first} (and {} more problems)", count - 1),
        };
        let mut details = json!({"problems": self.listed});
        if self.count > self.listed.len() {
            details["more"] = json!(self.count - self.listed.len());
        }
        Refusal::new("schema_invalid", message, next).with_details(details)
    }
}

/// A pointer one step longer.
pub(crate) fn step(pointer: &mut String, key: &str) {
    pointer.push('/');
    // What is cut off in the end need not be copied before: a key may be as long as a line.
    for c in key.chars().take(MOST_POINTED) {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Shortens a text to so many octets, between two characters.
pub(crate) fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}

/// The beginning of a sentence as its middle.
pub(crate) fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
