//! Several writers at once, and a server that goes and comes back.

use super::*;
use std::collections::BTreeSet;
use std::thread;

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
                            files: &bundle,
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
