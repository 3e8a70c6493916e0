//! What a script may read in the sandbox (X6). Landlock allows and never forbids, so the home
//! directory as a whole is not on the list: only what programs need to run is, and nothing that
//! holds or lies in a credential's place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Read and executed by any program.
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

/// Of `/etc` only what says how the machine is set up, nothing that could hold a password.
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

/// Places of credentials, histories and agents' settings, relative to the home directory. Nothing
/// that holds one of them, or lies in one, is ever on the list.
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

/// Places of the system that are no working directory.
const RESERVED: &[&str] =
    &["/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/var/run", "/root/.ssh"];

/// Variables that put a part of the home directory elsewhere, and the part.
const MOVED: &[(&str, &str)] = &[
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];

/// Beside a `bin` that is on the search path: what its programs need.
const LIBRARIES: &[&str] = &["lib", "lib32", "lib64", "libexec"];

/// Beside the `bin` of the interpreter itself.
const INTERPRETERS: &[&str] = &["share", "include", "ssl", "pyvenv.cfg"];

/// What no script may read: homes as a whole, and the places of secrets in them.
#[derive(Debug)]
pub(super) struct Secrets {
    homes: Vec<PathBuf>,
    places: Vec<PathBuf>,
}

impl Secrets {
    /// Those of this home (canonical), of these variables, and further places of the person's own.
    pub(super) fn of(
        home: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
        private: &[PathBuf],
    ) -> Self {
        // A home is known by its place as well: the variable may name another one.
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

    /// Whether reading all of this directory (canonical) would show the home as a whole, a
    /// credential, or the system's inside.
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

/// A place, and where it leads to if it is a link.
fn both(place: PathBuf) -> impl Iterator<Item = PathBuf> {
    place.canonicalize().ok().into_iter().chain([place])
}

fn account_home(directory: &Path) -> Option<PathBuf> {
    ["/home", "/Users"].into_iter().find_map(|homes| {
        let account = directory.strip_prefix(homes).ok()?.iter().next()?;
        Some(Path::new(homes).join(account))
    })
}

/// What of the system may be read and executed, whether it exists or not.
pub(super) fn system() -> impl Iterator<Item = PathBuf> {
    SYSTEM.iter().map(PathBuf::from).chain(SETTINGS.iter().map(|name| Path::new("/etc").join(name)))
}

/// What may be read and executed beyond the system's own, to run this interpreter and what is on
/// the search path: canonical, and none within another. Of what lies beside a `bin` only libraries
/// are among it: programs keep their tokens there as well.
pub(super) fn programs(
    (program, path): (&Path, &[PathBuf]),
    home: Option<&Path>,
    secrets: &Secrets,
) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = path.to_vec();
    places.extend(home.into_iter().flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name))));
    places.extend(path.iter().flat_map(|directory| beside(directory, LIBRARIES)));
    for program in both(program.to_owned()) {
        let Some(directory) = program.parent() else { continue };
        places.push(directory.to_owned());
        places.extend([LIBRARIES, INTERPRETERS].iter().flat_map(|names| beside(directory, names)));
        // A shim is nothing without its version manager.
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

/// What has one of these names beside a folder of programs, links followed.
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
            let granted = programs((&program, &path), Some(&home), &secrets(&home));
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
