//! Makes a skill visible to a host that does not look into its folder, and takes that back.
//!
//! A share is planned with the host's own view, made, and checked in that view again. If the host
//! would not take the skill, or would no longer take another one, the share is refused or undone.
//! Nothing is ever replaced. Only a link or copy that is in our record and unchanged is deleted.

mod back;
mod error;
mod put;

pub use error::ShareError;

use super::clock::now_ms;
use super::copies::REPLACED;
use super::{View, Workspace, one_host};
use crate::catalog::{Root, Scope, Skill};
use crate::files::access::real;
use crate::hosts::{self, Host};
use crate::policy::Identity;
use crate::state::undo;
use crate::text::reason;
use crate::words;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// How a skill is made visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a relative link to its directory.
    Link,
    /// By a copy of its directory.
    Copy,
}

words!(How, Link = "link", Copy = "copy");

#[derive(Clone, Copy, Debug)]
pub struct ShareRequest<'a> {
    pub host: &'a str,
    pub how: How,
    /// The scope of the host's folder; by default the scope of the skill.
    pub scope: Option<Scope>,
}

/// A skill that is, or is to be, visible to a host at a further place.
#[derive(Clone, Debug)]
pub struct Share {
    pub host: &'static Host,
    /// The link or copy; other people's text.
    pub place: PathBuf,
    /// The skill's directory; other people's text.
    pub source: PathBuf,
    /// Relative paths of what is not copied: links that lead out of the skill, and what is neither
    /// a file, a directory nor a link. Other people's text.
    pub left_out: Vec<PathBuf>,
    making: Making,
}

/// What is made at the place of a share.
#[derive(Clone, Debug)]
enum Making {
    /// A link with this text.
    Link { target: PathBuf },
    /// A copy of the skill, or of what was kept of an earlier copy.
    Copy { kept: Option<PathBuf> },
}

impl Share {
    pub fn how(&self) -> How {
        match self.making {
            Making::Link { .. } => How::Link,
            Making::Copy { .. } => How::Copy,
        }
    }

    /// The entry for the journal.
    fn change(&self, back: bool) -> undo::Change {
        let name = self.place.file_name().unwrap_or_default().to_string_lossy();
        let (host, verb) = (self.host, if back { "no longer shared" } else { "shared" });
        let at_ms = now_ms();
        let share = undo::ShareChange {
            place: self.place.clone(),
            source: self.source.clone(),
            host: host.id.word().to_owned(),
            copy: self.how() == How::Copy,
            back,
            kept: (self.how() == How::Copy).then(|| format!("copy-{at_ms}-{}", std::process::id())),
        };
        let label = format!("{name} {verb} with {}", host.name);
        undo::Change { label, at_ms, files: Vec::new(), moves: Vec::new(), share: Some(share) }
    }
}

impl Workspace {
    /// Makes a change with an entry in the journal, which is removed again if the change fails.
    fn journaled<T>(
        &self,
        change: &undo::Change,
        work: impl FnOnce(&Path) -> Result<T, ShareError>,
    ) -> Result<T, ShareError> {
        let state = self.state_dir.as_deref().ok_or(ShareError::NoState)?;
        let journal = undo::Journal::new(state);
        let made = journal.make(change, || work(state)).map_err(ShareError::State)?;
        let (entry, done) = made?;
        self.made.note(&entry);
        Ok(done)
    }

    /// The same place in the view of every host. `share` and `unshare` look for skills in it if no
    /// host is named.
    #[must_use]
    pub fn through_every(&self) -> Self {
        self.through(&hosts::EVERY)
    }

    /// Plans a share for somebody who names only the agent: a link. An example and a skill of a
    /// store are copied, since a link would lead into a folder that may be cleared.
    ///
    /// # Errors
    /// As [`Self::plan_share`].
    pub fn plan_plain_share(&self, skill: &Skill, host: &str) -> Result<Share, ShareError> {
        let is_copied = skill.stored.is_some() || self.is_example(&skill.path);
        let how = if is_copied { How::Copy } else { How::Link };
        self.plan_share(skill, ShareRequest { host, how, scope: None })
    }

    /// Plans how a skill becomes visible to a host.
    ///
    /// # Errors
    /// [`ShareError`] if it would have no effect, or would hide another skill.
    pub fn plan_share(&self, skill: &Skill, request: ShareRequest) -> Result<Share, ShareError> {
        let there = self.there(request.host)?;
        let view = there.view();
        already(&view, skill)?;
        if skill.is_single_file() {
            return Err(ShareError::SingleFile { place: skill.path.clone() });
        }
        if let Some(check) = view.policy.refusal(skill) {
            return Err(ShareError::Refused { host: view.host.name, check });
        }
        if skill.stored.is_some() && request.how == How::Link {
            return Err(ShareError::Stored);
        }
        let own_scope = if skill.scope == Scope::Repo { Scope::Repo } else { Scope::User };
        let scope = request.scope.unwrap_or(own_scope);
        let roots = there.roots();
        let root = roots
            .iter()
            .find(|root| root.scope == scope && root.takes_folders())
            .ok_or(ShareError::NoRoot(view.host.name))?;
        let folder = self.usable(root, request.how, skill, view.host)?;
        let name = skill.dir().file_name().ok_or(ShareError::NoName)?;
        let place = root.path.join(name);
        let future = future_name(&view, skill);
        let alike = |other: &Skill| {
            let name = view.policy.order.rival_key(other).to_string();
            view.policy.order.same(&name, &future)
        };
        let twin = view.rows.entries().find(|entry| entry.offered() && alike(&entry.skill));
        if let Some(twin) = twin {
            return Err(ShareError::Twin { host: view.host.name, path: twin.skill.path.clone() });
        }
        if place.symlink_metadata().is_ok() {
            return Err(ShareError::Exists { place });
        }
        let making = match request.how {
            How::Link => Making::Link { target: relative(&folder, skill.dir()) },
            How::Copy => Making::Copy { kept: None },
        };
        let source = skill.dir().to_owned();
        // What is copied of a store must be on the disk first.
        skill.provide().map_err(|error| ShareError::Unprovided(reason(&error)))?;
        Ok(Share { host: view.host, place, source, left_out: Vec::new(), making })
    }

