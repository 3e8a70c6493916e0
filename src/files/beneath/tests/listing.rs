//! Lists of what lies in a skill.

use super::*;

#[test]
fn the_tree_shows_files_links_and_where_they_lead() {
    let (_temp, skill) = test();
    for dir in both(&skill) {
        let tree = dir.tree(TreeLimits::default());
        assert!(!tree.cut && tree.unread.is_empty());
        assert!(tree.entries.is_sorted_by(|a, b| a.path < b.path));
        let kind = |path: &str| {
            tree.entries.iter().find(|entry| entry.path == Path::new(path)).map(|e| e.kind.clone())
        };
        assert_eq!(kind("SKILL.md"), Some(EntryKind::File { size: 4, executable: false }));
        assert_eq!(kind(".hidden/h"), Some(EntryKind::File { size: 6, executable: false }));
        assert_eq!(kind("sub/deep"), Some(EntryKind::Directory));
        assert_eq!(kind("fifo"), Some(EntryKind::Other(Kind::Fifo)));
        assert_eq!(kind(".git"), None);
        assert_eq!(kind("node_modules"), None);
        for (link, target, end) in [
            ("in", "sub/deep/x", LinkEnd::File(4)),
            ("dir", "sub/deep", LinkEnd::Directory),
            ("out", "../secret", LinkEnd::Leaves),
            ("sub/deep/far", "../../../secret", LinkEnd::Leaves),
            ("outdir", "..", LinkEnd::Leaves),
            ("null", "/dev/null", LinkEnd::Leaves),
            ("nowhere", "missing", LinkEnd::Dangling),
            ("circle", "circle2", LinkEnd::Loop),
            ("tofifo", "fifo", LinkEnd::Other(Kind::Fifo)),
        ] {
            assert_eq!(kind(link), Some(EntryKind::Link { target: target.into(), end }), "{link}");
        }
        // A link to a directory is not entered.
        assert_eq!(kind("dir/x"), None);
    }
}

#[test]
fn one_directory_is_listed_alone_and_no_link_leads_to_it() {
    let (_temp, skill) = test();
    for dir in both(&skill) {
        let list = |path: &str| dir.directory(Path::new(path), TreeLimits::default());
        let whole = dir.tree(TreeLimits::default()).entries;
        for place in ["", "sub", "sub/deep", ".hidden"] {
            let inner = whole.iter().filter(|entry| entry.path.parent() == Some(Path::new(place)));
            assert_eq!(list(place).unwrap().entries, inner.cloned().collect::<Vec<_>>(), "{place}");
        }
        for place in [
            "dir",
            "outdir",
            "sub/../sub",
            "..",
            ".",
            "./sub",
            "SKILL.md",
            "missing",
            ".git",
            "circle",
        ] {
            assert_eq!(list(place), Err(Refusal::NotFound), "{place}");
        }
    }
    let few = TreeLimits { entries: 2, ..TreeLimits::default() };
    let few = SkillDir::open(&skill).unwrap().directory(Path::new(""), few).unwrap();
    assert!(few.cut && few.entries.len() == 2);
    let alone = SkillDir::open(&skill.join("SKILL.md")).unwrap();
    let list = |path: &str| alone.directory(Path::new(path), TreeLimits::default());
    assert_eq!((list("").unwrap().entries.len(), list("sub")), (1, Err(Refusal::NotFound)));
}

#[test]
fn a_cut_tree_is_marked_and_keeps_what_is_near() {
    let (_temp, skill) = test();
    let dir = SkillDir::open(&skill).unwrap();
    let shallow = dir.tree(TreeLimits { depth: 1, entries: 1_000, ..TreeLimits::default() });
    assert!(shallow.cut);
    let paths: Vec<_> = shallow.entries.iter().map(|entry| entry.path.as_path()).collect();
    assert!(paths.contains(&Path::new("sub/deep")) && !paths.contains(&Path::new("sub/deep/x")));
    let few = dir.tree(TreeLimits { depth: 16, entries: 5, ..TreeLimits::default() });
    assert!(few.cut);
    assert_eq!(few.entries.len(), 5);
    assert!(few.entries.iter().all(|entry| entry.path.components().count() == 1));
}
