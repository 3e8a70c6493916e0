//! What a script may read in the sandbox (X6). Landlock allows and never forbids, so the home directory as a whole is
//! not on the list: only what programs need to run is, and nothing that holds or lies in a credential's place.

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

/// Places of credentials, histories and agents' settings, relative to the home directory. Nothing that holds one of
/// them, or lies in one, is ever on the list.
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
    ".mozilla",
    ".thunderbird",
    ".local/share/keyrings",
    ".local/share/opencode",
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
const RESERVED: &[&str] = &["/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/var/run", "/root/.ssh"];

/// Whether reading all of this directory would show the home as a whole, a credential, or the system's inside.
/// `directory` and `home` are canonical.
pub(super) fn exposes(directory: &Path, home: Option<&Path>) -> bool {
    let touches = |place: &Path| place.starts_with(directory) || directory.starts_with(place);
    // A home is known by its place as well: the variable may name another one.
    let homes = [home.map(Path::to_owned), Some("/root".into()), account_home(directory)];
    homes
        .into_iter()
        .flatten()
        .filter(|home| home.parent().is_some())
        .any(|home| home.starts_with(directory) || SECRETS.iter().any(|secret| touches(&home.join(secret))))
        || RESERVED.iter().any(|place| touches(Path::new(place)))
}

fn account_home(directory: &Path) -> Option<PathBuf> {
    ["/home", "/Users"].into_iter().find_map(|homes| {
        let account = directory.strip_prefix(homes).ok()?.iter().next()?;
        Some(Path::new(homes).join(account))
    })
}

/// Everything that may be read and executed, whether it exists or not, beyond what the run itself brings.
pub(super) fn readable(program: &Path, path: &[PathBuf], home: Option<&Path>) -> Vec<PathBuf> {
    let mut grants: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    grants.extend(SETTINGS.iter().map(|name| Path::new("/etc").join(name)));
    let toolchains = home.into_iter().flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name)));
    let own = path.iter().cloned().chain(program.parent().map(Path::to_owned));
    let resolved = program.canonicalize().ok().and_then(|program| program.parent().map(Path::to_owned));
    for directory in toolchains.chain(own).chain(resolved) {
        let Ok(directory) = directory.canonicalize() else { continue };
        // `…/bin` is of use with the libraries beside it.
        let prefix = directory.file_name().is_some_and(|name| ["bin", "sbin", "shims"].iter().any(|bin| name == *bin));
        let prefix = directory.parent().filter(|_| prefix).map(Path::to_owned);
        grants.extend(prefix.into_iter().chain([directory]).filter(|place| !exposes(place, home)));
    }
    grants.sort();
    grants.dedup();
    grants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_of_a_credential_is_readable() {
        let home = Path::new("/home/ann");
        for place in [
            "/",
            "/home",
            "/home/ann",
            "/home/ann/.ssh",
            "/home/ann/.ssh/keys",
            "/home/ann/.config",
            "/home/ann/.local",
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
        ] {
            assert!(exposes(Path::new(place), Some(home)), "{place}");
        }
        for place in
            ["/home/ann/code/repo", "/home/ann/.pyenv", "/home/ann/.cargo/bin", "/srv/repo", "/tmp/x", "/usr/bin"]
        {
            assert!(!exposes(Path::new(place), Some(home)), "{place}");
        }
    }

    #[test]
    fn the_interpreters_own_prefix_is_readable_and_the_home_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for directory in ["tool/bin", "tool/lib", "bin", ".pyenv/shims", ".local/bin", ".ssh"] {
            std::fs::create_dir_all(home.join(directory)).unwrap();
        }
        let program = home.join("tool/bin/python3");
        std::fs::write(&program, "").unwrap();
        let path = [home.join("bin"), home.join(".local/bin"), home.join(".ssh")];
        let grants = readable(&program, &path, Some(&home));
        let has = |place: &str| grants.contains(&home.join(place));
        assert!(has("tool") && has("bin") && has(".local/bin") && has(".pyenv"));
        assert!(!has(".ssh") && !has(".local") && !grants.contains(&home) && !grants.contains(&"/".into()));
    }
}
