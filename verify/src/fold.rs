//! State = fold(events): what each object is after the events so far, and whether an event starts from just that.
//!
//! A column that an object does not have is null. So each column that an event names before or after has to be what it
//! was, and a column that changes without its value before is a difference wherever it had one.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use striatum_contract::hash::hash_v3;

use crate::object::Text;
use crate::payload::Change;
use crate::report::{Code, Difference};

/// Octets of a value that is kept as it is; of a longer one its hash is kept.
const KEPT: usize = 64;

const NULL: &str = "null";

/// The objects of one repository.
#[derive(Default)]
pub(crate) struct Fold {
    /// A small number for each name of a column, so that states are small.
    columns: HashMap<Box<str>, u32>,
    /// By kind, by id.
    objects: HashMap<Box<str>, HashMap<Box<str>, State>>,
}

/// The columns of an object that are not null, in one allocation: number, length, octets, and again.
#[derive(Default)]
struct State(Box<[u8]>);

impl State {
    fn entries(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let mut rest = &self.0[..];
        std::iter::from_fn(move || {
            let (column, after) = rest.split_first_chunk::<4>()?;
            let (length, after) = after.split_first()?;
            let (value, after) = after.split_at_checked(usize::from(*length))?;
            rest = after;
            Some((u32::from_le_bytes(*column), value))
        })
    }

    fn value(&self, column: u32) -> &[u8] {
        self.entries().find(|(found, _)| *found == column).map_or(NULL.as_bytes(), |(_, value)| value)
    }

    /// The same with these columns instead.
    fn with(&self, changed: &[(u32, Cow<'_, str>)]) -> Self {
        let mut octets = Vec::with_capacity(self.0.len() + 32 * changed.len());
        let mut push = |column: u32, value: &[u8]| {
            octets.extend_from_slice(&column.to_le_bytes());
            octets.push(u8::try_from(value.len()).expect("what is kept is short"));
            octets.extend_from_slice(value);
        };
        let is_changed = |column: u32| changed.iter().any(|(other, _)| *other == column);
        self.entries()
            .filter(|(column, _)| !is_changed(*column))
            .for_each(|(column, value)| push(column, value));
        let present = changed.iter().filter(|(_, value)| value != NULL);
        present.for_each(|(column, value)| push(*column, value.as_bytes()));
        Self(octets.into())
    }
}

impl Fold {
    /// Takes one change.
    pub(crate) fn apply(&mut self, change: &Change<'_>) -> Result<(), Box<Difference>> {
        let from = columns(change.from).map_err(|found| malformed(change, "from", &found))?;
        let to = columns(change.to).map_err(|found| malformed(change, "to", &found))?;
        let known =
            self.objects.get(change.of.0.as_ref()).and_then(|objects| objects.get(change.id.0.as_ref()));
        let nothing = State::default();
        let before = match (&from, known) {
            (Some(from), Some(before)) => {
                self.compare(change, from, to.as_deref().unwrap_or_default(), before)?;
                before
            }
            (None, None) => &nothing,
            (None, Some(_)) => return Err(differs(change, "from", "the object, which exists", NULL)),
            (Some(_), None) => return Err(differs(change, "from", NULL, change.from.get())),
        };
        let Some(to) = to else {
            if from.is_none() {
                return Err(differs(change, "to", "an object", NULL));
            }
            self.objects
                .get_mut(change.of.0.as_ref())
                .and_then(|objects| objects.remove(change.id.0.as_ref()));
            return Ok(());
        };
        let mut changed = Vec::with_capacity(to.len());
        for (name, value) in &to {
            let next = u32::try_from(self.columns.len()).expect("fewer names than a file has octets");
            let column = match self.columns.get(name.0.as_ref()) {
                Some(column) => *column,
                None => *self.columns.entry(name.0.as_ref().into()).or_insert(next),
            };
            changed.push((column, kept(value)));
        }
        let after = before.with(&changed);
        self.put(change, after);
        Ok(())
    }

    fn put(&mut self, change: &Change<'_>, after: State) {
        let (of, id) = (change.of.0.as_ref(), change.id.0.as_ref());
        if let Some(objects) = self.objects.get_mut(of) {
            match objects.get_mut(id) {
                Some(state) => *state = after,
                None => drop(objects.insert(id.into(), after)),
            }
        } else {
            self.objects.insert(of.into(), HashMap::from([(id.into(), after)]));
        }
    }

    /// Each column that is named before or after was what `from` says, null where it does not say it.
    fn compare(
        &self,
        change: &Change<'_>,
        from: &[(Text<'_>, &RawValue)],
        to: &[(Text<'_>, &RawValue)],
        before: &State,
    ) -> Result<(), Box<Difference>> {
        let unsaid = to.iter().filter(|(name, _)| !from.iter().any(|(other, _)| other == name));
        let said = from.iter().map(|(name, value)| (name, kept(value)));
        for (name, value) in said.chain(unsaid.map(|(name, _)| (name, Cow::Borrowed(NULL)))) {
            let column = self.columns.get(name.0.as_ref());
            let is = column.map_or(NULL.as_bytes(), |column| before.value(*column));
            if is != value.as_bytes() {
                return Err(differs(
                    change,
                    &format!("from.{}", name.0),
                    &String::from_utf8_lossy(is),
                    &value,
                ));
            }
        }
        Ok(())
    }
}

fn path(change: &Change<'_>, key: &str) -> String {
    format!("payload_json.changes[{} {}].{key}", change.of.0, change.id.0)
}

fn differs(change: &Change<'_>, key: &str, expected: &str, found: &str) -> Box<Difference> {
    Difference::new(Code::FoldDiffers, Some(&path(change, key)), Some(expected), Some(found))
}

fn malformed(change: &Change<'_>, key: &str, found: &str) -> Box<Difference> {
    let expected = "an object with each column once, or null";
    Difference::new(Code::PayloadMalformed, Some(&path(change, key)), Some(expected), Some(found))
}

/// The columns of one side of a change; none where it is null.
fn columns(side: &RawValue) -> Result<Option<Vec<(Text<'_>, &RawValue)>>, String> {
    struct Columns;
    impl<'de> Visitor<'de> for Columns {
        type Value = Vec<(Text<'de>, &'de RawValue)>;

        fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut columns: Self::Value = Vec::with_capacity(8);
            while let Some(entry) = map.next_entry()? {
                columns.push(entry);
            }
            columns.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            match columns.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                Some(pair) => Err(A::Error::custom(format!("{} twice", pair[0].0.0))),
                None => Ok(columns),
            }
        }
    }
    if side.get() == NULL {
        return Ok(None);
    }
    serde_json::Deserializer::from_str(side.get())
        .deserialize_map(Columns)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// A value as it is kept and compared: as it stands in the payload, but for blanks between its parts, since both sides
/// of a change are written by the same hand; where that is long, its hash.
fn kept<'v>(value: &&'v RawValue) -> Cow<'v, str> {
    let text = value.get();
    let compact =
        if text.starts_with(['{', '[']) { Cow::Owned(without_blanks(text)) } else { Cow::Borrowed(text) };
    if compact.len() <= KEPT {
        return compact;
    }
    Cow::Owned(format!("#{}", hash_v3([Some(compact.as_ref())])))
}

fn without_blanks(text: &str) -> String {
    let (mut is_inside, mut is_escaped) = (false, false);
    let mut compact = text.to_owned();
    compact.retain(|c| {
        if is_inside {
            is_inside = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            return true;
        }
        is_inside = c == '"';
        !c.is_ascii_whitespace()
    });
    compact
}
