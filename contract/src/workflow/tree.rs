//! The repository around a workflow file, as somebody else sees it: nothing here looks at files.

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Nothing.
    Missing,
    /// The way there leads out of the repository, or through a symbolic link.
    Escapes,
    /// Something else, or it could not be told.
    Unknown,
}

/// Of a name and the lane's own folders.
pub type HasProgram<'t> = dyn Fn(&str, &[&str]) -> bool + 't;

/// A repository, and where the workflow file stands in it.
pub struct Tree<'t> {
    /// The path of the file from the top of the repository.
    pub path: &'t str,
    /// Answers what stands at a path from the top.
    pub look: &'t dyn Fn(&str) -> Entry,
    /// Answers whether agents can be started of a program by that name, given the folders that their lane has before
    /// all others; nothing where agents are started elsewhere.
    pub has_program: Option<&'t HasProgram<'t>>,
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
