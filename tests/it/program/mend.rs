//! `check --fix`.

mod formats;

use crate::env::TestEnv;
use crate::support::skipped;
use serde_json::{Value as Json, json};
use std::fs;

const BODY: &str = "# PDF\n\nFills forms.\n";

fn broken(env: &TestEnv, folder: &str) {
    env.write(format!("{folder}/pdf/SKILL.md"), format!("---\nname: PDF\nauthor: me\n---\n{BODY}"));
    env.write(format!("{folder}/docx/SKILL.md"), BODY);
}

#[test]
fn check_fix_mends_shows_and_is_taken_back() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    let before = (env.read("repo/x/pdf/SKILL.md"), env.read("repo/x/docx/SKILL.md"));
    let dry = env.run(&["check", "x", "--fix", "--dry-run"]).ended(1);
    dry.is_inert();
    for line in ["-name: PDF", "+name: pdf", "+description: Fills forms.", "+  author: me"] {
        assert!(dry.out().lines().any(|shown| shown == line), "{line}: {}", dry.out());
    }
    assert!(dry.out().contains("would mend 5 findings in 2 skills"), "{}", dry.out());
    assert_eq!(before, (env.read("repo/x/pdf/SKILL.md"), env.read("repo/x/docx/SKILL.md")));
    let ran = env.run(&["check", "x", "--fix"]).ended(0);
    // Another process may change something meanwhile, so the change is named.
    assert!(ran.err.contains("to take it back: skillpick undo 1\n"), "{ran:?}");
    let wanted = "\
x/pdf/SKILL.md: desc-missing, name-case, name-dir-mismatch, unexpected-fields
x/docx/SKILL.md: no-frontmatter
5 findings in 2 skills mended
left: 2 skills, nothing found
";
    assert_eq!(ran.out(), wanted);
    let mended = "---\nname: pdf\ndescription: Fills forms.\nmetadata:\n  author: me\n---\n";
    assert_eq!(env.read("repo/x/pdf/SKILL.md"), format!("{mended}{BODY}"));
    let again = env.run(&["check", "x", "--fix"]).ended(0);
    assert_eq!(again.out(), "nothing to mend\nnow: 2 skills, nothing found\n");
    env.run(&["undo"]).ended(0);
    assert_eq!(before, (env.read("repo/x/pdf/SKILL.md"), env.read("repo/x/docx/SKILL.md")));
}

#[test]
fn only_one_code_is_mended_and_json_says_what() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    let arguments = ["check", "x", "--fix", "--only", "unexpected-fields", "--json"];
    let document = env.json("mend", &arguments);
    assert_eq!(document["written"], true);
    let row = &document["skills"][0];
    assert_eq!(row["mended"], json!({ "unexpected-fields": 1 }));
    assert!(row["diff"].as_str().unwrap().contains("+  author: me"), "{row}");
    assert_eq!(document["summary"]["errors"], 2);
    assert!(env.read("repo/x/pdf/SKILL.md").contains("name: PDF\n"));
    env.run(&["check", "x", "--fix", "--only", "hidden-text"]).ended(2);
    env.run(&["check", "x", "--only", "bom"]).ended(2);
    env.run(&["check", "x", "--fix", "--strict"]).ended(2);
    env.run(&["check", "x", "--fix", "--format", "sarif"]).ended(2);
}

