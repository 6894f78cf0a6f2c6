//! One line read as one row: an object with each column once and nothing else, each value in its canonical form.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::form;
use crate::report::{Code, Difference};

/// How the values of a column are written.
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// A positive number in a text.
    Decimal,
    /// A UTC second.
    Seconds,
    /// A UTC instant with six digits.
    Micros,
    /// A hash.
    Digest,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number from 0 to 255.
    Number,
}

/// A column: its key, how its values are written, whether null is one.
pub(crate) struct Column {
    name: &'static str,
    kind: Kind,
    nullable: bool,
}

impl Column {
    /// A column that always has a value.
    pub(crate) const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, nullable: false }
    }

    /// A column that may be null.
    pub(crate) const fn nullable(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, nullable: true }
    }

    fn is_satisfied(&self, cell: &Cell<'_>) -> bool {
        match (&self.kind, cell) {
            (_, Cell::Null) => self.nullable,
            (Kind::Number, Cell::Number(_)) | (Kind::Text, Cell::Text(_)) => true,
            (Kind::Decimal, Cell::Text(text)) => form::decimal(text).is_some(),
            (Kind::Seconds, Cell::Text(text)) => form::is_seconds(text),
            (Kind::Micros, Cell::Text(text)) => form::is_micros(text),
            (Kind::Digest, Cell::Text(text)) => form::is_digest(text),
            (Kind::OneOf(words), Cell::Text(text)) => words.contains(&text.as_ref()),
            _ => false,
        }
    }

    fn expected(&self) -> String {
        let kind = match self.kind {
            Kind::Text => "a text".to_owned(),
            Kind::Decimal => "a positive number in a text".to_owned(),
            Kind::Seconds => "a UTC second, YYYY-MM-DDTHH:MM:SSZ".to_owned(),
            Kind::Micros => "a UTC instant, YYYY-MM-DDTHH:MM:SS.UUUUUUZ".to_owned(),
            Kind::Digest => "64 lower-case hexadecimal digits".to_owned(),
            Kind::OneOf(words) => format!("one of {}", words.join(", ")),
            Kind::Number => "a number from 0 to 255".to_owned(),
        };
        if self.nullable { format!("{kind}, or null") } else { kind }
    }
}

