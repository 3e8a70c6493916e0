//! The new text of a skill's file: what its fixes make of it, but for those after which a rule or
//! an agent would take it for another skill.

use super::held::Held;
use super::taken::Taken;
use super::{Stays, read, writable};
use crate::catalog::fix::{self, Fix, How, Mended, Source};
use crate::catalog::validate::{self, FILE_NAME};
use crate::catalog::{Check, Head, Invocation, Skill, checks};
use crate::hosts;
use crate::scan::is_top;
use crate::text::diff::FileChange;
use std::path::Path;
use std::sync::Arc;

/// Why a skill that is a whole repository, outside any folder of skills, keeps its name.
const OF_CHECKOUT: &str =
    "its folder is the top of a repository, which has another name in another clone";

/// Which checks of a skill are mended.
pub(super) type Wanted<'a> = &'a dyn Fn(&Check) -> bool;

/// What is asked for, and what stands against it.
pub(super) struct Asked<'a> {
    pub(super) wanted: Wanted<'a>,
    pub(super) taken: &'a Taken<'a>,
    pub(super) held: &'a Held<'a>,
}

/// What becomes of a skill's file.
#[derive(Default)]
pub(super) struct NewText {
    pub(super) change: Option<FileChange>,
    /// The findings that go, with their number.
    pub(super) gone: Vec<(&'static Check, usize)>,
    /// Why something that has a fix stays.
    pub(super) stays: Option<String>,
}

/// The new text of a skill's file, which is renamed as well or not.
///
/// # Errors
/// Why nothing of it is changed.
pub(super) fn new_text(
    skill: &Skill,
    renamed: bool,
    asked: &Asked<'_>,
    limit: u64,
) -> Result<NewText, Stays> {
    if !skill.diagnostics.iter().any(|found| is_text(found.check) && (asked.wanted)(found.check)) {
        return Ok(NewText::default());
    }
    let has = |check: &'static Check| skill.diagnostics.iter().any(|found| found.check == check);
    let (directory, own) = (name(skill.dir()), name(&skill.path));
    let file = if renamed || has(&checks::FILE_FOLDED) { FILE_NAME } else { &own };
    let bytes = read(&skill.path, limit).map_err(|error| error.to_string())?;
    if std::str::from_utf8(&bytes).is_err() {
        return Ok(NewText { stays: Some(fix::NOT_UTF8.to_owned()), ..NewText::default() });
    }
    let source = Source { bytes: &bytes, directory: &directory, file };
    let draft = Draft { skill, asked, source };
    let (base, names, why) = draft.with_names()?;
    let (whole, obeyed) = draft.with_keys(base, names);
    let author = || fix::left_to_author(now(source, whole.as_ref()), asked.wanted);
    let gone = whole.as_ref().map_or(&[][..], |mended| &mended.gone);
    let unnamed = || unnamed(skill, gone, asked);
    let stays = obeyed.or(why).or_else(|| author().or_else(unnamed).map(str::to_owned));
    let Some(whole) = whole else { return Ok(NewText { stays, ..NewText::default() }) };
    writable(&skill.path)?;
    let name = as_read(skill, now(source, Some(&whole))).name;
    if name != skill.name {
        asked.taken.give(&name, skill);
    }
    let change = FileChange { path: skill.path.clone(), before: Some(bytes), after: whole.bytes };
    Ok(NewText { change: Some(change), gone: whole.gone, stays })
}

/// Whether a folder lies in one that is called as folders of skills are, so that its name is known
/// to agents.
fn lies_in_skills(folder: &Path) -> bool {
    folder.parent().is_some_and(|above| ["skills", "skill"].contains(&name(above).as_str()))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

struct Draft<'a> {
    skill: &'a Skill,
    asked: &'a Asked<'a>,
    source: Source<'a>,
}

/// Which fixes are made, beside those that always are.
struct With {
    names: bool,
    /// Those of unknown keys.
    keys: bool,
}

impl Draft<'_> {
    /// The text after its fixes.
    fn mended(&self, with: With) -> Option<Mended> {
        let is_kept = |check: &Check| {
            (!with.names && check.code.starts_with("name-"))
                || (!with.keys && check == &checks::UNEXPECTED_FIELDS)
        };
        fix::mend(self.source, &|check| (self.asked.wanted)(check) && !is_kept(check))
    }

