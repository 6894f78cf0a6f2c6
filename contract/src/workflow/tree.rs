//! The repository around a workflow file, as somebody else sees it: nothing here looks at files.

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A file or a folder.
    Present,
    /// Nothing.
    Missing,
    /// The way there leads out of the repository, or through a symbolic link.
    Escapes,
    /// It could not be told.
    Unknown,
}

/// A repository, and where the workflow file stands in it.
pub struct Tree<'t> {
    /// The path of the file from the top of the repository.
    pub path: &'t str,
    /// Answers what stands at a path from the top.
    pub look: &'t dyn Fn(&str) -> Entry,
}

impl Tree<'_> {
    /// A path as seen from the file's folder, seen from the top.
    pub(super) fn beside(&self, path: &str) -> String {
        match self.path.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{path}"),
            None => path.to_owned(),
        }
    }
}
