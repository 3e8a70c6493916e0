//! What the fuzzer knows of each agent, as data: one file for each.

mod amp;
mod claude;
mod codex;
mod copilot;
mod droid;
mod gemini;
mod kilo;
mod kimi;
mod opencode;
mod pi;
mod qoder;
mod qwen;
mod vibe;

use super::places::Laid;
use super::tree::Tree;
use crate::env::random::Random;
use skillpick::hosts::Host;

pub(crate) use amp::AMP;
pub(crate) use claude::CLAUDE;
pub(crate) use codex::CODEX;
pub(crate) use copilot::COPILOT;
pub(crate) use droid::DROID;
pub(crate) use gemini::GEMINI;
pub(crate) use kilo::KILO;
pub(crate) use kimi::KIMI;
pub(crate) use opencode::OPENCODE;
pub(crate) use pi::PI;
pub(crate) use qoder::QODER;
pub(crate) use qwen::QWEN;
pub(crate) use vibe::VIBE;

pub(crate) struct Fuzzed {
    pub(crate) host: &'static Host,
    /// Folders of skills below a directory of a project, those of other agents among them.
    pub(crate) project: &'static [&'static str],
    /// The same below the home directory.
    pub(crate) own: &'static [&'static str],
    pub(crate) settings: &'static [Settings],
    /// Skills with lines that begin so are left out: they are too much for the program.
    pub(crate) spared: &'static [&'static str],
    /// Whether Markdown files that lie directly in a root are skills.
    pub(crate) takes_single_files: bool,
    /// Lines of a frontmatter that only this agent reads, right and wrong.
    pub(crate) keys: &'static [&'static str],
    /// Variables that decide what it sees, with values; `@TOP@` is the test's folder.
    pub(crate) variables: &'static [(&'static str, &'static [&'static str])],
    /// Variables by which it looks into every project.
    pub(crate) trusts: &'static [(&'static str, &'static str)],
    /// Sometimes a further file of a skill, by its name in the skill's folder.
    pub(crate) beside: fn(&mut Random) -> Option<(&'static str, String)>,
    /// What else belongs into a tree.
    pub(crate) more: fn(&mut Random, &Laid, &mut Tree),
    /// The seeds that the ordinary tests run.
    pub(crate) seeds: std::ops::Range<u64>,
}

impl Fuzzed {
    /// What an agent has unless its own file says otherwise.
    pub(crate) const PLAIN: Self = Self {
        host: &skillpick::hosts::AGENTS,
        project: &[],
        own: &[],
        settings: &[],
        spared: &[],
        takes_single_files: false,
        keys: &[],
        variables: &[],
        trusts: &[],
        beside: |_| None,
        more: |_, _, _| {},
        seeds: 0..0,
    };
}

impl Fuzzed {
    /// The variables by which it looks into every project.
    pub(crate) fn trusting(&self) -> Vec<(String, String)> {
        let variable = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.trusts.iter().map(variable).collect()
    }
}

/// A settings file that may be there.
pub(crate) struct Settings {
    /// One of these, from the test's folder; `{}` is the working directory.
    pub(crate) files: &'static [&'static str],
    /// In how many of a hundred trees.
    pub(crate) chance: usize,
    pub(crate) make: fn(&mut Random, &Laid) -> String,
}

/// Every agent that is compared.
pub(crate) const ALL: &[&Fuzzed] = &[
    &CODEX, &CLAUDE, &OPENCODE, &GEMINI, &COPILOT, &PI, &QWEN, &AMP, &KILO, &KIMI, &QODER, &VIBE,
    &DROID,
];
