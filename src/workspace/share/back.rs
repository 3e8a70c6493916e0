//! What was shared, taken back.

use super::{How, Share, ShareError, ShareWish, Workspace, journaled};
use crate::catalog::{Root, Scope, Skill};
use crate::files::mirror;
use crate::hosts::{self, Host};
use crate::state::{shares, undo};
use crate::workspace::resolve_any;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Works out what to take away so that a host no longer has a skill by our doing: a link in one
    /// of its folders that leads to the skill, or a copy that was made by us and is as it was made.
    ///
    /// `name` is the skill's name, or its directory's, or a path of the skill, the link or the
    /// copy.
    ///
    /// # Errors
    /// [`ShareError`].
    pub fn plan_unshare(
        &self,
        name: &str,
        host: &str,
        scope: Option<Scope>,
    ) -> Result<Share, ShareError> {
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
            .map(|index| Arc::clone(&view.rows[index].entry.skill));
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

    /// Takes it away, with the folders that were made for it and are empty then.
    /// [`Workspace::undo`] puts it back.
    ///
    /// # Errors
    /// [`ShareError`]; then it is still there.
    pub fn unshare(&self, share: &Share) -> Result<(), ShareError> {
        match self.state_dir.as_deref() {
            Some(state) => journaled(state, share.change(true), || self.take_away(share)),
            None => self.take_away(share),
        }
    }

    /// The same without a way back.
    fn take_away(&self, share: &Share) -> Result<(), ShareError> {
        self.as_made(share)?;
        let failed = |error: std::io::Error| ShareError::Io {
            place: share.place.clone(),
            kind: error.kind(),
        };
        match share.how {
            How::Link => remove_link(&share.place).map_err(failed)?,
            How::Copy => self.remove_copy(share)?,
        }
        if let Some(state) = self.state_dir.as_deref() {
            // The nearest first; one that is not empty keeps those above it.
            let record = self.record_of(&share.place);
            let _ = record.iter().flat_map(shares::Share::folders).try_for_each(fs::remove_dir);
            shares::forget(state, &share.place).map_err(ShareError::State)?;
        }
        Ok(())
    }

    /// Takes back what was shared, or shares again what was taken back; `false` where it is so
    /// already.
    pub(in crate::workspace) fn undo_share(
        &self,
        change: &undo::ShareChange,
    ) -> Result<bool, undo::UndoError> {
        let is_there = change.place.symlink_metadata().is_ok();
        if is_there == change.back {
            return Ok(false);
        }
        let undone = if change.back { self.share_again(change) } else { self.take_back(change) };
        let failed = |error: ShareError| undo::UndoError::Share {
            path: change.place.clone(),
            why: error.to_string(),
        };
        undone.map(|()| true).map_err(failed)
    }

    fn take_back(&self, change: &undo::ShareChange) -> Result<(), ShareError> {
        let undo::ShareChange { place, source, host, copy, .. } = change;
        let host = hosts::by_word(host).map_err(ShareError::Unknown)?;
        let how = if *copy { How::Copy } else { How::Link };
        let (place, source) = (place.clone(), source.clone());
        self.take_away(&Share {
            host,
            place,
            source,
            how,
            left_out: Vec::new(),
            target: PathBuf::new(),
        })
    }

    /// Planned and looked at as any share: what has come in the way meanwhile is not run over.
    fn share_again(&self, change: &undo::ShareChange) -> Result<(), ShareError> {
        let there = self.there(&change.host)?;
        let host = there.host;
        let scope = there
            .roots()
            .iter()
            .find(|root| Some(&*root.path) == change.place.parent())
            .map(|root| root.scope);
        let view = self.through_every().view();
        let entry = view.rows.entries().find(|entry| entry.skill.dir() == change.source);
        let (Some(entry), Some(scope)) = (entry, scope) else {
            return Err(ShareError::Nothing(host.name));
        };
        let how = if change.copy { How::Copy } else { How::Link };
        let wish = ShareWish { host: &change.host, how, scope: Some(scope) };
        let share = self.plan_share(&entry.skill, wish)?;
        self.put_there(&share).map(drop)
    }

    /// What the record says was shared with this host under this name, and is still there.
    fn recorded(
        &self,
        (name, skill): (&str, Option<&Skill>),
        host: &'static Host,
        roots: &[Root],
    ) -> Vec<Share> {
        let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
        let named = Path::new(name.trim());
        let path = fs::canonicalize(self.context.cwd.join(named)).ok();
        let is_it = |record: &shares::Share| {
            skill.is_some_and(|skill| {
                fs::canonicalize(&record.place).is_ok_and(|real| real == skill.dir())
            })
        };
        let meant = |record: &shares::Share| {
            let by_name = record.place.file_name() == Some(named.as_os_str());
            let by_path = self.context.cwd.join(named) == record.place;
            let by_source = path.as_ref().is_some_and(|path| {
                *path == record.source || path.parent() == Some(&record.source)
            });
            let lies_there = record
                .place
                .parent()
                .is_some_and(|folder| roots.iter().any(|root| root.path == folder));
            lies_there
                && (by_name || by_path || by_source || is_it(record))
                && record.place.symlink_metadata().is_ok()
        };
        let ours =
            records.into_iter().filter(|record| record.host == host.id.word() && meant(record));
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
            How::Link
                if is_link
                    && fs::canonicalize(&share.place).map_or(true, |real| real == share.source) =>
            {
                Ok(())
            }
            How::Copy
                if !is_link
                    && self
                        .digest_of(share)
                        .is_some_and(|made| digest(&share.place) == Some(made)) =>
            {
                Ok(())
            }
            How::Link | How::Copy => Err(changed()),
        }
    }

    fn digest_of(&self, share: &Share) -> Option<String> {
        self.record_of(&share.place)?.digest
    }

    fn record_of(&self, place: &Path) -> Option<shares::Share> {
        let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
        records.into_iter().find(|record| record.place == place)
    }

    /// Takes a copy out of the host's sight first, and deletes it if it is still what was made
    /// then.
    fn remove_copy(&self, share: &Share) -> Result<(), ShareError> {
        let failed = |error: std::io::Error| ShareError::Io {
            place: share.place.clone(),
            kind: error.kind(),
        };
        let folder = share.place.parent().unwrap_or(&share.place);
        let aside =
            tempfile::Builder::new().prefix(".skillpick-").tempdir_in(folder).map_err(failed)?;
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
        let in_root =
            place.parent().is_some_and(|folder| roots.iter().any(|root| root.path == folder));
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
