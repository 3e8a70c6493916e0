//! Into which settings file a change goes: a person's own, unless another one is chosen; and the
//! edits of it, made in memory.

use super::draft::{Draft, refused};
use super::{ChangeError, PlannedFile, goal};
use crate::files::git::InGit;
use crate::files::write::final_target;
use crate::hosts::{Candidate, FileEdit, Host, SettingsPath};
use crate::policy::change::{FileChange, FileKind, Refusal};
use crate::policy::{Layer, Policy};
use crate::settings::{self, Edit, Format, store};
use std::path::{Path, PathBuf};

/// Whether a policy has the wanted result; otherwise the obstacle.
pub(super) type Reached<'a> = dyn Fn(&Policy) -> Result<(), Refusal> + 'a;

/// What a host's planner offers for the chosen file.
pub(super) struct Offer {
    candidates: Vec<Candidate>,
    /// Why candidates were left out: their file must be chosen.
    unchosen: Option<Refusal>,
}

impl Offer {
    pub(super) fn of(candidates: Vec<Candidate>) -> Self {
        Self { candidates, unchosen: None }
    }

    /// The first candidate that changes something; `None` if a person must choose the file.
    pub(super) fn best(self) -> Option<Candidate> {
        let changes = |candidate: &Candidate| candidate.iter().any(|file| !file.edits.is_empty());
        let mut candidates = self.candidates.into_iter();
        if self.unchosen.is_some() { None } else { candidates.find(changes) }
    }
}

/// What became of a candidate that was tried.
pub(super) enum Attempt {
    /// It makes the request true.
    Made,
    /// Something stands against the request. The candidate was taken back.
    Blocked(Refusal),
    /// It would leave a file that cannot be read. The candidate was taken back.
    Unreadable,
}

