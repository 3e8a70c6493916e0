//! The scan on real folders.

use super::*;
use crate::catalog::{
    Hidden, HostId, Limit, RootState, Scope, Severity, SingleFiles, Walk, checks,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root(path: impl Into<PathBuf>, scope: Scope) -> Root {
    Root::new(path.into(), scope, HostId::AGENTS, Walk::STANDARD)
}

fn put(dir: &Path, name: &str) -> PathBuf {
    let folder = dir.join(name);
    fs::create_dir_all(&folder).unwrap();
    let last = folder.file_name().unwrap().to_str().unwrap();
    fs::write(
        folder.join("SKILL.md"),
        format!("---\nname: {last}\ndescription: About {last}.\n---\nBody\n"),
    )
    .unwrap();
    folder
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn all(roots: &[Root]) -> Catalog {
    scan(roots, &Options::default(), |_| {})
}

#[test]
fn cod_2_1_one_directory_with_a_skill_file_is_one_skill() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "one");
    put(dir.path(), "group/two");
    put(dir.path(), "one/nested");
    fs::create_dir(dir.path().join("empty")).unwrap();
    let catalog = all(&[root(dir.path(), Scope::User)]);
    assert_eq!(names(&catalog), ["nested", "one", "two"]);
    assert_eq!(catalog.roots[0].found, 3);
}

