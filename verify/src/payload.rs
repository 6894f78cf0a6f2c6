//! The payload of an event: a JSON object, small, without output of a process; and the changes that it holds.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::object::{Object, Text};
use crate::report::{Code, Difference};

/// Octets of a payload, at most.
const LARGEST: usize = 262_144;

/// Keys that no payload has at its top: events tell what changed, not what was said.
const FORBIDDEN: [&str; 5] = ["stdout", "stderr", "transcript", "raw_output", "provider_output"];

/// One object's change: null before it is made, null after it is gone, else the columns that changed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change<'p> {
    /// The kind of object.
    #[serde(borrow)]
    pub(crate) of: Text<'p>,
    #[serde(borrow)]
    pub(crate) id: Text<'p>,
    #[serde(borrow)]
    pub(crate) from: &'p RawValue,
    #[serde(borrow)]
    pub(crate) to: &'p RawValue,
}

/// Takes the changes of a payload one after the other.
pub(crate) type Each<'e> = dyn FnMut(Change<'_>) -> Result<(), Box<Difference>> + 'e;

/// Reads a payload; a payload without changes is one too.
pub(crate) fn read(payload: &str, each: &mut Each<'_>) -> Result<(), Box<Difference>> {
    if payload.len() > LARGEST {
        let (most, found) = (format!("at most {LARGEST} octets"), payload.len().to_string());
        return Err(Difference::new(Code::PayloadMalformed, Some("payload_json"), Some(&most), Some(&found)));
    }
    let mut broken = None;
    let mut json = serde_json::Deserializer::from_str(payload);
    let read = Top { each, broken: &mut broken }.deserialize(&mut json).and_then(|()| json.end());
    match (broken, read) {
        (Some(difference), _) => Err(difference),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => {
            let found = error.to_string();
            let expected = "an object whose changes have of, id, from and to";
            Err(Difference::new(Code::PayloadMalformed, Some("payload_json"), Some(expected), Some(&found)))
        }
    }
}

/// The object itself.
struct Top<'r, 'e> {
    each: &'r mut Each<'e>,
    broken: &'r mut Option<Box<Difference>>,
}

impl<'de> DeserializeSeed<'de> for Top<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Top<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_changes = false;
        while let Some(Text(key)) = map.next_key()? {
            if FORBIDDEN.contains(&key.as_ref()) {
                let column = format!("payload_json.{key}");
                *self.broken =
                    Some(Difference::new(Code::PayloadForbidden, Some(&column), None, Some("a value")));
                return Err(A::Error::custom("a forbidden key"));
            }
            if key != "changes" {
                map.next_value::<IgnoredAny>()?;
            } else if std::mem::replace(&mut has_changes, true) {
                return Err(A::Error::duplicate_field("changes"));
            } else {
                map.next_value_seed(Changes { each: self.each, broken: self.broken })?;
            }
        }
        Ok(())
    }
}

/// Its list of changes.
struct Changes<'r, 'e> {
    each: &'r mut Each<'e>,
    broken: &'r mut Option<Box<Difference>>,
}

impl<'de> DeserializeSeed<'de> for Changes<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Changes<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of changes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(Object(change)) = list.next_element::<Object<Change<'de>>>()? {
            if let Err(difference) = (self.each)(change) {
                *self.broken = Some(difference);
                return Err(A::Error::custom("a difference"));
            }
        }
        Ok(())
    }
}
