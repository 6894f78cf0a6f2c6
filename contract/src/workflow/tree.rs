//! The repository around a workflow file, as somebody else sees it: nothing here looks at files.

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File,
    /// A regular file, and nobody may execute it.
    Inert,
    /// A folder.
    Folder,
    /// Nothing.
    Missing,
    /// The way there leads out of the repository, or through a symbolic link.
    Escapes,
    /// Something else, or it could not be told.
    Unknown,
}

impl Entry {
    /// Whether a document is there, or a folder of them.
    pub(super) fn is_readable(self) -> bool {
        matches!(self, Self::File | Self::Inert | Self::Folder)
    }
}

/// What there is of a program that agents are to be started of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// It can be executed.
    Runs,
    /// A file by that name is at this path, and nobody may execute it.
    Inert(String),
    /// None is there.
    Missing,
}

/// Of a name and the lane's own folders.
pub type LookForProgram<'t> = dyn Fn(&str, &[&str]) -> Program + 't;

/// A repository, and where the workflow file stands in it.
pub struct Tree<'t> {
    /// The path of the file from the top of the repository.
    pub path: &'t str,
    /// Answers what stands at a path from the top.
    pub look: &'t dyn Fn(&str) -> Entry,
    /// Answers what there is of a program by that name, given the folders that the lane of its agents has before all
    /// others; nothing where agents are started elsewhere.
    pub program: Option<&'t LookForProgram<'t>>,
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
