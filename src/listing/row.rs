//! One row of a listing: a skill, how a host judges it, and what a search compares.

use crate::catalog::{HostId, Scope, Skill};
use crate::policy::Entry;
use crate::text::fold::{fold, fold_into};
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

/// The longest folded text besides the name that is searched, in bytes; far above any description
/// that the standard allows. [`Texts::cut`] says whether more was there.
const TEXT_LIMIT: usize = 8 << 10;

/// The metadata keys whose values are searched as plain text.
const TAG_KEYS: [&str; 6] = ["tags", "tag", "keywords", "keyword", "category", "categories"];

/// One skill as one host sees it, ready to be shown and searched. A clone copies no text.
#[derive(Clone, Debug)]
pub struct Row {
    pub entry: Entry,
    /// The hosts that list it to their model.
    pub hosts: Arc<[HostId]>,
    /// How often and how recently a person picked it; 0: never.
    pub frecency: u32,
    /// Whether it is in the log of calls as loaded or run.
    pub used: bool,
    /// The folded texts.
    pub texts: Arc<Texts>,
    /// Its rank among all rows by scope, then path, which decides ties: cheaper than to compare the
    /// paths of ten thousand hits after every key.
    pub(super) place: u32,
}

/// The folded texts of a skill, in which a search looks for words.
#[derive(Debug)]
pub struct Texts {
    name: Box<str>,
    /// Description, allowed tools and tags, a line each: a folded text holds no line break.
    rest: Box<str>,
    /// Whether only the first 8 KiB of `rest` are searched.
    pub cut: bool,
}

/// The place of a row that is not yet in a listing.
const NOWHERE: u32 = u32::MAX;

impl Row {
    /// Folds the texts of the skill. No host lists it and nobody has used it yet.
    pub fn new(entry: Entry) -> Self {
        let texts = Arc::new(Texts::of(&entry.skill));
        Self::with_texts(entry, texts)
    }

    /// Like [`Row::new`], with the texts of the skill already folded.
    pub fn with_texts(entry: Entry, texts: Arc<Texts>) -> Self {
        Self { entry, hosts: Arc::new([]), frecency: 0, used: false, texts, place: NOWHERE }
    }

    pub fn skill(&self) -> &Arc<Skill> {
        &self.entry.skill
    }

    /// The folded name.
    pub fn name(&self) -> &str {
        &self.texts.name
    }

    /// The folded description, allowed tools and tags.
    pub fn text(&self) -> &str {
        &self.texts.rest
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

    /// Whether `path` is exactly that of the skill's file or directory.
    pub fn is_at(&self, path: &str) -> bool {
        let skill = &self.entry.skill;
        skill.path == Path::new(path) || skill.dir() == Path::new(path)
    }
}

impl Texts {
    pub fn of(skill: &Skill) -> Self {
        let mut rest = fold(&skill.description);
        let metadata = skill.properties.metadata.iter();
        let tags = metadata.filter(|(key, _)| TAG_KEYS.contains(&fold(key).as_str()));
        for field in skill.properties.allowed_tools.iter().chain(tags.map(|(_, value)| value)) {
            rest.push('\n');
            fold_into(field, &mut rest);
        }
        let cut = rest.len() > TEXT_LIMIT;
        if cut {
            rest.truncate(rest.floor_char_boundary(TEXT_LIMIT));
        }
        Self { name: fold(&skill.name).into(), rest: rest.into(), cut }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::catalog::{Properties, Scope};
    use crate::policy::{Evaluation, Policy};
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
            in_repository: false,
            root: Arc::from(Path::new("/home/me/skills")),
            mtime_ms: 0,
            bytes: 0,
            whole: true,
            properties: Box::new(Properties::default()),
            diagnostics: Vec::new(),
        }
    }

    /// A row of this skill, which is on.
    pub(crate) fn row_of(skill: Skill) -> Row {
        let policy = Policy::open(Evaluation::AGENTS);
        Row::new(Entry { refused: None, ..Entry::alone(Arc::new(skill), &policy) })
    }

    pub(crate) fn row(name: &str, description: &str) -> Row {
        row_of(skill(name, description))
    }

    #[test]
    fn description_tools_and_tags_are_searched_but_no_other_metadata() {
        let mut skill = skill("pdf", "Fill\n forms");
        skill.properties.allowed_tools = vec!["Bash(git:*)".into()];
        skill.properties.metadata =
            vec![("Tags".into(), "Légal".into()), ("author".into(), "someone".into())];
        assert_eq!(row_of(skill).text(), "fill forms\nbash(git:*)\nlegal");
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        assert!(!row("a", &"x".repeat(TEXT_LIMIT)).texts.cut);
        let long = row("a", &"é日".repeat(TEXT_LIMIT));
        assert!(long.texts.cut);
        assert!(long.text().len() <= TEXT_LIMIT);
    }
}
