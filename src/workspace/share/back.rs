//! Takes back what was shared.
//!
//! Only the record tells what we made. A link or copy that is not in the record was made by a
//! person, and stays. One that differs from the record was changed by a person, and stays too.

use super::{How, Making, REPLACED, Share, ShareError, ShareRequest, Workspace, put};
use crate::catalog::{Root, Scope, Skill};
use crate::files::mirror;
use crate::files::removal::{NotRemoved, remove_if};
use crate::hosts::Host;
use crate::policy::Entry;
use crate::state::shares::{self, Made};
use crate::state::undo::{ShareChange, Why};
use crate::workspace::resolve_any;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Finds the link or copy that we made in one of a host's folders to share a skill with it.
    ///
    /// `name` is the skill's name, or its directory's, or a path of the skill, the link or the
    /// copy.
    ///
    /// # Errors
    /// [`ShareError`]; [`ShareError::ByHand`] if there is a link that a person made.
    pub fn plan_unshare(
        &self,
        name: &str,
        host: &str,
        scope: Option<Scope>,
    ) -> Result<Share, ShareError> {
        let there = self.there(host)?;
        let roots: Vec<Root> = there
            .host
            .roots(&there.host_contexts[0].reading, &[])
            .into_iter()
            .filter(|root| scope.is_none_or(|s| s == root.scope))
            .collect();
        let view = there.view();
        let skill = resolve_any(&view, name, None, &there.context.cwd)
            .ok()
            .map(|index| Arc::clone(&view.rows[index].entry.skill));
        let skill = skill.as_deref();
        let recorded = self.recorded(name, skill, &roots);
        let (mut own, others): (Vec<_>, Vec<_>) =
            recorded.into_iter().partition(|record| record.host == there.host.id.word());
        match (own.pop(), others.first()) {
            (Some(record), _) if own.is_empty() => {
                if !is_as_made(&record.place, &record.made) {
                    return Err(changed(&record));
                }
                Ok(share_of(record, there.host))
            }
            (Some(record), _) => {
                let places = own.into_iter().chain([record]).map(|record| record.place).collect();
                Err(ShareError::Several { host: there.host.name, places })
            }
            (None, Some(record)) => Err(ShareError::ForAnother {
                host: there.host.name,
                other: record.host.clone(),
                place: record.place.clone(),
            }),
            (None, None) => Err(match skill.and_then(|skill| link_to(skill, &roots)) {
                Some(place) => ShareError::ByHand { place },
                None => ShareError::Nothing(there.host.name),
            }),
        }
    }

    /// Removes the link or copy, and the folders that were created for it if they are empty then.
    /// [`Workspace::undo`] puts them back.
    ///
    /// # Errors
    /// [`ShareError`]; then it is still there.
    pub fn unshare(&self, share: &Share) -> Result<(), ShareError> {
        let change = share.change(true);
        let take =
            |state: &Path| change.share.as_ref().map_or(Ok(()), |change| take_away(state, change));
        self.journaled(&change, take)
    }

    /// Another place at which the host finds the skill of a share that is, or is to be, taken back.
    pub fn still_seen(&self, share: &Share) -> Option<PathBuf> {
        let view = self.there(share.host.id.word()).ok()?.view();
        let source = fs::canonicalize(&share.source).ok()?;
        let is_it = |entry: &&Entry| entry.is_seen() && entry.skill.dir() == source;
        let skill = &view.rows.entries().find(is_it)?.skill;
        skill.locations().find(|place| **place != share.place).map(Path::to_owned)
    }

    /// Takes back what was shared, or shares again what was taken back; `false` if that is the case
    /// already.
    pub(in crate::workspace) fn undo_share(&self, change: &ShareChange) -> Result<bool, Why> {
        let undone = if change.back { self.share_again(change) } else { self.take_back(change) };
        undone.map_err(|error| Why::Share {
            path: change.place.clone(),
            why: error.to_string(),
            failed: error.is_of_system(),
        })
    }

    fn take_back(&self, change: &ShareChange) -> Result<bool, ShareError> {
        if change.place.symlink_metadata().is_err() {
            return Ok(false);
        }
        let state = self.state_dir.as_deref().ok_or(ShareError::NoState)?;
        take_away(state, change).map(|()| true)
    }

    /// Does it as any share is done, since something else may be at its place by now: from here, or
    /// else from where the skill or the link was.
    fn share_again(&self, change: &ShareChange) -> Result<bool, ShareError> {
        if change.place.symlink_metadata().is_ok() {
            let record =
                self.state_dir.as_deref().and_then(|state| record_of(state, &change.place));
            let was_never_gone = |record: shares::Share| {
                record.source == change.source && is_as_made(&record.place, &record.made)
            };
            if record.is_some_and(was_never_gone) {
                return Ok(false);
            }
            return Err(ShareError::Exists { place: change.place.clone() });
        }
        let Err(here) = self.share_again_from_here(change) else { return Ok(true) };
        if !matches!(here, ShareError::SkillElsewhere | ShareError::FolderElsewhere(_)) {
            return Err(here);
        }
        let near = |path: &Path| {
            let folder = path.ancestors().find(|above| above.is_dir())?;
            self.elsewhere(folder).ok()?.share_again_from_here(change).ok()
        };
        near(&change.source).or_else(|| near(&change.place)).map(|()| true).ok_or(here)
    }

    fn share_again_from_here(&self, change: &ShareChange) -> Result<(), ShareError> {
        let there = self.there(&change.host)?;
        let roots = there.roots();
        let root = roots.iter().find(|root| Some(&*root.path) == change.place.parent());
        let root = root.ok_or(ShareError::FolderElsewhere(there.host.name))?;
        let kept = self.state_dir.as_deref().and_then(|state| kept_of(state, change));
        if let Some(kept) = kept.filter(|kept| kept.is_dir()) {
            let share = Share {
                host: there.host,
                place: change.place.clone(),
                source: change.source.clone(),
                left_out: Vec::new(),
                making: Making::Copy { kept: Some(kept.clone()) },
            };
            self.put_there(&share)?;
            // It is at its place again. Twice does no harm.
            let _ = fs::remove_dir_all(kept);
            return Ok(());
        }
        let view = self.through_every().view();
        let entry = view.rows.entries().find(|entry| entry.skill.dir() == change.source);
        let entry = entry.ok_or(ShareError::SkillElsewhere)?;
        let how = if change.copy { How::Copy } else { How::Link };
        let request = ShareRequest { host: &change.host, how, scope: Some(root.scope) };
        let share = self.plan_share(&entry.skill, request)?;
        if share.place != change.place {
            return Err(ShareError::FolderElsewhere(there.host.name));
        }
        self.put_there(&share).map(drop)
    }

    /// The recorded shares in these folders that the name means, if something is still there.
    fn recorded(&self, name: &str, skill: Option<&Skill>, roots: &[Root]) -> Vec<shares::Share> {
        let records = self.state_dir.as_deref().map(shares::load).unwrap_or_default();
        let named = Path::new(name.trim());
        let path = fs::canonicalize(self.context.cwd.join(named)).ok();
        let leads_to_it = |record: &shares::Share| {
            skill.is_some_and(|skill| {
                fs::canonicalize(&record.place).is_ok_and(|real| real == skill.dir())
            })
        };
        let is_meant = |record: &shares::Share| {
            let by_name = record.place.file_name() == Some(named.as_os_str());
            let by_path = self.context.cwd.join(named) == record.place;
            let by_source = path.as_ref().is_some_and(|path| {
                *path == record.source || path.parent() == Some(&record.source)
            });
            is_in(&record.place, roots)
                && (by_name || by_path || by_source || leads_to_it(record))
                && record.place.symlink_metadata().is_ok()
        };
        records.into_iter().filter(is_meant).collect()
    }
}

