//! The skills that a key acts on: which of them the query hides, and for which agent they are
//! printed.

use super::{Prefer, State};
use crate::catalog::HostId;
use crate::inert;
use crate::listing::{Audience, CallError, CallText, Callers};
use crate::text::SafeText;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// With more marks the hints name no agent, since it is computed for every frame. The message after
/// the pick names it.
const MAX_CALLED: usize = 30;

/// Columns of a skill's name in a hint.
const NAME_IN_A_HINT: usize = 24;

/// The skills that an action applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// In mark order.
    pub paths: Vec<Arc<Path>>,
    /// Whether marks chose them, and not the cursor. A filter may hide marked skills.
    pub marked: bool,
    /// The agent for which they are switched; `None`: the view's, which may be all of them.
    pub host: Option<HostId>,
}

impl State {
    /// The skills of a pick or toggle: the marked ones in mark order, or the current row.
    pub fn chosen(&self) -> Chosen {
        let host = self.column().map(|report| report.host);
        if self.marks.count() > 0 {
            return Chosen { paths: self.marks.in_order().to_vec(), marked: true, host };
        }
        let current = self.current().map(|entry| Arc::from(entry.skill.path.as_path()));
        Chosen { paths: current.into_iter().collect(), marked: false, host }
    }

    /// The marked skills for which a row of the list stands.
    pub fn marked_at(&self, row: usize) -> Vec<Arc<Path>> {
        let shown = &self.picker.shown;
        let own = shown.hits.get(row).map(|hit| hit.index);
        let all = own.into_iter().chain(self.picker.copies_at(row).iter().copied());
        let entries = all.filter_map(|index| shown.rows.entry(index as usize));
        let paths = entries.map(|entry| entry.skill.path.as_path());
        paths.filter(|path| self.marks.has(path)).map(Arc::from).collect()
    }

    /// Asks which agents can call these, and how.
    fn with_callers<T>(&self, chosen: &Chosen, ask: impl FnOnce(&Callers) -> T) -> Option<T> {
        if chosen.paths.len() > MAX_CALLED {
            return None;
        }
        let place = |path: &Arc<Path>| self.viewed.rows.index_of(path);
        let picks: Vec<usize> = chosen.paths.iter().filter_map(place).collect();
        Some(match self.viewed.files.speech.filter(|_| !self.options.sees_all()) {
            Some(speech) => ask(&Callers::of_one(speech, &self.viewed, &picks)),
            None => ask(&Callers::of_all(&self.viewed, &picks)),
        })
    }

    /// The agent for which these are printed, if others take another form: `for claude`.
    pub fn for_whom(&self, chosen: &Chosen) -> Option<SafeText> {
        match self.with_callers(chosen, |callers| callers.audience())? {
            Audience::All => None,
            Audience::One(speech) => Some(inert!("for {}", speech.host.word())),
            Audience::Several => Some(SafeText::fixed("for several agents")),
        }
    }

    /// The mention of the first of these, and for whom if others take another form; without any,
    /// the form of the view's agent.
    pub fn mention_of(&self, chosen: &Chosen) -> SafeText {
        let (call, whom) = self.called(chosen);
        SafeText::join(std::iter::once(call).chain(whom), " ")
    }

    /// The same, with whom it is for apart.
    fn called(&self, chosen: &Chosen) -> (SafeText, Option<SafeText>) {
        let Some(first) = self.first_call(chosen) else {
            return (self.viewed.files.mention.clone(), None);
        };
        let more = (chosen.paths.len() > 1).then(|| SafeText::fixed("…"));
        let words = [Some(SafeText::line(&first.text)), more];
        (SafeText::join(words.into_iter().flatten(), " "), self.for_whom(chosen))
    }

    fn first_call(&self, chosen: &Chosen) -> Option<CallText> {
        self.with_callers(chosen, |callers| callers.texts())?.into_iter().flatten().next()
    }

    /// The agent for which the first of these is printed.
    pub(super) fn printed_for(&self, chosen: &Chosen) -> Option<HostId> {
        Some(self.first_call(chosen)?.speech?.host)
    }

    /// Whether Enter asks for which agent these are printed.
    pub(super) fn asks_for_whom(&self, chosen: &Chosen) -> bool {
        chosen.paths.len() <= MAX_CALLED && Prefer::asked(self, chosen).is_some()
    }

    /// What Enter prints, and for whom: `prints /pdf`, `for claude`; `None` if it prints nothing.
    pub fn printed(&self, chosen: &Chosen) -> Option<(SafeText, Option<SafeText>)> {
        let [first, others @ ..] = chosen.paths.as_slice() else { return None };
        if !self.entry(first)?.pickable() {
            return None;
        }
        if self.options.format != "mention" {
            return Some((inert!("prints {}", self.options.format), None));
        }
        if self.asks_for_whom(chosen) {
            return Some((SafeText::fixed("asks for which agent"), None));
        }
        let calls = self.with_callers(chosen, |callers| callers.texts()).unwrap_or_default();
        if let Some(error) = calls.iter().find_map(|call| call.as_ref().err()) {
            let why = match error {
                CallError::Mention(_) => "refuses: no mention can carry it",
                CallError::Ambiguous { .. } => "refuses: several have the name",
            };
            return Some((SafeText::fixed(why), None));
        }
        // One skill is always printed for one agent, which is named even if others take the same.
        let one = calls.into_iter().flatten().next().filter(|_| others.is_empty());
        let one = one.and_then(|call| Some((SafeText::line(&call.text), call.speech?.host)));
        let (call, whom) = match one {
            Some((call, host)) => (call, Some(inert!("for {}", host.word()))),
            None => self.called(chosen),
        };
        Some((inert!("prints {}", call), whom))
    }

    /// The marked skills that the query or the scope hides. A row shows all for which it stands.
    pub fn hidden(&self, chosen: &Chosen) -> Vec<Arc<Path>> {
        let shown = &self.picker.shown;
        let rows = shown.hits.len() + shown.folded.iter().sum::<usize>();
        if !chosen.marked || rows == shown.rows.len() {
            return Vec::new();
        }
        let rows = |path: &Arc<Path>| {
            let own = shown.rows.number_of(path);
            let copies = own.map(|own| shown.rows.copies_of(own as usize)).unwrap_or_default();
            own.into_iter().chain(copies.iter().copied())
        };
        let wanted: HashSet<u32> = chosen.paths.iter().flat_map(rows).collect();
        let hits = shown.hits.iter().map(|hit| hit.index);
        let listed: HashSet<u32> = hits.filter(|index| wanted.contains(index)).collect();
        let is_hidden = |path: &&Arc<Path>| !rows(path).any(|index| listed.contains(&index));
        chosen.paths.iter().filter(is_hidden).cloned().collect()
    }

    /// The hidden ones in a few words: `hidden: pdf-forms +2`.
    pub fn hidden_words(&self, chosen: &Chosen) -> Option<SafeText> {
        let hidden = self.hidden(chosen);
        let first = &self.entry(hidden.first()?)?.skill;
        let first = SafeText::line(&first.full_name()).cut(NAME_IN_A_HINT);
        Some(match hidden.len() - 1 {
            0 => inert!("hidden: {}", first),
            more => inert!("hidden: {} +{}", first, more),
        })
    }
}
