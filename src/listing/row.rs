//! One row of a listing: a skill, how a host judges it, and what a search compares.

use crate::catalog::{Scope, Skill};
use crate::policy::Entry;
use crate::text::fold::{fold, fold_into, is_plain};
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

/// The longest folded text besides the name that is searched, in bytes; far above any description
/// that the standard allows. What follows is not searched.
const TEXT_LIMIT: usize = 8 << 10;

/// The metadata keys whose values are searched as plain text.
const TAG_KEYS: [&str; 6] = ["tags", "tag", "keywords", "keyword", "category", "categories"];

/// One skill as one host sees it, ready to be shown and searched. A clone copies no text.
#[derive(Clone, Debug)]
pub struct Row {
    pub entry: Entry,
    /// How often and how recently a person picked it; 0: never.
    pub frecency: u32,
    /// Whether it is in the log of calls as loaded or run.
    pub used: bool,
    texts: FoldedTexts,
    /// Its rank among all rows by scope, then path, which decides ties: cheaper than to compare the
    /// paths of ten thousand hits after every key.
    pub(super) place: u32,
}

/// The texts of a skill in which a search looks for words, folded. `None` if the skill's own differ
/// from them in upper case only. A clone copies no text.
#[derive(Clone, Debug)]
pub struct FoldedTexts(Option<Arc<Texts>>);

#[derive(Debug)]
struct Texts {
    name: Box<str>,
    /// Description, allowed tools and tags, a line each: a folded text holds no line break. `None`
    /// if it is the description in lower case.
    rest: Option<Box<str>>,
}

/// The place of a row that is not yet in a listing.
const NOWHERE: u32 = u32::MAX;

impl Row {
    /// Folds the texts of the skill. Nobody has used it yet.
    pub fn new(entry: Entry) -> Self {
        let texts = FoldedTexts::of(&entry);
        Self::with_texts(entry, texts)
    }

    /// Like [`Row::new`], with texts of the skill that are folded already.
    pub fn with_texts(entry: Entry, texts: FoldedTexts) -> Self {
        Self { entry, frecency: 0, used: false, texts, place: NOWHERE }
    }

    pub fn texts(&self) -> &FoldedTexts {
        &self.texts
    }

    pub fn skill(&self) -> &Arc<Skill> {
        &self.entry.skill
    }

    /// The folded name.
    pub fn name(&self) -> &str {
        self.texts.0.as_ref().map_or(&self.entry.skill.name, |texts| &texts.name)
    }

    /// The folded description, allowed tools and tags. Most texts are folded anew at every
    /// search, into `room`: that takes little time, and a second copy of each text much memory.
    pub fn text<'a>(&'a self, room: &'a mut String) -> &'a str {
        if let Some(rest) = self.texts.0.as_ref().and_then(|texts| texts.rest.as_deref()) {
            return rest;
        }
        room.clear();
        for (index, part) in parts(&self.entry).enumerate() {
            if index > 0 {
                room.push('\n');
            }
            room.push_str(part);
        }
        room.make_ascii_lowercase();
        room
    }

    pub fn path_bytes(&self) -> &[u8] {
        self.entry.skill.path.as_os_str().as_encoded_bytes()
    }

    pub fn is_in(&self, scope: Scope) -> bool {
        self.entry.skill.scope == scope
    }

    /// Whether the view has another skill of its name.
    pub fn shares_name(&self) -> bool {
        self.entry.shadowed_by.is_some() || self.entry.same_name > 1
    }

    /// The order if nothing else decides: by scope, then path.
    pub fn by_place(&self, other: &Self) -> Ordering {
        if self.place != NOWHERE && other.place != NOWHERE {
            return self.place.cmp(&other.place);
        }
        let scopes = self.entry.skill.scope.cmp(&other.entry.skill.scope);
        scopes.then_with(|| self.path_bytes().cmp(other.path_bytes()))
    }

    /// As [`Skill::is_at`].
    pub fn is_at(&self, path: &str) -> bool {
        self.entry.skill.is_at(Path::new(path))
    }
}

impl FoldedTexts {
    pub fn of(entry: &Entry) -> Self {
        Self(Texts::of(entry).map(Arc::new))
    }
}

