//! The administrator's token outlives a restart of the machine, which empties the runtime directory.

use std::path::{Path, PathBuf};

use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::CLIENT_TOKEN;

use super::{Instance, files, text, unsafe_data};

impl Instance {
    /// Keeps a copy in the data directory, for this user alone. Says whether there is a token.
    pub(crate) fn keep_token(&self) -> Result<bool, Refusal> {
        copy(&self.runtime.join(CLIENT_TOKEN), &self.kept_token())
    }

    /// Puts the copy back where the file is gone.
    pub(crate) fn bring_back_token(&self) -> Result<(), Refusal> {
        let file = self.runtime.join(CLIENT_TOKEN);
        if files::exists(&file) || !files::exists(&self.kept_token()) {
            return Ok(());
        }
        self.make_runtime()?;
        copy(&self.kept_token(), &file).map(drop)
    }

    fn kept_token(&self) -> PathBuf {
        self.data.join("client.token")
    }
}

/// Says whether there was something to copy.
fn copy(from: &Path, to: &Path) -> Result<bool, Refusal> {
    let copied = files::read(from).and_then(|token| match token {
        Some(token) => files::write(to, &token, None).map(|_| true),
        None => Ok(false),
    });
    copied.map_err(|error| unsafe_data(format!("the token in {} cannot be copied: {error}", text(from))))
}
