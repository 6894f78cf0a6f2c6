//! `branch_present`: a branch is there, and holds the commit at which a run begins.
//!
//! Args: `{root, branch, commit, run_id}`. A branch that is missing is made at the commit; one that is there is never
//! moved, and nothing is checked out. Seen: `{tip}`, the commit of the branch.

use std::path::Path;

use serde_json::{Value, json};

use super::{Effect, Order, Problem};
use crate::lanes::Lanes;
use crate::observe::git::{Said, git};

pub(super) const EFFECT: Effect = Effect { kind: "branch_present", perform, probe };

fn probe(_: &Lanes, order: &Order<'_>) -> Result<Option<Value>, Problem> {
    let (root, branch, commit) = read(order.args);
    let Some(tip) = tip(root, branch)? else { return Ok(None) };
    // A branch that leads elsewhere stays; saying so is the performance's.
    let holds = run(root, &["merge-base", "--is-ancestor", commit, &tip])?.is_success;
    Ok(holds.then(|| json!({"tip": tip})))
}

fn perform(_: &Lanes, order: &Order<'_>) -> Result<(), Problem> {
    let (root, branch, commit) = read(order.args);
    if tip(root, branch)?.is_some() {
        return Err(hopeless(format!("the branch {branch} is there, and does not hold {commit}")));
    }
    let check = run(root, &["check-ref-format", &reference(branch)])?;
    if !check.is_success {
        return Err(hopeless(format!("git can have no branch called {branch}")));
    }
    // An old value of nothing: whoever makes the branch in between keeps theirs.
    let made = run(root, &["update-ref", "-m", "striatum: branch of a run", &reference(branch), commit, ""])?;
    if made.is_success {
        Ok(())
    } else {
        Err(hopeless(format!("git made no branch {branch}: {}", made.complaint)))
    }
}

fn read(args: &Value) -> (&Path, &str, &str) {
    let text = |key: &str| args[key].as_str().unwrap_or_default();
    (Path::new(text("root")), text("branch"), text("commit"))
}

fn reference(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

/// The commit of a branch; none where there is no such branch.
fn tip(root: &Path, branch: &str) -> Result<Option<String>, Problem> {
    let tip = run(root, &["for-each-ref", "--format=%(refname) %(objectname)", &reference(branch)])?;
    if !tip.is_success {
        return Err(Problem { says: tip.complaint, is_hopeless: false });
    }
    // The pattern also finds what lies below a branch of that name.
    let refs = String::from_utf8_lossy(&tip.out);
    let (name, mut lines) = (reference(branch), refs.lines());
    Ok(lines
        .find_map(|line| line.split_once(' ').filter(|(at, _)| *at == name))
        .map(|(_, tip)| tip.to_owned()))
}

fn run(root: &Path, arguments: &[&str]) -> Result<Said, Problem> {
    git(root, arguments).map_err(|says| Problem { says, is_hopeless: false })
}

fn hopeless(says: String) -> Problem {
    Problem { says, is_hopeless: true }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use crate::effect::{Order, Problem, bring_about};
    use crate::lanes::Lanes;
    use crate::observe::git::tests::{commit, repository, said};

    fn branch(root: &Path, branch: &str, commit: &str) -> Result<Value, Problem> {
        let args = json!({"root": root, "branch": branch, "commit": commit, "run_id": "r"});
        let order = Order { args: &args, client_id: "c", request_id: "r" };
        bring_about("branch_present", &Lanes::new(root), &order)
    }

    /// STR-BRANCH-01: the branch is made at the commit, without a checkout.
    #[test]
    fn a_branch_is_made_where_it_is_missing_and_none_is_moved() {
        let folder = repository();
        let root = folder.path();
        let first = commit(root, "one");
        branch(root, "striatum/x", &first).expect("a branch");
        assert_eq!(said(root, &["rev-parse", "striatum/x"]), first);
        let second = commit(root, "two");
        assert_eq!(said(root, &["symbolic-ref", "HEAD"]), "refs/heads/main");
        let problem = branch(root, "striatum/x", &second).expect_err("it does not hold the second");
        assert!(problem.is_hopeless, "{}", problem.says);
        assert_eq!(said(root, &["rev-parse", "striatum/x"]), first, "it was not moved");
        branch(root, "main", &first).expect("it holds the first");
        assert_eq!(said(root, &["rev-parse", "main"]), second, "nor was this one");
    }

    #[test]
    fn what_git_cannot_make_is_hopeless() {
        let folder = repository();
        let root = folder.path();
        let first = commit(root, "one");
        branch(root, "a/b", &first).expect("a branch");
        for (name, at) in [("a", first.as_str()), ("a..b", &first), ("", &first), ("c", &"f".repeat(40))] {
            let problem = branch(root, name, at).expect_err(name);
            assert!(problem.is_hopeless, "{name}: {}", problem.says);
        }
    }
}
