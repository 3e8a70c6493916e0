//! Addresses of skills and their files: `skill://NAME/path`, or `skill://ID/NAME/path` if several
//! skills have the name. A nested skill's address begins with that of the one around it.

use super::catalog_cache::Snapshot;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The addresses of the skills that the model may know of.
#[derive(Default)]
pub(super) struct Addresses {
    of: HashMap<usize, String>,
    by: HashMap<String, usize>,
}

impl Addresses {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let shown = addressable(snapshot);
        let dir = |index: &usize| (snapshot.view.rows[*index].skill().dir(), *index);
        let dirs: HashMap<&Path, usize> = shown.iter().map(dir).collect();
        let mut addresses = Self::default();
        for index in shown {
            let base = addresses.base(snapshot, index, &dirs);
            addresses.by.insert(base, index);
        }
        addresses
    }

    /// The address of a skill, and of those around it. A nested skill's begins with that of the one
    /// around it, as those of its files do there, if its folder has its name.
    fn base(&mut self, snapshot: &Snapshot, index: usize, dirs: &HashMap<&Path, usize>) -> String {
        if let Some(known) = self.of.get(&index) {
            return known.clone();
        }
        let skill = snapshot.view.rows[index].skill();
        let named = skill.dir().file_name().is_some_and(|folder| folder == &*skill.name);
        let around =
            skill.dir().ancestors().skip(1).find_map(|above| Some((above, *dirs.get(above)?)));
        let around = around.filter(|_| named).and_then(|(above, outer)| {
            let relative = skill.dir().strip_prefix(above).ok()?.to_str()?;
            Some((outer, encoded(relative)))
        });
        let base = match around {
            Some((outer, relative)) => {
                format!("{}{relative}/", self.base(snapshot, outer, dirs))
            }
            None => alone(snapshot, index),
        };
        self.of.insert(index, base.clone());
        base
    }
}

/// The skills that the model may know of and that have an address, as indexes into the view: a
/// skill whose path is not UTF-8 has none, as a file with such a path has none.
pub(super) fn addressable(snapshot: &Snapshot) -> Vec<usize> {
    let mut shown = snapshot.shown();
    shown.retain(|index| snapshot.view.rows[*index].skill().path.to_str().is_some());
    shown
}

/// The address of a skill's directory, with a slash at its end.
pub(super) fn base(snapshot: &Snapshot, index: usize) -> String {
    let known = snapshot.addresses().of.get(&index);
    known.cloned().unwrap_or_else(|| alone(snapshot, index))
}

/// The address of a skill that lies in no other one. No other such address begins with it: a name
/// is one part of the address, and a name that looks like an id comes after the skill's own id.
fn alone(snapshot: &Snapshot, index: usize) -> String {
    let skill = &snapshot.view.rows[index].entry.skill;
    let (id, name) = (skill.id(), part(&skill.name));
    let like_an_id =
        name.len() == id.as_str().len() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if like_an_id || snapshot.has_twins(&skill.name) {
        format!("skill://{}/{name}/", id.as_str())
    } else {
        format!("skill://{name}/")
    }
}

/// The address of its main file, `SKILL.md` or `skill.md`.
pub(super) fn main(base: &str) -> String {
    format!("{base}SKILL.md")
}

/// The address of one of its files.
pub(super) fn file(base: &str, relative: &Path) -> String {
    format!("{base}{}", encoded(&relative.to_string_lossy()))
}

/// The skill that an address means, and the path in it.
pub(super) fn find(snapshot: &Snapshot, uri: &str) -> Option<(usize, PathBuf)> {
    if uri.contains(['?', '#']) {
        return None;
    }
    // The innermost skill around it, from the whole address down.
    let known = &snapshot.addresses().by;
    if let Some(index) = known.get(&format!("{uri}/")) {
        return Some((*index, PathBuf::new()));
    }
    let ends = uri.rmatch_indices('/').map(|(at, _)| at + 1);
    let (end, index) = ends.filter_map(|end| Some((end, *known.get(&uri[..end])?))).next()?;
    Some((index, PathBuf::from(decoded(&uri[end..])?)))
}

