//! What no other process and no other call makes.

use std::hash::{BuildHasher as _, RandomState};

/// 32 hexadecimal digits that nobody else has. They need not be unforeseeable.
pub(crate) fn nonce() -> String {
    // Each state is keyed by the system's randomness.
    let [high, low] = [0, 1].map(|half: u8| RandomState::new().hash_one((half, std::process::id())));
    format!("{high:016x}{low:016x}")
}

#[cfg(test)]
mod tests {
    use super::nonce;

    #[test]
    fn no_two_are_the_same() {
        assert_ne!(nonce(), nonce());
        assert_eq!(nonce().len(), 32);
    }
}
