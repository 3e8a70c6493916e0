//! The files of stored skills: a version becomes a folder when it is used, and is compared with its
//! digest each time.

use super::folders::Folders;
use crate::catalog::{FileSource, Skill, Stored};
use crate::store::{
    Pool, Snapshot, StoreError, Version, is_as_stored, note_use, provide, version_digest,
};
use std::io;
use std::sync::Arc;

/// The files of one project.
#[derive(Debug)]
pub(super) struct ProjectFiles {
    pub(super) pool: Arc<Pool>,
    pub(super) folders: Folders,
}

impl ProjectFiles {
    /// The version from the snapshot, if it is a text only, or else from the store.
    fn version(&self, stored: &Stored, name: &str) -> io::Result<Version> {
        // A damaged snapshot has another text.
        let is_whole = |content: &String| version_digest(content, &[]) == stored.version;
        let kept =
            || Snapshot::open(&self.folders.usual).ok()?.text(&stored.version).filter(is_whole);
        if !stored.bundled
            && let Some(content) = kept()
        {
            return Ok(Version {
                digest: stored.version.clone(),
                name: name.to_owned(),
                description: String::new(),
                content,
                files: Vec::new(),
            });
        }
        self.pool.read(|store| store.version(&stored.version)).map_err(|error| {
            let kind = match error {
                StoreError::NoVersion => io::ErrorKind::NotFound,
                StoreError::Altered => io::ErrorKind::InvalidData,
                _ => io::ErrorKind::NotConnected,
            };
            io::Error::new(kind, error)
        })
    }
}

impl FileSource for ProjectFiles {
    fn provide(&self, skill: &Skill, stored: &Stored) -> io::Result<()> {
        let folder = skill.dir();
        self.folders.secure(folder)?;
        note_use(folder);
        if is_as_stored(folder, &stored.version) {
            return Ok(());
        }
        let done = self.version(stored, &skill.name).and_then(|it| provide(folder, &it));
        if done.is_err() && folder.exists() {
            // What is there is not what it should be, and nobody may read it instead.
            std::fs::remove_dir_all(folder)?;
        }
        done
    }
}

/// The person and the machine: `me@here`.
pub(super) fn person() -> String {
    let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable);
    #[cfg(unix)]
    let machine = Some(rustix::system::uname().nodename().to_string_lossy().into_owned());
    #[cfg(not(unix))]
    let machine = variable("COMPUTERNAME");
    let user = user.unwrap_or_else(account);
    machine.filter(|name| !name.is_empty()).map_or(user.clone(), |name| format!("{user}@{name}"))
}

/// The person as the system knows them. Two persons of one machine must not be the same, since each
/// undoes only changes of their own.
#[cfg(unix)]
fn account() -> String {
    account_of(nix::unistd::getuid())
}

#[cfg(unix)]
fn account_of(uid: nix::unistd::Uid) -> String {
    let known = nix::unistd::User::from_uid(uid).ok().flatten();
    known.map(|user| user.name).filter(|name| !name.is_empty()).unwrap_or(format!("uid{uid}"))
}

#[cfg(not(unix))]
fn account() -> String {
    "unknown".to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use nix::unistd::Uid;

    #[test]
    fn who_has_no_variables_is_known_by_the_system_or_by_a_number() {
        assert_eq!(account_of(Uid::from_raw(0)), "root");
        assert_eq!(account_of(Uid::from_raw(3_999_999_998)), "uid3999999998");
    }
}
