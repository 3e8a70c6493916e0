//! Several writers at once, and a server that goes and comes back.

use super::*;
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

/// Eight writers change one skill, and each its own; nothing is lost and no change mixes with
/// another.
fn together(address: &Address) {
    const WRITERS: usize = 8;
    const EACH: usize = 6;
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let mut store = Store::open(address, Open::Existing).unwrap();
                let (author, bundle) = (format!("w{writer}"), bundle(writer));
                for round in 0..EACH {
                    let (own, text) = (format!("own-{writer}"), format!("{writer} {round}"));
                    for name in ["shared", &own] {
                        let draft = Draft {
                            name,
                            description: "d",
                            content: &text,
                            metadata: None,
                            files: Some(&bundle),
                            author: &author,
                            at_ms: 1,
                            expected: Expected::Anything,
                        };
                        while let Err(error) = store.put("shop", &draft) {
                            assert_eq!(error, StoreError::Busy);
                        }
                    }
                }
            });
        }
    });
    let mut store = Store::open(address, Open::Existing).unwrap();
    let log = store.history("shop", None, 10_000).unwrap();
    assert_eq!(log.len(), 1 + 2 * WRITERS * EACH);
    let seqs: BTreeSet<i64> = log.iter().map(|change| change.seq).collect();
    assert_eq!(seqs.len(), log.len(), "every change has its own number");
    let mut shared: Vec<_> = log.iter().filter(|change| change.name_norm == "shared").collect();
    shared.reverse();
    for pair in shared.windows(2) {
        assert_eq!(pair[1].previous, pair[0].version, "each change knows the one before");
        assert_eq!(pair[1].number, pair[0].number + 1);
    }
    for writer in 0..WRITERS {
        let skill = store.skill("shop", &format!("own-{writer}")).unwrap();
        let version = store.version(&skill.version).unwrap();
        assert_eq!(version.content, format!("{writer} {}", EACH - 1));
        assert_eq!(version.files, bundle(writer).files());
    }
}

/// Files that several writers share, in an order that differs.
fn bundle(writer: usize) -> Bundle {
    let file = |number: usize| BundleFile {
        path: format!("f{}", (number + writer) % 7),
        bytes: format!("bytes {number}").into_bytes(),
        executable: false,
    };
    Bundle::of((0..7).map(file).collect()).unwrap()
}

#[test]
fn aab_6_writers_at_once_lose_nothing_on_sqlite() {
    let bench = Bench::sqlite();
    together(&bench.address);
}

#[cfg(unix)]
#[test]
fn aab_6_writers_at_once_lose_nothing_on_postgresql() {
    if let Some(bench) = Bench::postgres() {
        together(&bench.address);
    }
}

#[cfg(unix)]
#[test]
fn aab_3_a_server_may_go_and_come_back() {
    let Some(mut server) = postgres::Cluster::start() else { return };
    server.sql("CREATE SCHEMA team");
    let address = Address::parse(&server.address("team"), None, None).unwrap();
    let pool = Pool::new(address.clone());
    let new = NewProject { name: "shop", precedence: Precedence::Over, author: "a", at_ms: 1 };
    pool.write(Open::OrCreate, |store| store.create_project(&new)).unwrap();
    pool.read(|store| store.project("shop")).unwrap();
    server.stop();
    for _ in 0..2 {
        let away = pool.read(|store| store.project("shop")).unwrap_err();
        assert!(away.is_away() && away.code() == "store_away", "{away}");
    }
    let refused = pool.write(Open::Existing, |store| store.remove_project("shop", "a", 1));
    assert!(refused.unwrap_err().is_away());
    server.run();
    assert_eq!(pool.read(|store| store.project("shop")).unwrap().revision, 1);
    pool.write(Open::Existing, |store| store.remove_project("shop", "a", 1)).unwrap();
}

/// The server has made the change, and only its answer was lost.
#[cfg(unix)]
#[test]
fn a_change_whose_answer_was_lost_is_not_said_to_be_undone() {
    let Some(server) = postgres::shared() else { return };
    server.sql("CREATE SCHEMA lost");
    let address = |url: &str| Address::parse(url, None, None).unwrap();
    let pool = Pool::new(address(&server.address("lost")));
    let new = NewProject { name: "shop", precedence: Precedence::Over, author: "a", at_ms: 1 };
    pool.write(Open::OrCreate, |store| store.create_project(&new)).unwrap();
    let (_folder, url) = server.losing_answers("lost");
    let losing = Pool::new(address(&url));
    assert_eq!(losing.read(Store::projects).unwrap().len(), 1, "what is read is not lost");
    let unsure = losing.write(Open::Existing, |store| store.remove_project("shop", "a", 2));
    let unsure = unsure.unwrap_err();
    assert_eq!(unsure.code(), "store_unsure");
    assert!(unsure.to_string().contains("not known whether"), "{unsure}");
    assert!(!unsure.is_away(), "what was read last is no answer to it");
    assert!(pool.read(Store::projects).unwrap().is_empty(), "it was made");
}

