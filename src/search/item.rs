//! What the search must know of one skill.

use super::fold::{fold, fold_into};
use crate::catalog::{HostId, Permission, Skill};
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

/// The longest folded text beside the name that is searched, in bytes; far above any description
/// that the standard allows. [`Item::cut`] says where it bit.
const TEXT_LIMIT: usize = 8 << 10;

/// The metadata keys whose values are searched as plain text.
const TAG_KEYS: [&str; 6] = ["tags", "tag", "keywords", "keyword", "category", "categories"];

/// What may change about a skill without its text changing; the filters and the empty query look at
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Listed to the model at all (`is:on`, `is:off`).
    pub on: bool,
    /// Whether the model may load it (`perm:`).
    pub permission: Permission,
    /// Another skill of the same name stands before it (`is:shadowed`).
    pub shadowed: bool,
    /// It cannot be offered (`is:invalid`).
    pub invalid: bool,
    /// It was loaded or run before (`is:used`, `is:unused`).
    pub used: bool,
    /// The hosts that see it (`host:`).
    pub hosts: Arc<[HostId]>,
}

impl Default for Traits {
    /// On, allowed, neither shadowed nor invalid, never used, seen by no named host.
    fn default() -> Self {
        Self {
            on: true,
            permission: Permission::Allow,
            shadowed: false,
            invalid: false,
            used: false,
            hosts: Arc::new([]),
        }
    }
}

/// The place of an item that has been given none.
const NOWHERE: u32 = u32::MAX;

/// One skill, made ready to be searched. Cloning copies no text.
#[derive(Clone, Debug)]
pub struct Item {
    skill: Arc<Skill>,
    texts: Arc<Texts>,
    traits: Traits,
    place: u32,
}

/// The folded texts of a skill.
#[derive(Debug)]
struct Texts {
    name: Box<str>,
    /// Description, allowed tools and tags, a line each: a folded text holds no line break.
    rest: Box<str>,
    cut: bool,
}

impl Item {
    /// Folds the skill's texts; they are not folded again when its traits change.
    pub fn new(skill: &Arc<Skill>, traits: Traits) -> Self {
        let mut rest = fold(&skill.description);
        let tags = skill
            .properties
            .metadata
            .iter()
            .filter(|(key, _)| TAG_KEYS.contains(&fold(key).as_str()));
        for field in skill.properties.allowed_tools.iter().chain(tags.map(|(_, value)| value)) {
            rest.push('\n');
            fold_into(field, &mut rest);
        }
        let cut = rest.len() > TEXT_LIMIT;
        if cut {
            rest.truncate(rest.floor_char_boundary(TEXT_LIMIT));
        }
        let texts = Texts { name: fold(&skill.name).into(), rest: rest.into(), cut };
        Self { skill: Arc::clone(skill), texts: Arc::new(texts), traits, place: NOWHERE }
    }

    /// The same skill with other traits.
    #[must_use]
    pub fn with_traits(self, traits: Traits) -> Self {
        Self { traits, ..self }
    }

    /// The same item with its place among all of a view: by scope, then path. Ties are ordered by
    /// it, which costs less than to compare the paths of ten thousand hits at every key.
    #[must_use]
    pub fn with_place(self, place: u32) -> Self {
        Self { place, ..self }
    }

    pub fn skill(&self) -> &Arc<Skill> {
        &self.skill
    }

    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// Whether the description and tags are so long that only their first 8 KiB are searched.
    pub fn cut(&self) -> bool {
        self.texts.cut
    }

    /// The folded name.
    pub(super) fn name(&self) -> &str {
        &self.texts.name
    }

    /// The folded description, allowed tools and tags.
    pub(super) fn text(&self) -> &str {
        &self.texts.rest
    }

    /// The path's bytes.
    pub(super) fn path_bytes(&self) -> &[u8] {
        self.skill.path.as_os_str().as_encoded_bytes()
    }

    /// Which of two stands first where nothing else decides: by scope, then path (COD-5.5b).
    pub(super) fn by_place(&self, other: &Self) -> Ordering {
        if self.place != NOWHERE && other.place != NOWHERE {
            return self.place.cmp(&other.place);
        }
        self.skill
            .scope
            .cmp(&other.skill.scope)
            .then_with(|| self.path_bytes().cmp(other.path_bytes()))
    }

    /// Whether `path` is that of the skill's file or directory, exactly.
    pub(super) fn is_at(&self, path: &str) -> bool {
        self.skill.path == Path::new(path) || self.skill.dir() == Path::new(path)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::catalog::{Properties, Scope};
    use std::path::PathBuf;

    /// A skill of the person's own, at `/home/me/skills/<name>/SKILL.md`.
    pub(crate) fn skill(name: &str, description: &str) -> Skill {
        let dir = PathBuf::from("/home/me/skills").join(name.replace('/', "_"));
        Skill {
            name: name.into(),
            description: description.into(),
            path: dir.join("SKILL.md"),
            locations: vec![dir],
            scope: Scope::User,
            root: Arc::from(Path::new("/home/me/skills")),
            mtime_ms: 0,
            bytes: 0,
            properties: Box::new(Properties::default()),
            diagnostics: Vec::new(),
        }
    }

    /// That skill as an item.
    pub(crate) fn item(name: &str, description: &str) -> Item {
        Item::new(&Arc::new(skill(name, description)), Traits::default())
    }

    #[test]
    fn description_tools_and_tags_are_searched_but_no_other_metadata() {
        let mut skill = skill("pdf", "Fill\n forms");
        skill.properties.allowed_tools = vec!["Bash(git:*)".into()];
        skill.properties.metadata =
            vec![("Tags".into(), "Légal".into()), ("author".into(), "someone".into())];
        let item = Item::new(&Arc::new(skill), Traits::default());
        assert_eq!(item.text(), "fill forms\nbash(git:*)\nlegal");
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        assert!(!item("a", &"x".repeat(TEXT_LIMIT)).cut());
        let long = item("a", &"é日".repeat(TEXT_LIMIT));
        assert!(long.cut());
        assert!(long.text().len() <= TEXT_LIMIT);
    }

    #[test]
    fn a_toggle_keeps_the_texts() {
        let before = item("pdf", "forms");
        let after = before.clone().with_traits(Traits { on: false, ..Traits::default() });
        assert!(Arc::ptr_eq(&before.texts, &after.texts));
        assert!(!after.traits().on);
    }
}
