//! What a script may read in the sandbox. Landlock can allow but not forbid, so the home directory
//! is not granted as a whole: only what programs need to run is, and nothing that holds credentials
//! or lies among them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What any program may read and execute.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/snap",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/var/cache/fontconfig",
    "/sys/devices/system/cpu",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/uptime",
    "/proc/loadavg",
    "/proc/sys",
    "/proc/self",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The parts of `/etc` that describe the machine. None of them can hold a password.
const SETTINGS: &[&str] = &[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "localtime",
    "timezone",
    "locale.conf",
    "locale.alias",
    "passwd",
    "group",
    "nsswitch.conf",
    "host.conf",
    "hosts",
    "hostname",
    "resolv.conf",
    "protocols",
    "services",
    "os-release",
    "lsb-release",
    "debian_version",
    "ssl/certs",
    "ssl/openssl.cnf",
    "pki/tls/certs",
    "pki/ca-trust",
    "ca-certificates",
    "alternatives",
    "fonts",
    "mime.types",
    "magic",
    "magic.mime",
    "terminfo",
    "inputrc",
    "bash.bashrc",
    "profile",
    "profile.d",
    "python3",
    "python",
    "perl",
    "java",
    "ImageMagick-6",
    "ImageMagick-7",
    "ghostscript",
    "libreoffice",
    "texmf",
    "crypto-policies",
    "gai.conf",
    "papersize",
];

/// Where version managers keep interpreters, relative to the home directory.
const TOOLCHAINS: &[&str] = &[
    ".pyenv",
    ".rbenv",
    ".nodenv",
    ".nvm",
    ".volta",
    ".fnm",
    ".asdf",
    ".deno/bin",
    ".bun/bin",
    ".sdkman/candidates",
    ".cargo/bin",
    ".rustup/toolchains",
    ".rye",
    ".local/bin",
    ".local/lib",
    ".local/share/mise",
    ".local/share/uv",
    ".local/share/fnm",
    ".local/share/pnpm",
    ".local/pipx/venvs",
    ".local/share/pipx",
    ".nix-profile",
    "miniconda3",
    "anaconda3",
    "miniforge3",
];

/// Credentials, histories and agents' settings, relative to the home directory. What holds one of
/// them, or lies in one, is never granted.
const SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".git-credentials",
    ".gitconfig",
    ".password-store",
    ".vault-token",
    ".terraform.d",
    ".boto",
    ".pgpass",
    ".my.cnf",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".config/git",
    ".config/gh",
    ".config/hub",
    ".config/gcloud",
    ".config/op",
    ".config/rclone",
    ".config/sops",
    ".config/containers",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/Code",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/Slack",
    ".config/discord",
    ".config/Signal",
    ".config/1Password",
    ".config/Bitwarden",
    ".config/fish",
    ".var/app",
    "snap",
    ".mozilla",
    ".thunderbird",
    ".local/share/keyrings",
    ".local/share/opencode",
    ".local/share/amp",
    ".local/share/goose",
    ".local/share/crush",
    ".local/share/fish",
    ".config/opencode",
    ".config/skillpick",
    ".local/state/skillpick",
    ".config/goose",
    ".config/github-copilot",
    ".copilot",
    ".codex",
    ".claude",
    ".claude.json",
    ".gemini",
    ".codelia",
    ".kodelet",
    ".cursor",
    ".continue",
    ".goose",
    ".amp",
    ".config/agents",
    ".agents",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".Xauthority",
    ".ICEauthority",
    "Library/Keychains",
];

/// Folders of the system that cannot be a working directory.
const RESERVED: &[&str] =
    &["/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/var/run", "/root/.ssh"];

/// Variables that move a part of the home directory, and the part.
const MOVED: &[(&str, &str)] = &[
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];

/// What is granted beside a `bin` of the search path: what its programs need.
const LIBRARIES: &[&str] = &["lib", "lib32", "lib64", "libexec"];

/// What else is granted beside the `bin` of the interpreter.
const INTERPRETERS: &[&str] = &["share", "include", "ssl", "pyvenv.cfg"];

