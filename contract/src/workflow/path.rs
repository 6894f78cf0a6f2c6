//! Paths of a workflow, compared.

/// A path of a write scope as it counts: without its last slash; empty for the whole repository.
pub(super) fn plain(path: &str) -> &str {
    let path = path.strip_suffix('/').unwrap_or(path);
    if path == "." { "" } else { path }
}

/// Whether a path is another one, or lies below it.
pub(super) fn is_inside(path: &str, folder: &str) -> bool {
    let (path, folder) = (plain(path), plain(folder));
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path that somebody wants for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claim<'p> {
    pub(super) path: &'p str,
    /// Who.
    pub(super) owner: usize,
    /// Which of its paths it is.
    pub(super) at: usize,
}

/// Claims of which one is, or lies in, another owner's: of each that does the one around it, and itself. In the order
/// of the paths; takes as long as sorting.
pub(super) fn overlaps<'p>(claims: &[Claim<'p>]) -> Vec<(Claim<'p>, Claim<'p>)> {
    let mut sorted: Vec<(String, Claim<'p>)> =
        claims.iter().map(|claim| (plain(claim.path).replace('/', "\0"), *claim)).collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let mut around: Vec<Claim<'p>> = Vec::new();
    let mut found = Vec::new();
    for (_, claim) in sorted {
        while around.last().is_some_and(|folder| !is_inside(claim.path, folder.path)) {
            around.pop();
        }
        // Where two owners stand around it, the inner one of them was found already: a few are enough.
        let mut others = around.iter().rev().take(8).chain(around.first());
        if let Some(other) = others.find(|other| other.owner != claim.owner) {
            found.push((*other, claim));
        }
        around.push(claim);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Claim, is_inside, overlaps};

    #[test]
    fn a_path_lies_in_itself_and_in_its_folders() {
        for (path, folder, lies) in [
            ("a/b", "a", true),
            ("a/b/", "a/", true),
            ("a", "a/", true),
            ("ab", "a", false),
            ("a", "a/b", false),
            ("a", ".", true),
        ] {
            assert_eq!(is_inside(path, folder), lies, "{path} in {folder}");
        }
    }

    #[test]
    fn overlaps_are_found_whatever_stands_between_them() {
        let found = |paths: &[(&'static str, usize)]| -> Vec<(&str, &str)> {
            let claims: Vec<Claim<'_>> =
                paths.iter().map(|(path, owner)| Claim { path, owner: *owner, at: 0 }).collect();
            overlaps(&claims).into_iter().map(|(around, claim)| (around.path, claim.path)).collect()
        };
        let paths = [("a/", 1), ("a-b/", 2), ("a/x", 2), ("a/x/y", 2), ("c", 1), ("c", 1)];
        assert_eq!(found(&paths), [("a/", "a/x"), ("a/", "a/x/y")]);
        assert_eq!(found(&[("c", 1), ("c/", 2)]), [("c", "c/")]);
        assert_eq!(found(&[("x", 1), (".", 2)]), [(".", "x")]);
    }
}
