//! Whether a host is installed, and in which version. No program is run.

use super::Context;
use std::fmt;
use std::path::{Path, PathBuf};

/// How we notice that a host is installed.
#[derive(Debug)]
pub struct Detect {
    pub programs: &'static [&'static str],
    /// The packages of npm that have the program, as in `npx PACKAGE`.
    pub packages: &'static [&'static str],
    /// The package of Python that has the program, as its folder in an environment is called; empty
    /// if there is none.
    pub python: &'static str,
    /// Its own folders. One that exists shows that the host has been used.
    pub folders: &'static [Folder],
    /// Variables that it sets for the programs that it starts.
    pub inside: &'static [&'static str],
}

/// A folder of a host: named by a variable, or in the home directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The environment variable that names it; empty if there is none.
    pub variable: &'static str,
    /// The folder in the home directory if the variable is not set.
    pub default: &'static str,
    /// Whether the host expands `~` in the variable. Most do not.
    pub tilde: bool,
}

impl Folder {
    /// A folder in the home directory for which the host has no variable.
    pub const fn fixed(default: &'static str) -> Self {
        Self { variable: "", default, tilde: false }
    }
}

/// An installed host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// On `PATH`.
    pub program: Option<PathBuf>,
    /// From the `package.json` beside the program, or from its environment of Python.
    pub version: Option<Version>,
}

/// A version. Its first three numbers are compared; the rest is only shown.
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

    pub fn numbers(&self) -> [u64; 3] {
        self.numbers
    }

    pub fn is_above(&self, other: &str) -> bool {
        Self::find(other).is_some_and(|other| self.numbers > other.numbers)
    }

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
    /// A host that we cannot notice.
    pub const NEVER: Self =
        Self { programs: &[], packages: &[], python: "", folders: &[], inside: &[] };

    /// Whether the host has started this process, by the variables that it sets.
    pub fn is_around(&self, context: &Context) -> bool {
        self.inside.iter().any(|variable| context.variable(variable).is_some())
    }

    /// The installed host; `None` if there is neither its program nor one of its folders.
    pub fn look(&self, context: &Context) -> Option<Installed> {
        let program = self.programs.iter().find_map(|name| on_path(context, name));
        let used = || {
            self.folders
                .iter()
                .any(|folder| context.folder(*folder).is_some_and(|path| path.is_dir()))
        };
        let version = |program: &Path| match self.python {
            "" => version_beside(program),
            package => version_in_python(program, package),
        };
        (program.is_some() || used())
            .then(|| Installed { version: program.as_deref().and_then(version), program })
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

/// The version in the `package.json` of the program's package: links followed, at most four folders
/// up.
fn version_beside(program: &Path) -> Option<Version> {
    /// In bytes. A larger `package.json` is not read.
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

/// The version of a package in the environment of Python that has the program in its `bin`, links
/// followed: `lib/python3.12/site-packages/PACKAGE-VERSION.dist-info`.
fn version_in_python(program: &Path, package: &str) -> Option<Version> {
    let real = std::fs::canonicalize(program).ok()?;
    let libraries = real.parent()?.parent()?.join("lib");
    let folders = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sites = folders(libraries).map(|python| python.path().join("site-packages"));
    sites.flat_map(folders).find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let version = name.strip_prefix(package)?.strip_prefix('-')?.strip_suffix(".dist-info")?;
        Version::find(version)
    })
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
    fn a_program_in_python_has_its_version_in_its_environment() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        const DETECT: Detect = Detect { programs: &["tool"], python: "my_tool", ..Detect::NEVER };
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let site = top.join("venv/lib/python3.12/site-packages");
        for name in ["my_tool_more-9.9.9.dist-info", "other-1.0.0.dist-info"] {
            fs::create_dir_all(site.join(name)).unwrap();
        }
        fs::create_dir_all(top.join("venv/bin")).unwrap();
        fs::create_dir_all(top.join("path")).unwrap();
        fs::write(top.join("venv/bin/tool"), "").unwrap();
        fs::set_permissions(top.join("venv/bin/tool"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink(top.join("venv/bin/tool"), top.join("path/tool")).unwrap();
        let path = BTreeMap::from([("PATH".to_owned(), top.join("path").into_os_string())]);
        let context = Context::at(&top, Some(top.clone()), path);
        assert_eq!(DETECT.look(&context).unwrap().version, None);
        fs::create_dir_all(site.join("my_tool-3.0.2.dist-info")).unwrap();
        let version = DETECT.look(&context).unwrap().version.unwrap();
        assert_eq!(version.to_string(), "3.0.2");
    }

    #[cfg(unix)]
    #[test]
    fn a_host_is_here_by_its_program_or_its_folder_and_its_package_tells_the_version() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        const DETECT: Detect = Detect {
            programs: &["tool"],
            folders: &[Folder { variable: "TOOL_HOME", default: ".tool", tilde: false }],
            inside: &["TOOL_SESSION"],
            ..Detect::NEVER
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
        // `~` in a variable names a folder only for hosts that expand it.
        let named = BTreeMap::from([("TOOL_HOME".to_owned(), "~/elsewhere".into())]);
        let context = Context::at(&top.join("path"), Some(top.clone()), named);
        let here = [true, false]
            .map(|tilde| context.folder(Folder { tilde, ..DETECT.folders[0] }).unwrap().is_dir());
        assert_eq!(here, [true, false]);
    }
}
