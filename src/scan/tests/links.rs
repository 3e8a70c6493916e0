//! Links among folders of skills.

use super::*;
use std::os::unix::fs::symlink;

#[test]
fn one_canonical_path_is_one_skill_with_all_its_locations() {
    let dir = tempfile::tempdir().unwrap();
    let real = put(dir.path(), "store/pdf");
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    for root in [&one, &two] {
        fs::create_dir(root).unwrap();
        symlink(&real, root.join("pdf")).unwrap();
    }
    symlink("pdf", two.join("alias")).unwrap();
    let catalog = all(&[root(&one, Scope::Repo), root(&two, Scope::User)]);
    assert_eq!(catalog.skills.len(), 1);
    let skill = &catalog.skills[0];
    assert_eq!(skill.path, real.canonicalize().unwrap().join("SKILL.md"));
    let places: Vec<&Path> = skill.locations().collect();
    assert_eq!(places, [one.join("pdf"), two.join("alias"), two.join("pdf")]);
    assert_eq!(skill.scope, Scope::Repo);
}

#[test]
fn in_one_root_a_skills_own_directory_comes_before_links_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    let own = put(&top, "pdf");
    symlink(&own, top.join("alias")).unwrap();
    let catalog = all(&[root(&top, Scope::User)]);
    let places: Vec<&Path> = catalog.skills[0].locations().collect();
    assert_eq!(places, [own, top.join("alias")]);
    assert_eq!(catalog.skills[0].diagnostics, [], "its name is that of its own directory");
}

#[test]
fn a_linked_skill_file_counts_if_it_leads_to_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let real = put(dir.path(), "store/real");
    fs::write(dir.path().join("store/other.md"), "---\nname: x\ndescription: y\n---\n").unwrap();
    let root_dir = dir.path().join("root");
    for (name, target) in [
        ("good", real.join("SKILL.md")),
        ("renamed", dir.path().join("store/other.md")),
        ("gone", dir.path().join("nothing")),
        ("self", "SKILL.md".into()),
    ] {
        fs::create_dir_all(root_dir.join(name)).unwrap();
        symlink(target, root_dir.join(name).join("SKILL.md")).unwrap();
    }
    let catalog = all(&[root(&root_dir, Scope::User)]);
    let state: Vec<_> = catalog
        .skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.offerable(), skill.diagnostics[0].code()))
        .collect();
    assert_eq!(
        state,
        [
            ("gone", false, "link-dangling"),
            ("real", true, "name-dir-mismatch"),
            ("self", false, "link-dangling"),
            ("x", true, "link-name")
        ]
    );
    assert_eq!(catalog.skills[2].diagnostics[0].message, "the link leads to nothing: itself");
    // Two links to such a file are two skills, each in its own folder.
    let folder = root_dir.canonicalize().unwrap().join("renamed");
    assert_eq!(catalog.skills[3].dir(), folder);
    assert_eq!(catalog.skills[1].dir(), real.canonicalize().unwrap());
}

#[test]
fn a_linked_skill_file_is_of_the_repository_that_holds_it() {
    let dir = tempfile::tempdir().unwrap();
    let cloned = put(dir.path(), "elsewhere/cloned");
    fs::create_dir(cloned.join(".git")).unwrap();
    fs::create_dir_all(dir.path().join("skills/one")).unwrap();
    symlink(cloned.join("SKILL.md"), dir.path().join("skills/one/SKILL.md")).unwrap();
    let catalog = all(&[root(dir.path().join("skills"), Scope::User)]);
    assert!(catalog.skills[0].in_repository);
}

#[test]
fn a_link_back_to_a_folder_of_skills_is_a_child_where_only_children_count() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("SKILL.md"), "---\nname: top\ndescription: d\n---\n").unwrap();
    put(dir.path(), "skill");
    symlink(".", dir.path().join("loop")).unwrap();
    let walk = Walk { depth: 1, itself: false, links: true, ..Walk::STANDARD };
    let catalog = all(&[Root { walk, ..root(dir.path(), Scope::User) }]);
    assert_eq!(names(&catalog), ["skill", "top"]);
    let walk = Walk { depth: 2, ..walk };
    let catalog = all(&[Root { walk, ..root(dir.path(), Scope::User) }]);
    assert_eq!(names(&catalog), ["skill"]);
}

#[test]
fn circles_end() {
    let dir = tempfile::tempdir().unwrap();
    let skill = put(dir.path(), "skill");
    symlink(".", skill.join("loop")).unwrap();
    symlink("..", skill.join("up")).unwrap();
    symlink(dir.path(), skill.join("root")).unwrap();
    symlink("/", skill.join("everything")).unwrap_or_default();
    fs::remove_file(skill.join("everything")).unwrap();
    // Two folders with two links into each other at each level: 2^n paths.
    for level in 0..12 {
        fs::create_dir_all(dir.path().join(format!("l{level}"))).unwrap();
    }
    for level in 0..11 {
        for name in ["x", "y"] {
            symlink(format!("../l{}", level + 1), dir.path().join(format!("l{level}/{name}")))
                .unwrap();
        }
    }
    let catalog = all(&[root(dir.path(), Scope::User)]);
    assert_eq!(names(&catalog), ["skill"]);
}

#[test]
fn whatever_stands_where_a_skill_should_is_a_row_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["directory", "empty", "fifo", "socket", "large"] {
        fs::create_dir(dir.path().join(name)).unwrap();
    }
    let file = |name: &str| dir.path().join(name).join("SKILL.md");
    fs::create_dir(file("directory")).unwrap();
    fs::write(file("empty"), "").unwrap();
    crate::test_env::named_pipe(&file("fifo")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(file("socket")).unwrap();
    fs::File::create(file("large")).unwrap().set_len(3 << 20).unwrap();
    let options = Options { file_limit: 2 << 20, ..Options::default() };
    let catalog = scan(&[root(dir.path(), Scope::User)], &options, |_| {});
    let rows: Vec<_> = catalog
        .skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.offerable(), skill.diagnostics[0].code()))
        .collect();
    assert_eq!(
        rows,
        [
            ("directory", false, "file-kind"),
            ("empty", false, "file-empty"),
            ("fifo", false, "file-kind"),
            ("large", false, "file-size"),
            ("socket", false, "file-kind"),
        ]
    );
}

#[test]
fn a_link_that_leads_nowhere_counts_in_a_folder_of_skills_with_no_other() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), ".agents/skills/new");
    for folder in [".claude/skills", "docs"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
        symlink("../../.agents/skills/old", dir.path().join(folder).join("old")).unwrap();
    }
    let catalog = all(&[Root { walk: Walk::BROWSE, ..root(dir.path(), Scope::Repo) }]);
    let found = |skill: &Skill| (skill.dir().to_owned(), skill.diagnostics[0].code());
    let broken: Vec<_> = catalog.skills.iter().filter(|skill| !skill.offerable()).collect();
    let place = dir.path().canonicalize().unwrap().join(".claude/skills/old");
    assert_eq!(
        broken.into_iter().map(|skill| found(skill)).collect::<Vec<_>>(),
        [(place, "link-dangling")]
    );
}