/// Removes what was made at a place for this skill, and the folders that were created for it if
/// they are empty then. A copy is kept before.
fn take_away(state: &Path, change: &ShareChange) -> Result<(), ShareError> {
    let place = &change.place;
    let record = record_of(state, place);
    let record = record.ok_or_else(|| ShareError::ByHand { place: place.clone() })?;
    if record.source != change.source || !is_as_made(place, &record.made) {
        return Err(changed(&record));
    }
    if let (Made::Copy(digest), Some(kept)) = (&record.made, kept_of(state, change)) {
        put::keep(&record, digest, &kept)?;
    }
    remove_made(&record)?;
    // From the nearest up. A folder that is not empty cannot be removed, nor can those above it.
    let _ = record.made_folders().try_for_each(fs::remove_dir);
    // If this fails, the record names something that is not there, which does no harm.
    let _ = shares::forget(state, place);
    Ok(())
}

/// Where the copy of a share is kept once it is taken away.
fn kept_of(state: &Path, change: &ShareChange) -> Option<PathBuf> {
    let name = change.kept.as_deref()?;
    (Path::new(name).file_name() == Some(name.as_ref())).then(|| state.join(REPLACED).join(name))
}

/// Removes what was just made, and its record. What cannot be removed keeps its record.
pub(super) fn remove_again(state: &Path, record: &shares::Share) -> Result<(), ShareError> {
    remove_made(record)?;
    let _ = shares::forget(state, &record.place);
    Ok(())
}

/// Removes what was made, if it is still as it was made.
fn remove_made(record: &shares::Share) -> Result<(), ShareError> {
    let place = record.place.clone();
    remove_if(&record.place, |at| is_as_made(at, &record.made)).map_err(|error| match error {
        NotRemoved::NotOurs => changed(record),
        NotRemoved::Kept(kept) => ShareError::Kept { place: kept },
        NotRemoved::Io(kind) => ShareError::Io { place, kind },
    })
}

fn is_as_made(place: &Path, made: &Made) -> bool {
    match made {
        Made::Link(target) => fs::read_link(place).is_ok_and(|said| said == *target),
        Made::Copy(digest) => {
            place.symlink_metadata().is_ok_and(|data| data.is_dir())
                && mirror::digest(place).is_ok_and(|found| found.to_string() == *digest)
        }
    }
}

fn record_of(state: &Path, place: &Path) -> Option<shares::Share> {
    shares::load(state).into_iter().find(|record| record.place == place)
}

fn changed(record: &shares::Share) -> ShareError {
    ShareError::Changed { place: record.place.clone(), how: how_of(&record.made) }
}

fn how_of(made: &Made) -> How {
    match made {
        Made::Link(_) => How::Link,
        Made::Copy(_) => How::Copy,
    }
}

fn share_of(record: shares::Share, host: &'static Host) -> Share {
    let making = match record.made {
        Made::Link(target) => Making::Link { target },
        Made::Copy(_) => Making::Copy { kept: None },
    };
    Share { host, place: record.place, source: record.source, left_out: Vec::new(), making }
}

/// A link in these folders that leads to the skill.
fn link_to(skill: &Skill, roots: &[Root]) -> Option<PathBuf> {
    let is_link = |place: &&Path| is_in(place, roots) && place.is_symlink();
    skill.locations().find(is_link).map(Path::to_owned)
}

fn is_in(place: &Path, roots: &[Root]) -> bool {
    place.parent().is_some_and(|folder| roots.iter().any(|root| root.path == folder))
}
