//! A session during one call: loads skills into it, saves it under its conversation's id, and
//! renders it as instructions.

use super::{
    Admitted, Handed, Instructions, LoadedState, Mode, Rules, SavedSkill, Session, SessionError,
    Unload, check_id,
};
use crate::catalog::{Skill, directory_of};
use crate::files::access::real;
use crate::files::digest::Digest;
use crate::policy::Entry;
use crate::runtime::block::changed_tags;
use crate::runtime::call_context::{CallContext, since};
use crate::runtime::consent_gate::ConsentGate;
use crate::runtime::judge::{Asker, judge};
use crate::runtime::load::{Loaded, Noted};
use crate::runtime::markup::{attribute, guarded};
use crate::runtime::sizes::SizeLimits;
use crate::runtime::text::bytes;
use crate::state::activity::CallKind;
use crate::state::sessions::Sessions;
use crate::workspace::{ResolveError, Workspace, forms};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Skills that were read and not yet returned to the caller.
#[derive(Debug)]
#[must_use = "nothing is loaded, nor noted, before it is handed over"]
pub struct Gathered(Vec<(usize, u64, Loaded)>);

impl Gathered {
    /// Each with its index in the view and how long reading it took, milliseconds.
    pub(in crate::runtime) fn of(read: Vec<(usize, u64, Loaded)>) -> Self {
        Self(read)
    }

    /// Whether no skill was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Session {
    /// The saved session of the conversation with this id; `None` if there is none.
    ///
    /// # Errors
    /// [`SessionError::Id`], [`SessionError::Nowhere`], [`SessionError::State`].
    pub fn of(workspace: &Workspace, id: &str) -> Result<Option<Self>, SessionError> {
        Ok(sessions(workspace, id)?.load(id)?.map(|saved| Self { saved }))
    }
}

/// Where the conversation with this id is saved.
fn sessions(workspace: &Workspace, id: &str) -> Result<Sessions, SessionError> {
    check_id(id)?;
    workspace.state_dir.as_deref().map(Sessions::new).ok_or(SessionError::Nowhere)
}