/// Where the column of this name stands; that there is none is found by the compiler.
pub(crate) const fn position(columns: &[Column], name: &str) -> usize {
    let mut at = 0;
    while at < columns.len() {
        if is_same(columns[at].name.as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    panic!("no column of this name")
}

/// The same for a list of names.
pub(crate) const fn positions<const H: usize>(columns: &[Column], names: &[&str; H]) -> [usize; H] {
    let mut found = [0; H];
    let mut at = 0;
    while at < H {
        found[at] = position(columns, names[at]);
        at += 1;
    }
    found
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

enum Cell<'a> {
    Missing,
    Null,
    Text(Cow<'a, str>),
    Number(u8),
    /// What no column holds.
    Other(&'static str),
}

/// A row of `N` columns.
pub(crate) struct Row<'a, const N: usize> {
    columns: &'static [Column; N],
    cells: [Cell<'a>; N],
}

/// The decimal text of each number that a cell can hold.
static DECIMALS: LazyLock<Vec<String>> = LazyLock::new(|| (0..=u8::MAX).map(|n| n.to_string()).collect());

impl<'a, const N: usize> Row<'a, N> {
    /// Reads a line.
    pub(crate) fn read(line: &'a [u8], columns: &'static [Column; N]) -> Result<Self, Box<Difference>> {
        let malformed =
            |found: &str| Difference::new(Code::LineMalformed, None, Some("one JSON object"), Some(found));
        // Once for the line is cheaper than once for each of its texts.
        let line = std::str::from_utf8(line).map_err(|error| malformed(&error.to_string()))?;
        let mut row = Self { columns, cells: std::array::from_fn(|_| Cell::Missing) };
        let mut broken = None;
        let mut json = serde_json::Deserializer::from_str(line);
        let filled = Filler { row: &mut row, broken: &mut broken }.deserialize(&mut json);
        let filled = filled.and_then(|()| json.end());
        if let Some(difference) = broken {
            return Err(difference);
        }
        filled.map_err(|error| malformed(&error.to_string()))?;
        for (column, cell) in columns.iter().zip(&row.cells) {
            if !column.is_satisfied(cell) {
                return Err(unsatisfied(column, cell));
            }
        }
        Ok(row)
    }

    /// The value at this position as it is hashed.
    pub(crate) fn value(&self, at: usize) -> Option<&str> {
        match &self.cells[at] {
            Cell::Text(text) => Some(text),
            Cell::Number(number) => Some(&DECIMALS[usize::from(*number)]),
            Cell::Missing | Cell::Null | Cell::Other(_) => None,
        }
    }

    /// The value of a column that is never null.
    pub(crate) fn text(&self, at: usize) -> &str {
        self.value(at).unwrap_or_default()
    }

    /// A difference in the column at this position.
    pub(crate) fn differs(&self, code: Code, at: usize, expected: Option<&str>) -> Box<Difference> {
        Difference::new(code, Some(self.columns[at].name), expected, self.value(at))
    }
}

fn unsatisfied(column: &Column, cell: &Cell<'_>) -> Box<Difference> {
    let (code, found) = match cell {
        Cell::Missing => (Code::ColumnMissing, None),
        Cell::Null => (Code::ValueMalformed, None),
        Cell::Text(text) => (Code::ValueMalformed, Some(text.as_ref())),
        Cell::Number(number) => (Code::ValueMalformed, Some(DECIMALS[usize::from(*number)].as_str())),
        Cell::Other(what) => (Code::ValueMalformed, Some(*what)),
    };
    Difference::new(code, Some(column.name), Some(&column.expected()), found)
}

/// Puts the values of an object into the cells of a row.
struct Filler<'r, 'a, const N: usize> {
    row: &'r mut Row<'a, N>,
    broken: &'r mut Option<Box<Difference>>,
}

impl<'de, const N: usize> DeserializeSeed<'de> for Filler<'_, 'de, N> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Filler<'_, 'de, N> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let columns = self.row.columns;
        let mut likely = 0;
        while let Some(at) = map.next_key_seed(Key { columns, likely, broken: self.broken })? {
            if !matches!(self.row.cells[at], Cell::Missing) {
                *self.broken =
                    Some(Difference::new(Code::ColumnRepeated, Some(columns[at].name), None, Some("twice")));
                return Err(A::Error::custom("a column twice"));
            }
            self.row.cells[at] = map.next_value_seed(Value)?;
            likely = at + 1;
        }
        Ok(())
    }
}

/// Finds the position of a key; most often it is the one after the key before.
struct Key<'r> {
    columns: &'static [Column],
    likely: usize,
    broken: &'r mut Option<Box<Difference>>,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the name of a column")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<usize, E> {
        if self.columns.get(self.likely).is_some_and(|column| column.name == key) {
            return Ok(self.likely);
        }
        self.columns.iter().position(|column| column.name == key).ok_or_else(|| {
            *self.broken = Some(Difference::new(Code::ColumnUnknown, Some(key), None, Some("a value")));
            E::custom("not a column")
        })
    }
}

/// Reads any value, and keeps those that some column may hold.
struct Value;

impl<'de> DeserializeSeed<'de> for Value {
    type Value = Cell<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value {
    type Value = Cell<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Cell<'de>, E> {
        Ok(Cell::Null)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Cell<'de>, E> {
        Ok(u8::try_from(number).map_or(Cell::Other("a larger number"), Cell::Number))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Cell<'de>, E> {
        Ok(Cell::Other("a negative number"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Cell<'de>, E> {
        Ok(Cell::Other("a number that is not written as an integer"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Cell<'de>, E> {
        Ok(Cell::Other("true or false"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cell<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cell::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cell<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cell::Other("an object"))
    }
}