    fn after(&self, mended: Option<&Mended>) -> Skill {
        as_read(self.skill, now(self.source, mended))
    }

    /// Whether a fix of its name is wanted.
    fn has_wrong_name(&self) -> bool {
        let is_name = |check: &Check| fix::of(check).is_some_and(Fix::is_name);
        let mut checks = self.skill.diagnostics.iter().map(|found| found.check);
        checks.any(|check| (self.asked.wanted)(check) && is_name(check))
    }

    /// Why the skill must not become what this makes of it.
    fn lost(&self, mended: Option<&Mended>) -> Option<String> {
        self.asked.held.lost(&self.after(None), &self.after(mended))
    }

    /// The text without what mends unknown keys, whether names are mended in it, and why not.
    fn with_names(&self) -> Result<(Option<Mended>, bool, Option<String>), String> {
        let skill = self.skill;
        // A folder that is found by several names has none that its skill could take.
        let directory = self.source.directory;
        let mut names = skill.locations().all(|place| name(place) == directory);
        let mut stays = None;
        if is_top(skill.dir()) && !lies_in_skills(skill.dir()) {
            (names, stays) = (false, self.has_wrong_name().then(|| OF_CHECKOUT.to_owned()));
        }
        let mut base = self.mended(With { names, keys: false });
        if names {
            let new_name = self.after(base.as_ref()).name;
            let is_taken = new_name != skill.name && self.asked.taken.has(&new_name, skill);
            stays = self.lost(base.as_ref());
            names = !is_taken && stays.is_none();
            base = if names { base } else { self.mended(With { names: false, keys: false }) };
        }
        match self.lost(base.as_ref()) {
            Some(why) => Err(why),
            None => Ok((base, names, stays)),
        }
    }

    /// The text with unknown keys mended too, or `base` and why: a key that no specification has
    /// may still be one that an agent obeys.
    fn with_keys(&self, base: Option<Mended>, names: bool) -> (Option<Mended>, Option<String>) {
        let whole = self.mended(With { names, keys: true });
        let [old, new] = [&base, &whole].map(|mended| now(self.source, mended.as_ref()).bytes);
        match hosts::reads_otherwise(old, new, self.source.directory) {
            None => (whole, None),
            Some(host) => {
                let why = format!(
                    "an unknown key stays where it is: without it {} would read the file otherwise",
                    host.name
                );
                (base, Some(why))
            }
        }
    }
}

/// Why a name that is to be that of the folder stays as it is.
fn unnamed(
    skill: &Skill,
    gone: &[(&'static Check, usize)],
    asked: &Asked<'_>,
) -> Option<&'static str> {
    let is_name = |check: &Check| fix::of(check).is_some_and(Fix::is_name);
    let is_left = |check: &Check| gone.iter().all(|(mended, _)| *mended != check);
    let mut checks = skill.diagnostics.iter().map(|found| found.check);
    let is_taken = |name: &str| asked.taken.has(name, skill);
    checks
        .any(|check| (asked.wanted)(check) && is_name(check) && is_left(check))
        .then(|| fix::not_named_by_folder(skill, is_taken))?
}

fn is_text(check: &Check) -> bool {
    fix::of(check).is_some_and(|fix| matches!(fix.how, How::Text(_)))
}

/// What a skill's file is after it was mended.
fn now<'a>(source: Source<'a>, mended: Option<&'a Mended>) -> Source<'a> {
    Source { bytes: mended.map_or(source.bytes, |mended| &mended.bytes), ..source }
}

/// The skill as a scan would read it from this text.
fn as_read(skill: &Skill, source: Source<'_>) -> Skill {
    let Source { bytes, directory, file } = source;
    let read = validate::examine(bytes, directory, file);
    Skill {
        name: read.name,
        description: read.description,
        properties: read.properties,
        invocation: Invocation {
            not_implicitly: skill.invocation.not_implicitly,
            other_products: skill.invocation.other_products,
            ..read.invocation
        },
        head: Head::of(bytes, read.body, true).map(Arc::new),
        diagnostics: read.diagnostics,
        ..skill.clone()
    }
}
