//! `workflow_file`: a workflow file of a repository, read and checked.
//!
//! What to look at: `{root, path}`, the path below the root or absolute. Answer: `{state, path, sha256, workflow,
//! problems, parts}`, the last ones being the files and programs that it names; without a file that could be read
//! `{state, path, problem}`.
#![expect(clippy::disallowed_methods, reason = "an observer looks at the host")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use striatum_contract::workflow::{self, MOST_OCTETS};

use super::beneath::{Beneath, read_beneath};
use super::{Observer, workflow_parts};
use crate::bootstrap::hex;

pub(super) const OBSERVER: Observer = Observer { name: "workflow_file", look };

fn look(what: &Value) -> Value {
    let (root, asked) =
        (what["root"].as_str().unwrap_or_default(), what["path"].as_str().unwrap_or_default());
    let root = Path::new(root);
    let Some(path) = below(root, asked) else {
        return json!({"state": Beneath::Escapes.state(), "path": asked, "problem": Beneath::Escapes.to_string()});
    };
    let octets = match read_beneath(root, &path, MOST_OCTETS) {
        Ok(octets) => octets,
        Err(why) => return json!({"state": why.state(), "path": path, "problem": why.to_string()}),
    };
    if std::str::from_utf8(&octets).is_err() {
        return json!({"state": "not_utf8", "path": path, "problem": "it is not UTF-8"});
    }
    let sha256 = hex(&Sha256::digest(&octets));
    let workflow::Read { workflow, problems } = workflow::read(&octets);
    let parts = workflow_parts::look(root, &path, &workflow);
    json!({
        "state": "present", "path": path, "sha256": sha256, "workflow": workflow, "problems": problems, "parts": parts,
    })
}

/// The path from the root on, without `.` and double slashes. Of an absolute path only the folder is resolved: the way
/// to the repository may lead through links, the way in it may not.
fn below(root: &Path, asked: &str) -> Option<String> {
    let asked = Path::new(asked);
    let path = if asked.is_absolute() {
        match asked.strip_prefix(root) {
            Ok(path) => path.to_path_buf(),
            Err(_) => {
                let folder = fs::canonicalize(asked.parent()?).ok()?;
                folder.join(asked.file_name()?).strip_prefix(root).ok()?.to_path_buf()
            }
        }
    } else {
        asked.to_path_buf()
    };
    let plain: std::path::PathBuf =
        path.components().filter(|part| *part != std::path::Component::CurDir).collect();
    plain.into_os_string().into_string().ok().filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::look;

    #[test]
    fn a_file_is_told_as_it_is_and_one_elsewhere_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = fs::canonicalize(folder.path()).expect("its real path");
        let root = folder.join("root");
        fs::create_dir_all(root.join("flow")).expect("a folder");
        fs::write(root.join("flow/wf.json"), "{}").expect("a file");
        fs::write(root.join("flow/latin"), b"\xe4").expect("a file");
        fs::write(folder.join("outside.json"), "{}").expect("a file");
        for (link, to) in [("root/link.json", "flow/wf.json"), ("way", "root")] {
            rustix::fs::symlink(to, folder.join(link)).expect("a link");
        }
        let seen = |path: &str| look(&json!({"root": root, "path": path}));
        let file = seen("./flow//wf.json");
        assert_eq!(file["state"], "present");
        assert_eq!(file["path"], "flow/wf.json");
        assert_eq!(file["sha256"], "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert_eq!(file["workflow"], json!({}));
        assert_eq!(file["problems"][0]["code"], "key_missing");
        for absolute in [root.join("flow/wf.json"), folder.join("way/flow/wf.json")] {
            assert_eq!(seen(absolute.to_str().expect("UTF-8")), file);
        }
        for (path, state) in [
            ("flow/none.json", "missing"),
            ("flow", "no_file"),
            ("flow/latin", "not_utf8"),
            ("link.json", "escapes"),
            ("../outside.json", "escapes"),
            ("/etc/passwd", "escapes"),
            ("", "escapes"),
        ] {
            let seen = seen(path);
            assert_eq!((&seen["state"], &seen["workflow"]), (&json!(state), &Value::Null), "{path}");
        }
    }
}