impl Texts {
    /// `None` if name and text are the skill's own in lower case.
    fn of(entry: &Entry) -> Option<Self> {
        let rest = Self::rest(entry);
        let name = &*entry.skill.full_name();
        let is_own = *name == entry.skill.name
            && is_plain(name)
            && !name.bytes().any(|byte| byte.is_ascii_uppercase());
        (rest.is_some() || !is_own).then(|| Self { name: fold(name).into(), rest })
    }

    /// `None` if it is [`parts`] in lower case.
    fn rest(entry: &Entry) -> Option<Box<str>> {
        let length: usize = parts(entry).map(|part| part.len() + 1).sum();
        if length <= TEXT_LIMIT && parts(entry).all(is_plain) {
            return None;
        }
        let mut rest = String::new();
        for (index, part) in parts(entry).enumerate() {
            if index > 0 {
                rest.push('\n');
            }
            fold_into(part, &mut rest);
        }
        if rest.len() > TEXT_LIMIT {
            rest.truncate(rest.floor_char_boundary(TEXT_LIMIT));
        }
        Some(rest.into())
    }
}

/// What is searched besides the name: description, allowed tools and tags.
fn parts(entry: &Entry) -> impl Iterator<Item = &str> {
    let is_tag = |key: &str| TAG_KEYS.iter().any(|tag| key.trim().eq_ignore_ascii_case(tag));
    let metadata = entry.skill.properties.metadata();
    let tags = metadata.filter(move |(key, _)| is_tag(key)).map(|(_, value)| value);
    let fields = entry.skill.properties.allowed_tools().chain(tags);
    std::iter::once(entry.description()).chain(fields)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::catalog::{Invocation, Locations, Properties, Scope, SkillRoot, Stamp};
    use crate::policy::{Evaluation, Policy};
    use std::path::PathBuf;

    /// A skill of the person's own, at `/home/me/skills/<name>/SKILL.md`.
    pub(crate) fn skill(name: &str, description: &str) -> Skill {
        let dir = PathBuf::from("/home/me/skills").join(name.replace('/', "_"));
        Skill {
            name: name.into(),
            description: description.into(),
            path: dir.join("SKILL.md"),
            locations: Locations::default(),
            scope: Scope::User,
            in_repository: false,
            root: SkillRoot::plain(Path::new("/home/me/skills")),
            stamp: Stamp::default(),
            bytes: 0,
            whole: true,
            properties: Properties::default(),
            invocation: Invocation::default(),
            head: None,
            stored: None,
            diagnostics: Vec::new(),
        }
    }

    /// A row of this skill, which is on.
    pub(crate) fn row_of(skill: Skill) -> Row {
        let policy = Policy::without_settings(Evaluation::AGENTS);
        Row::new(Entry { refused: None, ..Entry::alone(Arc::new(skill), &policy) })
    }

    pub(crate) fn row(name: &str, description: &str) -> Row {
        row_of(skill(name, description))
    }

    pub(crate) fn folded(row: &Row) -> String {
        row.text(&mut String::new()).to_owned()
    }

    #[test]
    fn description_tools_and_tags_are_searched_but_no_other_metadata() {
        let mut skill = skill("pdf", "Fill\n forms");
        let metadata = [("Tags".into(), "Légal".into()), ("author".into(), "someone".into())];
        skill.properties = Properties::new(None, None, &metadata, &["Bash(git:*)".into()]);
        assert_eq!(folded(&row_of(skill)), "fill forms\nbash(git:*)\nlegal");
    }

    #[test]
    fn the_text_is_folded_whether_it_is_kept_or_not() {
        for (description, kept) in [
            ("Fill in a PDF form.", false),
            ("Fill in  a PDF form.", true),
            ("Fill in a PDF form.\n", true),
            ("Fülle ein PDF aus.", true),
            ("", false),
        ] {
            let mut skill = skill("pdf", description);
            let metadata = [("tag".into(), "Office".into())];
            skill.properties = Properties::new(None, None, &metadata, &[]);
            let row = row_of(skill);
            assert_eq!(folded(&row), fold(description) + "\noffice");
            assert_eq!(row.texts.0.is_some(), kept, "{description:?}");
        }
        assert_eq!((row("PDF", "x").name(), row("pdf-form", "x").name()), ("pdf", "pdf-form"));
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(folded(&row("a", &"x".repeat(TEXT_LIMIT))).len(), TEXT_LIMIT);
        for long in ["é日", "x"] {
            assert!(folded(&row("a", &long.repeat(TEXT_LIMIT + 1))).len() <= TEXT_LIMIT);
        }
    }
}
