//! The token with which a client proves who it is.

use std::fmt;

use crate::refusal::Refusal;

/// Characters of the secret: 32 octets in base64url without padding.
const SECRET_LENGTH: usize = 43;
/// Characters that the id of a client may have.
const LONGEST_CLIENT_ID: usize = 64;

/// `<client_id>.<43 base64url characters>`. No way of showing it shows the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    client_id: String,
    secret: String,
}

/// What keeps a text from being a token; the text itself is never repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenProblem {
    /// There is no point between the two halves.
    #[error("has no point between the client id and the secret")]
    NoPoint,
    /// What stands before the point cannot be the id of a client.
    #[error("does not begin with a client id (letters, digits and _)")]
    ClientId,
    /// The secret is too short or too long.
    #[error("has a secret of {0} octets instead of 43")]
    SecretLength(usize),
    /// The secret has a character that is not of base64url.
    #[error("has a character in its secret that is none of base64url, at place {0}")]
    SecretCharacter(usize),
}

impl Token {
    /// Reads a token; nothing around it is trimmed away.
    ///
    /// # Errors
    /// What keeps the text from being one.
    pub fn parse(text: &str) -> Result<Self, TokenProblem> {
        let (client_id, secret) = text.split_once('.').ok_or(TokenProblem::NoPoint)?;
        let is_id = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if client_id.is_empty() || client_id.len() > LONGEST_CLIENT_ID || !client_id.chars().all(is_id) {
            return Err(TokenProblem::ClientId);
        }
        if secret.len() != SECRET_LENGTH {
            return Err(TokenProblem::SecretLength(secret.len()));
        }
        let is_base64url = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_';
        match secret.bytes().position(|octet| !is_base64url(octet)) {
            Some(at) => Err(TokenProblem::SecretCharacter(at + 1)),
            None => Ok(Self { client_id: client_id.to_owned(), secret: secret.to_owned() }),
        }
    }

    /// Whose it is; no secret.
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// The secret alone, for the door; never for a log, a message or an argument of a program.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The whole token as it goes over the wire or into its file; as little for other eyes as the secret.
    pub fn reveal(&self) -> String {
        format!("{}.{}", self.client_id, self.secret)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.***", self.client_id)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}

impl From<TokenProblem> for Refusal {
    fn from(problem: TokenProblem) -> Self {
        Refusal::new(
            "token_malformed",
            format!("the capability token {problem}"),
            ["striatum token recover".to_owned()],
        )
    }
}