/// What pi says of each.
#[test]
fn ignore_files_leave_out_what_their_last_rule_says() {
    for (file, text, left) in [
        ("", "# none\n\n", "a b deep inner pdf"),
        ("", "*\n", ""),
        ("", "PDF\n", "a b deep"),
        ("", "/deep\n", "a b inner pdf"),
        ("", "group/\n", "pdf"),
        ("", "*.md\n", ""),
        ("", "pdf/SKILL.md\n", "a b deep inner"),
        ("", "a\n!a\n", "a b deep inner pdf"),
        ("group/", "a\ninner\n", "b deep inner pdf"),
        ("group/", "/deep/\n", "a b deep inner pdf"),
        ("group/", "x/deep/\n", "a b inner pdf"),
        ("group/", "**/inner\n", "a b deep pdf"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for skill in ["pdf", "group/a", "group/b", "group/x/deep", "group/pdf/inner"] {
            put(dir.path(), skill);
        }
        fs::write(dir.path().join(file).join(".ignore"), text).unwrap();
        let walk = Walk { ignores: true, ..Walk::STANDARD };
        let found = all(&[Root { walk, ..root(dir.path(), Scope::User) }]);
        assert_eq!(names(&found).join(" "), left, "{file} {text:?}");
        let found = all(&[root(dir.path(), Scope::User)]);
        assert_eq!(names(&found).len(), 5, "others do not obey it");
    }
}

#[cfg(unix)]
#[test]
fn a_skill_file_may_be_a_link_to_any_file_and_says_so_if_that_has_another_name() {
    let dir = tempfile::tempdir().unwrap();
    for (index, (target, taken)) in
        [("SKILL.md", true), ("skill.md", true), ("other.md", false), ("README", false)]
            .into_iter()
            .enumerate()
    {
        let [store, root] = ["store", "root"].map(|top| dir.path().join(format!("{top}-{index}")));
        for folder in [&store, &root.join("pdf")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(store.join(target), "---\nname: pdf\ndescription: d\n---\n").unwrap();
        std::os::unix::fs::symlink(store.join(target), root.join("pdf/SKILL.md")).unwrap();
        let found = all(&[self::root(&root, Scope::User)]);
        let skill = &found.skills[0];
        let said = skill.diagnostics.iter().any(|found| found.check == &checks::LINK_NAME);
        assert!(skill.offerable() && said != taken, "{target}");
        assert_eq!((skill.name.as_str(), skill.is_single_file()), ("pdf", false));
    }
}

#[test]
fn cod_5_4_same_names_are_all_kept() {
    let (repo, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    put(repo.path(), "pdf");
    put(user.path(), "pdf");
    put(user.path(), "other/pdf");
    let catalog = all(&[root(user.path(), Scope::User), root(repo.path(), Scope::Repo)]);
    assert_eq!(names(&catalog), ["pdf", "pdf", "pdf"]);
    assert_eq!(
        catalog.skills[0].scope,
        Scope::Repo,
        "the order is by scope, whatever the order of the roots"
    );
}

#[test]
fn what_is_never_entered_and_what_is_hidden() {
    let dir = tempfile::tempdir().unwrap();
    for name in [".git/a", "node_modules/b", ".hidden/c", "seen"] {
        put(dir.path(), name);
    }
    assert_eq!(names(&all(&[root(dir.path(), Scope::User)])), ["seen"]);
    let browse = Root { walk: Walk { depth: 6, ..Walk::BROWSE }, ..root(dir.path(), Scope::User) };
    assert_eq!(names(&all(&[browse])), ["c", "seen"]);
    put(dir.path(), "group/.skill");
    let walk = Walk { hidden: Hidden::Skills, ..Walk::STANDARD };
    let only_skills = Root { walk, ..root(dir.path(), Scope::User) };
    assert_eq!(names(&all(&[only_skills])), [".skill", "seen"]);
    put(dir.path(), ".git/objects/d");
    let walk = Walk { hidden: Hidden::Git, ..Walk::STANDARD };
    let even_git = Root { walk, ..root(dir.path(), Scope::User) };
    assert_eq!(names(&all(&[even_git])), [".skill", "a", "c", "seen"]);
}

#[test]
fn a_missing_root_is_normal_and_a_closed_one_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let closed = |path: &Path| Root { closed: Some("why"), ..root(path, Scope::User) };
    let none = dir.path().join("none");
    let catalog = all(&[
        root(&none, Scope::User),
        root(&file, Scope::User),
        closed(dir.path()),
        closed(&none),
        // Settings name it, so somebody expects it.
        root(dir.path().join("named"), Scope::User).named(),
    ]);
    let states: Vec<&RootState> = catalog.roots.iter().map(|report| &report.state).collect();
    assert_eq!(*states[0], RootState::Missing);
    assert!(matches!(states[1], RootState::Failed(_)), "{:?}", states[1]);
    assert_eq!(*states[2], RootState::Closed { why: "why", there: true });
    let told = catalog.roots.iter().map(|report| report.severity());
    assert_eq!(
        told.collect::<Vec<_>>(),
        [None, Some(Severity::Error), Some(Severity::Warning), None, Some(Severity::Warning)]
    );
}

#[test]
fn limits_that_bite_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "a/b/c/d/e/f");
    put(dir.path(), "a/b/c/d/e/f/too-deep");
    let catalog = all(&[root(dir.path(), Scope::User)]);
    assert_eq!(names(&catalog), ["f"]);
    assert_eq!(
        (catalog.cuts[0].limit, catalog.cuts[0].value, catalog.cuts[0].dropped),
        (Limit::Depth, 6, 1)
    );
    let options = Options { entries: 3, ..Options::default() };
    let catalog = scan(&[root(dir.path(), Scope::User)], &options, |_| {});
    assert_eq!(catalog.cuts[0].limit, Limit::Entries);
}

#[test]
fn a_skill_that_is_the_top_of_a_repository_is_of_it_however_its_folder_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let (top, cache) = (dir.path().join("skills"), dir.path().join("cache"));
    put(&top, "own");
    for (name, marker) in [("cloned", ".git"), ("colocated", ".jj")] {
        fs::create_dir(put(&top, name).join(marker)).unwrap();
    }
    fs::write(put(&top, "tree").join(".git"), "gitdir: elsewhere\n").unwrap();
    // What was not read of a folder may be such an entry.
    let many = put(&top, "cloned-and-full");
    (0..40).for_each(|number| fs::write(many.join(format!("{number}.txt")), "").unwrap());
    fs::create_dir(many.join(".git")).unwrap();
    let roots = [root(&top, Scope::User)];
    let of_repository = |options: &Options| {
        let catalog = scan(&roots, options, |_| {});
        let found = catalog.skills.iter().filter(|skill| skill.in_repository);
        found.map(|skill| skill.name.clone()).collect::<Vec<_>>()
    };
    let all = ["cloned", "cloned-and-full", "colocated", "tree"];
    assert_eq!(of_repository(&Options::default()), all);
    // Times of the last two seconds are not trusted.
    let now = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let indexed = Options { index: Some(Index { folder: cache, now }), ..Options::default() };
    assert_eq!(of_repository(&indexed), all);
    assert_eq!(of_repository(&indexed), all);
    let listed = Options { listed: Some(Listed::default()), ..Options::default() };
    assert_eq!(of_repository(&listed), all);
    assert_eq!(of_repository(&listed), all);
    for entries in 8..60 {
        let cut = Options { entries, ..Options::default() };
        let catalog = scan(&roots, &cut, |_| {});
        let full = catalog.skills.iter().find(|skill| skill.name == "cloned-and-full");
        assert!(full.is_none_or(|skill| skill.in_repository), "{entries}");
    }
}

