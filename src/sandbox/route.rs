//! The paths that lead to a script. Rules are judged by them; the file itself is opened beneath its
//! folder, by the kernel's check.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links followed at most, as on Linux.
const MAX_LINKS: usize = 40;

/// The paths of one script, relative to its skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The path with every link followed.
    pub real: PathBuf,
    /// The path as it was asked for, then one for each link on the way, resolved up to that link.
    pub names: Vec<PathBuf>,
}

/// The paths to a script; `None` if this canonical folder has no such script.
pub fn route(folder: &Path, script: &str) -> Option<Route> {
    let real = folder.join(script).canonicalize().ok()?.strip_prefix(folder).ok()?.to_owned();
    Some(Route { real, names: names(folder, Path::new(script)) })
}

fn names(folder: &Path, script: &Path) -> Vec<PathBuf> {
    let parts = |path: &Path| {
        path.components().map(|part| PathBuf::from(part.as_os_str())).collect::<Vec<_>>()
    };
    let plain = |path: &Path| {
        path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>()
    };
    let mut names = vec![plain(script)];
    let mut left: Vec<PathBuf> = parts(script).into_iter().rev().collect();
    let mut done = PathBuf::new();
    while let Some(part) = left.pop() {
        match part.components().next() {
            Some(Component::Normal(name)) => done.push(name),
            Some(Component::ParentDir) => drop(done.pop()),
            Some(Component::CurDir) => {}
            // Absolute paths are never opened.
            _ => break,
        }
        let Some(Component::Normal(_)) = part.components().next() else { continue };
        let Ok(target) = fs::read_link(folder.join(&done)) else { continue };
        names.push([&done].into_iter().chain(left.iter().rev()).collect());
        if names.len() > MAX_LINKS {
            break;
        }
        done.pop();
        left.extend(parts(&target).into_iter().rev());
    }
    names
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_script_is_known_by_every_link_on_the_way_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().canonicalize().unwrap();
        for directory in ["scripts", "inner"] {
            fs::create_dir(skill.join(directory)).unwrap();
        }
        fs::write(skill.join("scripts/b.sh"), "").unwrap();
        for (link, target) in [
            ("scripts/lb.sh", "b.sh"),
            ("sc", "scripts"),
            ("inner/up.sh", "../sc/./lb.sh"),
            ("out.sh", "/bin/sh"),
            ("loop.sh", "loop.sh"),
        ] {
            symlink(target, skill.join(link)).unwrap();
        }
        let of = |script: &str| {
            let route = route(&skill, script)?;
            assert_eq!(route.real, Path::new("scripts/b.sh"), "{script}");
            let names: Vec<_> =
                route.names.iter().filter_map(|name| name.to_str()).map(str::to_owned).collect();
            Some(names.join(" "))
        };
        for (script, names) in [
            ("scripts/b.sh", "scripts/b.sh"),
            (".//scripts/./lb.sh", "scripts/lb.sh scripts/lb.sh"),
            ("scripts/../scripts/lb.sh", "scripts/../scripts/lb.sh scripts/lb.sh"),
            ("inner/../sc/lb.sh", "inner/../sc/lb.sh sc/lb.sh scripts/lb.sh"),
            ("inner/up.sh", "inner/up.sh inner/up.sh sc/lb.sh scripts/lb.sh"),
        ] {
            assert_eq!(of(script).as_deref(), Some(names), "{script}");
        }
        assert_eq!(["out.sh", "loop.sh", "none.sh", "../x"].map(of), [const { None }; 4]);
        assert_eq!(names(&skill, Path::new("loop.sh")).len(), MAX_LINKS + 1);
    }
}