#[cfg(unix)]
#[test]
fn aab_3_what_is_no_database_says_so_and_shows_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("skills.db");
    assert_eq!(
        Store::open(&Address::Sqlite(file.clone()), Open::Existing).err(),
        Some(StoreError::Missing)
    );
    std::fs::write(&file, "no database, but as long as its head: ".repeat(9)).unwrap();
    let opened = Store::open(&Address::Sqlite(file), Open::OrCreate);
    assert!(matches!(opened, Err(StoreError::Broken(_))));
    for url in [
        "postgres://me:geheim@127.0.0.1:1/team",
        "postgres://me:geheim@/team?x=y",
        "postgres://me:geheim@127.0.0.1:1/team?sslrootcert=/nowhere",
    ] {
        let opened = Store::open(&Address::Postgres(url.to_owned()), Open::OrCreate);
        let error = opened.unwrap_err();
        assert!(error.is_away() && !error.to_string().contains("geheim"), "{error}");
    }
}

/// A database with these tables, as another program makes it.
fn foreign(file: &std::path::Path, tables: &str) {
    rusqlite::Connection::open(file).unwrap().execute_batch(tables).unwrap();
}

#[test]
fn a_database_of_another_program_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let ours =
        "CREATE TABLE store_migrations (version BIGINT PRIMARY KEY, name TEXT, digest TEXT);";
    for (name, tables, why) in [
        ("a.db", "CREATE TABLE users (a)".to_owned(), "tables of another program"),
        ("b.db", "CREATE TABLE projects (a)".to_owned(), "tables of another program"),
        ("c.db", format!("{ours} CREATE TABLE projects (a)"), "table projects already exists"),
    ] {
        let file = folder.path().join(name);
        foreign(&file, &tables);
        let before = std::fs::read(&file).unwrap();
        let address = Address::Sqlite(file.clone());
        let read = Pool::new(address.clone()).read(Store::projects).unwrap_err();
        assert_eq!(std::fs::read(&file).unwrap(), before, "{name}: only looked at");
        let made = Store::open(&address, Open::OrCreate).unwrap_err();
        assert!(made.to_string().ends_with(why), "{made}");
        if !tables.contains("store_migrations") {
            assert_eq!(read, made);
            assert_eq!(std::fs::read(&file).unwrap(), before, "{name}");
        }
    }
}

#[test]
fn a_store_that_was_copied_is_read_as_it_is_and_gets_its_log_with_a_change() {
    let bench = Bench::sqlite();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let Address::Sqlite(file) = &bench.address else { unreachable!() };
    foreign(file, &format!("VACUUM INTO '{}'", copy.display()));
    let before = std::fs::read(&copy).unwrap();
    let pool = Pool::new(Address::Sqlite(copy.clone()));
    assert_eq!(pool.read(Store::projects).unwrap().len(), 1);
    assert_eq!(std::fs::read(&copy).unwrap(), before);
    pool.write(Open::Existing, |store| store.remove_project("shop", "ann", 9)).unwrap();
    let head = std::fs::read(&copy).unwrap();
    assert_eq!(head[18..20], [2, 2], "a write-ahead log");
    assert!(pool.read(Store::projects).unwrap().is_empty());
}

/// Only told by a person who is not root, whom no mode keeps from writing.
#[cfg(unix)]
#[test]
fn a_store_that_may_only_be_read_is_read_and_nothing_is_laid_beside_it() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::sqlite();
    let Address::Sqlite(file) = bench.address.clone() else { unreachable!() };
    let folder = file.parent().unwrap().to_owned();
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let Bench { store, address, _folder: kept, .. } = bench;
    drop(store);
    mode(&file, 0o444);
    if std::fs::OpenOptions::new().write(true).open(&file).is_ok() {
        return;
    }
    let pool = Pool::new(address);
    for folder_mode in [0o555, 0o755] {
        mode(&folder, folder_mode);
        assert_eq!(pool.read(Store::projects).unwrap().len(), 1);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "only the store");
        let refused = pool.write(Open::Existing, |store| store.remove_project("shop", "a", 1));
        assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    }
    // What its owner writes is seen by the next call.
    mode(&file, 0o644);
    let mut owner = Store::open(pool.address(), Open::Existing).unwrap();
    owner.remove_project("shop", "ann", 9).unwrap();
    drop(owner);
    mode(&file, 0o444);
    assert!(pool.read(Store::projects).unwrap().is_empty());
    drop(kept);
}