/// A path in a skill, in which `SKILL.md` also means a main file with another name.
pub(super) fn own(snapshot: &Snapshot, index: usize, relative: &Path) -> PathBuf {
    let main = snapshot.view.rows[index].entry.skill.file();
    if relative == Path::new("SKILL.md") { main.to_owned() } else { relative.to_owned() }
}

/// A name as one part of an address. It is never `.` or `..`.
fn part(name: &str) -> String {
    match name {
        "." | ".." => name.replace('.', "%2E"),
        _ => encoded(name).replace('/', "%2F"),
    }
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn decoded(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        if *first == b'%' {
            let digits = behind.get(..2)?;
            // `from_str_radix` would accept a sign.
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            out.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = &behind[2..];
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::fixture::TestServer;

    #[test]
    fn a_name_is_one_part_of_an_address() {
        for name in ["a/b", "/x", "x/", "a//b", "a/..", "..", ".", "%2F", "ü/?#"] {
            let part = part(name);
            assert!(!part.contains('/') && ![".", ".."].contains(&part.as_str()), "{part}");
            assert_eq!(decoded(&part).as_deref(), Some(name));
        }
    }

    #[test]
    fn an_address_comes_back_as_it_went() {
        for text in ["a/b.md", "a b/ü.txt", "100%/x?.md", "#", "%41"] {
            let coded = encoded(text);
            assert!(!coded.contains([' ', '?', '#']), "{coded}");
            assert_eq!(decoded(&coded).as_deref(), Some(text));
        }
        for text in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }

    #[test]
    fn an_escape_is_two_hexadecimal_digits() {
        for text in ["%+f", "%-1", "% 1", "%0x", "%1%"] {
            assert_eq!(decoded(text), None, "{text}");
        }
        assert_eq!(decoded("%2f%2F").as_deref(), Some("//"));
    }

    #[test]
    fn an_address_means_its_own_skill_whatever_the_names_are() {
        let id_like = "0123456789abcdef01234567";
        let names = ["a", "a/b", "a%2Fb", "..", ".", "\u{fc}/?#", id_like, "twin", "twin", "A"];
        let server = TestServer::with(&names, "");
        let snapshot = server.snapshot();
        let shown = snapshot.shown();
        assert!(shown.len() >= 4, "{shown:?}");
        let mut seen = std::collections::HashSet::new();
        for index in shown {
            let base = base(&snapshot, index);
            assert!(seen.insert(base.clone()), "{base}");
            for file in ["", "SKILL.md", "x/y z.md", "%41", "#?", "\u{fc}"] {
                let address = super::file(&base, Path::new(file));
                assert_eq!(find(&snapshot, &address), Some((index, PathBuf::from(file))));
            }
            let bare = base.trim_end_matches('/');
            assert_eq!(find(&snapshot, bare), Some((index, PathBuf::new())), "{bare}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_skill_whose_path_is_no_text_has_no_address_and_gives_no_other_skills_files() {
        use std::os::unix::ffi::OsStrExt;
        let server = TestServer::with(&["pdf"], "");
        let top = server.test.env.at("repo/.agents/skills");
        for (folder, name) in [(&b"nu\xff"[..], "nu"), ("nu\u{fffd}".as_bytes(), "other")] {
            let folder = top.join(std::ffi::OsStr::from_bytes(folder));
            std::fs::create_dir(&folder).unwrap();
            let text = format!("---\nname: {name}\ndescription: d\n---\nBODY");
            std::fs::write(folder.join("SKILL.md"), text).unwrap();
        }
        let snapshot = server.snapshot();
        assert_eq!((snapshot.shown().len(), addressable(&snapshot).len()), (3, 2));
        assert_eq!(find(&snapshot, "skill://nu/SKILL.md"), None);
        assert!(find(&snapshot, "skill://other/SKILL.md").is_some());
    }

    #[test]
    fn what_is_no_address_of_a_skill_means_none() {
        let server = TestServer::with(&["pdf"], "");
        let snapshot = server.snapshot();
        for address in [
            "",
            "skill://",
            "skill:///",
            "skill://pd/",
            "skill://pdfx/SKILL.md",
            "file://pdf/SKILL.md",
            "skill://pdf/SKILL.md?x",
            "skill://pdf/SKILL.md#x",
            "skill://pdf/%ff",
        ] {
            assert_eq!(find(&snapshot, address), None, "{address}");
        }
    }
}
