//! What a script may read in the sandbox. Landlock can allow but not forbid. So no home
//! directory and no installed software is granted as a whole, but the parts that hold programs.

use super::secrets::{Secrets, both};
use std::path::{Path, PathBuf};

/// What any program may read and execute, besides the installed software.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/snap",
    "/nix/store",
    "/gnu/store",
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

/// Where software of the system is installed. Its settings and its data are not granted.
const INSTALLED: &[&str] = &["/usr", "/usr/local", "/opt/*", "/home/linuxbrew/.linuxbrew"];

/// The folders of such software that can hold a password, besides hidden ones.
const CONFIGURED: &[&str] = &["etc", "var", "conf", "config", "credentials", "secrets"];

/// Settings without which Java does not start.
const JAVA: &[&str] = &["conf/security", "conf/net.properties", "conf/logging.properties"];

/// Where settings of the system lie.
const ETC: &[&str] = &["/etc", "/usr/etc", "/usr/local/etc", "/home/linuxbrew/.linuxbrew/etc"];

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

/// The parts of an installation that hold programs. Beside them installers keep settings, caches
/// and tokens.
const PARTS: &[&str] = &[
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "share",
    "include",
    "jre",
    "jmods",
    "conf/security",
    "conf/net.properties",
    "conf/logging.properties",
    "ssl/certs",
    "ssl/cert.pem",
    "ssl/cacert.pem",
    "ssl/openssl.cnf",
    "pyvenv.cfg",
];

/// Where version managers and installers of programs keep one installation each, relative to the
/// home directory.
const INSTALLATIONS: &[&str] = &[
    ".pyenv/versions/*",
    ".pyenv/versions/*/envs/*",
    ".rbenv/versions/*",
    ".nodenv/versions/*",
    ".nvm/versions/node/*",
    ".config/nvm/versions/node/*",
    ".volta/tools/image/*/*",
    ".fnm/node-versions/*/installation",
    ".local/share/fnm/node-versions/*/installation",
    ".asdf/installs/*/*",
    ".asdf/installs/golang/*/go",
    ".local/share/mise/installs/*/*",
    ".sdkman/candidates/*/*",
    ".rustup/toolchains/*",
    ".rye/py/*",
    ".rye/py/*/install",
    ".rye/tools/*",
    ".local/share/uv/python/*",
    ".local/share/uv/tools/*",
    ".local/pipx/venvs/*",
    ".local/share/pipx/venvs/*",
    ".local/share/mamba/envs/*",
    ".pixi/envs/*",
    ".conda/envs/*",
    "anaconda3",
    "anaconda3/envs/*",
    "mambaforge",
    "mambaforge/envs/*",
    "micromamba",
    "micromamba/envs/*",
    "miniconda3",
    "miniconda3/envs/*",
    "miniforge3",
    "miniforge3/envs/*",
    "sdk/*",
];

/// What else holds programs there, and nothing but programs.
const PROGRAMS: &[&str] = &[
    ".deno/bin",
    ".bun/bin",
    ".cargo/bin",
    ".rustup/settings.toml",
    ".local/bin",
    ".local/lib",
    ".local/share/pnpm",
    ".nix-profile",
    ".pixi/bin",
    ".rye/shims",
    ".volta/bin",
    ".volta/tools/user",
    ".volta/layout.v4",
    "go/bin",
    "sdk/*/go.env",
    "sdk/*/pkg",
    "sdk/*/src",
    ".local/share/mise/installs/go/*/go.env",
    ".local/share/mise/installs/go/*/pkg",
    ".local/share/mise/installs/go/*/src",
    ".asdf/installs/golang/*/go/go.env",
    ".asdf/installs/golang/*/go/pkg",
    ".asdf/installs/golang/*/go/src",
];

/// Version managers with shims, relative to the home directory.
const MANAGERS: &[&str] = &[".pyenv", ".rbenv", ".nodenv", ".asdf", ".local/share/mise"];

/// What a shim needs of its version manager, besides the installations.
const SHIMS: &[&str] = &[
    "shims",
    "bin",
    "lib",
    "libexec",
    "completions",
    "version",
    "alias",
    "pyenv.d",
    "rbenv.d",
    "nodenv.d",
    "plugins/*/bin",
    "plugins/*/lib",
    "plugins/*/libexec",
];

/// Where a version manager keeps one installation each.
const VERSIONS: &[&str] = &["versions/*", "installs/*/*"];

/// What is granted beside a `bin` of the search path: what its programs need.
const LIBRARIES: &[&str] = &["lib", "lib32", "lib64", "libexec"];

/// What any script may read and execute of the system, whether it exists or not.
pub(super) fn system(secrets: &Secrets) -> Vec<PathBuf> {
    let prefixes = || INSTALLED.iter().flat_map(|pattern| expand(Path::new("/"), pattern));
    let installed = prefixes().flat_map(|prefix| installed(&prefix));
    let java = prefixes().flat_map(|prefix| JAVA.iter().map(move |name| prefix.join(name)));
    let settings = ETC.iter().flat_map(|etc| SETTINGS.iter().map(|name| Path::new(etc).join(name)));
    let plain = SYSTEM.iter().map(PathBuf::from);
    let software = installed.chain(java).flat_map(|place| readable(place, secrets));
    plain.chain(settings).chain(software).collect()
}