    /// Makes the share and checks it in the host's view. If the host does not take the skill, the
    /// share is removed again. [`Workspace::undo`] takes it back.
    ///
    /// # Errors
    /// [`ShareError`]; then nothing has changed. What cannot be removed again stays, and
    /// [`Workspace::unshare`] knows it as ours.
    pub fn share(&self, share: Share) -> Result<Share, ShareError> {
        self.journaled(&share.change(false), |_| self.put_there(&share))
    }

    /// Like [`Workspace::share`], but without an entry in the journal.
    fn put_there(&self, share: &Share) -> Result<Share, ShareError> {
        let state = self.state_dir.as_deref().ok_or(ShareError::NoState)?;
        let there = self.there(share.host.id.word())?;
        let before = there.view();
        let made = put::Folders::make(share.place.parent().unwrap_or(&share.place))?;
        let done = put::put(share, state, made.count()).and_then(|(share, record)| {
            let Err(error) = seen(&share, &before, &there.reread().view()) else {
                return Ok(share);
            };
            back::remove_again(state, &record)?;
            Err(error)
        });
        if done.is_err() {
            made.unmake();
        }
        done
    }

    /// This place seen through another host, at its own roots, with nothing that only others find.
    fn there(&self, word: &str) -> Result<Self, ShareError> {
        if word == hosts::ALL {
            return Err(ShareError::Every);
        }
        let host = one_host(word).map_err(ShareError::Unknown)?;
        let there = Self::at(host, &self.context, &self.inputs, Vec::new()).remembering_as(self);
        Ok(Self { unseen: false, ..there })
    }

    /// The real path of a root, if this skill may be put there in this way.
    fn usable(
        &self,
        root: &Root,
        how: How,
        skill: &Skill,
        host: &Host,
    ) -> Result<PathBuf, ShareError> {
        if let Some(why) = root.closed {
            return Err(ShareError::Closed { host: host.name, why });
        }
        if how == How::Link && !root.follows(skill.dir()) {
            return Err(ShareError::NoLinks(host.name));
        }
        let real = real(&root.path);
        if let (Scope::Repo, Some(repo)) = (root.scope, &self.context.repo_root) {
            // The author of a repository must not decide what we write outside it.
            if !real.starts_with(repo) {
                return Err(ShareError::Outside { place: root.path.clone() });
            }
            if how == How::Link && !skill.dir().starts_with(repo) {
                return Err(ShareError::Leaves);
            }
        }
        Ok(real)
    }
}

/// An error if the host finds the skill already, even if it refuses it.
fn already(view: &View, skill: &Skill) -> Result<(), ShareError> {
    let host = view.host.name;
    let Some(entry) = view.rows.at(&skill.path).map(|row| &row.entry) else {
        return Ok(());
    };
    Err(match (entry.refused, &entry.shadowed_by) {
        (Some(check), _) => ShareError::Refused { host, check },
        (None, Some(winner)) => ShareError::Twin { host, path: winner.to_path_buf() },
        (None, None) => ShareError::Already(host),
    })
}

/// The name that the skill would have in the host.
fn future_name(view: &View, skill: &Skill) -> String {
    let directory = || skill.dir().file_name().unwrap_or_default().to_string_lossy().into_owned();
    if view.policy.order.identity == Identity::Directory {
        directory()
    } else {
        skill.name.trim().to_owned()
    }
}

/// The relative path from a directory to a place; both are absolute and free of links.
pub(super) fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared =
        from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// An error if the host does not use the skill at its new place, or if that changes another skill.
fn seen(share: &Share, before: &View, after: &View) -> Result<(), ShareError> {
    let directory = fs::canonicalize(&share.place).unwrap_or_else(|_| share.place.clone());
    let entry = after.rows.entries().find(|entry| entry.skill.dir() == directory);
    match entry {
        Some(entry) if entry.taken() => {}
        _ => return Err(ShareError::NotSeen(share.host.name)),
    }
    for old in before.rows.entries() {
        let new = after.rows.at(&old.skill.path).map(|row| &row.entry);
        let same = new.is_some_and(|new| {
            new.shadowed_by == old.shadowed_by && new.same_name == old.same_name
        });
        if !same {
            return Err(ShareError::Twin { host: share.host.name, path: old.skill.path.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn whoever_comes_second_leaves_the_record_of_the_first() {
        for copy in [false, true] {
            let test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
            let how = if copy { How::Copy } else { How::Link };
            let request = ShareRequest { host: "claude", how, scope: None };
            let view = test.view();
            let skill = view.rows.entries().next().unwrap().skill.clone();
            // Both find the place free before one of them makes the link or copy.
            let plan = || test.workspace.plan_share(&skill, request).unwrap();
            let [first, second] = [plan(), plan()];
            test.workspace.share(first).unwrap();
            let refused = test.workspace.share(second);
            assert!(matches!(refused, Err(ShareError::Exists { .. })), "{refused:?}");
            let ours = test.workspace.plan_unshare("pdf", "claude", None).unwrap();
            test.workspace.unshare(&ours).unwrap();
            assert!(!test.env.top.join("repo/.claude").exists());
        }
    }
}
