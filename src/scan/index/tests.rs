//! Every way in which the index can be wrong: what it says is not believed.

use super::*;
use crate::catalog::{Catalog, HostId, Scope, Walk};
use crate::scan::scan;
use proptest::prelude::*;
use std::fs::{File, FileTimes};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;

mod random;
mod unusable;

/// What a forged index says of every skill.
const FORGED: &str = "from the index";

/// A folder of skills and one for the index.
struct Collection {
    skills: TempDir,
    cache: TempDir,
}

impl Collection {
    fn of(names: &[&str]) -> Self {
        let one =
            Self { skills: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        for name in names {
            one.put(name, "from the file1");
        }
        one
    }

    /// With an index that says something else of the skill than its file.
    fn forged() -> Self {
        let one = Self::of(&["pdf"]);
        one.scan();
        one.forge();
        assert_eq!(one.told(SETTLED), FORGED, "what has not changed is not read");
        one
    }

    fn at(&self, path: &str) -> PathBuf {
        self.skills.path().join(path)
    }

    fn file(&self) -> PathBuf {
        self.at("pdf/SKILL.md")
    }

    fn put(&self, name: &str, description: &str) {
        let folder = self.at(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), text(name, description)).unwrap();
    }

    fn root(&self) -> Root {
        let path = fs::canonicalize(self.skills.path()).unwrap();
        Root::new(path, Scope::User, HostId::AGENTS, Walk::STANDARD)
    }

    /// A scan whose clock is this many seconds ahead.
    fn scan_at(&self, seconds: i64) -> Catalog {
        let ahead = Duration::from_secs(seconds.unsigned_abs());
        let now = SystemTime::now();
        let now = if seconds < 0 { now - ahead } else { now + ahead };
        let index = Some(Index { folder: self.cache.path().to_owned(), now });
        scan(&[self.root()], &Options { index, ..Options::default() }, |_| {})
    }

    fn scan(&self) -> Catalog {
        self.scan_at(SETTLED)
    }

    fn without(&self) -> Catalog {
        scan(&[self.root()], &Options::default(), |_| {})
    }

    /// What a scan says of the one skill.
    fn told(&self, seconds: i64) -> String {
        self.scan_at(seconds).skills[0].description.clone()
    }

    fn index_file(&self) -> PathBuf {
        let index = Index { folder: self.cache.path().to_owned(), now: SystemTime::now() };
        RootIndex::load(&self.root(), &index).unwrap().place.unwrap().file(PREFIX)
    }

    fn rows(&self) -> Option<Vec<Arc<Skill>>> {
        let (file, bytes) = cache::open(&self.index_file(), format::MAX_BYTES)?;
        Rows::of(PREFIX, file, bytes, &self.root().path)?.skills(&self.root())
    }

    fn forge(&self) {
        let mut rows = self.rows().unwrap();
        for skill in &mut rows {
            Arc::make_mut(skill).description = FORGED.to_owned();
        }
        let write = |to: &mut dyn std::io::Write| format::write(&self.root().path, rows.iter(), to);
        cache::write(&self.index_file(), write).unwrap();
    }

    /// Waits until the clock of the file system has gone on, so that a change shows.
    fn tick(&self) {
        let time = || {
            let probe = self.cache.path().with_extension("probe");
            fs::write(&probe, "x").unwrap();
            let meta = fs::metadata(&probe).unwrap();
            fs::remove_file(probe).unwrap();
            stamp_of(&meta).ctime_ns
        };
        let (began, deadline) = (time(), SystemTime::now() + Duration::from_secs(10));
        while time() == began {
            assert!(SystemTime::now() < deadline, "the clock stands still");
        }
    }
}

/// A clock so far ahead that every change has settled.
const SETTLED: i64 = 10;

fn text(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nThe body.\n")
}

