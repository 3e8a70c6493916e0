//! Finds the skills that some agent takes for one name, without reading all rows.
//!
//! Agents differ in what a name is: that of the frontmatter or of the folder, with or without case,
//! with a hyphen in place of some characters. So the table has each name in a spelling that is
//! equal whenever any agent sees one name. What it finds are candidates; the caller compares them
//! as the agent does.

use super::in_halves;
use crate::catalog::Skill;
use std::sync::Arc;

/// Skills by the hashes of their names and folders, sorted; each skill is its index.
#[derive(Clone, Debug, Default)]
pub struct Namesakes(Arc<Vec<(u32, u32)>>);

impl Namesakes {
    /// `skill` says which skill each thing has.
    pub fn of<T: Sync>(things: &[T], skill: impl Fn(&T) -> &Arc<Skill> + Sync) -> Self {
        let mut all = in_halves(things, |first, part| {
            let each = (first..).zip(part.iter().map(&skill));
            each.flat_map(|(index, skill)| {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                hashes(skill).map(move |hash| (hash, index))
            })
            .collect()
        });
        all.sort_unstable();
        all.dedup();
        // To be shrunk in its place takes less memory than a copy of the right size.
        all.shrink_to_fit();
        Self(Arc::new(all))
    }

    /// The indexes of all that share a name with another one, ascending, and perhaps some more.
    pub fn shared(&self) -> Vec<usize> {
        let several = self.0.chunk_by(|one, other| one.0 == other.0).filter(|one| one.len() > 1);
        let mut found: Vec<usize> = several.flatten().map(|(_, index)| *index as usize).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The indexes of the rows with one of these names, in their order.
    pub fn candidates(&self, names: [&str; 2]) -> Vec<usize> {
        let mut found: Vec<usize> =
            names.into_iter().flat_map(|name| self.with(hash(name))).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn with(&self, hash: u32) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|(other, _)| *other < hash);
        let same = self.0[start..].iter().take_while(move |(other, _)| *other == hash);
        same.map(|(_, index)| *index as usize)
    }
}

/// The hashes of every name under which an agent may know the skill: its own, and that of its
/// folder in each place; each also with what a plugin puts before it, and with `-` for letters
/// beyond ASCII.
fn hashes(skill: &Skill) -> impl Iterator<Item = u32> {
    // Most are called as their skill.
    let is_other = |folder: &&str| *folder != skill.name;
    let folders =
        move || skill.locations().filter_map(|place| place.file_name()?.to_str()).filter(is_other);
    let names = move || std::iter::once(skill.name.as_str()).chain(folders());
    let ascii = names().filter(|name| !name.is_ascii()).filter_map(|name| {
        let only: String = name.chars().map(|c| if c.is_ascii() { c } else { '-' }).collect();
        only.contains(|c: char| c.is_ascii_alphanumeric()).then(|| hash(&only))
    });
    let plugin = skill.root.plugin.as_deref();
    let within = plugin.into_iter().flat_map(move |plugin| {
        names().map(|name| hash(&format!("{}{}", plugin.prefix, name.trim())))
    });
    names().map(hash).chain(ascii).chain(within)
}

/// Equal for names that any agent takes for the same. Two names with one hash only give a candidate
/// too many, so it need not be hard to find such names.
fn hash(name: &str) -> u32 {
    let mut state: u64 = 0;
    // Signs between two letters count as one sign, and those at the edges as none.
    let mut has_sign = false;
    let mut add = |letter: char| {
        if !letter.is_alphanumeric() {
            has_sign = state != 0;
            return;
        }
        let sign = if std::mem::take(&mut has_sign) { u64::from(b'-') << 32 } else { 0 };
        state = (state.rotate_left(5) ^ sign ^ u64::from(letter)).wrapping_mul(MIX);
    };
    match name.is_ascii() {
        true => name.bytes().for_each(|byte| add(byte.to_ascii_lowercase().into())),
        false => {
            // The lower case of a sigma depends on its place.
            let sigma = |letter| if letter == 'ς' { 'σ' } else { letter };
            name.chars().flat_map(char::to_lowercase).map(sigma).for_each(add);
        }
    }
    (state >> 32) as u32
}

/// Its bits are spread evenly: 2^64 divided by the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::super::fixture::skill;
    use super::*;
    use crate::catalog::{Locations, Plugin, SkillRoot};
    use crate::policy::{Evaluation, Fold, Identity};
    use std::path::{Path, PathBuf};

    fn plugin(prefix: &str) -> Plugin {
        let (id, prefix) = ("p".to_owned(), prefix.to_owned());
        Plugin { kind: "plugin", id, prefix, version: None, commit: None }
    }

    const NAMES: [&str; 14] = [
        "pdf", "PDF", " pdf ", "a:b", "a-b", "a/b", "-a--b.", "a_:b", "ΑΣ", "ας", "ασ", "İ",
        "i\u{307}", "",
    ];

    #[test]
    fn whatever_an_agent_takes_for_one_name_is_a_candidate() {
        let mut skills = Vec::new();
        for name in NAMES {
            for folder in ["pdf", "A-B", "ΑΣ"] {
                let mut skill = skill(name, "d");
                let places = vec![PathBuf::from("/x").join(folder), PathBuf::from("/y/PDF")];
                skill.locations = Locations::of(places, Path::new("/x"));
                skills.push(Arc::new(skill));
            }
        }
        for (own, prefix) in [(0, "a:"), (7, "a:"), (20, "b/"), (21, "")] {
            let plugin = plugin(prefix);
            let (path, plugin) = (PathBuf::from("/y"), Some(Arc::new(plugin)));
            let root = SkillRoot { path, plugin, ..SkillRoot::default() };
            let skill = Skill { root: Arc::new(root), ..(*skills[own]).clone() };
            skills.push(Arc::new(skill));
        }
        let names = Namesakes::of(&skills, |skill| skill);
        let plain = Identity::Hyphened(&[':', '/']);
        for identity in [Identity::Name, Identity::Directory, plain] {
            for fold in [Fold::Never, Fold::Switches, Fold::Names, Fold::Slugs] {
                let order = Evaluation { identity, fold, ..Evaluation::AGENTS };
                for (own, skill) in skills.iter().enumerate() {
                    let key = order.key_of(skill);
                    let found = names.candidates([&order.name_of(skill), &key]);
                    // Names without a plain letter are none to the agent that compares slugs.
                    let is_none = fold == Fold::Slugs && key.is_empty();
                    let same = |at: &usize| !is_none && order.key_of(&skills[*at]) == key;
                    let missing = (0..skills.len()).find(|at| same(at) && !found.contains(at));
                    assert_eq!(missing, None, "{:?} {identity:?} {fold:?}", skill.name);
                    let shares = (0..skills.len()).any(|at| at != own && same(&at));
                    assert!(!shares || names.shared().contains(&own), "{:?}", skill.name);
                }
            }
        }
    }

    #[test]
    fn other_names_are_no_candidates() {
        let skills: Vec<Arc<Skill>> =
            (0..500).map(|number| Arc::new(skill(&format!("s{number}"), ""))).collect();
        let names = Namesakes::of(&skills, |skill| skill);
        let found = names.candidates(["s7", "s7"]);
        assert!(found.contains(&7) && found.len() < 5, "{found:?}");
        assert!(names.shared().len() < 5);
    }
}
