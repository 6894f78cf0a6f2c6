//! Any edit of a good export: never a panic, and verified only where it still means the same.

use proptest::prelude::*;
use serde_json::Value;
use striatum_verify::{Verdict, verify};

use crate::export::{Export, write};

/// One edit of one file, at a place that is taken as a part of its length.
#[derive(Debug, Clone)]
enum Edit {
    Flip(u8),
    Put(Vec<u8>),
    Cut(usize),
    Repeat(usize),
    End,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (1..=255_u8).prop_map(Edit::Flip),
        2 => prop::collection::vec(any::<u8>(), 1..4).prop_map(Edit::Put),
        2 => prop::sample::select(vec!["\n", " ", "0", "null", "\"", "{}", "\\u0000", ",", "}\n{"])
            .prop_map(|text| Edit::Put(text.into())),
        2 => (1..200_usize).prop_map(Edit::Cut),
        1 => (1..200_usize).prop_map(Edit::Repeat),
        1 => Just(Edit::End),
    ]
}

fn apply(octets: &mut Vec<u8>, place: usize, edit: &Edit) {
    let at = place % octets.len().max(1);
    let end = |length: usize| (at + length).min(octets.len());
    match edit {
        Edit::Flip(mask) => octets.iter_mut().skip(at).take(1).for_each(|octet| *octet ^= mask),
        Edit::Put(put) => drop(octets.splice(at..at, put.iter().copied()).collect::<Vec<_>>()),
        Edit::Cut(length) => drop(octets.drain(at..end(*length))),
        Edit::Repeat(length) => {
            let again = octets[at..end(*length)].to_vec();
            drop(octets.splice(at..at, again).collect::<Vec<_>>());
        }
        Edit::End => octets.truncate(at),
    }
}

/// What an export binds: its rows as values, but for who a client was and the digits below a second; its manifest
/// without the time of the export. Nothing where a line is no JSON.
fn meaning(files: &[(String, Vec<u8>)]) -> Option<Vec<(&str, Vec<Value>)>> {
    files
        .iter()
        .map(|(name, octets)| {
            let is_manifest = name == "manifest.json";
            let texts: Vec<&[u8]> = match is_manifest {
                true => vec![octets],
                false => {
                    octets.strip_suffix(b"\n").unwrap_or(octets).split(|octet| *octet == b'\n').collect()
                }
            };
            let values = texts.into_iter().map(|text| {
                let mut value: Value = serde_json::from_slice(text).ok()?;
                let object = value.as_object_mut()?;
                for unbound in ["principal_id", "session_id", "exported_at"] {
                    object.remove(unbound);
                }
                if let Some(Value::String(at)) = object.get_mut("recorded_at") {
                    at.truncate(19);
                }
                // The segment of an event is held against the audit chain's, and otherwise its own.
                if name.starts_with("events/") {
                    object.remove("segment_id");
                }
                Some(value)
            });
            values.collect::<Option<Vec<Value>>>().map(|values| (name.as_str(), values))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_edited_is_seen(edits in prop::collection::vec((0..4_usize, any::<usize>(), edit()), 1..4)) {
        let good = Export::good().files();
        let mut files = good.clone();
        for (file, place, edit) in &edits {
            apply(&mut files[*file].1, *place, edit);
        }
        let is_verified = verify(write(&files).path()).is_ok_and(|report| report.verdict == Verdict::Verified);
        if is_verified {
            let same = meaning(&good);
            prop_assert!(same.is_some() && same == meaning(&files), "{edits:?}");
        }
        if files == good {
            prop_assert!(is_verified);
        }
    }
}

/// Every octet of every file, one bit each: small enough to do them all.
#[test]
fn each_octet_counts() {
    let good = Export::good().files();
    let same = meaning(&good);
    let folder = write(&good);
    for (name, octets) in &good {
        for at in 0..octets.len() {
            let mut files = good.clone();
            let (_, edited) = files.iter_mut().find(|(other, _)| other == name).expect("its file");
            edited[at] ^= 1;
            crate::export::put(folder.path(), name, edited);
            let report = verify(folder.path());
            if report.is_ok_and(|report| report.verdict == Verdict::Verified) {
                assert_eq!(meaning(&files), same, "{name}, octet {at}");
            }
        }
        crate::export::put(folder.path(), name, octets);
    }
}
