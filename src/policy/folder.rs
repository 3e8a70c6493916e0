//! A glob over the path of a skill's folder (pi's `!pattern`).

use super::pattern::glob;
use crate::catalog::validate::FILE_NAME;
use std::path::{Component, Path, PathBuf};

/// A glob over the folder of a skill or its `SKILL.md`. It is compared with the name, with the path
/// from a base, and with the whole path. `*`, `?` and `[a-z]` stop at a `/`, `**` does not. None of
/// them matches a name that begins with a dot. A glob that begins with `#` is a comment, and one
/// that begins with `!` fits what the rest does not fit. The rows of the test were checked with
/// minimatch, which pi uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderGlob {
    /// The folder from which relative paths begin.
    pub base: PathBuf,
    pub pattern: String,
}

impl FolderGlob {
    /// Reads a glob; `None` if it has syntax that is not supported. Then the caller fails closed.
    pub fn read(base: &Path, pattern: &str) -> Option<Self> {
        let strange = pattern.contains(['{', '}', '(', ')', '\\']) || pattern.contains("[:");
        (!strange).then(|| Self { base: base.to_owned(), pattern: pattern.to_owned() })
    }

    /// Whether it fits a skill's folder, or the `SKILL.md` in it. A single file has none.
    pub fn fits(&self, folder: &Path, is_single_file: bool) -> bool {
        let file = if is_single_file { folder.to_owned() } else { folder.join(FILE_NAME) };
        let relative = |path: &Path| path_from(&self.base, path);
        let whole = |path: &Path| path.to_str().map(str::to_owned);
        let name = folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let texts = [
            relative(folder),
            relative(&file),
            whole(folder),
            whole(&file),
            name,
            (!is_single_file).then(|| FILE_NAME.to_owned()),
        ];
        let pattern = self.pattern.trim_start_matches('!');
        let is_negated = (self.pattern.len() - pattern.len()) % 2 == 1;
        texts.into_iter().flatten().any(|text| fits(pattern, &text) != is_negated)
    }
}

/// The relative path from one folder to a path, with `/` between names; `None` if it is not UTF-8.
/// Both must be free of links.
pub fn path_from(base: &Path, path: &Path) -> Option<String> {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (base.components().collect(), path.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(shared).map(|_| Some(".."));
    let down = to.iter().skip(shared).map(|part| part.as_os_str().to_str());
    up.chain(down).collect::<Option<Vec<&str>>>().map(|parts| parts.join("/"))
}

/// Whether a path fits a glob over paths.
fn fits(pattern: &str, path: &str) -> bool {
    if pattern.starts_with('#') {
        return false;
    }
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), path.split('/').collect());
    // reach[i]: whether the pattern so far covers the first i parts of the path.
    let mut reach = vec![false; path.len() + 1];
    reach[0] = true;
    for (index, part) in pattern.iter().enumerate() {
        let mut next = vec![false; path.len() + 1];
        if *part == "**" {
            // At the end of the pattern it needs at least one name.
            let last = index + 1 == pattern.len();
            let mut open = false;
            for at in 0..=path.len() {
                let further = open && !path[at - 1].starts_with('.');
                open = reach[at] || further;
                next[at] = if last { further } else { open };
            }
        } else {
            for at in 1..=path.len() {
                let hidden = path[at - 1].starts_with('.') && !part.starts_with('.');
                let is_empty = path[at - 1].is_empty() && !part.is_empty();
                next[at] = reach[at - 1] && !hidden && !is_empty && part_fits(part, path[at - 1]);
            }
        }
        reach = next;
    }
    reach[path.len()]
}

/// Whether a name fits the part of a glob between two slashes.
fn part_fits(part: &str, name: &str) -> bool {
    let Some((before, set, after)) = set(part) else { return glob(part, name) };
    name.char_indices().any(|(at, letter)| {
        let rest = &name[at + letter.len_utf8()..];
        set.has(letter) && glob(before, &name[..at]) && part_fits(after, rest)
    })
}

