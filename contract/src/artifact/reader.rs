//! Reads front matter as YAML, event by event: with places, with each key once, and within bounds.

use std::collections::HashMap;
use std::collections::hash_map;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::node::{Entry, Is, Node};
use super::problem::{Problem, told};

/// Values inside one another.
const DEEPEST: usize = 16;
/// Values of a block, those that an alias repeats counted each time.
const MOST_VALUES: usize = 20_000;
/// Aliases of a block.
const MOST_ALIASES: usize = 16;
/// Octets that aliases may repeat, in all.
const MOST_REPEATED: usize = 256 * 1024;

/// Reads the text of a block: its outermost mapping.
///
/// # Errors
/// It cannot be read.
pub(super) fn read(text: &str) -> Result<Node, Box<Problem>> {
    let mut reader = Reader::new(text);
    let mut node = None;
    loop {
        let (event, span) = reader.next()?;
        let (line, column) = place(span);
        match event {
            Event::StreamStart | Event::DocumentEnd => {}
            Event::StreamEnd => break,
            Event::DocumentStart(_) if node.is_some() => {
                return Err(second_document(line, column).into());
            }
            Event::DocumentStart(_) => {
                let (event, span) = reader.next()?;
                node = Some(reader.value(event, span)?);
            }
            _ => return Err(second_document(line, column).into()),
        }
    }
    let empty = Node { is: Is::Map(Vec::new()), place: (2, 1) };
    match node.unwrap_or(empty) {
        Node { is: Is::Scalar { text, is_plain: true }, place } if text.is_empty() => {
            Ok(Node { is: Is::Map(Vec::new()), place })
        }
        node if matches!(node.is, Is::Map(_)) => Ok(node),
        node => {
            let what = if matches!(node.is, Is::List(_)) { "a list" } else { "a text" };
            let message = format!("the front matter is {what}, not fields with values");
            let hint = "each line `field: value`";
            Err(Problem::at("front_matter_not_fields", String::new(), node.place, message, hint).into())
        }
    }
}

fn second_document(line: usize, column: usize) -> Problem {
    let message = "a second YAML document begins inside the front matter";
    let hint = "one block of fields, between two lines of three dashes";
    Problem::at("second_document", String::new(), (line, column), message, hint)
}

/// Line and column in the file: the block begins on its second line.
fn place(span: Span) -> (usize, usize) {
    (span.start.line() + 1, span.start.col() + 1)
}

/// A collection that is not closed yet.
struct Open {
    is: Collection,
    place: (usize, usize),
    anchor: usize,
    /// Values before it.
    values: usize,
}

enum Collection {
    List(Vec<Node>),
    Map {
        entries: Vec<Entry>,
        /// Which entry has a key.
        keys: HashMap<String, usize>,
        key: Option<(String, (usize, usize))>,
    },
}

