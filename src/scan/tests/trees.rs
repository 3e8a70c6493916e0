//! What one walk finds is what others need not look for.

use super::*;
use crate::catalog::SingleFiles;
use crate::test_env::bar;
use std::sync::atomic::AtomicUsize;

/// Everything about which walks differ, in each combination; what they make of single files turns.
fn walks() -> Vec<Walk> {
    let kinds = [Hidden::Skipped, Hidden::Skills, Hidden::Entered, Hidden::Git];
    let without_folder = |links| SingleFiles::SkillsWithoutFolder { links };
    let singles =
        [SingleFiles::PassedOver, SingleFiles::Skills, without_folder(false), without_folder(true)];
    let kind = |(bits, hidden): (usize, Hidden)| {
        let is = |bit: usize| bits & (1 << bit) != 0;
        [1, 2, 6].map(|depth| Walk {
            depth,
            itself: is(0),
            hidden,
            modules: is(1),
            nested: is(2),
            links: is(3),
            linked_file: is(4),
            ignores: is(5),
            single_files: singles[bits % 4],
        })
    };
    let all = (0..64).flat_map(|bits| kinds.map(|hidden| (bits, hidden)));
    all.flat_map(kind).collect()
}

#[test]
fn whatever_another_walk_has_found_before_a_walk_finds_what_it_finds_alone() {
    let dir = tempfile::tempdir().unwrap();
    // Every tree but the first has something about which walks differ.
    for (tree, skills) in [
        ("plain", &["a", "b", "b/scripts"][..]),
        ("deep", &["a", "group/b"]),
        ("deeper", &["a/x/y/z"]),
        ("hidden", &["a", ".b"]),
        ("hidden group", &["a", ".b/c", "d/.e"]),
        ("modules", &["a", "node_modules/b"]),
        ("nested", &["a", "a/b"]),
        ("itself", &["", "a"]),
        ("links", &["a"]),
        ("linked", &["a"]),
        ("git", &["a", ".git/b", "a/.git/c", ".git/objects/d"]),
        ("broken", &["a"]),
        ("ignored", &["a", "b"]),
        ("single", &["a", "deep/b"]),
        ("only single", &[]),
        ("linked single", &["a"]),
    ] {
        let top = dir.path().join(tree);
        fs::create_dir_all(&top).unwrap();
        for skill in skills {
            fs::create_dir_all(top.join(skill)).unwrap();
            if !skill.ends_with("scripts") && !skill.ends_with("/z") {
                put(&top, skill);
            }
        }
    }
    let at = |path: &str| dir.path().join(path);
    std::os::unix::fs::symlink(at("plain/b"), at("links/b")).unwrap();
    fs::create_dir_all(at("linked/b")).unwrap();
    std::os::unix::fs::symlink(at("plain/b/SKILL.md"), at("linked/b/SKILL.md")).unwrap();
    fs::create_dir_all(at("broken/b/SKILL.md")).unwrap();
    fs::write(at("ignored/.gitignore"), "b/\n").unwrap();
    for file in
        ["single/a.md", "single/b.md", "single/.h.md", "single/deep/c.md", "only single/d.md"]
    {
        fs::write(at(file), "---\nname: x\ndescription: x\n---\n").unwrap();
    }
    std::os::unix::fs::symlink(at("single/a.md"), at("linked single/e.md")).unwrap();
    let trees = fs::read_dir(dir.path()).unwrap().map(|tree| tree.unwrap().path());
    let paths: Vec<PathBuf> = trees.filter(|path| path.is_dir()).collect();
    let roots = |walk: Walk, scope: Scope| -> Vec<Root> {
        paths.iter().map(|path| Root { walk, ..root(path, scope) }).collect()
    };
    let told = |catalog: Catalog| (catalog.skills, catalog.roots, catalog.cuts);
    let look = |walk: Walk, scope: Scope, listed: Option<Listed>| {
        told(scan(&roots(walk, scope), &Options { listed, ..Options::default() }, |_| {}))
    };
    let walks = walks();
    let firsts = [Walk::STANDARD, walks[0], walks[5], walks[100], walks[150], walks[250]];
    let listed = firsts.map(|first| {
        let listed = Listed::default();
        look(first, Scope::User, Some(listed.clone()));
        (first, listed)
    });
    // A step that divides none of the kinds, so that each of them comes.
    for walk in walks.iter().step_by(if bar::is_thorough() { 1 } else { 5 }) {
        let scope = if walk.itself { Scope::User } else { Scope::Repo };
        let alone = look(*walk, scope, None);
        for (first, listed) in &listed {
            let after = look(*walk, scope, Some(listed.clone()));
            assert!(after == alone, "{first:?}, then {walk:?}");
        }
    }
}

