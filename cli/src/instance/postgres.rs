//! The machine's own PostgreSQL programs, and the user that they run as.

use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use striatum_contract::refusal::Refusal;
use striatum_contract::shell_word::shell_path;

use super::files::{self, Owner};
use super::program::{Run, folder_named_by, on_path};
use super::text;

/// The oldest version that will do.
const OLDEST: u32 = 15;
/// The programs that are needed, from one folder: of one version.
const NEEDED: [&str; 4] = ["initdb", "pg_ctl", "postgres", "psql"];

/// Programs of one version, and the user that they run as.
pub(super) struct Programs {
    folder: PathBuf,
    pub(super) version: u32,
    pub(super) owner: Option<Owner>,
}

impl Programs {
    /// Those that made the cluster of this folder; where there is none yet, the newest.
    pub(super) fn of(cluster: &Path, version: Option<&str>, data: &Path) -> Result<Self, Refusal> {
        let found = found()?;
        let wanted: Option<u32> = version.and_then(|version| version.parse().ok());
        let chosen = match wanted {
            Some(wanted) => found.iter().find(|(version, _)| *version == wanted),
            None => found.iter().max_by_key(|(version, _)| *version),
        };
        let Some((version, folder)) = chosen.cloned() else {
            let made_by =
                wanted.map_or_else(String::new, |wanted| format!(" {wanted}, which made {}", text(cluster)));
            return Err(missing(format!("there are no programs of PostgreSQL{made_by}")));
        };
        Ok(Self { folder, version, owner: owner(data)? })
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// One of them, as the user that PostgreSQL runs as.
    pub(super) fn run(&self, program: &str) -> Run<'_> {
        Run::postgres(&self.path(program), self.owner)
    }
}

/// Each version there is: the folder that `STRIATUM_PG_BIN` names, else the path's and Debian's.
fn found() -> Result<Vec<(u32, PathBuf)>, Refusal> {
    let version = |folder: &Path| {
        // Some packages bring the server without what makes it or talks to it.
        if !NEEDED.iter().all(|program| files::is_program(&folder.join(program))) {
            return None;
        }
        let output = Run::plain(&text(&folder.join("postgres"))).args(["--version"]).output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split_whitespace().find_map(|word| word.split(['.', 'd', 'b', 'r']).next()?.parse::<u32>().ok())
    };
    if let Some(named) = folder_named_by("STRIATUM_PG_BIN") {
        return match version(&named) {
            Some(version) if version >= OLDEST => Ok(vec![(version, named)]),
            Some(version) => Err(missing(format!("STRIATUM_PG_BIN names PostgreSQL {version}"))),
            None => {
                Err(missing(format!("STRIATUM_PG_BIN is {}, and no PostgreSQL is there", named.display())))
            }
        };
    }
    let on_path = on_path("initdb").into_iter().filter_map(|program| Some(program.parent()?.to_owned()));
    let debian =
        files::entries(Path::new("/usr/lib/postgresql")).into_iter().map(|version| version.join("bin"));
    let all = on_path.chain(debian).filter_map(|folder| Some((version(&folder)?, folder)));
    let found: Vec<_> = all.filter(|(version, _)| *version >= OLDEST).collect();
    match found.is_empty() {
        true => Err(missing("no programs of PostgreSQL were found".to_owned())),
        false => Ok(found),
    }
}

fn missing(said: String) -> Refusal {
    let said = format!("{said}; PostgreSQL {OLDEST} or newer has to be installed");
    let next = ["apt-get install postgresql", "STRIATUM_PG_BIN=FOLDER_OF_INITDB striatum local up"];
    Refusal::new("postgres_missing", said, next.map(str::to_owned))
}

/// PostgreSQL does not run as root: there it is user `postgres`, who has to get as far as the data directory.
fn owner(data: &Path) -> Result<Option<Owner>, Refusal> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let number = |flag: &str| {
        let output = Run::plain("id").args([flag, "postgres"]).output().ok()?;
        String::from_utf8_lossy(&output.stdout).trim().parse().ok()
    };
    let (Some(uid), Some(gid)) = (number("-u"), number("-g")) else {
        return Err(missing("PostgreSQL does not run as root, and there is no user postgres".to_owned()));
    };
    let owner = Owner { uid, gid };
    let reaches = Run::postgres(Path::new("test"), Some(owner)).args(["-x", &text(data)]).output();
    if reaches.is_ok_and(|output| output.status.success()) {
        return Ok(Some(owner));
    }
    let said = format!("PostgreSQL runs as user postgres, who cannot enter {}", text(data));
    let open = data.ancestors().skip(1).filter(|folder| folder.parent().is_some());
    let next = open.map(|folder| format!("chmod o+x {}", shell_path(folder))).collect::<Vec<_>>();
    Err(Refusal::new("data_dir_unsafe", said, next))
}