/// Gives a file the times that another one has.
fn with_times_of(path: &Path, meta: &fs::Metadata) {
    let times = FileTimes::new()
        .set_accessed(meta.accessed().unwrap())
        .set_modified(meta.modified().unwrap());
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

#[test]
fn what_has_changed_in_any_way_is_read_anew() {
    type Change = fn(&Collection, &fs::Metadata);
    let changes: [(&str, Change); 7] = [
        ("another size", |one, _| one.put("pdf", "from the file, longer")),
        ("the same size", |one, _| one.put("pdf", "from the file2")),
        ("the same size and modification time, as of a restored backup", |one, meta| {
            one.put("pdf", "from the file2");
            with_times_of(&one.file(), meta);
        }),
        ("another file in its place, with the same size and times", |one, meta| {
            let other = one.at("other");
            fs::write(&other, text("pdf", "from the file2")).unwrap();
            with_times_of(&other, meta);
            fs::rename(other, one.file()).unwrap();
        }),
        ("an older file in its place", |one, _| {
            let other = one.at("other");
            fs::write(&other, text("pdf", "from the file2")).unwrap();
            let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
            File::open(&other).unwrap().set_modified(old).unwrap();
            fs::rename(other, one.file()).unwrap();
        }),
        ("the rights", |one, _| {
            fs::set_permissions(one.file(), fs::Permissions::from_mode(0o640)).unwrap();
        }),
        ("another folder in its place", |one, _| {
            fs::rename(one.at("pdf"), one.at(".old")).unwrap();
            one.put("pdf", "from the file2");
        }),
    ];
    for (what, change) in changes {
        let one = Collection::forged();
        let meta = fs::metadata(one.file()).unwrap();
        one.tick();
        change(&one, &meta);
        assert!(one.told(SETTLED).starts_with("from the file"), "{what}");
        assert_eq!(one.scan(), one.without(), "{what}");
    }
}

#[test]
fn a_file_whose_times_are_within_two_seconds_of_a_scan_is_neither_kept_nor_taken() {
    let one = Collection::of(&["pdf"]);
    one.scan_at(0);
    assert_eq!(fs::read_dir(one.cache.path()).unwrap().count(), 0);
    let one = Collection::forged();
    // Other text of the same size, within one tick of the clock, would have the same stamp.
    assert_eq!(one.told(1), "from the file1");
    assert_eq!(one.told(SETTLED), FORGED);
}

#[test]
fn if_the_clock_was_set_back_nothing_is_taken_and_nothing_kept() {
    let one = Collection::forged();
    assert_eq!(one.told(-3600), "from the file1");
    let one = Collection::of(&["pdf"]);
    one.scan_at(-3600);
    assert_eq!(fs::read_dir(one.cache.path()).unwrap().count(), 0);
    let ahead = SystemTime::now() + Duration::from_secs(3600);
    File::open(one.file()).unwrap().set_modified(ahead).unwrap();
    one.scan();
    assert!(!one.index_file().exists(), "it may be given that time again");
}

#[test]
fn no_body_and_nothing_that_is_refused_or_hidden_is_in_the_index() {
    let one = Collection::of(&["pdf"]);
    for (name, text) in [
        ("body", "---\nname: body\ndescription: fine\n---\nSECRET1\n"),
        ("hides", "---\nname: hides\ndescription: SECRET2 \u{202e}x\n---\n"),
        ("tags", "---\nname: tags\ndescription: SECRET3\n---\nbody \u{e0041}\u{e0042}\n"),
        ("refused", "---\nname: refused\nlicense: SECRET4\n---\nNo description.\n"),
    ] {
        fs::create_dir(one.at(name)).unwrap();
        fs::write(one.at(name).join("SKILL.md"), text).unwrap();
    }
    let first = one.scan();
    let bytes = String::from_utf8_lossy(&fs::read(one.index_file()).unwrap()).into_owned();
    assert!(!bytes.contains("SECRET") && bytes.contains("fine"), "{bytes}");
    let names: Vec<String> = one.rows().unwrap().iter().map(|row| row.name.clone()).collect();
    assert_eq!(names, ["body", "pdf"]);
    assert_eq!(first, one.scan());
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    assert_eq!(mode(&one.index_file()), 0o600);
}

#[test]
fn a_scan_that_finds_nothing_new_writes_nothing() {
    let one = Collection::of(&["pdf", "docx"]);
    one.scan();
    let stamp = || stamp_of(&fs::metadata(one.index_file()).unwrap());
    let first = stamp();
    one.tick();
    assert_eq!(one.scan(), one.without());
    assert_eq!(stamp(), first);
    one.put("xlsx", "new");
    one.scan();
    assert_ne!(stamp(), first);
    assert_eq!(one.rows().unwrap().len(), 3);
}

#[test]
fn what_two_hosts_find_below_one_root_is_kept_and_what_is_gone_goes() {
    let one = Collection::of(&["pdf", "group/docx", "group/gone"]);
    one.scan();
    fs::remove_dir_all(one.at("group/gone")).unwrap();
    one.put("xlsx", "new");
    let now = SystemTime::now() + Duration::from_secs(10);
    let index = Some(Index { folder: one.cache.path().to_owned(), now });
    let shallow = Root { walk: Walk { depth: 1, ..Walk::STANDARD }, ..one.root() };
    scan(&[shallow], &Options { index, ..Options::default() }, |_| {});
    let names: Vec<String> = one.rows().unwrap().iter().map(|row| row.name.clone()).collect();
    assert_eq!(names, ["group/docx", "pdf", "xlsx"]);
}

#[test]
fn where_nothing_can_be_written_skills_are_listed_all_the_same() {
    let one = Collection::of(&["pdf"]);
    let file = one.at("a-file");
    fs::write(&file, "x").unwrap();
    for folder in [file.join("cache"), file, "/proc/self/none".into()] {
        let now = SystemTime::now() + Duration::from_secs(10);
        let index = Some(Index { folder, now });
        let catalog = scan(&[one.root()], &Options { index, ..Options::default() }, |_| {});
        assert_eq!(catalog, one.without());
    }
}

#[test]
fn scans_at_once_see_the_same_and_leave_a_sound_index() {
    let names: Vec<String> = (0..300).map(|number| format!("skill-{number}")).collect();
    let one = Collection::of(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let expected = one.without();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(one.scan(), expected);
                    let _ = fs::remove_file(one.index_file());
                }
            });
        }
    });
    one.scan();
    assert_eq!(one.rows().unwrap().len(), 300);
    let files = fs::read_dir(one.cache.path()).unwrap().count();
    assert_eq!(files, 2, "heads and folders, and nothing is left over");
}

