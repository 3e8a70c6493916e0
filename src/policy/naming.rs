//! How a host names a skill, and which names it takes for the same.

use super::Evaluation;
use crate::catalog::{Compared, NamedBy, Skill, canonically_equal, normalized};
use std::borrow::Cow;

/// What a host uses as a skill's name: in its settings, for duplicates, and for calls by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Name,
    /// The name of the directory in which it was found. A name that cannot be shown as it is means
    /// that the skill is refused. Claude Code does so.
    Directory,
    /// The frontmatter's name, with a hyphen instead of each of these characters. Gemini CLI and
    /// Copilot CLI do so.
    Hyphened(&'static [char]),
}

/// Where a host ignores upper and lower case in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Never,
    /// Nowhere, and blanks around a name in its settings make it another name (Copilot CLI).
    NeverWithBlanks,
    /// In its settings. Two skills whose names differ only in case are two, and one switch applies
    /// to both.
    Switches,
    /// In its settings, where blanks around a name make it another name (Gemini CLI).
    SwitchesWithBlanks,
    /// Everywhere. Two skills whose names differ only in case have the same name.
    Names,
    /// Everywhere, and one hyphen stands for any number of characters other than `a` to `z` and
    /// digits, none at the edges (Droid).
    Slugs,
}

impl Evaluation {
    /// The skill's name as the host uses it, trimmed: with that of its plugin before it.
    pub fn name_of(self, skill: &Skill) -> Cow<'_, str> {
        let name = self.own_name(skill);
        match skill.root.plugin.as_deref() {
            Some(plugin) if !plugin.prefix.is_empty() => format!("{}{name}", plugin.prefix).into(),
            _ => name,
        }
    }

    /// The same without that of its plugin.
    fn own_name(self, skill: &Skill) -> Cow<'_, str> {
        let plugin = skill.root.plugin.as_deref();
        // A plugin may name the folder of one skill, which counts by its own name.
        let is_root = plugin.is_some()
            && skill.root.named_by == NamedBy::File
            && *skill.location() == *skill.root.path;
        let directory = || skill.location().file_name().and_then(|name| name.to_str());
        if let Some(name) = plugin.and_then(|_| self.name_in_folders(skill)) {
            return name.into();
        }
        match self.identity {
            Identity::Directory if !is_root => directory().unwrap_or(&skill.name).trim().into(),
            Identity::Name | Identity::Directory => self.written_name(skill),
            Identity::Hyphened(signs) => self.written_name(skill).replace(signs, "-").into(),
        }
    }

    /// The name of a plugin's skill that lies deeper than in its root: with those of the folders
    /// before it (`group:pdf`).
    fn name_in_folders(self, skill: &Skill) -> Option<String> {
        let below = skill.location().strip_prefix(&skill.root.path).ok()?;
        let names: Option<Vec<&str>> = below.iter().map(|name| name.to_str()).collect();
        let names = names.filter(|names| self.identity == Identity::Directory && names.len() > 1);
        Some(names?.join(":"))
    }

    /// The name by which the host finds out which of several skills it takes.
    pub fn rival_key(self, skill: &Skill) -> Cow<'_, str> {
        if self.plugin_names { self.own_name(skill) } else { self.key_of(skill) }
    }

    /// Whether a switch by this name means the skill. The case of a stored skill's name does not
    /// count, since whoever writes its next version chooses it; nor does it, in our own settings,
    /// whether letters are composed.
    pub fn is_switched_by(self, name: &str, skill: &Skill) -> bool {
        let by_either = || {
            skill.plugin().filter(|_| self.plugin_names).is_some_and(|plugin| {
                let own = self.own_name(skill);
                self.same(name, &own) || self.same(name, &(plugin.before() + &own))
            })
        };
        let alike = |one: &str, other: &str| match self.bound {
            true => canonically_equal(one, other),
            false => one == other,
        };
        let in_any =
            || skill.stored.is_some() && alike(&normalized(name), &normalized(&skill.name));
        alike(&self.folded(name), &self.folded(&self.name_of(skill))) || by_either() || in_any()
    }

    /// The name in its file, as the host reads it.
    fn written_name(self, skill: &Skill) -> Cow<'_, str> {
        match skill.read_by(self.head) {
            Some(Compared::Other { name, .. } | Compared::BlocksName { name }) => name.into(),
            Some(Compared::Refused | Compared::Same) | None => skill.name.trim().into(),
        }
    }

    /// The skill's description as the host reads it.
    pub fn description_of(self, skill: &Skill) -> Cow<'_, str> {
        match skill.read_by(self.head) {
            Some(Compared::Other { description, .. }) => description.into(),
            Some(Compared::Refused | Compared::BlocksName { .. } | Compared::Same) | None => {
                (&*skill.description).into()
            }
        }
    }

    /// The name by which the host tells skills apart: equal keys are one name.
    pub fn key_of(self, skill: &Skill) -> Cow<'_, str> {
        let name = self.name_of(skill);
        if self.tells_apart() { name } else { self.folded(&name).into() }
    }

    /// Whether the host takes names for different ones that its switches cannot tell apart.
    pub fn tells_apart(self) -> bool {
        !matches!(self.fold, Fold::Names | Fold::Slugs)
    }

    /// Whether the host's switches cannot tell two names apart.
    pub fn same(self, one: &str, other: &str) -> bool {
        self.folded(one) == self.folded(other)
    }

    /// The name as the host's switches compare it.
    pub fn folded(self, name: &str) -> String {
        match self.fold {
            Fold::Never => name.trim().to_owned(),
            Fold::NeverWithBlanks => name.to_owned(),
            Fold::SwitchesWithBlanks => name.to_lowercase(),
            Fold::Switches | Fold::Names => name.trim().to_lowercase(),
            Fold::Slugs => slug(name),
        }
    }
}

/// The name in small letters; see [`Fold::Slugs`].
fn slug(name: &str) -> String {
    let name = name.to_lowercase();
    let parts = name.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}
