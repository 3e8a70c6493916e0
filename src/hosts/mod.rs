//! The coding agents we know, as data: one row of [`HOSTS`] and one small file for each.
//!
//! A host says where it looks for skills, what it does with two of one name, what it refuses, how a person calls a
//! skill and how much it shows a model. To support another agent is to write its file and add its row (house rule 9).
//! The room scans nothing and judges nothing: it declares roots, and reads what an agent's settings say.

mod agents;
mod context;
pub mod oracle;

pub use agents::AGENTS;
pub use context::Context;

use crate::catalog::{HostId, Root};
use crate::config::{Config, did_you_mean};
use std::path::PathBuf;

/// What a bare name means that several skills of a view carry (D1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// None of them: it is an error that lists the candidates.
    Ambiguous,
    /// The first in the order of the roots; the others are shadowed.
    First,
    /// The last; the others are shadowed.
    Last,
    /// Any: the host itself does not know (opencode).
    Random,
}

/// How a person calls a skill in this host's prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MentionForm {
    /// What stands before the name: `$`, `/`, `/skill:`.
    pub sign: &'static str,
    /// Whether it counts only at the very start of the prompt.
    pub at_start: bool,
    /// Whether `[$name](path)` is understood, which selects exactly.
    pub link: bool,
}

/// How much of the catalog the host shows a model (D16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most entries.
    pub entries: Option<usize>,
    /// The most bytes of all entries.
    pub bytes: Option<usize>,
    /// The most characters of one description.
    pub description: Option<usize>,
}

/// When a change of its settings takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesEffect {
    /// At once.
    Now,
    /// In a new session.
    NewSession,
    /// After this command, or in a new session.
    Reload(&'static str),
}

/// One agent that reads skills.
#[derive(Debug)]
pub struct Host {
    /// The word for `--host`.
    pub id: HostId,
    /// Its name as people write it.
    pub name: &'static str,
    /// Where it looks, in its order. A root need not exist; without a home directory those beneath it are left out.
    pub roots: fn(&Context, &Config) -> Vec<Root>,
    /// How many directories below a root may hold a skill; 1 is an immediate child (D3).
    pub depth: usize,
    /// What it does with two skills of one name.
    pub duplicates: Duplicates,
    /// The codes of the diagnostics for which it refuses a skill, besides errors, which every host refuses (D19).
    pub profile: &'static [&'static str],
    /// How a person calls a skill.
    pub mention: MentionForm,
    /// How much it shows a model.
    pub limits: Limits,
    /// When a change takes effect.
    pub takes_effect: TakesEffect,
}

impl Host {
    /// Where to look: the host's roots, or these folders instead (`--root DIR`; KOD-3e).
    pub fn roots(&self, context: &Context, config: &Config, instead: &[PathBuf]) -> Vec<Root> {
        if instead.is_empty() { (self.roots)(context, config) } else { self.browse(context, instead) }
    }

    /// These folders, to be browsed: deep, hidden folders included, and each may itself be a skill (D3). Relative ones
    /// begin at the working directory.
    fn browse(&self, context: &Context, folders: &[PathBuf]) -> Vec<Root> {
        const DEPTH: usize = 64;
        let root = |folder: &PathBuf| {
            let path = context.cwd.join(folder);
            Root { scope: context.scope(&path), path, host: self.id, depth: DEPTH, browse: true }
        };
        folders.iter().map(root).collect()
    }

    /// Whether the host refuses a skill for a finding of this code.
    pub fn refuses(&self, code: &str) -> bool {
        self.profile.contains(&code)
    }
}

/// Every host, in the order in which they are offered.
pub const HOSTS: &[&Host] = &[&AGENTS];

/// There is no host of this name. The sentence does not quote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such host{}", .suggestion.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default())]
pub struct UnknownHost {
    /// The nearest host's word.
    pub suggestion: Option<&'static str>,
}

/// The host that `word` names, as `--host` and the settings write it. (`all` is no host but every one of them.)
///
/// # Errors
/// [`UnknownHost`], with the nearest word.
pub fn by_word(word: &str) -> Result<&'static Host, UnknownHost> {
    let found = HOSTS.iter().copied().find(|host| host.id.word() == word);
    found.ok_or_else(|| UnknownHost { suggestion: did_you_mean(word, HOSTS.iter().map(|host| host.id.word())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Inputs, load};

    #[test]
    fn kod_3e_the_roots_are_replaceable_and_no_home_is_no_error() {
        let context = Context { cwd: "/code/a".into(), ..Context::default() };
        let config = load(&Inputs::default());
        assert_eq!(AGENTS.roots(&context, &config, &[]).len(), 1, "the working directory's own");
        let roots = AGENTS.roots(&context, &config, &["/elsewhere".into(), "b".into()]);
        let seen: Vec<_> = roots.iter().map(|root| (root.path.to_str().unwrap(), root.depth, root.browse)).collect();
        assert_eq!(seen, [("/elsewhere", 64, true), ("/code/a/b", 64, true)]);
    }

    #[test]
    fn a_host_is_found_by_its_word_and_a_near_miss_is_answered() {
        assert_eq!(by_word("agents").map(|host| host.id), Ok(HostId::AGENTS));
        assert_eq!(by_word("agnets").map(|host| host.id), Err(UnknownHost { suggestion: Some("agents") }));
        let error = by_word("\u{1b}[31m").map(|host| host.id).unwrap_err();
        assert_eq!((error.suggestion, error.to_string().as_str()), (None, "there is no such host"));
    }

    #[test]
    fn every_word_stands_for_one_host() {
        for (index, host) in HOSTS.iter().enumerate() {
            assert!(HOSTS[..index].iter().all(|other| other.id != host.id), "{}", host.id.word());
            assert_ne!(host.id.word(), "all");
        }
    }
}