/// What no script may read: home directories as a whole, and the secrets in them.
#[derive(Debug)]
pub(super) struct Secrets {
    homes: Vec<PathBuf>,
    places: Vec<PathBuf>,
}

impl Secrets {
    /// The secrets of this canonical home, as these variables move them, and further private ones.
    pub(super) fn of(
        home: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
        private: &[PathBuf],
    ) -> Self {
        // The variable HOME may name another directory than the account's home.
        let homes: Vec<PathBuf> =
            home.into_iter().chain([Path::new("/root")]).map(Path::to_owned).collect();
        let mut places: Vec<PathBuf> = homes.iter().flat_map(|home| secrets_of(home)).collect();
        for (name, part) in MOVED {
            let Some(folder) =
                variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
            else {
                continue;
            };
            let below =
                SECRETS.iter().filter_map(|secret| Path::new(secret).strip_prefix(part).ok());
            places.extend(below.flat_map(|secret| both(folder.join(secret))));
        }
        places.extend(private.iter().cloned().flat_map(both));
        Self { homes, places }
    }

    /// Whether reading all of this canonical directory would show a whole home, a credential, or
    /// the internals of the system.
    pub(super) fn exposes(&self, directory: &Path) -> bool {
        let touches = |place: &Path| place.starts_with(directory) || directory.starts_with(place);
        let account = account_home(directory);
        let homes = self.homes.iter().chain(&account).filter(|home| home.parent().is_some());
        homes.into_iter().any(|home| home.starts_with(directory))
            || self.places.iter().any(|place| touches(place))
            || account.iter().flat_map(|home| secrets_of(home)).any(|place| touches(&place))
            || RESERVED.iter().any(|place| touches(Path::new(place)))
    }
}

fn secrets_of(home: &Path) -> impl Iterator<Item = PathBuf> {
    let below = if home.parent().is_some() { SECRETS } else { &[] };
    below.iter().flat_map(|secret| both(home.join(secret)))
}

/// A path, and where it leads if it is a link.
fn both(place: PathBuf) -> impl Iterator<Item = PathBuf> {
    place.canonicalize().ok().into_iter().chain([place])
}

fn account_home(directory: &Path) -> Option<PathBuf> {
    ["/home", "/Users"].into_iter().find_map(|homes| {
        let account = directory.strip_prefix(homes).ok()?.iter().next()?;
        Some(Path::new(homes).join(account))
    })
}

/// What any script may read and execute of the system, whether it exists or not.
pub(super) fn system() -> impl Iterator<Item = PathBuf> {
    SYSTEM.iter().map(PathBuf::from).chain(SETTINGS.iter().map(|name| Path::new("/etc").join(name)))
}

/// The programs that a run needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Programs<'a> {
    pub(super) interpreter: &'a Path,
    /// The search path.
    pub(super) path: &'a [PathBuf],
    pub(super) home: Option<&'a Path>,
}

/// What may be read and executed besides the system's files, to run the interpreter and the
/// programs of the search path: canonical paths, none within another. Beside a `bin` only
/// libraries are granted, because programs keep tokens there as well.
pub(super) fn programs(needed: &Programs<'_>, secrets: &Secrets) -> Vec<PathBuf> {
    let Programs { interpreter, path, home } = *needed;
    let mut places: Vec<PathBuf> = path.to_vec();
    places.extend(home.into_iter().flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name))));
    places.extend(path.iter().flat_map(|directory| beside(directory, LIBRARIES)));
    for program in both(interpreter.to_owned()) {
        let Some(directory) = program.parent() else { continue };
        places.push(directory.to_owned());
        places.extend([LIBRARIES, INTERPRETERS].iter().flat_map(|names| beside(directory, names)));
        // A shim needs its version manager.
        places.extend(
            directory.parent().filter(|_| directory.ends_with("shims")).map(Path::to_owned),
        );
    }
    let mut found: Vec<PathBuf> =
        places.iter().filter_map(|place| place.canonicalize().ok()).collect();
    found
        .retain(|place| !secrets.exposes(place) && !system().any(|known| place.starts_with(known)));
    found.sort();
    found.dedup_by(|next, before| next.starts_with(before));
    found
}

