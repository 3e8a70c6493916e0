//! What is hidden, endless, or does not answer.

use super::super::jobs::MAX_JOBS;
use super::*;
use std::collections::HashSet;
use std::os::unix::fs::symlink;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// The rows as name and first finding.
fn rows(catalog: &Catalog) -> Vec<(String, &'static str)> {
    let row = |skill: &Arc<Skill>| {
        let code = skill.diagnostics.first().map_or("", |found| found.code());
        (skill.name.clone(), code)
    };
    catalog.skills.iter().map(row).collect()
}

#[test]
fn a_link_that_leads_nowhere_is_a_row_where_a_skill_should_be() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path();
    put(top, "pdf");
    put(top, "group/docx");
    fs::create_dir_all(top.join("notes")).unwrap();
    symlink("../gone/zip", top.join("zip")).unwrap();
    symlink("loop", top.join("loop")).unwrap();
    symlink(top.join("pdf/SKILL.md"), top.join("to-file")).unwrap();
    symlink("/nowhere", top.join("group/lost")).unwrap();
    // Nobody looks for a skill there.
    symlink("/nowhere", top.join("pdf/lib.so")).unwrap();
    symlink("/nowhere", top.join("notes/draft")).unwrap();
    symlink(".gone", top.join(".hidden")).unwrap();
    fs::write(top.join("README"), "").unwrap();
    symlink("README", top.join("readme-link")).unwrap();
    let catalog = all(&[root(top, Scope::User)]);
    let expected = [
        ("docx", ""),
        ("loop", "link-dangling"),
        ("lost", "link-dangling"),
        ("pdf", ""),
        ("to-file", "link-file"),
        ("zip", "link-dangling"),
    ];
    assert_eq!(rows(&catalog), expected.map(|(name, code)| (name.to_owned(), code)));
    let message = |index: usize| catalog.skills[index].diagnostics[0].message.as_str();
    assert_eq!(message(1), "the link leads to nothing: itself");
    assert_eq!(message(5), "the link leads to nothing: ../gone/zip");
    assert_eq!(catalog.skills[5].dir(), top.canonicalize().unwrap().join("zip"));
}

#[test]
fn a_link_to_everything_is_cut_with_a_mark_and_hides_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().join("root");
    put(&top, "pdf");
    put(&top, "z/y/last");
    let far = put(dir.path(), "far/linked");
    symlink("/", top.join("everything")).unwrap();
    symlink(far.parent().unwrap(), top.join("zz")).unwrap();
    let started = Instant::now();
    let catalog = all(&[Root { walk: Walk::BROWSE, ..root(&top, Scope::User) }]);
    assert!(started.elapsed() < 4 * BEYOND_TIME, "{:?}", started.elapsed());
    let names: HashSet<&str> = names(&catalog).into_iter().collect();
    assert!(["pdf", "last", "linked"].iter().all(|name| names.contains(name)), "{names:?}");
    let cut = catalog.cuts.iter().find(|cut| cut.path == top.join("everything")).unwrap();
    assert_eq!(cut.limit, Limit::Link);
    assert!(cut.message().contains("everything"), "{}", cut.message());
}

#[test]
fn what_a_link_reaches_outside_is_bounded_by_time_but_not_its_own_folder() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().join("root");
    put(&top, "own/below/deep");
    put(dir.path(), "far");
    put(dir.path(), "far/inner");
    put(dir.path(), "all/one");
    symlink("../far", top.join("far")).unwrap();
    symlink("../all", top.join("all")).unwrap();
    let options = Options::default();
    options.beyond.spend(BEYOND_TIME);
    let catalog = scan(&[root(&top, Scope::User)], &options, |_| {});
    assert_eq!(names(&catalog), ["deep", "far"]);
    let cuts: Vec<_> = catalog.cuts.iter().map(|cut| (cut.limit, cut.path.clone())).collect();
    let link = |name: &str| (Limit::Link, top.join(name));
    assert_eq!(cuts, [link("all"), link("far")]);
}

#[test]
fn the_deepest_is_left_out_first() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a/1/2/3/deep", "a/1/2/3/deeper", "zip"] {
        put(dir.path(), name);
    }
    for index in 0..40 {
        fs::write(dir.path().join(format!("a/1/2/3/{index}")), "").unwrap();
    }
    let options = Options { entries: 20, ..Options::default() };
    let catalog = scan(&[root(dir.path(), Scope::User)], &options, |_| {});
    assert_eq!((names(&catalog), catalog.cuts[0].limit), (vec!["zip"], Limit::Entries));
}