impl Draft<'_> {
    /// The candidates for the file of the named layer. If no layer was named: for the first layer
    /// whose file the host reads and no repository commits.
    pub(super) fn offer(
        &self,
        host: &'static Host,
        plan: impl Fn(Layer) -> Result<Vec<Candidate>, Refusal>,
    ) -> Result<Offer, ChangeError> {
        let layers = host.control.layers;
        let refuse = |refusal| refused(host, refusal);
        match self.place {
            // A project's file that git ignores is a person's own as well.
            Some(Layer::Local) if !layers.contains(&Layer::Local) => {
                let is_there = layers.contains(&Layer::Project);
                let planned = is_there.then(|| plan(Layer::Project));
                let planned = planned.unwrap_or(Err(Refusal::NoPlace(Layer::Local)));
                let why = |file| Refusal::NotIgnored { file };
                return planned.map(|all| self.up_to(all, FileKind::Ignored, why)).map_err(refuse);
            }
            Some(layer) => return plan(layer).map(Offer::of).map_err(refuse),
            None => {}
        }
        let mut unchosen: Option<Offer> = None;
        let mut ignored = None;
        for layer in layers {
            let why = |file| Refusal::Committed { layer: *layer, file };
            match plan(*layer).map(|all| self.up_to(all, FileKind::Local, why)) {
                Ok(offer) if offer.unchosen.is_none() => return Ok(offer),
                Ok(offer) => drop(unchosen.get_or_insert(offer)),
                Err(refusal @ Refusal::Ignored { .. }) => drop(ignored.get_or_insert(refusal)),
                Err(refusal) => return Err(refuse(refusal)),
            }
        }
        unchosen.ok_or_else(|| refuse(ignored.unwrap_or(Refusal::NoPlace(host.own_layer()))))
    }

    /// The candidates that change no file of a later kind, and `why` such a file is left out.
    fn up_to(
        &self,
        mut candidates: Vec<Candidate>,
        last: FileKind,
        why: impl Fn(PathBuf) -> Refusal,
    ) -> Offer {
        let mut unchosen = None;
        candidates.retain(|candidate| {
            let edits = candidate.iter().filter(|edit| !edit.edits.is_empty());
            let later = edits.map(|edit| &edit.location).find(|file| self.kind_of(file) > last);
            unchosen = unchosen.take().or_else(|| later.map(|file| why(file.path.clone())));
            later.is_none()
        });
        Offer { candidates, unchosen }
    }

    /// Whose a settings file is. What git has is committed, wherever it is and whatever a rule
    /// says.
    fn kind_of(&self, file: &SettingsPath) -> FileKind {
        if let Some(known) = self.kinds.borrow().get(&file.path) {
            return *known;
        }
        // A link is written where it leads.
        let real = final_target(&file.path).map_or_else(|_| file.path.clone(), |real| real.path);
        let in_git = |path: &Path| self.workspace.in_git(path);
        let kind = match (file.layer, in_git(&file.path), in_git(&real)) {
            (_, InGit::Tracked, _) | (_, _, InGit::Tracked) => FileKind::Project,
            (Layer::User | Layer::Managed, ..) => FileKind::User,
            (_, InGit::Ignored, InGit::Ignored) => FileKind::Ignored,
            (Layer::Local, ..) => FileKind::Local,
            (Layer::Project, ..) => FileKind::Project,
        };
        self.kinds.borrow_mut().insert(file.path.clone(), kind);
        kind
    }

    /// Takes the first candidate that makes the request true, or returns the obstacle: what decides
    /// now, unless that is in a file that they change.
    pub(super) fn take_first(
        &mut self,
        host: usize,
        offer: Offer,
        reached: &Reached,
    ) -> Result<(), ChangeError> {
        let row = self.after[host].host;
        let mut refusal = Refusal::NoEdit;
        let places = offer.candidates.iter().flatten().map(|edit| edit.location.clone());
        let places: Vec<SettingsPath> = places.collect();
        let mut is_certain = false;
        for candidate in offer.candidates {
            let is_now = candidate.is_empty();
            match self.attempt(host, candidate, &places, reached)? {
                Attempt::Made => return Ok(()),
                Attempt::Blocked(_) if is_certain => {}
                Attempt::Blocked(why) => {
                    is_certain = is_now && !is_by(&why, &places);
                    refusal = why;
                }
                Attempt::Unreadable => {}
            }
        }
        Err(refused(row, offer.unchosen.unwrap_or(refusal)))
    }

    /// Makes a candidate's edits, and takes them back if they do not make the request true.
    pub(super) fn attempt(
        &mut self,
        host: usize,
        candidate: Candidate,
        places: &[SettingsPath],
        reached: &Reached,
    ) -> Result<Attempt, ChangeError> {
        let now = self.after[host].clone();
        let (inputs, files) = (self.inputs.clone(), self.files.clone());
        let edited = candidate.into_iter().try_for_each(|edit| self.edit(now.host, edit));
        let then = now.again(&self.inputs);
        let is_read = then.policy.alarms.len() <= now.policy.alarms.len();
        let judged = not_stopped(&then.policy, places).and_then(|()| reached(&then.policy));
        match (edited, judged) {
            (Ok(()), Ok(())) if is_read => {
                self.after[host] = then;
                Ok(Attempt::Made)
            }
            (edited, judged) => {
                let why = judged.err().filter(|_| is_read);
                let why = why.map(|why| goal::as_on_disk(why, &self.files));
                (self.inputs, self.files) = (inputs, files);
                edited.map(|()| why.map_or(Attempt::Unreadable, Attempt::Blocked))
            }
        }
    }

    /// Edits one file in memory.
    fn edit(&mut self, host: &'static Host, edit: FileEdit) -> Result<(), ChangeError> {
        let kind = self.kind_of(&edit.location);
        let FileEdit { location, edits } = edit;
        // Nothing is expanded in the policies of Gemini CLI, which are TOML.
        let is_expanded =
            |text: &&str| location.format != Format::Toml && (host.control.expands)(text);
        if let Some(text) = edits.iter().flat_map(Edit::texts).find(is_expanded) {
            return Err(refused(host, Refusal::Expanded(text.to_owned())));
        }
        let path = location.path.clone();
        let known = self.files.iter().position(|file| file.change.path == path);
        let (old, read_only) = match known {
            Some(file) => (Some(self.files[file].change.after.clone()), false),
            None => {
                let document = self.on_disk(&location)?;
                (document.bytes, document.read_only)
            }
        };
        // What says nothing begins as a new file does.
        let written = old.iter().flatten().copied().filter(|byte| !byte.is_ascii_whitespace());
        let says_nothing = matches!(&*written.take(3).collect::<Vec<_>>(), b"" | b"{}");
        let fresh = if says_nothing { location.fresh } else { Vec::new() };
        let edits = [fresh, edits].concat();
        let new = settings::apply(location.format, old.as_deref().unwrap_or_default(), &edits)
            .map_err(|error| ChangeError::Edit { path: path.clone(), error })?;
        if new == old.as_deref().unwrap_or_default() {
            return Ok(());
        }
        if read_only {
            return Err(ChangeError::ReadOnly { path });
        }
        self.inputs.drafts.insert(path.clone(), new.clone());
        match known {
            Some(file) => self.files[file].change.after = new,
            None => self.files.push(PlannedFile {
                host: host.id,
                layer: location.layer,
                kind,
                change: FileChange { path, before: old, after: new },
                line: 1,
            }),
        }
        Ok(())
    }

    fn on_disk(&self, place: &SettingsPath) -> Result<store::Document, ChangeError> {
        let path = &place.path;
        let document =
            store::read(path).map_err(|error| ChangeError::Read { path: path.clone(), error })?;
        // A link in a repository may lead out of it, but its author must not decide what we write
        // elsewhere.
        let outside = |root: &PathBuf| path.starts_with(root) && !document.target.starts_with(root);
        let root = self.workspace.context.repo_root.as_ref();
        if place.layer != Layer::User && root.is_some_and(outside) {
            return Err(ChangeError::Outside { path: path.clone() });
        }
        Ok(document)
    }
}

/// Whether an obstacle is in one of these files, or in none.
fn is_by(refusal: &Refusal, files: &[SettingsPath]) -> bool {
    let Refusal::Blocked { by, .. } = refusal else { return true };
    by.place().is_none_or(|(by, _)| files.iter().any(|file| file.path == by))
}

/// An error if the host stops at one of the files that a change is to be in: then it would have no
/// effect, though the file can be edited.
fn not_stopped(policy: &Policy, places: &[SettingsPath]) -> Result<(), Refusal> {
    let stop = |place: &SettingsPath| {
        let alarm = policy.stop_at(&place.path)?;
        let (line, why) = (alarm.line, alarm.message.clone());
        Some(Refusal::Stopped { layer: place.layer, line, file: place.path.clone(), why })
    };
    places.iter().find_map(stop).map_or(Ok(()), Err)
}
