use super::super::fixture::TestWorkspace;
use super::*;
use crate::workspace::host_by_word;
use std::sync::atomic::Ordering;

#[test]
fn looking_again_makes_a_new_view_only_where_something_has_changed() {
    let mut test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("repo/.agents/skills/docx", "docx"),
    ]);
    let mut first = test.workspace.view();
    first.listing.reports = Arc::new(test.workspace.reports(&first));
    let again = test.workspace.view_after(&first, scan::Options::default());
    assert!(Arc::ptr_eq(&first.rows, &again.rows) && again.complete);
    assert!(again.reports.is_empty(), "the other agents are asked again");
    // Changed settings give new verdicts, but the skills keep their `Arc`.
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n",
    );
    let judged = test.workspace.view_after(&again, scan::Options::default());
    let off: Vec<bool> = judged.rows.entries().map(|entry| entry.verdict.enabled()).collect();
    assert_eq!(off, [true, false]);
    assert!(Arc::ptr_eq(&judged.rows[0].entry.skill, &first.rows[0].entry.skill));
    test.write("repo/.agents/skills/xlsx/SKILL.md", "---\nname: xlsx\ndescription: New.\n---\n");
    assert_eq!(test.workspace.view_after(&judged, scan::Options::default()).rows.len(), 3);
}

#[test]
fn rem_9_a_use_by_another_process_is_seen_when_one_looks_again() {
    use crate::state::activity::{Activity, Call, CallKind};
    let test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("repo/.agents/skills/docx", "docx"),
    ]);
    let first = test.workspace.view();
    assert!(first.uses.is_empty());
    let state = test.workspace.state_dir.clone().unwrap();
    let skill = Arc::clone(&first.rows[1].entry.skill);
    Activity::append(&state, &Call::new(CallKind::Run, 7, &skill.name, &skill.path)).unwrap();
    let again = test.workspace.view_after(&first, scan::Options::default());
    assert_eq!(again.uses.of(&skill.path).unwrap().last_ms, 7);
    let used: Vec<bool> = again.rows.iter().map(|row| row.used).collect();
    assert_eq!(used, [false, true]);
    // If only the settings have changed, nothing is scanned.
    let judged = test.workspace.rejudge(&again);
    assert!(Arc::ptr_eq(&judged.uses, &again.uses) && judged.rows[1].used);
    assert!(Arc::ptr_eq(
        &again.rows,
        &test.workspace.view_after(&again, scan::Options::default()).rows
    ));
}

#[test]
fn a_skill_is_judged_once_however_many_views_are_shown_while_the_scan_runs() {
    let paths: Vec<String> = (0..400).map(|n| format!("repo/.agents/skills/skill-{n}")).collect();
    let skills: Vec<(&str, &str)> =
        paths.iter().map(|path| (path.as_str(), path.rsplit('/').next().unwrap())).collect();
    let mut test = TestWorkspace::with(&skills);
    let (mut judge, mut shown) = (Judge::default(), Vec::new());
    let progress = Progress { wanted: &mut |_| true, take: &mut |view| shown.push(view) };
    let whole = test.workspace.stream(&scan::Options::default(), Some(progress), &mut judge);
    assert!(shown.len() > 5 && shown.is_sorted_by_key(|view| view.rows.len()));
    assert_eq!((whole.rows.len(), judge.judged.load(Ordering::Relaxed)), (400, 400));
    // One more with the name of another: both are judged, the others are not.
    judge.before = Arc::clone(&whole.rows);
    test.write("repo/.agents/skills/new/SKILL.md", "---\nname: skill-7\ndescription: x\n---\n");
    let known = scan::Known::new(whole.rows.skills().map(Arc::clone));
    let options = scan::Options { known, ..scan::Options::default() };
    let after = test.workspace.stream(&options, None, &mut judge);
    assert_eq!((after.rows.len(), judge.judged.load(Ordering::Relaxed)), (401, 402));
    let shared = after.rows.entries().filter(|entry| entry.same_name == 2);
    assert_eq!(shared.count(), 2);
}