/// Paths with these names beside a folder of programs, links followed.
fn beside(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    let real = directory.canonicalize().unwrap_or_default();
    let programs = ["bin", "sbin"].iter().any(|name| real.ends_with(name));
    let prefix = real.parent().filter(|_| programs);
    prefix.into_iter().flat_map(|prefix| names.iter().map(|name| prefix.join(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(home: &Path) -> Secrets {
        Secrets::of(Some(home), |_| None, &["/srv/agent".into()])
    }

    #[test]
    fn no_place_of_a_credential_is_readable() {
        let secrets = secrets(Path::new("/home/ann"));
        for place in [
            "/",
            "/home",
            "/home/ann",
            "/home/ann/.ssh",
            "/home/ann/.ssh/keys",
            "/home/ann/.config",
            "/home/ann/.local",
            "/home/ann/.local/share/amp",
            "/home/ann/.cargo",
            "/home/ann/.claude/skills/x",
            "/etc",
            "/etc/ssl",
            "/proc/1",
            "/run/user/1000",
            "/root",
            "/home/bob",
            "/home/bob/.aws",
            "/dev/shm",
            "/srv",
            "/srv/agent/sessions",
        ] {
            assert!(secrets.exposes(Path::new(place)), "{place}");
        }
        for place in [
            "/home/ann/code/repo",
            "/home/ann/.pyenv",
            "/home/ann/.cargo/bin",
            "/srv/repo",
            "/tmp/x",
            "/usr/bin",
        ] {
            assert!(!secrets.exposes(Path::new(place)), "{place}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_credential_is_known_by_its_link_and_by_the_variable_that_moves_it() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for directory in ["home", "dotfiles/aws", "config/gh", "state/skillpick", "state/other"] {
            std::fs::create_dir_all(top.join(directory)).unwrap();
        }
        std::os::unix::fs::symlink(top.join("dotfiles/aws"), top.join("home/.aws")).unwrap();
        let variable = |name: &str| {
            let moved = [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")];
            moved
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, to)| top.join(to).into_os_string())
        };
        let secrets = Secrets::of(Some(&top.join("home")), variable, &[]);
        for place in ["dotfiles", "dotfiles/aws", "config", "config/gh", "state/skillpick"] {
            assert!(secrets.exposes(&top.join(place)), "{place}");
        }
        assert!(!secrets.exposes(&top.join("state/other")));
    }

    #[test]
    fn beside_programs_only_libraries_are_readable() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for directory in
            ["tool/bin", "tool/lib", "tool/share", "bin", ".pyenv/shims", ".local/bin", ".ssh"]
        {
            std::fs::create_dir_all(home.join(directory)).unwrap();
        }
        for directory in
            [".pulumi/bin", ".pulumi/lib", ".pulumi/share", ".new/shims", ".other/shims"]
        {
            std::fs::create_dir_all(home.join(directory)).unwrap();
        }
        let path = ["bin", ".local/bin", ".ssh", ".pulumi/bin", ".other/shims"]
            .map(|name| home.join(name));
        let granted = |program: &str| {
            let program = home.join(program);
            std::fs::write(&program, "").unwrap();
            let needed = Programs { interpreter: &program, path: &path, home: Some(&home) };
            let granted = programs(&needed, &secrets(&home));
            granted
                .iter()
                .filter_map(|place| place.strip_prefix(&home).unwrap().to_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let others = ".local/bin .other/shims .pulumi/bin .pulumi/lib .pyenv bin";
        assert_eq!(granted("tool/bin/python3"), format!("{others} tool/bin tool/lib tool/share"));
        assert_eq!(
            granted(".new/shims/python3"),
            format!(".local/bin .new {}", &others[".local/bin ".len()..])
        );
    }
}
