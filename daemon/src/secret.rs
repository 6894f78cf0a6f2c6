//! Secrets: made here alone, never shown.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// 32 random octets. No way of showing them but [`Secret::text`], for whom they are meant.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// Where the system has no randomness to give.
    #[expect(clippy::disallowed_methods, reason = "the one place where secrets are made")]
    pub fn make() -> Result<Self, getrandom::Error> {
        let mut octets = [0; 32];
        getrandom::fill(&mut octets)?;
        Ok(Self(octets))
    }

    /// The octets.
    pub fn octets(&self) -> &[u8] {
        &self.0
    }

    /// As text: 43 characters of base64url.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}
