//! The names of skills for a shell's completion: what the index knows, without reading a skill.

use super::Workspace;
use crate::catalog::Root;
use crate::catalog::validate::FILE_NAME;
use crate::scan::Index;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

/// Of more names than this nobody looks whether their files are still there.
const LOOKED_AT: usize = 64;

impl Workspace {
    /// The names and descriptions of the skills that begin so, by name. If nothing is known of a
    /// folder with skills, all are read once, so that the next answer is quick. A skill in a new
    /// folder has no description yet.
    pub fn offers(&self, prefix: &str) -> Vec<(String, String)> {
        let roots = self.roots();
        let known = self.index().and_then(|index| known(&index, &roots, prefix));
        let named: BTreeMap<String, String> = known.unwrap_or_else(|| {
            let view = self.view();
            let skills = view.rows.skills().filter(|skill| skill.name.starts_with(prefix));
            skills.map(|skill| (skill.name.clone(), skill.description.clone())).collect()
        });
        named.into_iter().collect()
    }
}

/// `None` if the index has nothing of a folder in which there may be skills.
fn known(index: &Index, roots: &[Root], prefix: &str) -> Option<BTreeMap<String, String>> {
    let mut found = Vec::new();
    let mut new = Vec::new();
    for root in roots.iter().filter(|root| root.closed.is_none()) {
        let mut folders = folders(&root.path);
        let mut keep = |name: &str, description: &str, path: &Path| {
            path.parent().and_then(Path::file_name).map(|folder| folders.remove(folder));
            if name.starts_with(prefix) {
                found.push((name.to_owned(), description.to_owned(), path.to_owned()));
            }
        };
        if !index.names(root, &mut keep) && !folders.is_empty() {
            return None;
        }
        let unread = folders.into_iter().filter_map(|folder| folder.into_string().ok());
        let unread = unread.filter(|folder| folder.starts_with(prefix)).take(LOOKED_AT);
        new.extend(unread.filter(|folder| root.path.join(folder).join(FILE_NAME).is_file()));
    }
    if found.len() <= LOOKED_AT {
        found.retain(|(_, _, path)| path.is_file());
    }
    let new = new.into_iter().map(|name| (name, String::new()));
    Some(new.chain(found.into_iter().map(|(name, about, _)| (name, about))).collect())
}

/// The names of the folders in a root.
fn folders(root: &Path) -> HashSet<std::ffi::OsString> {
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_file());
    let entries = fs::read_dir(root).into_iter().flatten().flatten().filter(is_folder);
    entries.map(|entry| entry.file_name()).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use crate::workspace::fixture::TestWorkspace;
    use std::time::{Duration, SystemTime};

    fn names(test: &TestWorkspace, prefix: &str) -> Vec<String> {
        test.workspace.offers(prefix).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn names_come_from_the_index_and_follow_what_is_made_and_removed() {
        let mut test = TestWorkspace::with(&[
            ("repo/.agents/skills/pdf", "pdf"),
            ("repo/.agents/skills/zip", "archive"),
        ]);
        test.workspace.cache_dir = Some(test.env.at("cache"));
        // The index has only what was not changed a moment ago.
        for folder in ["pdf", "zip"] {
            let file = test.env.at(format!("repo/.agents/skills/{folder}/SKILL.md"));
            let file = std::fs::File::options().write(true).open(file).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        }
        assert_eq!(names(&test, ""), ["archive", "pdf"]);
        assert_eq!(names(&test, "p"), ["pdf"]);
        test.env.skill("repo/.agents/skills", "png", "Pictures");
        assert_eq!(names(&test, "p"), ["pdf", "png"]);
        std::fs::remove_dir_all(test.env.at("repo/.agents/skills/pdf")).unwrap();
        assert_eq!(names(&test, "p"), ["png"]);
    }
}
