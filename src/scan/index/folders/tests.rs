//! What an index says of folders is taken only while they are as they were.

use super::super::Index;
use super::*;
use crate::catalog::{Catalog, HostId, Root, Scope, Walk};
use crate::scan::{Options, scan};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

struct Collection {
    skills: TempDir,
    cache: TempDir,
}

impl Collection {
    /// One skill that is known, and an index that says it has an inner one, where none is.
    fn forged() -> Self {
        let one =
            Self { skills: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        one.put("pdf");
        fs::create_dir(one.at("pdf/scripts")).unwrap();
        assert_eq!(one.scan(), ["pdf"]);
        one.put("pdf/scripts/inner");
        // The change does not show in a folder's times as the index has them.
        let mut folders = one.load().unwrap();
        let scripts = folders.folder("scripts", &one);
        folders.folders[scripts].set(&one.stamp("pdf/scripts"));
        one.write(&folders);
        assert_eq!(one.scan(), ["pdf"], "a folder that has not changed is not listed");
        one
    }

    fn at(&self, path: &str) -> PathBuf {
        self.skills.path().join(path)
    }

    fn put(&self, path: &str) {
        fs::create_dir_all(self.at(path)).unwrap();
        let text = format!("---\nname: {}\ndescription: d\n---\n", path.replace('/', "-"));
        fs::write(self.at(path).join("SKILL.md"), text).unwrap();
    }

    fn stamp(&self, path: &str) -> Stamp {
        crate::scan::folder::Look::at(&self.at(path)).unwrap().stamp
    }

    fn root(&self) -> Root {
        let path = fs::canonicalize(self.skills.path()).unwrap();
        Root::new(path, Scope::User, HostId::AGENTS, Walk { nested: true, ..Walk::STANDARD })
    }

    fn index(&self, ahead: u64) -> Index {
        let now = SystemTime::now() + Duration::from_secs(ahead);
        Index { folder: self.cache.path().to_owned(), now }
    }

    fn scan_with(&self, index: Option<Index>) -> Catalog {
        scan(&[self.root()], &Options { index, ..Options::default() }, |_| {})
    }

    /// The names that are found when every change has settled.
    fn scan(&self) -> Vec<String> {
        let found = self.scan_with(Some(self.index(10))).skills;
        found.iter().map(|skill| skill.name.clone()).collect()
    }

    fn place(&self) -> Place {
        Place::of(&self.root(), &self.index(0)).unwrap()
    }

    fn load(&self) -> Option<Folders> {
        Folders::load(&self.place())
    }

    fn write(&self, folders: &Folders) {
        let place = self.place();
        let later = SystemTime::now() + Duration::from_secs(10);
        place.write(PREFIX, |to| folders.write(later, &place.canonical, to));
    }
}

impl Folders {
    /// How many folders there are, and how many different contents.
    pub(in crate::scan) fn counts(&self) -> (usize, usize) {
        (self.folders.len(), self.contents.len())
    }