#[cfg(unix)]
mod bounds;

#[cfg(unix)]
mod trees;

#[cfg(unix)]
mod links;

#[test]
fn a_long_frontmatter_is_read_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let folder = put(dir.path(), "long");
    let filler = "# a comment that makes the frontmatter long\n".repeat(600);
    fs::write(
        folder.join("SKILL.md"),
        format!("---\nname: long\n{filler}description: At the end.\n---\n"),
    )
    .unwrap();
    let catalog = all(&[root(dir.path(), Scope::User)]);
    assert_eq!(catalog.skills[0].description, "At the end.");
    assert!(catalog.skills[0].diagnostics.is_empty(), "{:?}", catalog.skills[0].diagnostics);
}

#[test]
fn the_lower_case_file_counts_where_it_is_alone() {
    let dir = tempfile::tempdir().unwrap();
    let both = put(dir.path(), "both");
    fs::write(both.join("skill.md"), "---\nname: other\ndescription: x\n---\n").unwrap();
    let lower = put(dir.path(), "lower");
    fs::rename(lower.join("SKILL.md"), lower.join("skill.md")).unwrap();
    let catalog = all(&[root(dir.path(), Scope::User)]);
    assert_eq!(names(&catalog), ["both", "lower"]);
    assert_eq!(catalog.skills[1].diagnostics[0].code(), "file-case");
}

/// A folder may be found through two roots, whose batches come in any order.
#[test]
fn a_skill_belongs_to_the_first_of_the_roots_through_which_it_is_found() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "plugin/pdf");
    // The last has the path of the first, and finds what that does not reach.
    let roots = ["", "plugin", ""].map(|folder| root(dir.path().join(folder), Scope::User));
    let read = |at: usize| {
        let skill = all(std::slice::from_ref(&roots[at])).skills.remove(0);
        read::Read { root: at, may_be_top: false, skill: read::Found::New(skill) }
    };
    for order in [[1, 2], [2, 1]] {
        let options = Options::default();
        let mut collector = collect::Collector::new(&roots, &options);
        for at in order {
            collector.add([read(at)]);
        }
        let skills = collector.finish(&mut []);
        let roots: Vec<&Path> = skills.iter().map(|skill| &*skill.root.path).collect();
        assert_eq!(roots, [dir.path().join("plugin")], "{order:?}");
    }
}

#[test]
fn progress_streams_and_stop_ends_it() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..300 {
        put(dir.path(), &format!("skill-{number}"));
    }
    let mut seen = Vec::new();
    let catalog = scan(&[root(dir.path(), Scope::User)], &Options::default(), |skills| {
        seen.push(skills.len())
    });
    assert_eq!(catalog.skills.len(), 300);
    assert!(seen.len() > 3 && seen.windows(2).all(|pair| pair[0] < pair[1]), "{seen:?}");
    let options = Options::default();
    options.stop.store(true, Ordering::Relaxed);
    assert!(scan(&[root(dir.path(), Scope::User)], &options, |_| {}).skills.len() < 300);
}

