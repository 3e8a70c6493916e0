//! Whether a program that a script names by itself may run it. Its folder is granted, so a script
//! must not choose one in which its author may have put a program.

use super::grants::toolchains;
use super::secrets::both;
use std::path::{Path, PathBuf};

/// Where systems and package managers put programs. Only an administrator writes there.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/usr",
    "/opt",
    "/snap",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/home/linuxbrew/.linuxbrew",
];

/// Folders in which any process may write, or where a path leads through what a process has open.
const OPEN: &[&str] = &["/tmp", "/var/tmp", "/dev", "/proc", "/run/user", "/run/shm"];

/// What is known of a program's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// It belongs to the system, a known toolchain, or the person's search path.
    Known,
    /// Nothing is known of it.
    Strange,
    /// The author of a skill may have written there.
    Writable,
}

/// What a person knows of a run besides the script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    /// The search path.
    pub(super) path: &'a [PathBuf],
    pub(super) home: Option<&'a Path>,
    /// The skill and the repositories around it and around the person.
    pub(super) untrusted: &'a [PathBuf],
}

/// The trust of a program: the worst of where it is named and where that leads.
pub(super) fn trust(program: &Path, around: &Surroundings<'_>) -> Trust {
    let each: Vec<Trust> = both(program.to_owned()).map(|place| of(&place, around)).collect();
    [Trust::Writable, Trust::Strange]
        .into_iter()
        .find(|worst| each.contains(worst))
        .unwrap_or(Trust::Known)
}

fn of(program: &Path, around: &Surroundings<'_>) -> Trust {
    let Surroundings { path, home, untrusted } = *around;
    let lies_in = |folder: &Path| both(folder.to_owned()).any(|place| program.starts_with(place));
    if untrusted.iter().any(|folder| folder.parent().is_some() && lies_in(folder)) {
        return Trust::Writable;
    }
    let known = SYSTEM.iter().any(|folder| lies_in(Path::new(folder)))
        || home.into_iter().flat_map(toolchains).any(|folder| lies_in(&folder))
        || path.iter().any(|folder| both(folder.clone()).any(|it| program.parent() == Some(&it)));
    let open = || {
        OPEN.iter().any(|folder| lies_in(Path::new(folder)))
            || lies_in(&std::env::temp_dir())
            || home.is_some_and(lies_in)
            || program.ancestors().skip(1).any(anybody_writes)
    };
    match known {
        true => Trust::Known,
        false if open() => Trust::Writable,
        false => Trust::Strange,
    }
}

/// Whether every account may write to this folder.
#[cfg(unix)]
fn anybody_writes(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn anybody_writes(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_script_names_programs_of_the_system_and_of_toolchains_and_none_that_its_author_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for place in ["home/.pyenv/versions/3/bin", "home/bin", "home/own", "repo/.venv/bin"] {
            fs::create_dir_all(top.join(place)).unwrap();
            fs::write(top.join(place).join("py"), "").unwrap();
        }
        symlink(top.join("repo/.venv/bin/py"), top.join("home/.pyenv/versions/3/bin/linked"))
            .unwrap();
        let (path, home) = ([top.join("home/bin")], top.join("home"));
        let untrusted = [top.join("repo")];
        let around = Surroundings { path: &path, home: Some(&home), untrusted: &untrusted };
        for (program, expected) in [
            ("/usr/bin/env", Trust::Known),
            ("/bin/sh", Trust::Known),
            ("/opt/tool/bin/x", Trust::Known),
            ("/nix/store/abc/bin/sh", Trust::Known),
            ("home/.pyenv/versions/3/bin/py", Trust::Known),
            ("home/bin/py", Trust::Known),
            ("home/own/py", Trust::Writable),
            ("home/.pyenv/versions/3/bin/linked", Trust::Writable),
            ("repo/.venv/bin/py", Trust::Writable),
            ("/tmp/x/sh", Trust::Writable),
            ("/dev/shm/sh", Trust::Writable),
            ("/proc/self/exe", Trust::Writable),
            ("/srv/tools/bin/sh", Trust::Strange),
        ] {
            assert_eq!(trust(&top.join(program), &around), expected, "{program}");
        }
        let around_it = format!("/usr/bin/../..{}/repo/.venv/bin/py", top.display());
        assert_eq!(trust(Path::new(&around_it), &around), Trust::Writable);
        // A repository on the search path is no reason to follow a script into it.
        let around = Surroundings { path: &[top.join("repo/.venv/bin")], ..around };
        assert_eq!(trust(&top.join("repo/.venv/bin/py"), &around), Trust::Writable);
    }
}
