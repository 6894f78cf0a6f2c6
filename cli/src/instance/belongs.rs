//! Which installation a data directory belongs to, and which data directory an installation lives in.
//!
//! The data directory says it in a file, for good; the runtime directory says the other direction, as long as it is
//! there. Whatever does not fit is refused before anything is done.

use std::path::{Path, PathBuf};

use striatum_contract::refusal::Refusal;
use striatum_contract::runtime::{CONFIGURATION, DIRECTORY_VARIABLE, is_instance_name};
use striatum_contract::shell_word::shell_path;

use super::{Instance, files, process, settings, text, unsafe_data};

/// In the data directory: the name of the installation, then its runtime directory.
const OWNER: &str = "local.instance";
/// In the runtime directory: the data directory.
const PLACE: &str = "data.place";
/// What an installation makes in its data directory beside its cluster.
const MADE: [&str; 10] = [
    OWNER,
    "local.lock",
    "cluster.making",
    "cluster.socket",
    "cluster.log",
    "cluster.pid",
    CONFIGURATION,
    "daemon.log",
    "daemon.place",
    "client.token",
];

/// An installation, as a data directory names it.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    name: Option<String>,
    runtime: PathBuf,
}

impl Owner {
    fn said(&self) -> String {
        match &self.name {
            Some(name) => format!("instance {name}"),
            None => "the instance without a name".to_owned(),
        }
    }

    /// The runtime directory without the instance's name.
    fn base(&self) -> &Path {
        let parent = self.name.as_ref().and_then(|_| self.runtime.parent());
        parent.unwrap_or(&self.runtime)
    }
}

impl Instance {
    /// Refuses a data directory of another installation, another one than this installation's, and one with files of
    /// somebody else.
    pub(super) fn fits(&self, words: &str, lives_in: Option<&Path>) -> Result<(), Refusal> {
        if let Some(other) = lives_in.filter(|other| !is_same(other, &self.data)) {
            let said =
                format!("{} lives in {}, not in {}", self.this().said(), text(other), text(&self.data));
            return Err(Refusal::new("instance_elsewhere", said, [self.line_of(&self.this(), other, words)]));
        }
        self.is_ours(words)?;
        match self.stranger() {
            Some(stranger) => {
                let said = format!(
                    "the data directory {} is neither empty nor an installation's: {} is in it",
                    text(&self.data),
                    text(&stranger)
                );
                let next = format!("{} --data-dir DIR", self.asks("local up"));
                Err(Refusal::new("data_dir_unsafe", said, [next]))
            }
            None => Ok(()),
        }
    }

    /// Puts on record that they belong together, under the lock.
    pub(crate) fn settle(&self, words: &str) -> Result<(), Refusal> {
        self.is_ours(words)?;
        let this = self.this();
        let lines = format!("{}\n{}\n", this.name.as_deref().unwrap_or(""), text(&this.runtime));
        let file = self.data.join(OWNER);
        files::write(&file, &lines, None)
            .map_err(|error| unsafe_data(format!("{}: {error}", text(&file))))?;
        self.make_runtime()?;
        let file = self.runtime.join(PLACE);
        files::write(&file, &format!("{}\n", text(&self.data)), None)
            .map(drop)
            .map_err(|error| unsafe_data(format!("{}: {error}", text(&file))))
    }

    fn is_ours(&self, words: &str) -> Result<(), Refusal> {
        let this = self.this();
        match owner(&self.data, &this).filter(|owner| *owner != this) {
            Some(owner) => {
                let mut said = format!("{} belongs to {}", text(&self.data), owner.said());
                if owner.name == this.name {
                    said.push_str(&format!(
                        " with the runtime directory {}; this shell's is {}",
                        text(&owner.runtime),
                        text(&this.runtime)
                    ));
                }
                let next = self.line_of(&owner, &self.data, words);
                Err(Refusal::new("data_dir_of_another", said, [next]))
            }
            None => Ok(()),
        }
    }

