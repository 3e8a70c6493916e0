//! A skill judged by its files as they are now. A view is older than the bytes that are handed
//! over, and a rule may be bound to them.

use super::call_context::{By, CallContext};
use super::folder;
use super::judge::{Asker, LoadError, judge};
use super::read::Resource;
use super::session::Session;
use crate::catalog::{Permission, Skill};
use crate::files::digest::Digest;
use crate::files::whole::{self, Held};
use crate::policy::{Entry, Policy, Ruling, Tool};
use crate::sandbox::PrepareError;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// What a person says yes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The digest of what is handed over.
    pub handed: Digest,
    /// The digest of all files of the skill, to which a rule can be bound; `None` if they cannot be
    /// read.
    pub files: Option<Digest>,
}

impl CallContext<'_> {
    /// What our runtime lets the model do with the skill if its files have this digest, which is
    /// computed only where it matters.
    pub fn handed(
        &self,
        entry: &Entry,
        files: impl FnOnce() -> Option<Digest>,
    ) -> Ruling<Permission> {
        self.ruling_by(entry, files).into_owned()
    }

    /// Like [`judge`], by files with this digest.
    pub(super) fn judge_files(
        &self,
        entry: &Entry,
        asker: Asker,
        files: impl FnOnce() -> Option<Digest>,
    ) -> Result<(), LoadError> {
        match self.ruling_by(entry, files) {
            Cow::Borrowed(_) => judge(entry, asker),
            Cow::Owned(now) => judge(&Entry { handed: Arc::new(now), ..entry.clone() }, asker),
        }
    }

    /// The view's ruling, unless it is that of a rule that is bound to the skill's files.
    fn ruling_by<'a>(
        &self,
        entry: &'a Entry,
        files: impl FnOnce() -> Option<Digest>,
    ) -> Cow<'a, Ruling<Permission>> {
        let Some(policy) = self.bound_policy(entry) else { return Cow::Borrowed(&entry.handed) };
        let digest = files().map(|digest| digest.to_string());
        let now = policy.with_files(&entry.skill.path, digest);
        Cow::Owned(now.permission(Tool::SkillLoad, &entry.skill, None))
    }

    /// The policy whose rule about this very skill and its files has decided.
    fn bound_policy(&self, entry: &Entry) -> Option<&Policy> {
        let policies = self.view.host_contexts.iter().map(|host| &*host.policy);
        let ours = policies.clone().filter_map(|policy| policy.own.as_deref());
        let (origin, path) = (&entry.handed.origin, &entry.skill.path);
        policies.chain(ours).find(|policy| policy.is_by_files(origin, path))
    }

    /// Whether handing the skill over depends on its bytes: a person is asked about them, or a rule
    /// is bound to them.
    pub(super) fn is_by_bytes(&self, entry: &Entry, by: By) -> bool {
        by == By::Model
            && (entry.handed.value == Permission::Ask || self.bound_policy(entry).is_some())
    }

    /// The policy of the view, with the digest of this skill's files as they are now if a rule is
    /// bound to them.
    pub(super) fn policy_now(&self, skill: &Skill) -> Cow<'_, Policy> {
        let policy = &*self.view.policy;
        if !policy.bound_to_files().any(|path| path == skill.path) {
            return Cow::Borrowed(policy);
        }
        let digest = self.files(skill, None).map(|digest| digest.to_string());
        Cow::Owned(policy.with_files(&skill.path, digest))
    }

    /// The digest of all files of a skill, to which a rule about loading is bound.
    ///
    /// # Errors
    /// [`PrepareError`].
    pub fn files_digest(&self, skill: &Skill) -> Result<Digest, PrepareError> {
        Ok(whole::digest(&folder::open(skill)?, &|_| true, None)?)
    }

    /// The digest of all files of a skill, in a state in which one of them is what was read;
    /// `None` if there is no such state, or they cannot be read.
    pub fn files(&self, skill: &Skill, read: Option<Part<'_>>) -> Option<Digest> {
        let real = read.map(|part| std::fs::canonicalize(skill.place_of(part.path)));
        let real = real.transpose().ok()?;
        let held = match (&real, read) {
            (Some(real), Some(Part { bytes, total, .. })) => {
                Some(Held { path: real.strip_prefix(skill.place_of("")).ok()?, bytes, total })
            }
            _ => None,
        };
        whole::digest(&folder::open(skill).ok()?, &|_| true, held).ok()
    }

    /// Whether a person has consented in this conversation to the skill with its files as they are.
    pub fn consents(&self, session: Option<&Session>, skill: &Skill) -> bool {
        session.is_some_and(|session| session.consents(skill, || self.files(skill, None)))
    }
}

/// What was read of a file of a skill.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Relative to the skill.
    pub path: &'a Path,
    /// Its first bytes.
    pub bytes: &'a [u8],
    /// The length of the whole file.
    pub total: u64,
}

impl<'a> Part<'a> {
    pub(super) fn of(path: &'a Path, resource: &'a Resource) -> Self {
        Self { path, bytes: resource.body.bytes(), total: resource.total }
    }
}