#[test]
fn a_description_that_is_indented_or_spelled_by_mistake_is_not_replaced() {
    let env = TestEnv::new();
    let wrong = "---\nname: pdf\n  description: Extract text.\n---\nBody of five words here.\n";
    let spelled = wrong.replace("  description", "Description");
    for (text, only, mended) in [
        (wrong, "name-dir-mismatch", wrong),
        (wrong, "yaml-repaired", &wrong.replace("  description", "description")),
        (&spelled, "desc-missing", &spelled),
        (&spelled, "unexpected-fields", &spelled),
    ] {
        env.write("repo/x/pdf/SKILL.md", text);
        env.run(&["check", "x", "--fix", "--only", only]);
        assert_eq!(env.read("repo/x/pdf/SKILL.md"), mended, "{only}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_and_links_are_mended_and_taken_back() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let env = TestEnv::new();
    let old =
        env.write("repo/x/pdf/skill.md", format!("---\nname: PDF\ndescription: d\n---\n{BODY}"));
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    env.skill("repo/y", "docx", "d");
    symlink("../y/docx/SKILL.md", env.at("repo/x/docx")).unwrap();
    symlink("nowhere", env.at("repo/x/gone")).unwrap();
    let ran = env.run(&["check", "x", "--fix"]).ended(0);
    assert!(
        ran.out().contains("x/pdf/skill.md: file-case, name-case, name-dir-mismatch; renamed"),
        "{ran:?}"
    );
    assert!(ran.out().contains("x/docx: link-file; the link leads to ../y/docx"), "{ran:?}");
    assert!(ran.out().contains("x/gone: link-dangling; the link is removed"), "{ran:?}");
    let new = env.at("repo/x/pdf/SKILL.md");
    assert!(fs::read_to_string(&new).unwrap().contains("name: pdf\n") && !old.exists());
    assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(!env.at("repo/x/gone").is_symlink());
    assert!(env.run(&["check", "x", "--fix"]).out().starts_with("nothing to mend"));
    env.run(&["undo"]).ended(0);
    assert!(fs::read_to_string(&old).unwrap().contains("name: PDF\n") && !new.exists());
    assert_eq!(fs::read_link(env.at("repo/x/gone")).unwrap().to_str(), Some("nowhere"));
    assert_eq!(fs::read_link(env.at("repo/x/docx")).unwrap().to_str(), Some("../y/docx/SKILL.md"));
}

#[cfg(unix)]
#[test]
fn what_lies_elsewhere_is_mended_only_if_it_is_named() {
    let env = TestEnv::new();
    let bad = |folder: &str| env.raw_skill(folder, "name: Bad\ndescription: d", "");
    bad("home/.agents/skills/own");
    bad("repo/.agents/skills/ours");
    bad("elsewhere/linked");
    fs::create_dir_all(env.at("home/cloned/.git")).unwrap();
    bad("home/cloned/theirs");
    env.link("elsewhere/linked", "repo/.agents/skills/linked");
    env.link("home/cloned/theirs", "home/.agents/skills/theirs");
    let ran = env.run(&["check", "--fix"]).ended(0);
    let is_mended = |file: &str| !env.read(&format!("{file}/SKILL.md")).contains("Bad");
    assert!(
        is_mended("home/.agents/skills/own") && is_mended("repo/.agents/skills/ours"),
        "{ran:?}"
    );
    assert!(!is_mended("elsewhere/linked") && !is_mended("home/cloned/theirs"), "{ran:?}");
    assert!(ran.err.matches("not mended: ").count() == 2, "{ran:?}");
    let named = env.run(&["check", "--fix", ".agents/skills"]).ended(0);
    assert!(
        !is_mended("elsewhere/linked") && named.err.contains("out of the named folder"),
        "{named:?}"
    );
    env.run(&["check", "--fix", &env.text("home/cloned")]).ended(0);
    assert!(is_mended("home/cloned/theirs"));
}

#[test]
fn a_repository_within_ones_own_folder_is_mended_only_if_it_is_named() {
    let env = TestEnv::new();
    let bad = |folder: &str| env.raw_skill(folder, "name: Bad\ndescription: d", "");
    let is_mended = |file: &str| !env.read(&format!("{file}/SKILL.md")).contains("Bad");
    // A submodule has a file, a clone a folder.
    env.write("repo/.agents/skills/sub/.git", "gitdir: ../../../.git/modules/sub\n");
    fs::create_dir_all(env.at("home/.agents/skills/clone/.git")).unwrap();
    let theirs = ["repo/.agents/skills/sub", "home/.agents/skills/clone/x"];
    theirs.iter().for_each(|folder| drop(bad(folder)));
    let ours = ["repo/.agents/skills/ours", "home/.agents/skills/own"];
    ours.iter().for_each(|folder| drop(bad(folder)));
    for from in ["repo", "home"] {
        let ran = env.run(&["-C", &env.text(from), "check", "--fix"]);
        assert!(ran.err.contains("another repository brings it"), "{ran:?}");
        assert!(!theirs.iter().any(|file| is_mended(file)), "{from}: {ran:?}");
    }
    assert!(ours.iter().all(|file| is_mended(file)));
    // Its folder is meant, and not one above it.
    for (from, folder) in [("repo", "."), ("home", ".agents/skills")] {
        let ran = env.run(&["-C", &env.text(from), "check", "--fix", folder]);
        assert!(ran.err.contains("another repository brings it"), "{ran:?}");
        assert!(!theirs.iter().any(|file| is_mended(file)), "{from}: {ran:?}");
    }
    env.run(&["check", "--fix", &env.text(theirs[0])]).ended(0);
    env.run(&["check", "--fix", &env.text("home/.agents/skills/clone")]).ended(0);
    assert!(theirs.iter().all(|file| is_mended(file)));
}

#[test]
fn no_two_skills_get_one_name_or_names_that_look_alike() {
    let env = TestEnv::new();
    let skill = |folder: &str, name: &str| {
        env.raw_skill(folder, &format!("name: {name}\ndescription: d"), "");
    };
    let names = |folders: &[&str]| -> Vec<String> {
        let line = |folder: &&str| {
            let text = env.read(&format!("{folder}/SKILL.md"));
            text.lines().nth(1).unwrap_or_default().trim_start_matches("name: ").to_owned()
        };
        folders.iter().map(line).collect()
    };
    // Of the view, of a named folder, and drawn alike.
    let cases: [([&str; 2], &[&str]); 3] = [
        (["repo/.agents/skills/pdf", "home/.agents/skills/pdf"], &[]),
        (["repo/t/x/pdf", "repo/t/y/pdf"], &["t"]),
        (["repo/s/model", "repo/s/mode1"], &["s"]),
    ];
    for (folders, paths) in cases {
        skill(folders[0], "alpha");
        skill(folders[1], "beta");
        let ran = env.run(&[&["check", "--fix"][..], paths].concat());
        let kept = names(&folders).into_iter().filter(|name| name == "alpha" || name == "beta");
        assert_eq!(kept.count(), 1, "{ran:?}");
        assert!(ran.err.contains("another skill has the name of its folder"), "{ran:?}");
        assert!(!ran.out().contains("name-look-alike"), "{ran:?}");
    }
    // Beside a named folder: what the agent finds there and elsewhere.
    skill("home/.agents/skills/csv", "csv");
    skill("repo/.agents/skills/csv", "gamma");
    env.run(&["check", "--fix", ".agents/skills/csv"]);
    assert_eq!(names(&["repo/.agents/skills/csv"]), ["gamma"]);
    // Copies get one name together.
    for folder in ["repo/.agents/skills/zip-it", "home/.agents/skills/zip-it"] {
        skill(folder, "zip_it");
    }
    env.run(&["check", "--fix"]);
    let both = names(&["repo/.agents/skills/zip-it", "home/.agents/skills/zip-it"]);
    assert_eq!(both, ["zip-it", "zip-it"]);
}

#[cfg(unix)]
#[test]
fn a_file_with_further_names_and_a_name_that_is_taken_are_left() {
    let env = TestEnv::new();
    let file = env.raw_skill("repo/x/pdf", "name: PDF\ndescription: d", "");
    fs::hard_link(file, env.at("repo/other")).unwrap();
    env.raw_skill("repo/x/a/docx", "name: docx\ndescription: d", "");
    env.raw_skill("repo/x/b/docx", "name: DOCX\ndescription: d", "");
    let ran = env.run(&["check", "--fix", "x"]).ended(0);
    assert!(ran.err.contains("hard links"), "{ran:?}");
    assert!(ran.out().starts_with("nothing to mend"), "{ran:?}");
}

#[test]
fn a_name_that_is_denied_stays_denied_and_the_reason_is_told() {
    let env = TestEnv::new();
    env.raw_skill("home/.agents/skills/deploy", "name: Deploy_Prod\ndescription: d", BODY);
    env.run(&["permit", "deny", "Deploy_Prod"]).ended(0);
    let denied = env.run(&["load", "Deploy_Prod"]);
    for options in [&["--dry-run"][..], &[]] {
        let ran = env.run(&[&["check", "--fix"][..], options].concat());
        assert!(ran.out().starts_with("nothing to mend"), "{ran:?}");
        assert!(ran.err.contains("its name stays, since a rule goes by it: "), "{ran:?}");
    }
    assert_eq!(env.run(&["load", "Deploy_Prod"]).code, denied.code);
    assert!(denied.code != 0 && env.run(&["load", "deploy"]).code != 0);
}

#[cfg(unix)]
#[test]
fn undo_names_each_changed_link_and_file_once() {
    let env = TestEnv::new();
    env.skill("repo/y", "docx", "d");
    fs::create_dir_all(env.at("repo/x")).unwrap();
    std::os::unix::fs::symlink("../y/docx/SKILL.md", env.at("repo/x/docx")).unwrap();
    env.write("repo/x/pdf/skill.md", format!("---\nname: pdf\ndescription: d\n---\n{BODY}"));
    env.run(&["check", "x", "--fix"]).ended(0);
    let files = |document: &Json| document["files"].as_array().unwrap().len();
    assert_eq!(files(&env.json("undo-list", &["undo", "--list", "--json"])["changes"][0]), 2);
    let ran = env.run(&["undo"]).ended(0);
    assert_eq!(ran.err.matches("undone: 2 skills mended").count(), 1, "{ran:?}");
    for place in ["repo/x/docx", "repo/x/pdf/skill.md"] {
        assert_eq!(ran.err.matches(&env.text(place)).count(), 1, "{place}: {ran:?}");
    }
}

#[test]
fn a_skill_that_is_a_whole_repository_keeps_its_name() {
    let env = TestEnv::new();
    std::fs::create_dir_all(env.at("repo/wt-review/.git")).unwrap();
    let file = "repo/wt-review/SKILL.md";
    env.write(file, "---\nname: my-skill\ndescription: d\n---\nText.\n");
    let fix = env.run(&["check", "wt-review", "--fix"]).ended(0);
    assert!(fix.err.contains("its folder is the top of a repository"), "{}", fix.err);
    assert!(env.read(file).contains("name: my-skill"));
}

#[test]
fn undo_removes_what_a_killed_process_left_beside_a_file_that_it_never_wrote() {
    let env = TestEnv::new();
    let text = "---\nname: A\ndescription: d\n---\nText.\n";
    env.write("repo/x/a/SKILL.md", text);
    env.write("repo/x/b/SKILL.md", text.replace(" A", " B"));
    env.run(&["check", "x", "--fix"]).ended(0);
    env.write("repo/x/a/SKILL.md", text);
    let left = env.at("repo/x/a/.skillpick-lo82xnpnpjZX.tmp");
    std::fs::write(&left, "").unwrap();
    env.run(&["undo"]).ended(0);
    assert!(!left.exists() && env.read("repo/x/b/SKILL.md").contains("name: B"));
}

#[test]
fn a_skill_that_lies_too_deep_for_the_agent_is_checked_and_moved_up() {
    let env = TestEnv::new();
    env.skill("home/.claude/skills/clone/skills", "zip", "Packs files.");
    let claude = |rest: &[&str]| env.run(&[&["--host", "claude"], rest].concat());
    let ran = claude(&["check"]).ended(0);
    assert!(ran.out().contains("too-deep"), "{ran:?}");
    assert!(claude(&["list"]).ended(0).out().is_empty());
    let ran = claude(&["list", "--unseen"]).ended(0);
    assert!(ran.out().contains("zip"), "{ran:?}");
    // It may lie there because somebody put it out of the agent's sight.
    assert!(claude(&["check", "--fix"]).ended(0).out().starts_with("nothing to mend"));
    let ran = claude(&["check", "--fix", "--only", "too-deep"]).ended(0);
    assert!(ran.out().contains("too-deep; moved to"), "{ran:?}");
    assert!(claude(&["list"]).ended(0).out().contains("zip"));
    assert!(claude(&["check", "--fix"]).out().starts_with("nothing to mend"));
    env.run(&["undo"]).ended(0);
    assert!(env.at("home/.claude/skills/clone/skills/zip/SKILL.md").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_skill_that_could_not_be_written_is_a_failure_and_not_nothing_to_mend() {
    use super::strace;
    if !strace::works() {
        return;
    }
    for more in [&[][..], &["--json"]] {
        let arguments = [&["check", "x", "--fix"][..], more].concat();
        let env = || {
            let env = TestEnv::new();
            env.raw_skill("repo/x/pdf", "name: PDF\ndescription: d", BODY);
            env
        };
        let is_its_write = |call: &strace::Call| {
            call.name.starts_with("rename") && call.arguments.contains("x/pdf/SKILL.md")
        };
        let calls = strace::calls(&env(), &arguments, is_its_write);
        let [call] = &calls[..] else { panic!("{calls:?}") };
        let env = env();
        let ran = call.fails(&env, &arguments, "ENOSPC");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(!ran.out().contains("nothing to mend"), "{ran:?}");
        assert!(ran.err.contains("not mended: ") && ran.err.contains("no space"), "{ran:?}");
        if more.is_empty() {
            assert!(ran.out().starts_with("nothing mended\nnow: "), "{ran:?}");
        } else {
            assert_eq!(ran.document("mend")["written"], false);
        }
        assert!(env.read("repo/x/pdf/SKILL.md").contains("name: PDF"), "{ran:?}");
    }
}