/// As on a full disk: what SQLite keeps beside a file cannot be made.
#[cfg(unix)]
#[test]
fn a_store_beside_which_nothing_can_be_made_is_read_with_what_its_log_has() {
    let mut bench = Bench::sqlite();
    bench.put("pdf", "one").unwrap();
    let Address::Sqlite(file) = bench.address.clone() else { unreachable!() };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().canonicalize().unwrap().join("skills.db");
    let beside = |end: &str| format!("{}{end}", copy.display());
    let block = || std::os::unix::fs::symlink("/nowhere/x", beside("-shm")).unwrap();
    let seen = |count: usize| {
        let pool = Pool::new(Address::Sqlite(copy.clone()));
        for _ in 0..2 {
            assert_eq!(pool.read(|store| store.skills("shop")).unwrap().1.len(), count);
        }
        pool.write(Open::Existing, |store| store.delete("shop", "pdf", "a", 9, Expected::Anything))
    };
    // The writer was killed, so its log has all that was changed.
    for end in ["", "-wal"] {
        std::fs::copy(format!("{}{end}", file.display()), beside(end)).unwrap();
    }
    assert!(std::fs::metadata(beside("-wal")).unwrap().len() > 0);
    let bytes = || ["", "-wal"].map(|end| std::fs::read(beside(end)).unwrap());
    let before = bytes();
    block();
    let refused = seen(1);
    assert!(matches!(refused, Err(StoreError::Away(_))), "{refused:?}");
    assert!(bytes() == before, "the log is not written into the file");
    std::fs::remove_file(beside("-shm")).unwrap();
    seen(1).unwrap();
    let refused = seen(0);
    assert_eq!(refused.err(), Some(StoreError::NoSkill), "everything is as usual again");
    block();
    assert!(!std::fs::exists(beside("-wal")).unwrap());
    let refused = seen(0);
    assert!(matches!(refused, Err(StoreError::Away(_))), "{refused:?}");
    assert!(std::fs::metadata(beside("-wal")).map_or(0, |log| log.len()) == 0);
}

#[cfg(unix)]
#[test]
fn a_stores_file_is_the_persons_own() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::sqlite();
    let Address::Sqlite(file) = &bench.address else { unreachable!() };
    for end in ["", "-wal", "-shm"] {
        let file = format!("{}{end}", file.display());
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

/// A server that takes connections and says nothing, and the address of a store there.
fn mute() -> (std::net::TcpListener, Address) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, Address::Postgres(format!("postgres://me@127.0.0.1:{port}/team")))
}

#[test]
fn aab_3_a_server_that_says_nothing_is_not_waited_for_without_end_nor_again_and_again() {
    let (_listener, address) = mute();
    let start = Instant::now();
    for _ in 0..5 {
        // Each command has several.
        let away = Pool::new(address.clone()).read(Store::projects).unwrap_err();
        assert!(matches!(away, StoreError::Away(_)), "{away}");
    }
    let made = Pool::new(address).write(Open::OrCreate, Store::projects);
    assert!(matches!(made, Err(StoreError::Away(_))));
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

/// A process that is stopped, and goes on in any case.
#[cfg(unix)]
struct Stopped(rustix::process::Pid);

#[cfg(unix)]
impl Stopped {
    fn new(pid: &str) -> Self {
        let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
        Self(pid)
    }
}

#[cfg(unix)]
impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = rustix::process::kill_process(self.0, rustix::process::Signal::CONT);
    }
}

/// As after a firewall that has forgotten it.
#[cfg(unix)]
#[test]
fn aab_3_a_kept_connection_that_went_silent_is_replaced() {
    let Some(server) = postgres::Cluster::start() else { return };
    server.sql("CREATE SCHEMA team");
    let address = Address::parse(&server.address("team"), None, None).unwrap();
    let pool = Pool::new(address);
    let new = NewProject { name: "shop", precedence: Precedence::Over, author: "a", at_ms: 1 };
    pool.write(Open::OrCreate, |store| store.create_project(&new)).unwrap();
    pool.read(|store| store.project("shop")).unwrap();
    let of_ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'skillpick'";
    let pids = server.sql(of_ours);
    let stopped: Vec<Stopped> = pids.lines().map(Stopped::new).collect();
    assert!(!stopped.is_empty());
    let start = Instant::now();
    pool.read(|store| store.project("shop")).unwrap();
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

/// Nothing is written into a database that has no form for it, and that is no damage.
#[cfg(unix)]
#[test]
fn a_text_that_the_database_has_no_form_for_is_named() {
    let Some(server) = postgres::shared() else { return };
    server.sql("CREATE DATABASE latin TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'");
    let (url, options) = (server.schema(), "?options=");
    let url = url.replace(&format!("/postgres{options}"), &format!("/latin{options}"));
    let url = url.split_once(options).unwrap().0.to_owned();
    let mut bench = Bench::at(Address::parse(&url, None, None).unwrap(), None);
    bench.put("umlaut", "ä").unwrap();
    let refused = bench.put("day", "日").unwrap_err();
    assert!(matches!(refused, StoreError::Unfit(_)) && refused.code() == "invalid", "{refused}");
    assert_eq!(bench.names(), ["umlaut"]);
}
