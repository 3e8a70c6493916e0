//! Where a copy is made in which a program is asked: outside the folders that it is a copy of. Many
//! programs look in every folder above the working directory, and some leave the copy so; in the
//! home directory they would find the person's own skills there.

use crate::catalog::Root;
use crate::hosts::Context;
use std::path::{Component, Path, PathBuf};

/// A temporary folder outside these folders, if possible one above which the host finds no skills.
pub(super) fn of(context: &Context, own: &[PathBuf], roots: &[Root]) -> Option<PathBuf> {
    let named = context.variable("TMPDIR").map(PathBuf::from);
    let usual = [std::env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
    let real = |path: PathBuf| std::fs::canonicalize(path).ok().filter(|path| path.is_dir());
    let places: Vec<PathBuf> = named.into_iter().chain(usual).filter_map(real).collect();
    let own: Vec<PathBuf> =
        own.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
    // What is a copy of the whole file system lies in it wherever it is.
    let holds = |own: &&PathBuf, place: &Path| own.parent().is_some() && place.starts_with(own);
    let outside = |place: &&PathBuf| !own.iter().any(|own| holds(&own, place));
    let places: Vec<&PathBuf> = places.iter().filter(outside).collect();
    let free = places.iter().find(|place| !has_skills_above(place, roots));
    free.or(places.first()).map(|place| (*place).clone())
}

/// Whether a folder above has skills where these roots have them: in `.claude/skills` if one of
/// them ends so.
fn has_skills_above(place: &Path, roots: &[Root]) -> bool {
    let ends: Vec<PathBuf> = roots.iter().filter_map(|root| hidden_end(&root.path)).collect();
    place.ancestors().any(|above| ends.iter().any(|end| above.join(end).is_dir()))
}

/// The end of a path from its last hidden folder.
fn hidden_end(path: &Path) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = path.components().collect();
    let is_hidden = |part: &Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    let at = parts.iter().rposition(is_hidden)?;
    Some(parts[at..].iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{HostId, Scope, Walk};
    use std::collections::BTreeMap;
    use std::fs;

    #[test]
    fn a_copy_lies_outside_what_it_copies_and_below_no_skills() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home/me/tmp", "free", "skills/.agents/skills", "skills/tmp", "repo/tmp"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let own = [top.join("home/me"), top.join("repo"), PathBuf::from("/")];
        let root = Root::new(
            top.join("home/me/.agents/skills"),
            Scope::User,
            HostId::AGENTS,
            Walk::STANDARD,
        );
        let of = |temporary: &str| {
            let variables = [("TMPDIR".to_owned(), top.join(temporary).into_os_string())];
            let context = Context::at(&top, None, BTreeMap::from(variables));
            super::of(&context, &own, std::slice::from_ref(&root)).unwrap()
        };
        assert_eq!(of("free"), top.join("free"));
        for temporary in ["home/me/tmp", "repo/tmp", "skills/tmp", "nowhere"] {
            assert!(!of(temporary).starts_with(&top), "{temporary}");
        }
    }
}
