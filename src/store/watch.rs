//! Tells that a store was changed, without polling.
//!
//! A store in a file has a second file beside it, which every writer touches after its change; the
//! file watcher sees that. A server tells those that listen. A thread listens, and touches a file
//! of the caller's, so that pickers and servers watch files only.

use super::address::Address;
use super::postgres;
use crate::files::lock::open_or_create;
#[cfg(unix)]
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;
use tempfile::NamedTempFile;

/// The files whose change tells of a change of the store; `own` is touched by a [`Listener`].
pub fn watched_files(address: &Address, own: &Path) -> Vec<PathBuf> {
    match address {
        Address::Sqlite(path) => vec![beside(path)],
        Address::Postgres(_) => vec![own.to_owned()],
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-changed");
    PathBuf::from(name)
}

/// After a change: wakes those who watch. `false` if that fails; the change is there all the same.
/// A writer that is killed between the two leaves a change that is seen with the next one.
pub(super) fn tell(address: &Address) -> bool {
    match address {
        Address::Sqlite(path) => touch_beside(path).is_ok(),
        Address::Postgres(_) => true,
    }
}

/// Touches the file beside a store. Other persons may use the store as well: who may write it can
/// touch the file, whoever made that. One that an older program has made for its own person only
/// is replaced.
fn touch_beside(store: &Path) -> io::Result<()> {
    let file = beside(store);
    if file.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return made_like(store, &file);
    }
    match open_or_create(&file) {
        // Only its owner may set the time of a file. Others write into it.
        Ok(mut open) => open.set_modified(SystemTime::now()).or_else(|_| open.write_all(b"\n")),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => made_like(store, &file),
        Err(error) => Err(error),
    }
}

/// Makes an empty file for those who may use the store, as SQLite makes its log. No link is
/// followed: the file gets its name when it is there.
fn made_like(store: &Path, file: &Path) -> io::Result<()> {
    let made = NamedTempFile::new_in(store.parent().unwrap_or(Path::new(".")))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let meta = fs::metadata(store)?;
        // Only root may give a file away, and others only to a group of theirs.
        let _ = fchown(made.as_file(), Some(meta.uid()), Some(meta.gid()))
            .or_else(|_| fchown(made.as_file(), None, Some(meta.gid())));
        made.as_file().set_permissions(fs::Permissions::from_mode(meta.mode() & 0o666))?;
    }
    made.persist(file).map(drop).map_err(|error| error.error)
}

/// Writes a file of ours anew. If that fails, nobody is woken, and the change is there all the
/// same.
pub(super) fn touch(file: &Path) {
    if let Ok(file) = open_or_create(file) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Listens to a server until it is dropped.
#[derive(Debug)]
pub struct Listener {
    stop: Arc<AtomicBool>,
}

impl Listener {
    /// Touches `file` whenever the server tells of a change, and whenever it comes back. `None` for
    /// a store in a file, which needs nobody to listen.
    pub fn start(address: &Address, file: PathBuf) -> Option<Self> {
        let Address::Postgres(server) = address else { return None };
        let stop = Arc::new(AtomicBool::new(false));
        let (server, ends) = (server.clone(), Arc::clone(&stop));
        let body = move || postgres::listen(&server, &ends, &|| touch(&file));
        std::thread::Builder::new().name("listen-store".to_owned()).spawn(body).ok()?;
        Some(Self { stop })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The thread notices it within its next wait; nobody waits for it.
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn all_who_may_write_the_store_may_touch_the_file_beside_it() {
        let temp = tempfile::tempdir().unwrap();
        let store = temp.path().join("s.db");
        let file = beside(&store);
        let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        let set = |file: &Path, mode| {
            fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
        };
        fs::write(&store, "").unwrap();
        for wanted in [0o660, 0o666, 0o640, 0o600] {
            set(&store, wanted);
            assert!(tell(&Address::Sqlite(store.clone())));
            assert_eq!(mode(&file), wanted);
            fs::remove_file(&file).unwrap();
        }
        tell(&Address::Sqlite(store.clone()));
        set(&store, 0o664);
        assert!(tell(&Address::Sqlite(store.clone())));
        assert_eq!(mode(&file), 0o600, "what a person has set stays");
    }

    #[test]
    fn a_link_beside_the_store_is_not_followed_and_it_is_told_that_nobody_is_woken() {
        let temp = tempfile::tempdir().unwrap();
        let store = temp.path().join("s.db");
        fs::write(&store, "").unwrap();
        for target in ["victim", "s.db"] {
            let _ = fs::remove_file(beside(&store));
            symlink(temp.path().join(target), beside(&store)).unwrap();
            assert!(!tell(&Address::Sqlite(store.clone())));
        }
        assert!(!temp.path().join("victim").exists());
    }
}
