//! What a copy has of the person's files.

use super::*;
use crate::catalog::{HostId, Scope, Walk};

fn root(path: PathBuf) -> Root {
    Root::new(path, Scope::User, HostId::AGENTS, Walk::STANDARD)
}

#[test]
fn skills_links_and_markers_have_their_like_and_the_rest_stays_away() {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap();
    for path in ["home/.agents/skills/pdf/scripts", "store/linked", "repo/.git", "repo/a", "state"]
    {
        fs::create_dir_all(top.join(path)).unwrap();
    }
    for file in [
        "home/.agents/skills/pdf/SKILL.md",
        "home/.agents/skills/pdf/scripts/run.sh",
        "store/linked/SKILL.md",
    ] {
        fs::write(top.join(file), file).unwrap();
    }
    let skills = top.join("home/.agents/skills");
    std::os::unix::fs::symlink("../../../store/linked", skills.join("linked")).unwrap();
    std::os::unix::fs::symlink(&skills, skills.join("loop")).unwrap();
    let mut scratch = Scratch::new(&top, vec![top.join("home")]).unwrap();
    scratch.root(&root(skills.clone())).unwrap();
    scratch.stand(&top.join("repo/a")).unwrap();
    let like = scratch.like(&skills);
    assert_eq!(
        fs::read_to_string(like.join("pdf/SKILL.md")).unwrap(),
        "home/.agents/skills/pdf/SKILL.md"
    );
    assert!(like.join("pdf/scripts").is_dir() && !like.join("pdf/scripts/run.sh").exists());
    assert_eq!(scratch.real(&like.join("linked")), Ok(top.join("store/linked/SKILL.md")));
    // The program has looked beyond the copy.
    assert_eq!(scratch.real(&skills.join("pdf")), Err(skills.join("pdf/SKILL.md")));
    assert_eq!(scratch.real(&top.join("store/linked")), Ok(top.join("store/linked/SKILL.md")));
    assert!(like.join("loop/pdf/SKILL.md").exists() && !scratch.is_cut());
    assert!(
        scratch.like(&top.join("repo/.git/HEAD")).exists()
            && scratch.like(&top.join("repo/a")).is_dir()
    );
    let path = scratch.top.clone();
    assert!(!path.join(".git").exists());
    scratch.enclose().unwrap();
    assert!(path.join(".git/HEAD").exists());
    drop(scratch);
    assert!(!path.exists());
}

#[test]
fn a_linked_working_tree_is_one_in_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap();
    let (main, tree, own) = (top.join("main"), top.join("tree"), "main/.git/worktrees/x");
    for path in ["tree/a", own] {
        fs::create_dir_all(top.join(path)).unwrap();
    }
    fs::write(tree.join(".git"), format!("gitdir: {}\n", top.join(own).display())).unwrap();
    fs::write(top.join(own).join("commondir"), "../..\n").unwrap();
    fs::write(top.join(own).join("gitdir"), format!("{}/.git\n", tree.display())).unwrap();
    assert_eq!(main_tree(&tree), Some(main.clone()));
    let mut scratch = Scratch::new(&top, Vec::new()).unwrap();
    scratch.stand(&tree.join("a")).unwrap();
    assert_eq!(main_tree(&scratch.like(&tree)), Some(scratch.like(&main)));
    assert!(scratch.like(&main).join(".git/HEAD").is_file());
    // The digest does not depend on where the copy is, but on which tree is the main one.
    let again = |top: &Path| {
        let mut scratch = Scratch::new(top, Vec::new()).unwrap();
        scratch.stand(&tree.join("a")).unwrap();
        scratch.digest()
    };
    assert_eq!(again(&top), scratch.digest());
    fs::write(top.join(own).join("gitdir"), "/nowhere/.git\n").unwrap();
    assert_ne!(again(&top), scratch.digest());
}