/// A value that aliases may repeat, and what one repetition costs.
struct Named {
    node: Node,
    values: usize,
    octets: usize,
    depth: usize,
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    text: &'t str,
    values: usize,
    aliases: usize,
    repeated_octets: usize,
    /// What was named to be repeated; `None` while it is still open.
    named: HashMap<usize, Option<Named>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            parser: Parser::new_from_str(text),
            text,
            values: 0,
            aliases: 0,
            repeated_octets: 0,
            named: HashMap::new(),
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), Box<Problem>> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(self.malformed(&error).into()),
            None => Ok((Event::StreamEnd, Span::empty(saphyr_parser::Marker::new(0, 1, 0)))),
        }
    }

    /// Reads one value to its end, without recursion.
    fn value(&mut self, event: Event<'t>, span: Span) -> Result<Node, Box<Problem>> {
        let mut open: Vec<Open> = Vec::new();
        let (mut event, mut span) = (event, span);
        loop {
            let done = self.step(event, span, &mut open)?;
            if let Some(node) = done {
                match open.last_mut() {
                    None => return Ok(node),
                    Some(outer) => self.put(outer, node)?,
                }
            }
            (event, span) = self.next()?;
        }
    }

    /// Takes one event; what comes back is a value that has ended.
    fn step(
        &mut self,
        event: Event<'t>,
        span: Span,
        open: &mut Vec<Open>,
    ) -> Result<Option<Node>, Box<Problem>> {
        let place = place(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1, place)?;
                self.refuse_tag(tag.is_some(), place)?;
                if let Some(odd) = text.chars().find(|c| *c == '\0') {
                    let message = format!("a value holds the character {}", odd.escape_default());
                    let hint = "leave it out";
                    return Err(Problem::at("character_refused", String::new(), place, message, hint).into());
                }
                let is_plain = style == ScalarStyle::Plain;
                let octets = text.len();
                let node = Node { is: Is::Scalar { text: text.into_owned(), is_plain }, place };
                if anchor > 0 {
                    self.named
                        .insert(anchor, Some(Named { node: node.clone(), values: 1, octets, depth: 0 }));
                }
                Ok(Some(node))
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(open, Collection::List(Vec::new()), anchor, tag.is_some(), place)
            }
            Event::MappingStart(anchor, tag) => {
                let map = Collection::Map { entries: Vec::new(), keys: HashMap::new(), key: None };
                self.open(open, map, anchor, tag.is_some(), place)
            }
            Event::SequenceEnd | Event::MappingEnd => Ok(open.pop().map(|closed| self.close(closed))),
            Event::Alias(anchor) => self.alias(anchor, place, open.len()).map(Some),
            _ => Err(second_document(place.0, place.1).into()),
        }
    }

    fn open(
        &mut self,
        open: &mut Vec<Open>,
        is: Collection,
        anchor: usize,
        has_tag: bool,
        place: (usize, usize),
    ) -> Result<Option<Node>, Box<Problem>> {
        self.count(1, place)?;
        self.refuse_tag(has_tag, place)?;
        if open.len() == DEEPEST {
            return Err(too_deep(place).into());
        }
        if anchor > 0 {
            self.named.insert(anchor, None);
        }
        open.push(Open { is, place, anchor, values: self.values });
        Ok(None)
    }

    fn close(&mut self, closed: Open) -> Node {
        let Open { is, place, anchor, values } = closed;
        let is = match is {
            Collection::List(items) => Is::List(items),
            Collection::Map { entries, .. } => Is::Map(entries),
        };
        let node = Node { is, place };
        if anchor > 0 {
            let values = self.values - values + 1;
            let (octets, depth) = (octets(&node), depth(&node));
            self.named.insert(anchor, Some(Named { node: node.clone(), values, octets, depth }));
        }
        node
    }

    /// Puts a value where it belongs: into a list, as a key or as the value of one.
    fn put(&mut self, outer: &mut Open, node: Node) -> Result<(), Box<Problem>> {
        match &mut outer.is {
            Collection::List(items) => items.push(node),
            Collection::Map { entries, keys, key } => match key.take() {
                None => {
                    let Is::Scalar { text, .. } = node.is else {
                        let message = "a list or a mapping stands where a field's name should";
                        let hint = "a name, a colon, a value";
                        return Err(
                            Problem::at("key_not_text", String::new(), node.place, message, hint).into()
                        );
                    };
                    *key = Some((text, node.place));
                }
                Some((name, place)) => match keys.entry(name) {
                    hash_map::Entry::Vacant(free) => {
                        let key = free.key().clone();
                        free.insert(entries.len());
                        entries.push(Entry { key, place, value: node, repeated: Vec::new() });
                    }
                    hash_map::Entry::Occupied(first) => entries[*first.get()].repeated.push(place),
                },
            },
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, place: (usize, usize), outer: usize) -> Result<Node, Box<Problem>> {
        let refused = |message: &str| {
            let hint = "write the value out where it is meant";
            Err(Problem::at("alias_refused", String::new(), place, message, hint).into())
        };
        self.aliases += 1;
        if self.aliases > MOST_ALIASES {
            return refused(&format!("there are more than {MOST_ALIASES} aliases"));
        }
        let Some(Some(named)) = self.named.get(&anchor) else {
            return refused("an alias stands inside of what it repeats");
        };
        if outer + named.depth > DEEPEST {
            return Err(too_deep(place).into());
        }
        self.repeated_octets += named.octets;
        if self.repeated_octets > MOST_REPEATED {
            return refused(&format!("aliases repeat more than {MOST_REPEATED} octets"));
        }
        let (node, values) = (Node { place, ..named.node.clone() }, named.values);
        self.count(values, place)?;
        Ok(node)
    }

    fn count(&mut self, values: usize, place: (usize, usize)) -> Result<(), Box<Problem>> {
        self.values += values;
        if self.values > MOST_VALUES {
            let message = format!("there are more than {MOST_VALUES} values");
            let hint = "rows that nobody checks belong into the body";
            return Err(Problem::at("values_too_many", String::new(), place, message, hint).into());
        }
        Ok(())
    }

    fn refuse_tag(&self, has_tag: bool, place: (usize, usize)) -> Result<(), Box<Problem>> {
        if has_tag {
            let message = "a tag (`!...`) says of which type a value is";
            let hint = "leave the tag out: the contract says it; quote a value that begins with `!`";
            return Err(Problem::at("tag_refused", String::new(), place, message, hint).into());
        }
        Ok(())
    }

    /// What the parser said, and what is most often meant by it.
    fn malformed(&self, error: &ScanError) -> Problem {
        let (line, column) = (error.marker().line() + 1, error.marker().col() + 1);
        // The parser looks ahead, and so meets its own bound before ours.
        if error.info() == "recursion limit exceeded" {
            return too_deep((line, column));
        }
        let shown = self.text.lines().nth(error.marker().line().saturating_sub(1)).unwrap_or_default();
        let value = shown.split_once(": ").map_or("", |(_, value)| value.trim_start());
        let hint = if shown.trim_start_matches(' ').starts_with('\t') {
            "indent with spaces: YAML takes no tab there"
        } else if value.starts_with(['\'', '"']) || shown.matches('"').count() % 2 == 1 {
            "close the quotation mark; inside of '...' write '' for one, inside of \"...\" write \\\""
        } else if value.starts_with(['@', '`', '%', '&', '*', '!', '|', '>', '[', ']', '{', '}', ','])
            || value.contains(": ")
        {
            "put the value in quotation marks: it holds a character that means something to YAML"
        } else {
            "look at this line and the one before; put a value in quotation marks where it holds `: ` or ` #`"
        };
        let message = format!("this is not YAML: {}", told(error.info()));
        let is_left = super::placeholder::is_placeholder(value);
        let (code, hint) = match is_left {
            true => ("placeholder_left", "put the value in its place, in quotation marks"),
            false => ("yaml_malformed", hint),
        };
        let mut problem = Problem::at(code, String::new(), (line, column), message, hint);
        problem.given = Some(told(shown.trim_end())).filter(|shown| !shown.is_empty());
        problem
    }
}

fn too_deep(place: (usize, usize)) -> Problem {
    let message = format!("more than {DEEPEST} lists and mappings stand inside one another");
    Problem::at("nesting_too_deep", String::new(), place, message, "no contract needs more than five")
}

/// Lists and mappings inside one another, which are not more than [`DEEPEST`].
fn depth(node: &Node) -> usize {
    match &node.is {
        Is::Scalar { .. } => 0,
        Is::List(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Is::Map(entries) => 1 + entries.iter().map(|entry| depth(&entry.value)).max().unwrap_or(0),
    }
}

/// Octets of all texts below a value.
fn octets(node: &Node) -> usize {
    match &node.is {
        Is::Scalar { text, .. } => text.len(),
        Is::List(items) => items.iter().map(octets).sum(),
        Is::Map(entries) => entries.iter().map(|entry| entry.key.len() + octets(&entry.value)).sum(),
    }
}
