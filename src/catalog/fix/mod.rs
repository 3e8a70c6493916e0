//! What `check --fix` does about a finding: one row for each check that can be mended without a
//! decision of the author.
//!
//! A fix is proven before it is offered: the new text is read again, and its finding must be gone,
//! no other finding may be there, every other field must mean the same, no word of the frontmatter
//! may be lost, and the body must have the same bytes. Where no row stands, the cure is a choice:
//! which of two keys is meant, what a long description may lose, which encoding a file has, who may
//! read it.

mod closing;
mod edits;
mod page;
mod prove;

use super::validate::refused_name;
use super::{Cause, Check, Diagnostic, Scope, Skill, checks};
use page::Page;
pub(in crate::catalog) use page::joined;
use std::collections::BTreeMap;

/// How a check is mended.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// By an edit of the `SKILL.md`.
    Text(Edit),
    /// By giving the file its right name.
    Rename,
    /// By removing the link that leads nowhere.
    Unlink,
    /// By letting the link lead to the folder of its file.
    Relink,
    /// By moving its folder up into the folder of skills.
    Lift,
}

/// An edit of a skill file: the new bytes, if there is a mechanical way to them.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    make: fn(&Page<'_>) -> Option<Vec<u8>>,
    /// The fields that may mean something else afterwards.
    fields: &'static [&'static str],
}

/// Why a single file is left as it is.
pub const SINGLE_FILE: &str = "it is a single file, which may be meant for people";

/// Why the text of a file in another encoding is left as it is.
pub const NOT_UTF8: &str = "it is not UTF-8; save it as UTF-8 first";

/// Why a skill of another repository is left as it is.
pub const OF_ANOTHER_REPOSITORY: &str =
    "another repository brings it; `check --fix FOLDER` mends it all the same";

/// Why a skill's files are not mended: others bring them. `is_here` says whether they lie in the
/// person's own repository or working directory.
pub fn kept_by_others(skill: &Skill, is_here: impl FnOnce() -> bool) -> Option<&'static str> {
    if skill.scope == Scope::System {
        return Some("an agent brings it; `check --fix FOLDER` mends it all the same");
    }
    if skill.stored.is_some() {
        return Some("a store has it; `project put NAME --from DIR` stores a mended one");
    }
    (skill.is_brought() && !is_here()).then_some(OF_ANOTHER_REPOSITORY)
}

/// Why a skill is not given the name of its folder, as far as that is known without its text.
/// `is_taken` says whether another skill has a name.
pub fn not_named_by_folder(
    skill: &Skill,
    is_taken: impl FnOnce(&str) -> bool,
) -> Option<&'static str> {
    let folder = skill.dir().file_name().unwrap_or_default();
    let name = folder.to_string_lossy();
    if !skill.locations().all(|place| place.file_name() == Some(folder)) {
        return Some("links find it by several names, of which its author must choose one");
    }
    if refused_name(&name).is_some() {
        return Some("its folder has no valid name; rename the folder");
    }
    (name != skill.name && is_taken(&name))
        .then_some("another skill has the name of its folder, or one like it")
}

/// One row of the table.
#[derive(Debug)]
pub struct Fix {
    pub check: &'static Check,
    /// What it does, one sentence without a full stop.
    pub what: &'static str,
    pub how: How,
}

macro_rules! fixes {
    ($($check:ident, $what:expr, $how:expr;)+) => {
        /// Every fix, in the order in which they are made: what makes a file readable comes first.
        pub static ALL: &[Fix] = &[$(Fix { check: &checks::$check, what: $what, how: $how }),+];
    };
}

