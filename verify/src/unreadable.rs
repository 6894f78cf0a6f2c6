//! Why nothing can be said about an export.

use std::io;
use std::path::PathBuf;

/// The input cannot be read, so there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// A file or folder that should be there is not, or this user may not read it, or the disk failed.
    #[error("{} cannot be read", path.display())]
    Unread {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What was given is not a folder.
    #[error("{} is not a folder", path.display())]
    NoFolder {
        /// What was given.
        path: PathBuf,
    },
    /// Another format, perhaps a newer one, about which this program can say nothing.
    #[error("the export is in format {found:?}, and this program reads {:?}", crate::manifest::FORMAT)]
    Format {
        /// What the manifest says.
        found: String,
    },
}
