//! What else there is to know of a skill: its files, links that lead nowhere, hidden characters.

use super::text::{PREVIEW_BYTES, bytes};
use crate::catalog::{Skill, frontmatter};
use crate::files::beneath::{Refusal, SkillDir, Tree, TreeLimits};
use crate::text::SafeText;
use pulldown_cmark::{Event, Parser, Tag};
use std::path::{Path, PathBuf};

/// What a skill's directory says beyond its `SKILL.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub tree: Tree,
    /// Relative links in the body that lead to no file of the skill: line of the file, and target;
    /// other people's text.
    pub broken_links: Vec<(u32, String)>,
    /// Characters of the `SKILL.md` that are hidden or control something, and are shown as marks.
    pub marks: usize,
}

/// More links than this are not looked at.
const MAX_LINKS: usize = 500;

/// Looks at a skill's directory alone, and reads no file.
///
/// # Errors
/// The directory cannot be opened.
pub fn tree(skill: &Skill) -> Result<Tree, Refusal> {
    Ok(SkillDir::open(skill.dir())?.tree(TreeLimits::default()))
}

/// Looks at a skill's directory and at the links in its body.
///
/// # Errors
/// The directory cannot be opened. A `SKILL.md` that cannot be read has no links.
pub fn facts(skill: &Skill) -> Result<Facts, Refusal> {
    let dir = SkillDir::open(skill.dir())?;
    let tree = dir.tree(TreeLimits::default());
    let Ok(content) = bytes(skill, None, PREVIEW_BYTES) else {
        return Ok(Facts { tree, ..Facts::default() });
    };
    let whole = String::from_utf8_lossy(&content.bytes);
    let reading = frontmatter::read(&content.bytes);
    let body =
        String::from_utf8_lossy(content.bytes.get(reading.body..).unwrap_or_default()).into_owned();
    let broken_links = broken_links(&body, reading.body_line, &dir);
    Ok(Facts { tree, broken_links, marks: SafeText::marks(&whole) })
}

fn broken_links(body: &str, first_line: u32, dir: &SkillDir) -> Vec<(u32, String)> {
    let mut broken = Vec::new();
    let mut seen = 0;
    for (event, range) in Parser::new(body).into_offset_iter() {
        let (Event::Start(Tag::Link { dest_url, .. }) | Event::Start(Tag::Image { dest_url, .. })) =
            event
        else {
            continue;
        };
        seen += 1;
        if seen > MAX_LINKS {
            break;
        }
        let Some(target) = relative(&dest_url) else { continue };
        if is_missing(dir, &target) {
            let line = body[..range.start].matches('\n').count();
            broken.push((
                first_line.saturating_add(u32::try_from(line).unwrap_or(u32::MAX)),
                dest_url.to_string(),
            ));
        }
    }
    broken
}

/// The file that a link means, if it means one of the skill's: no scheme, no anchor alone, not
/// absolute.
fn relative(target: &str) -> Option<PathBuf> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    let template = path.contains(['<', '{', '$', '*']);
    if path.is_empty() || has_scheme || template || path.starts_with('/') || path.starts_with('~') {
        return None;
    }
    let decoded = percent_decoded(path);
    Some(PathBuf::from(decoded.trim_end_matches('/')))
}

/// `%20` and the like; what is no escape stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A link is broken if nothing is there; a folder counts as something, a refusal of another kind
/// too.
fn is_missing(dir: &SkillDir, target: &Path) -> bool {
    matches!(dir.open_file(target), Err(Refusal::NotFound))
}
