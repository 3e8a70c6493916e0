//! Whether a host is on this machine, and in which version, told without running anything.

use super::Context;
use std::fmt;
use std::path::{Path, PathBuf};

/// How a host shows that it is here.
#[derive(Debug)]
pub struct Detect {
    /// The names of its program.
    pub programs: &'static [&'static str],
    /// Its own folders, any of which shows that it has been used.
    pub folders: &'static [Folder],
    /// Variables that it sets for the programs that it starts.
    pub inside: &'static [&'static str],
}

/// A folder of a host: what a variable says, else a place below the home directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The environment variable that names it; empty where there is none.
    pub variable: &'static str,
    /// Else: this, below the home directory.
    pub default: &'static str,
    /// Whether the host understands `~` in the variable; most take it for a name.
    pub tilde: bool,
}

impl Folder {
    /// This below the home directory: the host has no variable for it.
    pub const fn fixed(default: &'static str) -> Self {
        Self { variable: "", default, tilde: false }
    }
}

/// A host on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its program, as found on `PATH`.
    pub program: Option<PathBuf>,
    /// Its version, where a package file beside the program tells it.
    pub version: Option<Version>,
}

/// A version: its first three numbers count, the rest is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    text: String,
}

impl Version {
    /// The first version in a text (`codex-cli 0.169.0`): two or three numbers with dots between
    /// them.
    pub fn find(text: &str) -> Option<Self> {
        let words =
            text.split(|letter: char| letter.is_whitespace() || letter == '(' || letter == ',');
        words.map(|word| word.trim_start_matches('v')).find_map(|word| {
            let digits = |part: &str| {
                part.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
            };
            let mut parts = word.splitn(3, '.').map(digits);
            let numbers = [parts.next()??, parts.next()??, parts.next().flatten().unwrap_or(0)];
            Some(Self { numbers, text: word.chars().take(40).collect() })
        })
    }

    /// Its first three numbers.
    pub fn numbers(&self) -> [u64; 3] {
        self.numbers
    }

    /// Whether its numbers are above those of another, which is written out.
    pub fn is_above(&self, other: &str) -> bool {
        Self::find(other).is_some_and(|other| self.numbers > other.numbers)
    }

    /// Whether its numbers are below those of another, which is written out.
    pub fn is_below(&self, other: &str) -> bool {
        Self::find(other).is_some_and(|other| self.numbers < other.numbers)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Detect {
    /// A host that shows itself by nothing.
    pub const NEVER: Self = Self { programs: &[], folders: &[], inside: &[] };

    /// Whether the host has started this process, by the variables that it sets.
    pub fn is_around(&self, context: &Context) -> bool {
        self.inside.iter().any(|variable| context.variable(variable).is_some())
    }

    /// The host as it is on this machine; nothing where there is neither its program nor a folder
    /// of its own.
    pub fn look(&self, context: &Context) -> Option<Installed> {
        let program = self.programs.iter().find_map(|name| on_path(context, name));
        let used = || {
            self.folders
                .iter()
                .any(|folder| context.folder(*folder).is_some_and(|path| path.is_dir()))
        };
        (program.is_some() || used())
            .then(|| Installed { version: program.as_deref().and_then(version_beside), program })
    }
}

/// The first file of this name on `PATH` that can be executed.
pub(super) fn on_path(context: &Context, name: &str) -> Option<PathBuf> {
    let path = context.environment.get("PATH")?;
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| {
            let meta = std::fs::metadata(file);
            meta.is_ok_and(|meta| meta.is_file() && executable(&meta))
        })
}

#[cfg(unix)]
fn executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &std::fs::Metadata) -> bool {
    true
}

/// What the `package.json` of the program's package says: links followed, at most four folders up.
fn version_beside(program: &Path) -> Option<Version> {
    /// No package file of a program is larger, bytes.
    const MOST: u64 = 1 << 20;
    let real = std::fs::canonicalize(program).ok()?;
    let file = real
        .ancestors()
        .skip(1)
        .take(4)
        .map(|folder| folder.join("package.json"))
        .find(|file| file.is_file())?;
    if std::fs::metadata(&file).ok()?.len() > MOST {
        return None;
    }
    let package: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).ok()?).ok()?;
    Version::find(package.get("version")?.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    #[test]
    fn a_version_is_found_in_what_programs_print() {
        for (text, numbers) in [
            ("codex-cli 0.169.0", Some([0, 169, 0])),
            ("2.1.330 (Claude Code)", Some([2, 1, 330])),
            ("v20.20", Some([20, 20, 0])),
            ("0.0.1790142911-g7618fb", Some([0, 0, 1_790_142_911])),
            ("no version", None),
            ("1", None),
            ("99999999999999999999.1.1", None),
        ] {
            assert_eq!(Version::find(text).map(|version| version.numbers()), numbers, "{text}");
        }
        let version = Version::find("2.1.197").unwrap();
        assert!(
            version.is_below("2.1.330")
                && !version.is_above("2.1.197")
                && version.is_above("2.0.999")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_host_is_here_by_its_program_or_its_folder_and_its_package_tells_the_version() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        const DETECT: Detect = Detect {
            programs: &["tool"],
            folders: &[Folder { variable: "TOOL_HOME", default: ".tool", tilde: false }],
            inside: &["TOOL_SESSION"],
        };
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let package = top.join("lib/node_modules/tool");
        fs::create_dir_all(package.join("bin")).unwrap();
        fs::create_dir_all(top.join("path")).unwrap();
        let path = BTreeMap::from([("PATH".to_owned(), top.join("path").into_os_string())]);
        let look = |environment| DETECT.look(&Context::at(&top, Some(top.clone()), environment));
        assert_eq!(look(path.clone()), None);
        fs::write(package.join("package.json"), "{\"name\": \"tool\", \"version\": \"1.2.3\"}")
            .unwrap();
        fs::write(package.join("bin/tool.js"), "").unwrap();
        symlink(package.join("bin/tool.js"), top.join("path/tool")).unwrap();
        assert_eq!(look(path.clone()), None, "it cannot be executed");
        fs::set_permissions(package.join("bin/tool.js"), fs::Permissions::from_mode(0o755))
            .unwrap();
        let found = look(path).unwrap();
        assert_eq!(found.program, Some(top.join("path/tool")));
        assert_eq!(found.version.unwrap().to_string(), "1.2.3");
        fs::create_dir_all(top.join("elsewhere")).unwrap();
        let named =
            BTreeMap::from([("TOOL_HOME".to_owned(), top.join("elsewhere").into_os_string())]);
        assert_eq!(look(named), Some(Installed { program: None, version: None }));
        // A folder that is named from the home directory on is there for those alone that
        // understand it.
        let named = BTreeMap::from([("TOOL_HOME".to_owned(), "~/elsewhere".into())]);
        let context = Context::at(&top.join("path"), Some(top.clone()), named);
        let here = [true, false]
            .map(|tilde| context.folder(Folder { tilde, ..DETECT.folders[0] }).unwrap().is_dir());
        assert_eq!(here, [true, false]);
    }
}