/// Paths that block until the test ends.
static BLOCKED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn block(path: &Path) {
    while BLOCKED.lock().unwrap().iter().any(|blocked| blocked == path) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn unblock(top: &Path) {
    BLOCKED.lock().unwrap().retain(|blocked| !blocked.starts_with(top));
}

#[test]
fn what_does_not_answer_holds_up_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    for name in ["dead/x", "alive/pdf", "alive/stuck", "alive/group/docx", "alive/mute/in"] {
        put(&top, name);
    }
    put(&top, "far/away");
    symlink("../far", top.join("alive/far")).unwrap();
    symlink("../far/away", top.join("alive/away")).unwrap();
    let dead = ["dead", "alive/stuck/SKILL.md", "alive/mute", "alive/far"];
    BLOCKED.lock().unwrap().extend(dead.map(|path| top.join(path)));
    let roots = [root(top.join("dead"), Scope::Repo), root(top.join("alive"), Scope::User)];
    let options = Options { patience: Duration::from_millis(300), ..Options::default() };
    let look = || scan_with(&roots, &options, block, |_| {});
    let first = look();
    // The second scan does not ask again.
    let second = look();
    unblock(&top);
    for catalog in [first, second] {
        let expected = [("away", ""), ("docx", ""), ("pdf", ""), ("stuck", "file-unreadable")];
        let found: Vec<_> = rows(&catalog);
        assert_eq!(found, expected.map(|(name, code)| (name.to_owned(), code)));
        assert_eq!(catalog.roots[0].state, RootState::Failed("it does not answer".to_owned()));
        let cuts: HashSet<_> = catalog.cuts.iter().map(|cut| (cut.limit, &*cut.path)).collect();
        let (mute, far) = (top.join("alive/mute"), top.join("alive/far"));
        assert_eq!(cuts, HashSet::from([(Limit::Silent, &*mute), (Limit::Silent, &*far)]));
    }
    // Once it answers again, it is asked again.
    while scan(&roots, &options, |_| {}).skills.len() != 6 {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn jobs_that_wait_behind_a_slow_one_are_done_by_others() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    let count = MAX_JOBS * 20;
    for number in 0..count {
        put(&top, &format!("skill-{number:03}"));
    }
    // Each lies among others that the same worker has taken.
    let slow = ["skill-100", "skill-200/SKILL.md"].map(|path| top.join(path));
    BLOCKED.lock().unwrap().extend(slow);
    let options = Options { patience: Duration::from_secs(60), ..Options::default() };
    let mut most = 0;
    let catalog = scan_with(&[root(&top, Scope::User)], &options, block, |skills| {
        most = most.max(skills.len());
        if most == count - 2 {
            unblock(&top);
        }
    });
    assert_eq!((most, catalog.skills.len()), (count, count));
    assert!(catalog.cuts.is_empty() && rows(&catalog).iter().all(|(_, code)| code.is_empty()));
}

/// Fails for want of a handle for some paths; the name of each says how often.
fn without_handles(path: &Path) {
    static TRIED: AtomicUsize = AtomicUsize::new(0);
    let is_named = |name: &str| path.parent().is_some_and(|folder| folder.ends_with(name));
    let thrice = || TRIED.fetch_add(1, Ordering::Relaxed) < 3;
    if is_named("never") || (is_named("thrice-not") && thrice()) {
        let none = rustix::io::Errno::MFILE.into();
        assert!(handles::noted::<()>(Err(none)).is_err());
    }
}

#[test]
fn that_no_handle_is_left_is_no_fault_of_a_skill() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["one/pdf", "one/thrice-not", "two/never", "two/zip"] {
        put(dir.path(), name);
    }
    let roots = ["one", "two"].map(|name| root(dir.path().join(name), Scope::User));
    let catalog = scan_with(&roots, &Options::default(), without_handles, |_| {});
    let expected = ["pdf", "thrice-not", "zip"].map(|name| (name.to_owned(), ""));
    assert_eq!(rows(&catalog), expected);
    let states: Vec<_> = catalog.roots.iter().map(|report| &report.state).collect();
    assert_eq!(states, [&RootState::Read, &RootState::without_handle()]);
}

#[cfg(not(target_os = "macos"))]
#[test]
fn odd_names_and_files_are_rows() {
    use std::os::unix::ffi::OsStringExt;
    let dir = tempfile::tempdir().unwrap();
    let odd = std::ffi::OsString::from_vec(b"odd-\xff".to_vec());
    for (folder, file) in [("lower", "skill.md"), ("mixed", "Skill.md"), ("upper", "SKILL.MD")] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        let text = format!("---\nname: {folder}\ndescription: x\n---\n");
        fs::write(dir.path().join(folder).join(file), text).unwrap();
    }
    fs::create_dir(dir.path().join(&odd)).unwrap();
    fs::write(dir.path().join(&odd).join("SKILL.md"), "---\ndescription: x\n---\n").unwrap();
    fs::create_dir_all(dir.path().join("only-scripts/scripts")).unwrap();
    let catalog = all(&[root(dir.path(), Scope::User)]);
    let expected = [
        ("lower", "file-case", true),
        ("mixed", "file-name", false),
        ("odd-\u{fffd}", "path-encoding", true),
        ("upper", "file-name", false),
    ];
    let found: Vec<_> = catalog
        .skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.diagnostics[0].code(), skill.offerable()))
        .collect();
    assert_eq!(found, expected);
}