#[test]
fn what_has_not_changed_is_taken_over_and_what_has_is_read() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["same", "edited", "gone", "twice"] {
        put(dir.path(), name);
    }
    let roots = [root(dir.path(), Scope::User)];
    let before = all(&roots);
    fs::write(dir.path().join("edited/SKILL.md"), "---\nname: edited\ndescription: New.\n---\n")
        .unwrap();
    fs::remove_dir_all(dir.path().join("gone")).unwrap();
    let known = Known::new(before.skills.iter().cloned());
    let after = scan(&roots, &Options { known: known.clone(), ..Options::default() }, |_| {});
    assert_eq!(names(&after), ["edited", "same", "twice"]);
    assert_eq!(after.skills[0].description, "New.");
    assert!(Arc::ptr_eq(&after.skills[1], &before.skills[2]), "it is the very same");
    // Below another root, or for another scope, it is another skill.
    let elsewhere =
        scan(&[root(dir.path(), Scope::Repo)], &Options { known, ..Options::default() }, |_| {});
    assert!(elsewhere.skills.iter().all(|skill| skill.scope == Scope::Repo));
}

#[test]
fn a_scan_reads_heads_unless_bodies_are_wanted_and_says_which() {
    let dir = tempfile::tempdir().unwrap();
    let head = "---\nname: NAME\ndescription: It is long.\n---\n";
    let lines = "a line that hides nothing\n".repeat(500);
    for (name, body) in [
        ("behind", format!("{lines}a\u{202e}b\n")),
        ("both", format!("a\u{202e}b\n{lines}c\u{202e}d\n")),
        ("short", "a\u{202e}b\n".to_owned()),
    ] {
        put(dir.path(), name);
        let text = head.replace("NAME", name) + &body;
        fs::write(dir.path().join(name).join("SKILL.md"), text).unwrap();
    }
    let roots = [root(dir.path(), Scope::User)];
    let told = |catalog: &Catalog| -> Vec<(bool, Option<String>)> {
        let row = |skill: &Arc<Skill>| {
            let found = skill.diagnostics.first().map(|found| found.message.clone());
            (skill.whole, found.map(|message| message.chars().take(30).collect()))
        };
        catalog.skills.iter().map(row).collect()
    };
    let (one, two) = ("the text hides 1 bidi control;", "the text hides 2 bidi controls");
    let heads = all(&roots);
    let expected = [(false, None), (true, Some(two.to_owned())), (true, Some(one.to_owned()))];
    assert_eq!(told(&heads), expected);
    let found = body_finding(&heads.skills[0]).unwrap().unwrap();
    assert_eq!((found.code(), found.place.line), ("hidden-text", 505));
    let known = Known::new(heads.skills.iter().cloned());
    let options = Options { known, bodies: true, ..Options::default() };
    let bodies = scan(&roots, &options, |_| {});
    assert_eq!(told(&bodies)[0], (true, Some(one.to_owned())));
    assert!(Arc::ptr_eq(&bodies.skills[1], &heads.skills[1]), "it was read whole");
    fs::write(&heads.skills[0].path, "changed").unwrap();
    assert!(body_finding(&heads.skills[0]).is_err());
}

#[test]
fn for_one_view_a_folder_is_listed_once_and_a_file_is_read_once() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "pdf");
    let (listed, mut known) = (Some(Listed::default()), Known::fresh());
    let look = |hidden: Hidden, known: &Known| {
        let walk = Walk { hidden, ..Walk::STANDARD };
        let options =
            Options { listed: listed.clone(), known: known.clone(), ..Options::default() };
        scan(&[Root { walk, ..root(dir.path(), Scope::User) }], &options, |_| {}).skills
    };
    put(dir.path(), ".hidden");
    let first = look(Hidden::Skipped, &known);
    known.add(first.iter().cloned());
    fs::write(dir.path().join("pdf/SKILL.md"), "changed meanwhile").unwrap();
    put(dir.path(), "new");
    let both = look(Hidden::Entered, &known);
    let names: Vec<&str> = both.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, [".hidden", "pdf"]);
    assert!(first.len() == 1 && Arc::ptr_eq(&both[1], &first[0]));
    assert!(Arc::ptr_eq(&look(Hidden::Skipped, &known)[0], &first[0]));
}

