//! The arguments of `bwrap`, for people who prefer it to Landlock.

use std::ffi::OsString;
use std::path::Path;

/// Binds `read` read-only if it exists and `write` read-write, and nothing else: no network, no
/// other processes, no terminal. `own` is our own program; it runs inside, installs the seccomp
/// filters, and starts the interpreter.
pub(super) fn arguments(
    read: &[OsString],
    write: &[OsString],
    directory: &OsString,
    own: &Path,
) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
            .map(Into::into)
            .into();
    words.extend(["--proc", "/proc", "--dev", "/dev"].map(Into::into));
    let shown =
        |path: &&OsString| !["/proc", "/dev"].iter().any(|own| Path::new(path).starts_with(own));
    for path in read.iter().filter(shown) {
        words.extend(["--ro-bind-try".into(), path.clone(), path.clone()]);
    }
    words.extend(["--ro-bind".into(), own.into(), own.into()]);
    for path in write {
        words.extend(["--bind".into(), path.clone(), path.clone()]);
    }
    // The file systems that bwrap makes in memory are read-only as well.
    words.extend(["--remount-ro", "/dev", "--remount-ro", "/"].map(Into::into));
    words.extend(["--chdir".into(), directory.clone(), "--".into(), own.into()]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bwrap_gets_only_what_the_sandbox_names() {
        let read = ["/usr", "/proc/self", "/dev/zero", "/project"].map(OsString::from);
        let words =
            arguments(&read, &["/tmp/out".into()], &"/project".into(), Path::new("/opt/skillpick"));
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        assert_eq!(
            words.join(" "),
            "--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --proc /proc \
             --dev /dev --ro-bind-try /usr /usr --ro-bind-try /project /project \
             --ro-bind /opt/skillpick /opt/skillpick --bind /tmp/out /tmp/out \
             --remount-ro /dev --remount-ro / --chdir /project -- /opt/skillpick"
        );
    }
}