#[test]
fn the_folder_is_bounded_and_the_oldest_go() {
    let cache = tempfile::tempdir().unwrap();
    for (number, name) in ["heads-a", "heads-b", "heads-c", "other"].iter().enumerate() {
        let file = cache.path().join(name);
        fs::write(&file, "0123456789").unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64 + 1);
        File::open(file).unwrap().set_modified(time).unwrap();
    }
    let left = || {
        let names = fs::read_dir(cache.path()).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    cache::bound(cache.path(), PREFIX, 2, 100);
    assert_eq!(left(), ["heads-b", "heads-c", "other"]);
    cache::bound(cache.path(), PREFIX, 2, 15);
    assert_eq!(left(), ["heads-c", "other"]);
}

#[test]
fn what_hides_nothing_in_its_whole_file_is_noted_while_the_file_stays_as_it_is() {
    let one = Collection::of(&["pdf", "zip"]);
    let line = "a line that hides nothing\n";
    for name in ["pdf", "zip"] {
        fs::write(one.at(name).join("SKILL.md"), text(name, "x") + &line.repeat(900)).unwrap();
    }
    let whole = |catalog: &Catalog| -> Vec<bool> {
        catalog.skills.iter().map(|skill| skill.whole).collect()
    };
    assert_eq!(whole(&one.scan()), [false, false]);
    let index = Index { folder: one.cache.path().to_owned(), now: SystemTime::now() };
    let note = |hides_nothing: &dyn Fn(&KnownFile) -> bool| {
        index.note_whole(&[one.root()], hides_nothing);
    };
    note(&|_| false);
    assert_eq!(whole(&one.scan()), [false, false]);
    note(&|file| file.path == one.at("pdf").join("SKILL.md"));
    assert_eq!(whole(&one.scan()), [true, false]);
    // Nothing is new, so nothing is written.
    let written = fs::metadata(one.index_file()).unwrap().ino();
    note(&|file| file.path == one.at("pdf").join("SKILL.md"));
    assert_eq!(fs::metadata(one.index_file()).unwrap().ino(), written);
    // A scan that must know whole files takes the word for it.
    let read = |name: &str| {
        let index =
            Some(Index { now: SystemTime::now() + Duration::from_secs(10), ..index.clone() });
        let options = Options { index, bodies: true, ..Options::default() };
        let found = scan(&[one.root()], &options, |_| {}).skills;
        found.into_iter().find(|skill| skill.name == name).unwrap().diagnostics.len()
    };
    assert_eq!(read("pdf"), 0);
    one.tick();
    fs::write(one.file(), text("pdf", "x") + &line.repeat(899) + "\u{202e} hides somethi\n")
        .unwrap();
    assert_eq!(whole(&one.scan()), [false, false], "another file is another matter");
    assert_eq!(read("pdf"), 1);
}

#[test]
fn where_skills_are_known_nothing_is_loaded_until_one_is_not() {
    let one = Collection::of(&["pdf"]);
    one.scan();
    let now = SystemTime::now() + Duration::from_secs(SETTLED.unsigned_abs());
    let index = Some(Index { folder: one.cache.path().to_owned(), now });
    let known = Known::new(one.without().skills.into_iter());
    let options = Options { index, known, ..Options::default() };
    let indexes = Indexes::load(&[one.root()], &[None], &options);
    let has_begun = || indexes.0.as_ref().unwrap().begun.is_completed();
    assert!(!has_begun());
    assert_eq!(indexes.of(0).map(|known| known.skills().count()), Some(1));
    assert!(has_begun());
}