#[test]
fn a_plain_tree_is_walked_once_however_many_look() {
    static WALKED: AtomicUsize = AtomicUsize::new(0);
    let dir = tempfile::tempdir().unwrap();
    for number in 0..20 {
        put(dir.path(), &format!("skill-{number}"));
    }
    let listed = Listed::default();
    let look = |walk: Walk| {
        let options = Options { listed: Some(listed.clone()), ..Options::default() };
        let count = |_: &Path| {
            WALKED.fetch_add(1, Ordering::Relaxed);
        };
        scan_with(&[Root { walk, ..root(dir.path(), Scope::User) }], &options, count, |_| {})
    };
    let first = look(Walk::STANDARD);
    // The root, its folder, and a folder and a file for each skill.
    assert_eq!((first.skills.len(), WALKED.swap(0, Ordering::Relaxed)), (20, 42));
    for walk in walks() {
        let again = look(walk);
        assert!(again.roots[0].found == 20 && again.roots[0].state == RootState::Read);
        assert!(again.skills.iter().zip(&first.skills).all(|(one, other)| Arc::ptr_eq(one, other)));
    }
    assert_eq!(WALKED.load(Ordering::Relaxed), 0);
}

#[test]
fn what_a_skill_says_to_one_agent_is_read_whoever_looks() {
    let dir = tempfile::tempdir().unwrap();
    let says = |folder: &str, text: &str| {
        put(dir.path(), folder);
        fs::create_dir(dir.path().join(folder).join("agents")).unwrap();
        fs::write(dir.path().join(folder).join("agents/openai.yaml"), text).unwrap();
    };
    says("a", "policy:\n  allow_implicit_invocation: false\n");
    says("b", "policy: {}\n");
    put(dir.path(), "c");
    let said: Vec<bool> = all(&[root(dir.path(), Scope::User)])
        .skills
        .iter()
        .map(|skill| skill.invocation.not_implicitly)
        .collect();
    assert_eq!(said, [true, false, false]);
}

/// What moves a folder away once its skill is to be read.
#[cfg(target_os = "linux")]
fn move_away(path: &Path) {
    if path.ends_with("moving/SKILL.md") {
        let folder = path.parent().unwrap();
        fs::rename(folder, folder.with_file_name("elsewhere")).unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_skill_is_asked_for_through_its_folder_and_not_by_its_path_again() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "moving");
    let roots = [root(dir.path(), Scope::User)];
    let before = all(&roots);
    for known in [Known::default(), Known::new(before.skills.iter().map(Arc::clone))] {
        let options = Options { known, ..Options::default() };
        let found = scan_with(&roots, &options, move_away, |_| {});
        assert_eq!(names(&found), ["moving"]);
        assert_eq!(found.skills[0].diagnostics, []);
        let same = options.known.skills().all(|known| Arc::ptr_eq(known, &found.skills[0]));
        assert!(same, "what is known is not read again");
        fs::rename(dir.path().join("elsewhere"), dir.path().join("moving")).unwrap();
    }
}
