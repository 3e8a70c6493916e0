//! What agents' own programs say of the skills here, as a part of the view.
//!
//! Each program is asked in a copy of what it reads, as for `verify`. What it alone knows becomes a
//! skill that is known by its own word; where it differs from our view, the skill has a finding. An
//! answer is kept under the digest of the copy in which it was given, and taken again for the same
//! copy.

mod complete;
mod differences;
mod skills;

use super::clock::now_ms;
use super::verify::{Answer, Patience, VerifyError, askable, at_once, compare, unasked};
use super::{HostContext, View, Workspace};
use crate::catalog::{Diagnostic, HostId, Skill};
use crate::hosts::Host;
use crate::inert;
use crate::text::{SafeText, time};
use std::path::PathBuf;
use std::sync::Arc;

/// What the programs have said. The default is that they were not asked yet.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnWords {
    heard: Vec<Arc<Heard>>,
    /// Whether skills and settings are as they were when the programs were asked.
    fresh: bool,
    /// Whether they were asked at all.
    asked: bool,
}

impl OwnWords {
    /// The same, after skills or settings may have changed.
    pub(super) fn stale(&self) -> Self {
        Self { heard: self.heard.clone(), fresh: false, asked: self.asked }
    }
}

/// What one program has said.
#[derive(Debug)]
pub struct Heard {
    host: &'static Host,
    /// What it alone knows, by the word of nobody else.
    skills: Vec<Arc<Skill>>,
    /// Where it differs from our view: the files of skills that we know.
    differences: Vec<(PathBuf, Diagnostic)>,
    /// How many skills of its answer are not shown, since there are too many.
    left_out: usize,
    /// Whether the copy in which it was asked is incomplete.
    cut: bool,
    /// Unix time in milliseconds.
    asked_ms: u64,
    /// Why the answer is not kept for the next time.
    unkept: Option<String>,
}

/// A program that was asked, and what it said.
#[derive(Debug)]
pub struct AskedAgent {
    pub host: &'static Host,
    pub heard: Result<Arc<Heard>, VerifyError>,
}

/// An answer that is younger, in milliseconds, is not said to be old.
const YOUNG: u64 = 3_600_000;

impl AskedAgent {
    /// What came, or why nothing came: one sentence without a full stop.
    pub fn words(&self) -> SafeText {
        let name = self.host.name;
        match &self.heard {
            Ok(heard) => inert!("{}: {}", name, heard.words(now_ms())),
            Err(error @ VerifyError::ProbeError(_)) => {
                inert!("{} gave no answer: {}", name, error.to_string())
            }
            Err(error) => inert!("{} was not asked: {}", name, error.to_string()),
        }
    }
}

/// What came from those that answered, in one line; `None` if none did. Of several agents, only
/// those are named that have something to say.
pub fn sum(asked: &[AskedAgent]) -> Option<SafeText> {
    let heard = asked.iter().filter_map(|asked| asked.heard.as_ref().ok());
    let heard: Vec<&Heard> = heard.map(|heard| &**heard).collect();
    match heard.as_slice() {
        [] => return None,
        [_] if asked.len() == 1 => return asked.first().map(AskedAgent::words),
        _ => {}
    }
    let (more, who_more) = counted(&heard, |heard| heard.skills.len());
    let (differ, who_differ) = counted(&heard, Heard::differing);
    let mut parts = match (more, differ) {
        (0, 0) => vec![SafeText::fixed("the agents' own programs say the same")],
        (0, _) => vec![SafeText::fixed("nothing more by their own word")],
        _ => vec![inert!("{} more by their own word: {}", more, who_more)],
    };
    if differ > 0 {
        parts.push(inert!("{} differ: {}", differ, who_differ));
    }
    let now = now_ms();
    let remarks = heard.iter().map(|heard| (heard.host.name, heard.remarks(now)));
    let remarks = remarks.filter(|(_, remarks)| !remarks.is_empty());
    parts.extend(remarks.map(|(name, remarks)| inert!("{}{}", name, remarks)));
    Some(SafeText::join(&parts, "; "))
}

/// A sum over several agents, and the agents that have a part in it.
fn counted(heard: &[&Heard], count: impl Fn(&Heard) -> usize) -> (usize, SafeText) {
    let all = heard.iter().map(|heard| (heard.host.name, count(heard)));
    let some: Vec<(&str, usize)> = all.filter(|(_, count)| *count > 0).collect();
    let words: Vec<SafeText> =
        some.iter().map(|(name, count)| inert!("{} {}", *name, *count)).collect();
    (some.iter().map(|(_, count)| count).sum(), SafeText::join(&words, ", "))
}

