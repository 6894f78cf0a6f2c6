//! The SQL that this program carries.

use striatum_contract::hash::hash_v3;

include!(concat!(env!("OUT_DIR"), "/source.rs"));

/// The files of a folder, the path below it and the text of each, in path order.
pub(super) type Files = &'static [(&'static str, &'static str)];

/// The hash over all function files, 64 lower-case hexadecimal digits. A database whose stamp differs has other
/// functions than this program expects.
pub fn functions_sha256() -> String {
    sha256(FUNCTIONS)
}

/// The hash over path and text of each file.
pub(super) fn sha256(files: Files) -> String {
    hash_v3(files.iter().flat_map(|(path, text)| [Some(*path), Some(*text)]))
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn a_hash_tells_texts_and_paths_and_orders_apart() {
        let hashes = [
            sha256(&[("core/a.sql", "1"), ("core/b.sql", "2")]),
            sha256(&[("core/a.sql", "1"), ("core/b.sql", "3")]),
            sha256(&[("core/a.sql", "1"), ("core/c.sql", "2")]),
            sha256(&[("core/b.sql", "2"), ("core/a.sql", "1")]),
            sha256(&[("core/a.sql", "1core/b.sql2")]),
        ];
        for (i, one) in hashes.iter().enumerate() {
            assert!(!hashes[i + 1..].contains(one), "hash {i} occurs twice");
        }
    }
}
