//! Further facts about a skill: its files, broken links, hidden characters.

use super::folder;
use super::text::{PREVIEW_BYTES, bytes};
use crate::catalog::{Skill, frontmatter};
use crate::files::beneath::{Refusal, SkillDir, Tree, TreeLimits};
use crate::text::{SafeText, markdown, percent};
use pulldown_cmark::{Event, Parser, Tag};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub tree: Tree,
    /// Relative links in the body that lead to no file of the skill: the line in the file, and the
    /// target, which is other people's text.
    pub broken_links: Vec<(u32, String)>,
    /// How many further relative links were not checked.
    pub unchecked_links: usize,
    /// How many characters of the `SKILL.md` are shown as marks.
    pub marks: usize,
}

/// The most relative links that are checked.
const MAX_LINKS: usize = 500;

/// Lists a skill's directory and reads no file.
///
/// # Errors
/// The directory cannot be opened.
pub fn tree(skill: &Skill) -> Result<Tree, Refusal> {
    Ok(folder::open(skill)?.tree(TreeLimits::default()))
}

/// Lists what lies directly in one directory of a skill, at most `entries`, and reads no file.
///
/// # Errors
/// It cannot be opened, or is none.
pub fn directory(skill: &Skill, relative: &Path, entries: usize) -> Result<Tree, Refusal> {
    let limits = TreeLimits { entries, ..TreeLimits::default() };
    folder::open(skill)?.directory(relative, limits)
}

/// Lists a skill's directory and checks the links in its body.
///
/// # Errors
/// The directory cannot be opened. A `SKILL.md` that cannot be read has no links.
pub fn facts(skill: &Skill) -> Result<Facts, Refusal> {
    let dir = folder::open(skill)?;
    let tree = dir.tree(TreeLimits::default());
    let Ok(content) = bytes(skill, None, PREVIEW_BYTES) else {
        return Ok(Facts { tree, ..Facts::default() });
    };
    let whole = String::from_utf8_lossy(&content.bytes);
    let reading = frontmatter::read(&content.bytes);
    let body =
        String::from_utf8_lossy(content.bytes.get(reading.body..).unwrap_or_default()).into_owned();
    let (broken_links, unchecked_links) = broken_links(&body, reading.body_line, &dir);
    Ok(Facts { tree, broken_links, unchecked_links, marks: SafeText::marks(&whole) })
}

/// The broken links, and how many were not checked.
fn broken_links(body: &str, first_line: u32, dir: &SkillDir) -> (Vec<(u32, String)>, usize) {
    let mut broken = Vec::new();
    let mut seen: usize = 0;
    for (event, range) in Parser::new_ext(body, markdown::OPTIONS).into_offset_iter() {
        let (Event::Start(Tag::Link { dest_url, .. }) | Event::Start(Tag::Image { dest_url, .. })) =
            event
        else {
            continue;
        };
        let Some(target) = relative(&dest_url) else { continue };
        seen += 1;
        if seen > MAX_LINKS {
            continue;
        }
        // A folder, or a file that is refused for another reason, exists.
        if matches!(dir.open_file(&target), Err(Refusal::NotFound)) {
            let line = body[..range.start].matches('\n').count();
            broken.push((
                first_line.saturating_add(u32::try_from(line).unwrap_or(u32::MAX)),
                dest_url.to_string(),
            ));
        }
    }
    (broken, seen.saturating_sub(MAX_LINKS))
}

/// The file of the skill that a link means; `None` for a link with a scheme, for a mere anchor and
/// for an absolute path.
fn relative(target: &str) -> Option<PathBuf> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    let template = path.contains(['<', '{', '$', '*']);
    if path.is_empty() || has_scheme || template || path.starts_with('/') || path.starts_with('~') {
        return None;
    }
    let decoded = percent::decoded(path);
    Some(PathBuf::from(decoded.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footnote_is_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let dir = SkillDir::open(&folder.path().canonicalize().unwrap()).unwrap();
        let body = "See this[^1], and [that](gone.md).\n\n[^1]: RFC2119\n";
        assert_eq!(broken_links(body, 5, &dir), (vec![(5, "gone.md".to_owned())], 0));
    }

    #[test]
    fn links_beyond_the_limit_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let dir = SkillDir::open(&folder.path().canonicalize().unwrap()).unwrap();
        let body = "[a](https://a.example)\n".repeat(MAX_LINKS) + &"[b](gone.md)\n".repeat(502);
        let (broken, unchecked) = broken_links(&body, 1, &dir);
        assert_eq!((broken.len(), unchecked), (MAX_LINKS, 2));
    }
}