impl Heard {
    fn words(&self, now_ms: u64) -> SafeText {
        let more = match self.skills.len() {
            0 => SafeText::fixed("nothing more by its own word"),
            more => inert!("{} more by its own word", more),
        };
        let differs = match self.differing() {
            0 => SafeText::default(),
            1 => SafeText::fixed("; 1 differs"),
            several => inert!("; {} differ", several),
        };
        inert!("{}{}{}", more, differs, self.remarks(now_ms))
    }

    /// When it was asked, if that is a while ago; and what went wrong.
    fn remarks(&self, now_ms: u64) -> SafeText {
        let age = now_ms.saturating_sub(self.asked_ms);
        let age = (age > YOUNG).then(|| inert!(" (asked {})", time::age(age)));
        let cut = if self.cut { "; not all of its files could be copied" } else { "" };
        let unkept = self.unkept.as_ref();
        let unkept = unkept.map(|why| inert!("; the answer is not kept: {}", why));
        inert!("{}{}{}", age.unwrap_or_default(), cut, unkept.unwrap_or_default())
    }

    /// How many skills the program sees otherwise than we do.
    fn differing(&self) -> usize {
        let own = self.skills.iter().filter(|skill| differences::is_other(skill));
        self.differences.len() + own.count()
    }
}

impl Workspace {
    /// The same place, whose agents' programs are to be asked; see [`Workspace::awaits_words`].
    #[must_use]
    pub fn asking(self) -> Self {
        let words = self.own_words.unwrap_or_default();
        Self { own_words: Some(OwnWords { fresh: false, asked: false, ..words }), ..self }
    }

    /// The same place, whose agents' programs are to be asked if those of the other one are.
    #[must_use]
    pub fn asking_as(self, other: &Self) -> Self {
        let is_missing = self.own_words.is_none() && other.own_words.is_some();
        if is_missing { self.asking() } else { self }
    }

    /// Whether the programs are to be asked: for the first time, or again since skills or settings
    /// may have changed. One that did not answer is not asked again by itself.
    pub fn awaits_words(&self) -> bool {
        let awaits = |words: &OwnWords| !words.fresh && (!words.asked || !words.heard.is_empty());
        self.unaskable().is_none() && self.own_words.as_ref().is_some_and(awaits)
    }

    /// Whether the programs were asked here before.
    pub fn was_asked(&self) -> bool {
        self.own_words.as_ref().is_some_and(|words| words.asked)
    }

    /// Why no program is asked here at all.
    pub fn unaskable(&self) -> Option<&'static str> {
        match () {
            () if self.is_browsing() => {
                Some("agents are asked about their own folders, and others are browsed here")
            }
            () if self.host.id == HostId::AGENTS => {
                Some("the plain standard has no program to ask; choose an agent, or all of them")
            }
            () => None,
        }
    }

    /// Asks the program of the host, or of each host that can be asked. The view of the place that
    /// is returned has what they said. Skills of a known view are not read again.
    pub fn ask_agents(&self, known: Option<&View>, patience: &Patience) -> (Self, Vec<AskedAgent>) {
        let asked: Vec<HostContext> = match self.is_every() {
            true => self.host_contexts.iter().filter(|it| unasked(it).is_none()).cloned().collect(),
            false => self.host_contexts.to_vec(),
        };
        let asked = at_once(&asked, |host_context| AskedAgent {
            host: host_context.host,
            heard: self.hear(host_context, known, patience).map(Arc::new),
        });
        let heard = asked.iter().filter_map(|asked| asked.heard.as_ref().ok()).map(Arc::clone);
        let words = OwnWords { heard: heard.collect(), fresh: true, asked: true };
        (Self { own_words: Some(words), ..self.clone() }, asked)
    }

    /// Asks one program, or takes what it has said of the same files, and compares.
    fn hear(
        &self,
        host_context: &HostContext,
        known: Option<&View>,
        patience: &Patience,
    ) -> Result<Heard, VerifyError> {
        let (probe, program) = askable(host_context)?;
        let whole = probe.all.unwrap_or(probe);
        let Answer { report, cut, asked_ms, unkept, .. } =
            self.answer(host_context, whole, patience, &mut |_| {}, &|_| true)?;
        let host = host_context.host;
        let view = match known {
            Some(known) => self.seen_through(host, known).1,
            None => Self { unseen: false, ..self.through(host) }.view(),
        };
        let rows = compare(&view, probe, &report);
        let (skills, left_out) =
            self.skills_of(host_context, program, &skills::unknown(&view, probe, &report));
        let differences = differences::of(host, &view, &rows);
        Ok(Heard { host, skills, differences, left_out, cut, asked_ms, unkept })
    }
}

#[cfg(all(test, unix))]
mod tests;