const fn text(make: fn(&Page<'_>) -> Option<Vec<u8>>, fields: &'static [&'static str]) -> How {
    How::Text(Edit { make, fields })
}

/// Every check of a name has the same fix.
const NAME: How = text(edits::name, &["name"]);
const NAMED: &str = "writes the name of the folder, if it is a valid one";
const DESCRIPTION: How = text(edits::description, &["description"]);
const FRESH: &[&str] = &["name", "description"];
const JOINED: &str = "writes a list of texts on one line";

fixes! {
    LINK_DANGLING, "removes the link", How::Unlink;
    LINK_FILE, "lets the link lead to the folder", How::Relink;
    TOO_DEEP, "moves its folder up", How::Lift;
    FILE_NAME, "renames the file", How::Rename;
    FILE_FOLDED, "renames the file", How::Rename;
    FILE_CASE, "renames the file", How::Rename;
    BOM, "removes the mark", text(edits::without_mark, &[]);
    NO_FRONTMATTER, "writes the name of the folder, and the first paragraph as description",
        text(edits::frontmatter, FRESH);
    UNCLOSED, "closes the frontmatter after its last field, where no other place is possible",
        text(closing::closed, &[]);
    NOT_MAPPING, "fills an empty frontmatter: the folder's name and the first paragraph",
        text(edits::filled, FRESH);
    YAML_REPAIRED,
        "closes a quote, puts the value in quotes, or indents all fields alike",
        text(edits::readable, &[]);
    YAML_DUPLICATE_KEY, "removes the first if both say the same", text(edits::once, &[]);
    NAME_MISSING, NAMED, NAME;
    NAME_EMPTY, NAMED, NAME;
    NAME_LENGTH, NAMED, NAME;
    NAME_CASE, NAMED, NAME;
    NAME_HYPHEN_EDGE, NAMED, NAME;
    NAME_DOUBLE_HYPHEN, NAMED, NAME;
    NAME_CHARS, NAMED, NAME;
    NAME_ASCII, NAMED, NAME;
    NAME_DIR_MISMATCH, NAMED, NAME;
    DESC_MISSING, "writes the first paragraph", DESCRIPTION;
    DESC_EMPTY, "writes the first paragraph", DESCRIPTION;
    COMPAT_TYPE, JOINED, text(edits::compatibility, &["compatibility"]);
    METADATA_TYPE, JOINED, text(edits::metadata, &["metadata"]);
    UNEXPECTED_FIELDS, "moves texts, and lists of texts as one text, below metadata:",
        text(edits::moved, prove::MOVED);
}

impl Fix {
    /// Whether it writes the name of the folder, and nothing else.
    pub fn is_name(&self) -> bool {
        matches!(self.how, How::Text(Edit { fields: ["name"], .. }))
    }
}

/// The fix of a check, if it has one.
pub fn of(check: &Check) -> Option<&'static Fix> {
    ALL.iter().find(|fix| fix.check == check)
}

/// The fix of a finding, if its check has one that can do something about its cause.
pub fn of_finding(finding: &Diagnostic) -> Option<&'static Fix> {
    of(finding.check).filter(|_| !matches!(finding.cause, Cause::Shape | Cause::Utf16))
}

/// A skill file and where it is, which decides its findings.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub bytes: &'a [u8],
    /// The name of its folder.
    pub directory: &'a str,
    /// Its own name.
    pub file: &'a str,
}

/// A mended skill file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    pub bytes: Vec<u8>,
    /// The findings that are gone, with their number. An edit may take more than one along: a name
    /// that is the folder's is also written in small letters.
    pub gone: Vec<(&'static Check, usize)>,
}

/// Makes every edit of the text that is `wanted`; `None` if there is none.
pub fn mend(source: Source<'_>, wanted: &dyn Fn(&Check) -> bool) -> Option<Mended> {
    let mut bytes = source.bytes.to_vec();
    // An edit may make another one possible. Each takes a finding away, so this ends.
    while let Some(next) = step(Source { bytes: &bytes, ..source }, wanted) {
        bytes = next;
    }
    if bytes == source.bytes {
        return None;
    }
    let after = counted(&prove::findings(Source { bytes: &bytes, ..source }));
    let gone = counted(&prove::findings(source)).into_iter().filter_map(|(code, (check, was))| {
        let is = after.get(code).map_or(0, |(_, is)| *is);
        (is < was).then_some((check, was - is))
    });
    Some(Mended { gone: gone.collect(), bytes })
}

/// The first edit that is proven.
fn step(source: Source<'_>, wanted: &dyn Fn(&Check) -> bool) -> Option<Vec<u8>> {
    let before = prove::findings(source);
    ALL.iter().find_map(|fix| {
        let How::Text(edit) = fix.how else { return None };
        if !wanted(fix.check) || before.iter().all(|finding| finding.check != fix.check) {
            return None;
        }
        let after = (edit.make)(&Page::of(source.bytes, source.directory)?)?;
        prove::holds(fix.check, edit.fields, source, &after).then_some(after)
    })
}

/// Why a wanted fix of the frontmatter is not made: where it ends is not certain, or the text seems
/// to have a description in another form.
pub fn left_to_author(source: Source<'_>, wanted: &dyn Fn(&Check) -> bool) -> Option<&'static str> {
    let page = Page::of(source.bytes, source.directory)?;
    let is_about = |found: &Diagnostic| {
        let how = of(found.check).filter(|_| wanted(found.check)).map(|fix| fix.how);
        matches!(how, Some(How::Text(edit)) if edit.fields.contains(&"description"))
    };
    let findings = prove::findings(source);
    if wanted(&checks::UNCLOSED) && findings.iter().any(|found| found.check == &checks::UNCLOSED) {
        return Some("where its frontmatter ends, only its author can tell");
    }
    (edits::begins_with_fields(page.body()) && findings.iter().any(is_about))
        .then_some("its text begins with what may be fields, which only its author can tell")
}

fn counted(findings: &[Diagnostic]) -> BTreeMap<&'static str, (&'static Check, usize)> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        counts.entry(finding.code()).or_insert((finding.check, 0)).1 += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
