//! `minted_secret`: a secret for a token, made here. The database gets its salt and its hash, whoever asked the secret.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::bootstrap::hex;
use crate::secret::Secret;

/// As the registry of methods names it.
pub const NAME: &str = "minted_secret";
/// The same for the agent of a session: the secret goes to the effect that starts it, and to nobody who asked.
pub const OF_A_LANE: &str = "lane_secret";

/// A secret on its way to whoever asked for a token.
#[derive(Debug)]
pub struct Minted {
    secret: String,
    salt: Secret,
}

impl Minted {
    /// A new one.
    ///
    /// # Errors
    /// Where the system has no randomness to give.
    pub fn make() -> Result<Self, getrandom::Error> {
        Ok(Self { secret: Secret::make()?.text(), salt: Secret::make()? })
    }

    /// What the database is told: `{salt, hash}`, the hash sha256 over the secret's text and the salt.
    pub fn fact(&self) -> Value {
        let mut hash = Sha256::new();
        hash.update(self.secret.as_bytes());
        hash.update(self.salt.octets());
        json!({"salt": hex(self.salt.octets()), "hash": hex(&hash.finalize())})
    }

    /// The token of the client that it became.
    pub fn token(&self, client_id: &str) -> String {
        format!("{client_id}.{}", self.secret)
    }
}
