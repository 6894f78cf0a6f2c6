//! The SQL that this program carries.

use striatum_contract::hash::hash_v3;

include!(concat!(env!("OUT_DIR"), "/source.rs"));

/// The hash over all function files, path and text of each in path order, 64 lower-case hexadecimal digits. A
/// database whose stamp differs has other functions than this program expects.
pub fn functions_sha256() -> String {
    hash_v3(FUNCTIONS.iter().flat_map(|(path, text)| [Some(*path), Some(*text)]))
}