#[test]
fn a_view_through_one_host_ends_with_what_only_others_find() {
    let mut test = TestWorkspace::with(&[
        ("home/.claude/skills/pdf", "pdf"),
        ("home/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/zip", "zip"),
        ("home/.codex/skills/docx", "docx"),
    ]);
    for marker in [".claude/settings.json", ".codex/config.toml"] {
        test.write(&format!("home/{marker}"), "");
    }
    let claude = host_by_word("claude").unwrap();
    let plain = test.workspace.through(claude);
    assert_eq!(plain.view().rows.len(), 1, "nobody asked for the others");
    let workspace = plain.with_unseen();
    let view = workspace.view();
    let shown = |view: &View| -> Vec<(String, bool)> {
        view.rows.entries().map(|it| (it.skill.name.clone(), it.is_seen())).collect()
    };
    let expected = [("pdf", true), ("docx", false), ("pdf", false), ("zip", false)]
        .map(|(name, seen)| (name.to_owned(), seen));
    assert_eq!(shown(&view), expected);
    let others = || view.rows.entries().filter(|entry| !entry.is_seen());
    assert!(
        others().all(|entry| !entry.pickable()
            && !entry.is_listed()
            && entry.looks == Looks::Elsewhere)
    );
    assert_eq!(view.rows[0].entry.same_name, 1, "another agent's copy is no rival");
    assert_eq!(view.rows.tally.skills, 1);
    // They stay when the settings are read again, and a scan that finds the same is the same view.
    assert_eq!(shown(&workspace.rejudge(&view)), expected);
    let again = workspace.view_after(&view, scan::Options::default());
    assert!(Arc::ptr_eq(&again.rows, &view.rows));
    // What goes is gone, and what comes is there.
    std::fs::remove_dir_all(test.env.top.join("home/.codex/skills/docx")).unwrap();
    test.write("home/.claude/skills/zip/SKILL.md", "---\nname: zip\ndescription: New.\n---\n");
    let later = workspace.view_after(&view, scan::Options::default());
    let expected = [("pdf", true), ("zip", true), ("pdf", false), ("zip", false)]
        .map(|(name, seen)| (name.to_owned(), seen));
    assert_eq!(shown(&later), expected);
    // Each host's report is about its own skills only.
    let reports = workspace.reports(&later);
    let found = |host: &str| {
        let report = reports.iter().find(|report| report.host.word() == host).unwrap();
        report.found.iter().map(|index| *index as usize).collect::<Vec<_>>()
    };
    assert_eq!((found("claude"), found("agents")), (vec![0, 1], vec![2, 3]));
}

/// A scan makes such a skill anew, since it meets it several times and in any order.
#[cfg(unix)]
#[test]
fn a_skill_that_is_found_in_several_places_makes_no_new_view() {
    let test = TestWorkspace::with(&[("home/.agents/skills/pdf", "pdf")]);
    let (top, link) = (&test.env.top, "home/.config/agents/skills");
    std::fs::create_dir_all(top.join(link)).unwrap();
    std::os::unix::fs::symlink(top.join("home/.agents/skills/pdf"), top.join(link).join("pdf"))
        .unwrap();
    let host = host_by_word("amp").unwrap();
    let workspace = test.workspace.through(host);
    let view = workspace.view();
    let places: Vec<usize> = view.rows.skills().map(|it| it.locations().count()).collect();
    assert_eq!(places, [2]);
    let again = workspace.view_after(&view, scan::Options::default());
    assert!(Arc::ptr_eq(&again.rows, &view.rows));
}

#[test]
fn a_host_that_cannot_tell_two_of_a_name_apart_says_so_of_both() {
    let mut test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/zip", "zip"),
    ]);
    test.write("home/.claude/settings.json", "{}");
    let view = test.workspace.through(host_by_word("all").unwrap()).view();
    let names: Vec<&str> = view.rows.entries().map(|it| it.skill.name.as_str()).collect();
    assert_eq!(names, ["pdf", "pdf", "zip"]);
    let report = |host: &str| view.reports.iter().find(|it| it.host.word() == host).unwrap();
    assert_eq!(report("agents").contested, [0, 1]);
    assert!(report("claude").contested.is_empty(), "it does not look there");
    let is_contested = |view: &View| {
        let report = view.reports.iter().find(|it| it.host.word() == "agents").unwrap();
        [0, 1, 2].map(|index| view.rows.is_contested(report, index))
    };
    assert_eq!(is_contested(&view), [true, true, false]);
    let alone = test.workspace.view();
    let reports = test.workspace.reports(&alone);
    assert_eq!(reports[0].contested, [0, 1], "also of a view's own host");
    // One that is off takes no name, so the other one is meant.
    let path = test.text("home/.agents/skills/pdf/SKILL.md");
    let off = format!("version = 1\n[[skills.config]]\npath = {path:?}\nenabled = false\n");
    test.write("home/.config/skillpick/config.toml", &off);
    let view = test.workspace.through(host_by_word("all").unwrap()).view();
    assert_eq!(is_contested(&view), [false, true, false], "the name of this one means the other");
}