/// `[a-z]` of a glob.
struct Set<'a> {
    signs: &'a str,
    is_negated: bool,
}

impl Set<'_> {
    fn has(&self, letter: char) -> bool {
        let mut signs = self.signs.chars().peekable();
        let mut has = false;
        while let Some(first) = signs.next() {
            let mut ahead = signs.clone();
            let range = (ahead.next() == Some('-')).then(|| ahead.next()).flatten();
            match range {
                Some(last) => {
                    has |= (first..=last).contains(&letter);
                    signs = ahead;
                }
                None => has |= first == letter,
            }
        }
        has != self.is_negated
    }
}

/// The first set of a part, with what stands before and after it. A `[` that is not closed stands
/// for itself.
fn set(part: &str) -> Option<(&str, Set<'_>, &str)> {
    let (before, rest) = part.split_once('[')?;
    let signs = rest.strip_prefix(['!', '^']).unwrap_or(rest);
    let first = signs.chars().next()?.len_utf8();
    let end = first + signs[first..].find(']')?;
    let set = Set { signs: &signs[..end], is_negated: signs.len() < rest.len() };
    Some((before, set, &signs[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_file_has_no_folder() {
        let fits = |pattern: &str| {
            let glob = FolderGlob::read(Path::new("/repo/.pi"), pattern).unwrap();
            glob.fits(Path::new("/repo/.pi/skills/one.md"), true)
        };
        for pattern in ["one.md", "*.md", "skills/one.md", "skills/*", "/repo/.pi/**/one.md", "**"]
        {
            assert!(fits(pattern), "{pattern}");
        }
        for pattern in ["SKILL.md", "one", "skills/one", "skills/one.md/SKILL.md", "*/*/*"] {
            assert!(!fits(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_glob_over_paths_stops_at_slashes() {
        for (pattern, path, wanted) in [
            ("legacy-*", "legacy-x", true),
            ("legacy-*", "skills/legacy-x", false),
            ("skills/*", "skills/a", true),
            ("skills/*", "skills/a/b", false),
            ("skills/**", "skills/a/b", true),
            ("skills/**", "skills", false),
            ("**", "a/b", true),
            ("a/**/b", "a/b", true),
            ("../**/pdf", "../skills/pdf", true),
            ("**/pdf", "../skills/pdf", false),
            ("a**", "ab", true),
            ("**/b", "a/c/b", true),
            ("**/b", "b", true),
            ("**", "../.agents/skills/a", false),
            ("*", ".hidden", false),
            (".*", ".hidden", true),
            ("../.agents/skills/*", "../.agents/skills/a", true),
            ("a?", "ab", true),
            ("[list]", "s", true),
            ("[list]", "[list]", false),
            ("x[a-c]*", "xbyz", true),
            ("x[!a-c]", "xb", false),
            ("[x", "[x", true),
            ("#a", "#a", false),
            ("*/a", "/a", false),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, path), wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn a_folder_is_named_in_several_ways() {
        let fits = |pattern: &str| {
            let glob = FolderGlob::read(Path::new("/repo/.pi"), pattern).unwrap();
            glob.fits(Path::new("/repo/.agents/skills/pdf"), false)
        };
        for pattern in [
            "pdf",
            "p*",
            "../.agents/skills/*",
            "../.agents/**/SKILL.md",
            "/repo/.agents/skills/pdf",
            "*.md",
        ] {
            assert!(fits(pattern), "{pattern}");
        }
        for pattern in ["skills/*", "skills/**", "/repo/**", "zip"] {
            assert!(!fits(pattern), "{pattern}");
        }
        assert_eq!(FolderGlob::read(Path::new("/"), "{a,b}"), None);
        assert_eq!(path_from(Path::new("/a/b"), Path::new("/a/c/d")).as_deref(), Some("../c/d"));
    }
}