#[cfg(unix)]
#[test]
fn markdown_files_directly_in_a_root_are_skills_where_the_host_takes_them() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    put(&top, "pdf");
    fs::create_dir(top.join("folder.md")).unwrap();
    let text = "---\nname: NAME\ndescription: d\n---\n";
    for file in ["pdf.md", "single.md", ".hidden.md", "a.txt", "pdf/inner.md", "left.md"] {
        fs::write(top.join(file), text.replace("NAME", file)).unwrap();
    }
    fs::write(top.join(".gitignore"), "left.md\n").unwrap();
    std::os::unix::fs::symlink("pdf/inner.md", top.join("linked.md")).unwrap();
    let seen = |walk: Walk| {
        let catalog =
            scan(&[Root { walk, ..root(&top, Scope::User) }], &Options::default(), |_| {});
        let below = |skill: &Arc<Skill>| skill.location().strip_prefix(&top).unwrap().to_owned();
        catalog.skills.iter().map(below).collect::<BTreeSet<PathBuf>>()
    };
    let paths = |words: &str| words.split(' ').map(PathBuf::from).collect::<BTreeSet<_>>();
    let walk = |single_files| Walk { ignores: true, single_files, ..Walk::STANDARD };
    assert_eq!(seen(walk(SingleFiles::PassedOver)), paths("pdf"));
    assert_eq!(seen(walk(SingleFiles::Skills)), paths("pdf pdf.md single.md linked.md"));
    let without_folder = |links| {
        let single_files = SingleFiles::SkillsWithoutFolder { links };
        Walk { hidden: Hidden::Skills, ..walk(single_files) }
    };
    assert_eq!(seen(without_folder(false)), paths("pdf single.md .hidden.md"));
    assert_eq!(seen(without_folder(true)), paths("pdf single.md .hidden.md linked.md"));
    // What lies elsewhere, or is something else, is not shown.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret.md"), "---\nname: x\ndescription: secret\n---\n").unwrap();
    std::os::unix::fs::symlink(other.path().join("secret.md"), top.join("out.md")).unwrap();
    std::os::unix::fs::symlink("a.txt", top.join("text.md")).unwrap();
    for (scope, is_read) in [(Scope::User, true), (Scope::Repo, false)] {
        let root = Root { walk: walk(SingleFiles::Skills), ..root(&top, scope) };
        let catalog = scan(&[root], &Options::default(), |_| {});
        let of = |name: &str| {
            let is_it = |skill: &&Arc<Skill>| skill.location() == top.join(name);
            catalog.skills.iter().find(is_it).unwrap()
        };
        assert_eq!(of("out.md").description == "secret", is_read, "{scope:?}");
        assert_eq!(of("out.md").offerable(), is_read);
        assert!(!of("text.md").offerable() && of("text.md").description.is_empty());
    }
    // A root may be such a file.
    let named = |name: &str, scope| {
        let walk = Walk { depth: 0, ..walk(SingleFiles::Skills) };
        let catalog =
            scan(&[Root { walk, ..root(top.join(name), scope) }], &Options::default(), |_| {});
        let state = catalog.roots[0].state.clone();
        let found = catalog.skills.iter().map(|it| (it.location().to_owned(), it.offerable()));
        (state, found.collect::<Vec<_>>())
    };
    for (name, scope, is_read) in [
        ("single.md", Scope::Repo, true),
        ("linked.md", Scope::Repo, true),
        ("out.md", Scope::User, true),
        ("out.md", Scope::Repo, false),
        ("text.md", Scope::User, false),
    ] {
        let found = vec![(top.join(name), is_read)];
        assert_eq!(named(name, scope), (RootState::Read, found), "{name}");
    }
    assert!(
        matches!(named("a.txt", Scope::User), (RootState::Failed(_), found) if found.is_empty())
    );
    // A root that is a skill itself has no others.
    fs::write(top.join("SKILL.md"), text).unwrap();
    assert!(!seen(walk(SingleFiles::Skills)).contains(Path::new("single.md")));
}