#[test]
fn single_files_and_ignore_files_have_their_like() {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir_all(top.join("skills/pdf")).unwrap();
    for file in ["skills/one.md", "skills/.gitignore", "skills/pdf/more.md", "skills/a.txt"] {
        fs::write(top.join(file), "text").unwrap();
    }
    std::os::unix::fs::symlink("a.txt", top.join("skills/linked.md")).unwrap();
    let copied = |single_files| {
        let mut scratch = Scratch::new(&top, vec![top.clone()]).unwrap();
        let walk = Walk { single_files, ..Walk::STANDARD };
        scratch.root(&Root { walk, ..root(top.join("skills")) }).unwrap();
        let is = |file: &str| scratch.like(&top.join("skills").join(file)).exists();
        [".gitignore", "one.md", "linked.md", "pdf/more.md"].map(is)
    };
    assert_eq!(copied(SingleFiles::Skills), [true, true, true, false]);
    assert_eq!(copied(SingleFiles::PassedOver), [true, false, false, false]);
    let mut scratch = Scratch::new(&top, vec![top.clone()]).unwrap();
    let walk = Walk { single_files: SingleFiles::Skills, ..Walk::STANDARD };
    scratch.root(&Root { walk, ..root(top.join("skills/one.md")) }).unwrap();
    assert!(scratch.like(&top.join("skills/one.md")).is_file(), "a root that is a file");
    assert!(!scratch.like(&top.join("skills/linked.md")).exists());
}

#[test]
fn the_digest_tells_every_change_of_what_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(folder.path()).unwrap();
    let write = |path: &str, text: &str| {
        fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
        fs::write(top.join(path), text).unwrap();
    };
    write("skills/pdf/SKILL.md", "a");
    write("other/SKILL.md", "b");
    write("settings.json", "{}");
    let mut seen = Vec::new();
    let mut changed = |is_new: bool, why: &str| {
        let mut scratch = Scratch::new(&top, vec![top.clone()]).unwrap();
        scratch.settings(&top.join("settings.json")).unwrap();
        scratch.root(&root(top.join("skills"))).unwrap();
        let digest = scratch.digest();
        assert_eq!(!seen.contains(&digest), is_new, "{why}");
        seen.push(digest);
    };
    changed(true, "the first");
    changed(false, "another place, the same files");
    write("skills/pdf/run.sh", "no program reads it to list");
    changed(false, "a file that is not copied");
    write("skills/pdf/SKILL.md", "c");
    changed(true, "a skill's text");
    write("settings.json", "{ }");
    changed(true, "settings");
    fs::create_dir(top.join("skills/empty")).unwrap();
    changed(true, "a folder");
    std::os::unix::fs::symlink(top.join("other"), top.join("skills/link")).unwrap();
    changed(true, "a link");
    write("other/SKILL.md", "d");
    changed(true, "what a link leads to");
}

#[test]
fn only_whole_paths_of_the_persons_are_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let own = vec!["/home/me".into(), "/srv/repo".into(), "/srv/q\"\\\n/me".into()];
    let scratch = Scratch::new(folder.path(), own).unwrap();
    let top = scratch.top.display().to_string();
    for (text, expected) in [
        ("path = \"/home/me/x\"", format!("path = \"{top}/home/me/x\"")),
        ("-/srv/repo/x", format!("-{top}/srv/repo/x")),
        ("[\"/srv/repo\",\"/home/meg\"]", format!("[\"{top}/srv/repo\",\"/home/meg\"]")),
        ("/mnt/home/me", "/mnt/home/me".to_owned()),
        (r#""/srv/q\"\\\n/me/x""#, format!(r#""{top}/srv/q\"\\\n/me/x""#)),
        ("'/srv/q\"\\\n/me/x'", format!("'{top}/srv/q\"\\\n/me/x'")),
    ] {
        assert_eq!(String::from_utf8(scratch.rewritten(text.as_bytes())).unwrap(), expected);
    }
}