/// What of this place may be read; a link, if all that it leads to may be.
fn readable(place: PathBuf, secrets: &Secrets) -> Vec<PathBuf> {
    match place.canonicalize() {
        Ok(real) if real == place => secrets.without(place),
        Ok(real) if secrets.without(real.clone()) == std::slice::from_ref(&real) => vec![place],
        _ => Vec::new(),
    }
}

/// What of one installed software may be read. A link is only followed within it.
fn installed(prefix: &Path) -> Vec<PathBuf> {
    let Ok(base) = prefix.canonicalize() else { return Vec::new() };
    let entries = prefix.read_dir().into_iter().flatten().flatten();
    let granted = |place: &PathBuf| {
        let name = place.file_name().unwrap_or_default();
        let is_prefix = INSTALLED.iter().any(|prefix| place == Path::new(prefix));
        let is_own = place.canonicalize().is_ok_and(|real| real.starts_with(&base));
        let is_settings = CONFIGURED.iter().any(|known| name == *known);
        is_own && !is_prefix && !is_settings && !name.as_encoded_bytes().starts_with(b".")
    };
    entries.map(|entry| entry.path()).filter(granted).collect()
}

/// The programs that a run needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Programs<'a> {
    pub(super) interpreter: &'a Path,
    /// The search path.
    pub(super) path: &'a [PathBuf],
    pub(super) home: Option<&'a Path>,
    /// What is granted already.
    pub(super) system: &'a [PathBuf],
}

/// What may be read and executed besides the system's files, to run the interpreter and the
/// programs of the search path: canonical paths, none within another. Beside a `bin` only
/// libraries are granted, because programs keep tokens there as well.
pub(super) fn programs(needed: &Programs<'_>, secrets: &Secrets) -> Vec<PathBuf> {
    let Programs { interpreter, path, home, system } = *needed;
    let mut places: Vec<PathBuf> = path.to_vec();
    places.extend(home.into_iter().flat_map(toolchains));
    places.extend(path.iter().flat_map(|directory| beside(directory, LIBRARIES)));
    for program in both(interpreter.to_owned()) {
        let Some(directory) = program.parent() else { continue };
        places.push(directory.to_owned());
        places.extend(beside(directory, PARTS));
        let manager = directory.parent().filter(|_| directory.ends_with("shims"));
        places.extend(manager.into_iter().flat_map(managed));
    }
    let mut found: Vec<PathBuf> =
        places.iter().filter_map(|place| place.canonicalize().ok()).collect();
    found.retain(|place| {
        !secrets.exposes(place) && !system.iter().any(|known| place.starts_with(known))
    });
    found.sort();
    found.dedup_by(|next, before| next.starts_with(before));
    found
}

/// Places as they are shown: one pattern for all that lie where a version manager keeps its
/// installations.
pub(super) fn summary(places: &[PathBuf], home: Option<&Path>) -> Vec<PathBuf> {
    let versions = MANAGERS
        .iter()
        .flat_map(|manager| VERSIONS.iter().map(move |versions| format!("{manager}/{versions}")));
    let patterns: Vec<String> =
        INSTALLATIONS.iter().map(|pattern| (*pattern).to_owned()).chain(versions).collect();
    let shown = |place: &PathBuf| {
        let below = place.strip_prefix(home?).ok()?;
        let of = |pattern: &&String| {
            let fixed = pattern.split_once('*').map(|(fixed, _)| fixed);
            fixed.is_some_and(|fixed| below.starts_with(fixed))
        };
        let pattern = patterns.iter().find(of)?;
        Some(home?.join(pattern))
    };
    let mut shown: Vec<PathBuf> =
        places.iter().map(|place| shown(place).unwrap_or_else(|| place.clone())).collect();
    shown.dedup();
    shown
}

/// The programs that version managers and installers keep in this home directory.
pub(super) fn toolchains(home: &Path) -> impl Iterator<Item = PathBuf> {
    let roots = INSTALLATIONS.iter().flat_map(move |pattern| expand(home, pattern));
    let plain = PROGRAMS.iter().flat_map(move |pattern| expand(home, pattern));
    let managed = MANAGERS.iter().flat_map(move |manager| managed(&home.join(manager)));
    roots.flat_map(parts).chain(plain).chain(managed)
}

/// What a shim needs of its version manager.
fn managed(manager: &Path) -> Vec<PathBuf> {
    let own = SHIMS.iter().flat_map(|pattern| expand(manager, pattern));
    let roots = VERSIONS.iter().flat_map(|pattern| expand(manager, pattern));
    own.chain(roots.flat_map(parts)).collect()
}

fn parts(root: PathBuf) -> impl Iterator<Item = PathBuf> {
    PARTS.iter().map(move |part| root.join(part))
}

/// The paths of this pattern, in which `*` stands for any entry of a folder.
fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = match part {
            "*" => {
                let entries = found.iter().flat_map(|folder| folder.read_dir()).flatten();
                entries.flatten().map(|entry| entry.path()).collect()
            }
            name => found.iter().map(|folder| folder.join(name)).collect(),
        };
    }
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
mod tests;
