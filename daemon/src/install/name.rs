//! Names that are written into SQL text, checked once.

const LOGIN_PREFIX: &str = "striatumd_rw_";

/// The name of a database that striatum can live in: `[a-z][a-z0-9_]*`, 50 octets at most, so that the name of its
/// login, which is a cluster-wide role, fits into PostgreSQL's 63 octets and needs no quoting rules of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseName(String);

impl DatabaseName {
    /// # Errors
    /// The reason, a sentence without its full stop, where the name has another form.
    pub fn parse(name: &str) -> Result<Self, String> {
        let mut octets = name.bytes();
        let starts = octets.next().is_some_and(|first| first.is_ascii_lowercase());
        let goes_on =
            octets.all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'_');
        if starts && goes_on && name.len() + LOGIN_PREFIX.len() <= 63 {
            Ok(Self(name.to_owned()))
        } else {
            Err(format!(
                "the database is called {name:?}, and a name here is [a-z][a-z0-9_]*, 50 characters at most"
            ))
        }
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The one login that may use the door of this database.
    pub fn login(&self) -> String {
        format!("{LOGIN_PREFIX}{}", self.0)
    }
}