    fn this(&self) -> Owner {
        Owner { name: self.name.clone(), runtime: self.runtime.clone() }
    }

    /// The same command for another pair.
    fn line_of(&self, owner: &Owner, data: &Path, words: &str) -> String {
        let mut line = String::new();
        if owner.base() != self.this().base() {
            line.push_str(&format!("{DIRECTORY_VARIABLE}={} ", shell_path(owner.base())));
        }
        line.push_str(&format!("striatum {words}"));
        if let Some(name) = &owner.name {
            line.push_str(&format!(" --instance {name}"));
        }
        line.push_str(&format!(" --data-dir {}", shell_path(data)));
        line
    }

    /// Something in the data directory that no installation put there.
    fn stranger(&self) -> Option<PathBuf> {
        if files::exists(&self.data.join(OWNER)) || has_marks(&self.data) {
            return None;
        }
        let is_made = |name: &str| MADE.contains(&name.strip_suffix(".part").unwrap_or(name));
        // The usual one of the installation without a name holds those of the others.
        let is_nested = |name: &str| !self.is_elsewhere && self.name.is_none() && is_instance_name(name);
        files::entries(&self.data).into_iter().find(|entry| {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            !is_made(&name) && !is_nested(&name)
        })
    }
}

/// Where an installation lives, as far as its runtime directory or its running PostgreSQL says.
pub(super) fn lives_in(name: Option<&str>, runtime: &Path) -> Option<PathBuf> {
    let this = Owner { name: name.map(str::to_owned), runtime: runtime.to_owned() };
    // A directory that was taken away or given to another since is not believed, nor one with nothing in it yet.
    let is_its = |data: &PathBuf| {
        files::look_at_folder(data).is_ok()
            && owner(data, &this).is_some_and(|owner| owner == this)
            && (files::exists(&data.join("cluster.data")) || files::exists(&data.join(CONFIGURATION)))
    };
    let noted = files::look_at_folder(runtime).ok().and_then(|()| files::read(&runtime.join(PLACE)).ok()?);
    let noted = noted.map(|line| PathBuf::from(line.trim_end_matches('\n')));
    // The runtime directory may be emptied while PostgreSQL runs.
    let running = || {
        let folders = process::folders_of("postgres").into_iter();
        let clusters = folders.filter(|folder| folder.ends_with("cluster.data"));
        clusters.filter_map(|folder| folder.parent().map(Path::to_owned)).find(is_its)
    };
    noted.filter(is_its).or_else(running)
}

/// Whose a data directory is: as its file says, else, where it was made before there was such a file, as the daemon's
/// last start does.
fn owner(data: &Path, this: &Owner) -> Option<Owner> {
    if let Some(text) = files::read(&data.join(OWNER)).ok().flatten() {
        let (name, runtime) = text.split_once('\n')?;
        let name = Some(name.to_owned()).filter(|name| !name.is_empty());
        return Some(Owner { name, runtime: PathBuf::from(runtime.trim_end_matches('\n')) });
    }
    let place = files::read(&data.join("daemon.place")).ok().flatten()?;
    let runtime = PathBuf::from(place.trim_end_matches('\n'));
    let last = runtime.file_name().and_then(|last| last.to_str()).map(str::to_owned);
    let is_beside = runtime.parent() == Some(this.base());
    let name = last.filter(|last| is_instance_name(last) && (is_beside || this.name.as_ref() == Some(last)));
    Some(Owner { name: if runtime == this.runtime { this.name.clone() } else { name }, runtime })
}

/// Whether the cluster in it was made by this program.
fn has_marks(data: &Path) -> bool {
    let file = files::read(&data.join("cluster.data/postgresql.conf"));
    file.ok().flatten().is_some_and(|text| text.contains(settings::INCLUDE.trim()))
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((files::canonical(one), files::canonical(other)), (Ok(one), Ok(other)) if one == other)
}
