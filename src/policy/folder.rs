//! A glob over the path of a skill's folder (pi's `!pattern`).

use super::pattern::glob;
use std::path::{Component, Path, PathBuf};

/// A glob over the folder of a skill or its `SKILL.md`. It is compared with the name, with the path
/// from a base, and with the whole path. `*` and `?` stop at a `/`, `**` does not. None of them
/// matches a name that begins with a dot. The rows of the test were checked with minimatch, which
/// pi uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderGlob {
    /// The folder from which relative paths begin.
    pub base: PathBuf,
    pub pattern: String,
}

impl FolderGlob {
    /// Reads a glob; `None` if it has syntax that is not supported. Then the caller fails closed.
    pub fn read(base: &Path, pattern: &str) -> Option<Self> {
        let strange = pattern.contains(['{', '}', '[', ']', '(', ')', '\\'])
            || pattern.starts_with(['!', '#']);
        (!strange).then(|| Self { base: base.to_owned(), pattern: pattern.to_owned() })
    }

    pub fn fits(&self, folder: &Path) -> bool {
        let file = folder.join("SKILL.md");
        let relative = |path: &Path| path_from(&self.base, path);
        let whole = |path: &Path| path.to_str().map(str::to_owned);
        let name = folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let texts = [
            relative(folder),
            relative(&file),
            whole(folder),
            whole(&file),
            name,
            Some("SKILL.md".to_owned()),
        ];
        texts.into_iter().flatten().any(|text| fits(&self.pattern, &text))
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
                next[at] = reach[at - 1] && !hidden && glob(part, path[at - 1]);
            }
        }
        reach = next;
    }
    reach[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, path), wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn a_folder_is_named_in_several_ways() {
        let fits = |pattern: &str| {
            let glob = FolderGlob::read(Path::new("/repo/.pi"), pattern).unwrap();
            glob.fits(Path::new("/repo/.agents/skills/pdf"))
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
