//! In which order a host finds skills side by side.

use super::javascript;
use crate::catalog::Skill;
use crate::catalog::validate::FILE_NAME;
use crate::files::positions::Positions;
use std::cmp::Ordering;
use std::path::Path;

/// In which order a host finds the skills of a root, where several have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siblings {
    /// By their folders' names, level by level.
    Folders,
    /// The root's own before the others, and these the other way round (Gemini CLI, whose library
    /// for patterns walks so).
    Backwards,
    /// A folder before those in it, and of these the last first (RemcoChat, which takes them from a
    /// stack).
    LastFirst,
    /// By the paths of their files, as JavaScript compares text: `a-b` is before `a` (Copilot CLI).
    Files,
    /// In each folder its own skills, by their folders' names, before its single files, and these
    /// before those of its groups.
    SkillsFirst,
    /// As the file system lists each folder: all that is in one before what is listed after it, and
    /// a skill's own file where it is listed (Amp).
    Listed,
    /// The other way round (Qoder, where a later one takes the place of an earlier).
    ListedLast,
    /// In an order that differs from start to start, also between `skill` and `skills` in one
    /// folder (Kilo Code, whose library for patterns lists several folders at once).
    Chance,
    /// By their folders' names as JavaScript sorts words, level by level: signs, digits, letters,
    /// and the small one of a letter first (Droid).
    Words,
}

impl Siblings {
    /// Whether it depends on the file system which skill comes first.
    pub fn are_listed(self) -> bool {
        matches!(self, Self::Listed | Self::ListedLast)
    }

    /// The places of all that is on the way from its root to a skill's file, the file included, for
    /// an order that depends on the file system: the least comes first.
    pub fn places(self, skill: &Skill, positions: &mut Positions) -> Vec<usize> {
        let root = &skill.root.path;
        let place = |found: Option<usize>| match (self, found) {
            (Self::ListedLast, Some(position)) => usize::MAX - 1 - position,
            (_, found) => found.unwrap_or(usize::MAX),
        };
        let mut along = |folder: &Path| -> Vec<usize> {
            let along = positions.along(root, &folder.join(skill.file()));
            along.into_iter().map(place).collect()
        };
        if self == Self::ListedLast {
            return along(skill.location());
        }
        // What links lead to is met where the first of them is listed.
        let places = skill.locations().filter(|folder| folder.starts_with(root));
        places.map(along).min().unwrap_or_default()
    }

    /// Whether it is chance which of these skills comes first.
    pub fn is_chance(self, one: &Skill, other: &Skill) -> bool {
        self == Self::Chance && one.root.path.parent() == other.root.path.parent()
    }

    /// Compares skills by the places where they were found.
    pub fn order(self, one: &Skill, other: &Skill) -> Ordering {
        let (is_single, other_is) = (one.is_single_file(), other.is_single_file());
        self.order_of((one.location(), is_single), (other.location(), other_is))
    }

    /// Compares the places of skills, each with whether it is a single file.
    fn order_of<'a>(
        self,
        (one, is_single): (&'a Path, bool),
        (other, other_is): (&'a Path, bool),
    ) -> Ordering {
        let depth = |folder: &Path| folder.components().count();
        let units = |folder: &Path| {
            let file = folder.join(FILE_NAME);
            file.to_string_lossy().encode_utf16().collect::<Vec<_>>()
        };
        // Each part of a path, those that lead through a group after the skill's own folder.
        let groups = |folder: &'a Path, is_single: bool| {
            let last = depth(folder);
            let rank = move |at| if at < last { 2 } else { u8::from(is_single) };
            folder.components().zip(1..).map(move |(part, at)| (rank(at), part))
        };
        let words = |folder: &'a Path| {
            folder
                .components()
                .map(|part| javascript::locale_key(&part.as_os_str().to_string_lossy()))
        };
        match self {
            Self::Folders | Self::Listed | Self::ListedLast => one.cmp(other),
            Self::Backwards | Self::Chance => {
                depth(one).cmp(&depth(other)).then_with(|| other.cmp(one))
            }
            Self::LastFirst => {
                let mut parts = one.components().zip(other.components());
                let other_way = parts.find(|(one, other)| one != other);
                let by_depth = || depth(one).cmp(&depth(other));
                other_way.map_or_else(by_depth, |(one, other)| other.cmp(&one))
            }
            Self::Files => units(one).cmp(&units(other)),
            Self::SkillsFirst => groups(one, is_single).cmp(groups(other, other_is)),
            Self::Words => words(one).cmp(words(other)),
        }
    }
}