impl CallContext<'_> {
    /// Reads several skills, each once, all or none, for [`CallContext::hand_over`].
    ///
    /// # Errors
    /// [`SessionError::Load`] with the first that cannot be loaded.
    pub fn load_all(
        &self,
        wanted: &[String],
        gate: &mut ConsentGate<'_>,
    ) -> Result<Gathered, SessionError> {
        let mut read: Vec<(usize, u64, Loaded)> = Vec::new();
        for argument in wanted {
            let failed =
                |error| SessionError::Load { argument: argument.clone(), error: Box::new(error) };
            let index = self.wanted(argument).map_err(failed)?;
            if read.iter().any(|(known, ..)| *known == index) {
                continue;
            }
            let start = Instant::now();
            let loaded = gate.load(self, index);
            if let Err(error) = &loaded
                && !gate.later
            {
                self.note_load(index, since(start), Err(error.code()));
            }
            read.push((index, since(start), loaded.map_err(failed)?));
        }
        Ok(Gathered(read))
    }

    /// Passes what was read to `take`, usually a session, which decides how the model gets it.
    /// Skills that it takes are logged as loaded, with no bytes if a reminder is enough. Skills
    /// that it refuses are logged with the code of its error.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn hand_over<T>(
        &self,
        gathered: Gathered,
        take: impl FnOnce(Vec<Loaded>) -> Result<(Vec<Handed>, T), SessionError>,
    ) -> Result<(Vec<Handed>, T), SessionError> {
        let read = gathered
            .0
            .into_iter()
            .map(|(index, took, loaded)| ((index, took, Noted::of(&loaded)), loaded));
        let (notes, loaded): (Vec<_>, Vec<_>) = read.unzip();
        let taken = take(loaded);
        let (no_handed, path) = (Vec::new(), |index: usize| &self.entry(index).skill.path);
        let handed = taken.as_ref().map_or(&no_handed, |(handed, _)| handed);
        for (index, duration_ms, mut noted) in notes {
            let reminder = |one: &Handed| matches!(one, Handed::Reminder(one) if one.skill.path == *path(index));
            if handed.iter().any(reminder) {
                noted.bytes = 0;
            }
            self.note_load(
                index,
                duration_ms,
                taken.as_ref().map(|_| noted).map_err(SessionError::code),
            );
        }
        taken
    }

    /// Passes the texts of what was read to a caller without a conversation.
    pub fn hand_over_texts(&self, gathered: Gathered) -> Vec<Handed> {
        let texts = |loaded: Vec<Loaded>| {
            Ok((loaded.into_iter().map(|one| Handed::Text(Box::new(one))).collect(), ()))
        };
        self.hand_over(gathered, texts).map_or_else(|_| Vec::new(), |(handed, ())| handed)
    }

    /// Unloads skills of a session, and logs it.
    pub fn unload(&self, session: &mut Session, which: Unload<'_>) -> Vec<SavedSkill> {
        let gone = session.unload(|active| match which {
            Unload::All => true,
            Unload::These(arguments) => {
                arguments.iter().any(|argument| self.means(argument, active))
            }
        });
        self.note_unloads(&gone);
        gone
    }

    /// Adds what was loaded to a session, as [`Session::admit`] does. If the rules say so, the
    /// oldest skills are unloaded first until there is room. What is unloaded is logged.
    ///
    /// # Errors
    /// Those of [`Session::admit`]. Then nothing is unloaded.
    pub fn admit(
        &self,
        session: &mut Session,
        loaded: Vec<Loaded>,
        mode: Mode,
        rules: Rules,
    ) -> Result<Admitted, SessionError> {
        let mut next = session.clone();
        if rules.drop_oldest && mode == Mode::Add {
            Self::make_room(&mut next, &loaded, rules.cap);
        }
        let handed = next.admit(loaded, mode, rules)?;
        let before = std::mem::replace(session, next);
        // The path of a skill that is loaded anew may have changed with its version.
        let stays = |one: &SavedSkill| {
            session.active().iter().any(|now| now.path == one.path)
                || handed.iter().any(|new| one.is(&new.loaded().skill))
        };
        let dropped: Vec<SavedSkill> =
            before.active().iter().filter(|one| !stays(one)).cloned().collect();
        self.note_unloads(&dropped);
        Ok(Admitted { handed, dropped })
    }

    /// Unloads the oldest skills of a session until there is room for these.
    fn make_room(session: &mut Session, coming: &[Loaded], cap: usize) {
        let comes = |active: &&SavedSkill| coming.iter().any(|loaded| active.is(&loaded.skill));
        let others = || session.active().iter().filter(|active| !comes(active));
        let over = (others().count() + coming.len()).saturating_sub(cap);
        let oldest: Vec<PathBuf> = others().take(over).map(|active| active.path.clone()).collect();
        session.unload(|active| oldest.contains(&active.path));
    }

    fn note_unloads(&self, gone: &[SavedSkill]) {
        for entry in gone.iter().filter_map(|active| self.entry_of(active)) {
            self.note(CallKind::Unload, &entry.skill, |_| {});
        }
    }

    /// Whether an argument (a name, a path or a mention) means this loaded skill, even if its file
    /// is gone.
    pub fn means(&self, argument: &str, active: &SavedSkill) -> bool {
        let (name, path) = forms(argument);
        let path = path.map(|path| real(&self.workspace.context.cwd.join(path)));
        let resolved =
            || self.resolve(argument).is_ok_and(|index| active.is(&self.entry(index).skill));
        name.is_some_and(|name| name == active.name.trim())
            || path.is_some_and(|path| path == active.path || path == directory_of(&active.path))
            || resolved()
    }

    /// As [`Session::of`].
    ///
    /// # Errors
    /// Those of [`Session::of`].
    pub fn session(&self, id: &str) -> Result<Option<Session>, SessionError> {
        Session::of(self.workspace, id)
    }

    /// Changes the session of this conversation and saves it, under a lock. If `change` fails,
    /// nothing changes.
    ///
    /// # Errors
    /// Those of `change`, [`SessionError::Id`], [`SessionError::Nowhere`], [`SessionError::State`].
    pub fn change_session<T>(
        &self,
        id: &str,
        change: impl FnOnce(&mut Session) -> Result<T, SessionError>,
    ) -> Result<T, SessionError> {
        sessions(self.workspace, id)?.change(id, |saved| {
            let mut session = Session { saved: saved.clone() };
            let done = change(&mut session)?;
            *saved = session.saved;
            Ok(done)
        })
    }

    /// Like [`CallContext::change_session`], but only for a known conversation. Otherwise it
    /// returns `None` and begins none.
    ///
    /// # Errors
    /// Those of [`CallContext::change_session`].
    pub fn change_known_session<T>(
        &self,
        id: &str,
        change: impl FnOnce(&mut Session) -> Result<T, SessionError>,
    ) -> Result<Option<T>, SessionError> {
        match sessions(self.workspace, id)?.load(id)? {
            Some(_) => self.change_session(id, change).map(Some),
            None => Ok(None),
        }
    }

    pub fn state(&self, active: &SavedSkill) -> LoadedState {
        self.reload(active).0
    }

    /// The skills of a session that a model may be told of: neither refused by now nor gone.
    pub fn usable(&self, session: &Session) -> Vec<SavedSkill> {
        let lost = |active: &SavedSkill| {
            matches!(self.state(active), LoadedState::Refused(_) | LoadedState::Missing)
        };
        session.active().iter().filter(|active| !lost(active)).cloned().collect()
    }

    /// The instructions for the next call: the bodies as they are now, in active order. A skill
    /// that may not be loaded any more is left out, and its state says why.
    pub fn instructions(&self, session: &Session) -> Instructions {
        let read: Vec<(LoadedState, Option<Loaded>)> =
            session.active().iter().map(|one| self.reload(one)).collect();
        let mut text = String::new();
        for loaded in read.iter().filter_map(|(_, loaded)| loaded.as_ref()) {
            let (body, changed) = guarded(loaded.body(), &["active_skills", "skill"]);
            let (name, path) =
                (attribute(&loaded.skill.name), attribute(&loaded.skill.path.to_string_lossy()));
            text.push_str(&format!("<skill name=\"{name}\" path=\"{path}\">\n{body}"));
            if !body.ends_with('\n') {
                text.push('\n');
            }
            if let Some(notice) = loaded.notice() {
                text.push_str(&format!("{notice}\n"));
            }
            text.push_str(&changed_tags(changed));
            text.push_str("</skill>\n");
        }
        if !text.is_empty() {
            text = format!("<active_skills>\n{text}</active_skills>");
        }
        Instructions { text, states: read.into_iter().map(|(state, _)| state).collect() }
    }

    /// An active skill as it is now. Consent was given to its text when it was loaded.
    fn reload(&self, active: &SavedSkill) -> (LoadedState, Option<Loaded>) {
        let Some(entry) = self.entry_of(active) else { return (self.lost(active), None) };
        match judge(entry, Asker::ASKED).and_then(|()| self.read_text(&entry.skill)) {
            Err(error) => (LoadedState::Refused(error), None),
            Ok(loaded) if active.digest == loaded.digest.to_string() => {
                (LoadedState::Current, Some(loaded))
            }
            Ok(loaded) => match self
                .judge_files(entry, Asker::MODEL, || self.files(&entry.skill, Some(loaded.part())))
            {
                Err(error) => (LoadedState::Refused(error), None),
                Ok(()) => (LoadedState::Updated, Some(loaded)),
            },
        }
    }

    /// The state of a loaded skill that is not in the view.
    pub(in crate::runtime) fn lost(&self, active: &SavedSkill) -> LoadedState {
        match self.view.all_off() {
            Some(origin) => LoadedState::Refused(ResolveError::AllOff(origin.clone()).into()),
            None if active.path.exists() => LoadedState::Unseen,
            None => LoadedState::Missing,
        }
    }

    /// The index of a loaded skill, whose path may have changed with its version.
    pub(in crate::runtime) fn index_of(&self, active: &SavedSkill) -> Option<usize> {
        let rows = &self.view.rows;
        let moved = || rows.skills().position(|skill| active.is(skill));
        rows.index_of(&active.path).or_else(moved)
    }

    /// The file of a loaded skill, if it is still what was loaded, else nothing: what was not
    /// loaded is not handed over.
    pub fn as_loaded(&self, active: &SavedSkill, skill: &Skill) -> Vec<u8> {
        let content = bytes(skill, None, SizeLimits::of_skill_md(self.view).file).ok();
        let same = |bytes: &[u8]| Digest::of(bytes).to_string() == active.digest;
        content.map(|content| content.bytes).filter(|bytes| same(bytes)).unwrap_or_default()
    }

    /// A loaded skill as it is seen now.
    pub fn entry_of(&self, active: &SavedSkill) -> Option<&Entry> {
        self.index_of(active).map(|index| self.entry(index))
    }

    pub(in crate::runtime) fn by_path(&self, path: &Path) -> Option<&Entry> {
        self.view.rows.at(path).map(|row| &row.entry)
    }
}
