//! What was shared, taken back.

use super::{How, Share, ShareError, Workspace};
use crate::catalog::{Root, Scope, Skill};
use crate::files::mirror;
use crate::hosts::Host;
use crate::state::shares;
use crate::workspace::resolve_any;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Works out what to take away so that a host no longer has a skill by our doing: a link in one of its folders that
    /// leads to the skill, or a copy that was made by us and is as it was made.
    ///
    /// `name` is the skill's name, or its directory's, or a path of the skill, the link or the copy.
    ///
    /// # Errors
    /// [`ShareError`].
    pub fn plan_unshare(&self, name: &str, host: &str, scope: Option<Scope>) -> Result<Share, ShareError> {
        let there = self.there(host)?;
        let roots: Vec<Root> = there
            .host
            .roots(&there.lenses[0].reading, &[])
            .into_iter()
            .filter(|root| scope.is_none_or(|s| s == root.scope))
            .collect();
        let view = there.view();
        let skill = resolve_any(&view, (name, None), &there.context.cwd)
            .ok()
            .map(|index| Arc::clone(&view.entries[index].skill));
        let skill = skill.as_deref();
        let mut found = self.recorded((name, skill), there.host, &roots);
        for share in skill.into_iter().flat_map(|skill| linked(skill, there.host, &roots)) {
            if found.iter().all(|known| known.place != share.place) {
                found.push(share);
            }
        }
        match found.len() {
            0 => Err(ShareError::Nothing(there.host.name)),
            1 => {
                let share = found.remove(0);
                self.as_made(&share).map(|()| share)
            }
            _ => {
                let places = found.into_iter().map(|share| share.place).collect();
                Err(ShareError::Several { host: there.host.name, places })
            }
        }
    }

    /// Takes it away.
    ///
    /// # Errors
    /// [`ShareError`]; then it is still there.
    pub fn unshare(&self, share: &Share) -> Result<(), ShareError> {
        self.as_made(share)?;
        let failed = |error: std::io::Error| ShareError::Io { place: share.place.clone(), kind: error.kind() };
        match share.how {
            How::Link => remove_link(&share.place).map_err(failed)?,
            How::Copy => self.remove_copy(share)?,
        }
        if let Some(state) = self.state_dir.as_deref() {
            shares::forget(state, &share.place).map_err(ShareError::State)?;
        }
        Ok(())
    }

    /// What the record says was shared with this host under this name, and is still there.
    fn recorded(&self, (name, skill): (&str, Option<&Skill>), host: &'static Host, roots: &[Root]) -> Vec<Share> {
        let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
        let named = Path::new(name.trim());
        let path = fs::canonicalize(self.context.cwd.join(named)).ok();
        let is_it = |record: &shares::Share| {
            skill.is_some_and(|skill| fs::canonicalize(&record.place).is_ok_and(|real| real == skill.dir()))
        };
        let meant = |record: &shares::Share| {
            let by_name = record.place.file_name() == Some(named.as_os_str());
            let by_path = self.context.cwd.join(named) == record.place;
            let by_source =
                path.as_ref().is_some_and(|path| *path == record.source || path.parent() == Some(&record.source));
            let lies_there = record.place.parent().is_some_and(|folder| roots.iter().any(|root| root.path == folder));
            lies_there && (by_name || by_path || by_source || is_it(record)) && record.place.symlink_metadata().is_ok()
        };
        let ours = records.into_iter().filter(|record| record.host == host.id.word() && meant(record));
        ours.map(|record| Share {
            host,
            how: if record.digest.is_some() { How::Copy } else { How::Link },
            place: record.place,
            source: record.source,
            left_out: Vec::new(),
            target: PathBuf::new(),
        })
        .collect()
    }

    /// An error where what stands there is not what was made.
    fn as_made(&self, share: &Share) -> Result<(), ShareError> {
        let changed = || ShareError::Changed { place: share.place.clone() };
        let is_link = share.place.symlink_metadata().is_ok_and(|data| data.is_symlink());
        match share.how {
            // A link whose skill is gone leads nowhere; one that leads elsewhere is another's.
            How::Link if is_link && fs::canonicalize(&share.place).map_or(true, |real| real == share.source) => Ok(()),
            How::Copy if !is_link && self.digest_of(share).is_some_and(|made| digest(&share.place) == Some(made)) => {
                Ok(())
            }
            How::Link | How::Copy => Err(changed()),
        }
    }

    fn digest_of(&self, share: &Share) -> Option<String> {
        let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
        records.into_iter().find(|record| record.place == share.place)?.digest
    }

    /// Takes a copy out of the host's sight first, and deletes it if it is still what was made then.
    fn remove_copy(&self, share: &Share) -> Result<(), ShareError> {
        let failed = |error: std::io::Error| ShareError::Io { place: share.place.clone(), kind: error.kind() };
        let folder = share.place.parent().unwrap_or(&share.place);
        let aside = tempfile::Builder::new().prefix(".skillpick-").tempdir_in(folder).map_err(failed)?;
        let moved = aside.path().join("skill");
        fs::rename(&share.place, &moved).map_err(failed)?;
        if digest(&moved) != self.digest_of(share) {
            // Somebody wrote into it meanwhile: theirs is not lost, wherever it can be put.
            if fs::rename(&moved, &share.place).is_err() {
                let _ = aside.keep();
            }
            return Err(ShareError::Changed { place: share.place.clone() });
        }
        aside.close().map_err(failed)
    }
}

/// Links in these folders of the host that lead to the skill.
fn linked(skill: &Skill, host: &'static Host, roots: &[Root]) -> Vec<Share> {
    let is_ours = |place: &&PathBuf| {
        let in_root = place.parent().is_some_and(|folder| roots.iter().any(|root| root.path == folder));
        in_root && place.symlink_metadata().is_ok_and(|data| data.is_symlink())
    };
    let places = skill.locations.iter().filter(is_ours);
    let share = |place: &PathBuf| Share {
        host,
        place: place.clone(),
        source: skill.dir().to_owned(),
        how: How::Link,
        left_out: Vec::new(),
        target: PathBuf::new(),
    };
    places.map(share).collect()
}

/// Takes away what [`Workspace::share`] has just made and the host does not take.
pub(super) fn remove_ours(share: &Share) {
    match share.how {
        How::Link => drop(remove_link(&share.place)),
        How::Copy => drop(fs::remove_dir_all(&share.place)),
    }
}

#[cfg(not(windows))]
fn remove_link(place: &Path) -> std::io::Result<()> {
    fs::remove_file(place)
}

#[cfg(windows)]
fn remove_link(place: &Path) -> std::io::Result<()> {
    fs::remove_dir(place)
}

fn digest(of: &Path) -> Option<String> {
    mirror::digest(of).ok().map(|digest| digest.to_string())
}