    /// The one whose inode is that of a skill's folder.
    fn folder(&self, name: &str, one: &Collection) -> usize {
        let inode = one.stamp(&format!("pdf/{name}")).inode;
        self.folders.iter().position(|folder| folder.inode == inode).unwrap()
    }
}

impl Folder {
    fn set(&mut self, stamp: &Stamp) {
        (self.mtime_ns, self.ctime_ns) = (stamp.mtime_ns, stamp.ctime_ns);
    }
}

#[test]
fn a_folder_that_has_changed_in_any_way_is_listed_anew() {
    type Change = fn(&Collection);
    let changes: [(&str, Change); 5] = [
        ("a file more", |one| fs::write(one.at("pdf/scripts/more"), "").unwrap()),
        ("a folder less", |one| {
            fs::create_dir(one.at("pdf/scripts/x")).unwrap();
            fs::remove_dir(one.at("pdf/scripts/x")).unwrap();
        }),
        ("its old times, as of a restored backup", |one| {
            let times = fs::metadata(one.at("pdf/scripts")).unwrap().modified().unwrap();
            fs::write(one.at("pdf/scripts/more"), "").unwrap();
            File::open(one.at("pdf/scripts")).unwrap().set_modified(times).unwrap();
        }),
        ("another folder in its place", |one| {
            fs::rename(one.at("pdf/scripts"), one.at("pdf/old")).unwrap();
            fs::create_dir(one.at("pdf/scripts")).unwrap();
            fs::rename(one.at("pdf/old/inner"), one.at("pdf/scripts/inner")).unwrap();
            fs::remove_dir(one.at("pdf/old")).unwrap();
        }),
        ("a link in its place", |one| {
            fs::rename(one.at("pdf/scripts"), one.at("pdf/old")).unwrap();
            std::os::unix::fs::symlink("old", one.at("pdf/scripts")).unwrap();
        }),
    ];
    for (what, change) in changes {
        let one = Collection::forged();
        let before = one.stamp("pdf/scripts");
        // The clock of the file system must have gone on, so that a change shows.
        while one.stamp("pdf/scripts") == before {
            change(&one);
            if one.stamp("pdf/scripts") == before {
                let _ = fs::remove_file(one.at("pdf/scripts/more"));
            }
        }
        let found = one.scan_with(Some(one.index(10)));
        assert_eq!(found.skills.len(), 2, "{what}");
        assert_eq!(found, one.scan_with(None), "{what}");
    }
}

#[test]
fn a_folder_whose_times_are_within_two_seconds_of_a_scan_is_neither_kept_nor_taken() {
    let one = Collection::forged();
    assert_eq!(one.scan_with(Some(one.index(1))).skills.len(), 2);
    fs::remove_file(one.place().file(PREFIX)).unwrap();
    one.scan_with(Some(one.index(1)));
    assert!(one.load().is_none_or(|folders| folders.folders.is_empty()));
}

#[test]
fn folders_with_any_byte_changed_or_any_end_missing_are_none() {
    let one = Collection::forged();
    let file = one.place().file(PREFIX);
    let bytes = fs::read(&file).unwrap();
    for at in 0..bytes.len() {
        fs::write(&file, &bytes[..at]).unwrap();
        assert!(one.load().is_none(), "cut at {at}");
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        fs::write(&file, other).unwrap();
        assert!(one.load().is_none(), "changed at {at}");
    }
    assert_eq!(one.scan(), ["pdf", "pdf-scripts-inner"]);
    assert!(one.load().is_some(), "it is made again");
    // Heads are no folders.
    fs::copy(one.place().file(super::super::PREFIX), &file).unwrap();
    assert!(one.load().is_none());
}

#[test]
fn rows_that_cannot_be_are_refused_however_right_the_checksum_is() {
    let one = Collection::forged();
    let lists: [&[Row]; 3] = [
        &[
            Row::Device(1),
            Row::Folder(Folder { inode: 1, mtime_ns: 1, ctime_ns: 1, contents: 0, region: 0 }),
        ],
        &[Row::Contents(Holds {
            read: 1,
            folders: Vec::new(),
            skill: true,
            agents: false,
            top: false,
            ignores: false,
            markdown: false,
        })],
        &[Row::Device(u64::MAX)],
    ];
    let place = one.place();
    for rows in lists {
        place.write(PREFIX, |to| {
            let mut file = NewFile::begin(PREFIX, &place.canonical, to)?;
            rows.iter().try_for_each(|row| file.put(row).map(drop))?;
            file.end()
        });
        assert!(one.load().is_none(), "{rows:?}");
    }
}

#[test]
fn what_links_and_odd_files_decide_is_not_kept() {
    let one =
        Collection { skills: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
    one.put("plain");
    fs::create_dir_all(one.at("linked")).unwrap();
    std::os::unix::fs::symlink(one.at("plain/SKILL.md"), one.at("linked/SKILL.md")).unwrap();
    fs::create_dir_all(one.at("folded")).unwrap();
    fs::write(one.at("folded/skill.md"), "---\ndescription: d\n---\n").unwrap();
    one.scan();
    // The root and one folder.
    assert_eq!(one.load().unwrap().folders.len(), 2);
    one.put("same");
    one.put("other");
    one.scan();
    let folders = one.load().unwrap();
    assert_eq!(folders.counts(), (4, 2), "equal contents are kept once");
}

#[test]
fn what_is_never_kept_does_not_make_each_scan_write_anew() {
    let one =
        Collection { skills: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
    let elsewhere = tempfile::tempdir().unwrap();
    one.put("plain");
    for number in 0..40 {
        fs::create_dir_all(elsewhere.path().join(format!("{number}"))).unwrap();
        fs::create_dir_all(one.at(&format!("folded-{number}"))).unwrap();
        fs::write(one.at(&format!("folded-{number}/skill.md")), "x").unwrap();
    }
    std::os::unix::fs::symlink(elsewhere.path(), one.at("linked")).unwrap();
    one.scan();
    // Each write makes a new file.
    let file = || crate::scan::folder::Look::at(&one.place().file(PREFIX)).unwrap().stamp;
    let written = file();
    one.scan();
    assert_eq!(file(), written);
}

#[cfg(target_os = "linux")]
#[test]
fn only_local_file_systems_are_believed() {
    assert_eq!(local_device(Path::new("/proc")), None);
    assert_eq!(local_device(Path::new("/none")), None);
}
