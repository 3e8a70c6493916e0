//! `check --fix`, and the formats of `check` for other programs.

use super::strace;
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

#[cfg(unix)]
#[test]
fn a_finding_of_a_link_is_at_the_link() {
    let env = TestEnv::new();
    env.skill("repo/y", "docx", "d");
    fs::create_dir_all(env.at("repo/x")).unwrap();
    std::os::unix::fs::symlink("../y/docx/SKILL.md", env.at("repo/x/fl")).unwrap();
    std::os::unix::fs::symlink("/nowhere", env.at("repo/x/dang")).unwrap();
    for (format, begin, end) in
        [("github", "file=x/", ","), ("sarif", "\"uri\":\"x/", "\""), ("text", "-->x/", ":")]
    {
        let ran = env.run(&["check", "x", "--format", format]).ended(1);
        let out = ran.out().replace(' ', "");
        for link in ["fl", "dang"] {
            assert!(out.contains(&format!("{begin}{link}{end}")), "{link}: {out}");
        }
        assert!(!out.contains("dang/SKILL.md"), "{out}");
    }
}

#[test]
fn findings_are_annotations_of_a_workflow() {
    let env = TestEnv::new();
    env.raw_skill("repo/x/a,b:c%", "name: a\ndescription: d\nk%: v", "");
    let ran = env.run(&["check", "x", "--format", "github"]).ended(0);
    ran.is_inert();
    let head =
        "::warning file=x/a%2Cb%3Ac%25/SKILL.md,line=4,col=1,endColumn=3,title=unexpected-fields::";
    let line = ran.out().lines().find(|line| line.contains("unexpected-fields")).unwrap();
    assert!(line.starts_with(head) && line.contains("the key 'k%25'"), "{line}");
    let strict = env.run(&["check", "x", "--strict", "--format", "github"]).ended(1);
    assert!(strict.out().lines().all(|line| line.starts_with("::error ")), "{}", strict.out());
}

/// The properties that the SARIF 2.1.0 schema requires and the forms that it gives them, then all of
/// it.
#[test]
fn a_sarif_log_holds_to_the_schema() {
    let env = TestEnv::new();
    env.raw_skill("repo/x/ü #1", "name: PDF\ndescription: d\nauthor: me", "");
    broken(&env, "repo/x");
    let ran = env.run(&["check", "x", "--format", "sarif"]).ended(1);
    ran.is_inert();
    let log: Json = serde_json::from_str(ran.out()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(run["tool"]["driver"]["name"].is_string());
    assert!(rules.iter().all(|rule| rule["id"].is_string() && rule["help"]["text"].is_string()));
    let results = run["results"].as_array().unwrap();
    let mut fixes = 0;
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64() >= Some(1), "{place}");
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(
            uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)),
            "{uri}"
        );
        for change in result["fixes"].as_array().into_iter().flatten() {
            let change = &change["artifactChanges"][0];
            assert!(change["artifactLocation"]["uri"].is_string());
            let replacement = &change["replacements"][0];
            assert!(replacement["deletedRegion"]["endColumn"].is_u64(), "{replacement}");
            assert!(replacement["insertedContent"]["text"].is_string(), "{replacement}");
            fixes += 1;
        }
    }
    assert!(results.iter().any(|result| result.to_string().contains("x/%C3%BC%20%231/SKILL.md")));
    assert!(fixes >= 3, "{fixes}");
    holds_to_the_schema(&log);
    let strict = env.run(&["check", "x", "--strict", "--format", "sarif"]).ended(1);
    holds_to_the_schema(&serde_json::from_str(strict.out()).unwrap());
    let none = env.run(&["check", "--format", "sarif"]).ended(0);
    holds_to_the_schema(&serde_json::from_str(none.out()).unwrap());
}

/// A place in a text, by its line and column.
fn offset(text: &str, line: &Json, column: &Json) -> usize {
    let number = |value: &Json| usize::try_from(value.as_u64().unwrap() - 1).unwrap();
    // A CR alone ends a line too.
    let same_length = text.replace("\r\n", " \n").replace('\r', "\n");
    let start: usize = same_length.split_inclusive('\n').take(number(line)).map(str::len).sum();
    start + text[start..].chars().take(number(column)).map(char::len_utf8).sum::<usize>()
}

#[test]
fn each_fix_in_a_sarif_log_makes_what_check_fix_makes() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    env.write(
        "repo/x/crlf/SKILL.md",
        "---\r\nname: CRLF\r\ndescription: é日 d\r\n---\r\nText.\r\n",
    );
    env.write("repo/x/open/SKILL.md", "---\nname: open\ndescription: é: 日\nauthor: me\n\nText.\n");
    env.write("repo/x/cr/SKILL.md", "---\rname: CR\rdescription: d\r---\rText.\r");
    let run = |words: &[&str]| env.run(&[&["check", "x"][..], words].concat());
    let log: Json = serde_json::from_str(run(&["--format", "sarif"]).out()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let mut fixes = 0;
    for result in results.iter().filter(|result| result["fixes"].is_array()) {
        let change = &result["fixes"][0]["artifactChanges"][0];
        let file = format!("repo/{}", change["artifactLocation"]["uri"].as_str().unwrap());
        let [replacement] = change["replacements"].as_array().unwrap().as_slice() else { panic!() };
        let (before, region) = (env.read(&file), &replacement["deletedRegion"]);
        let at = |line: &str, column: &str| offset(&before, &region[line], &region[column]);
        let mut wanted = before.clone();
        let range = at("startLine", "startColumn")..at("endLine", "endColumn");
        wanted.replace_range(range, replacement["insertedContent"]["text"].as_str().unwrap());
        run(&["--fix", "--only", result["ruleId"].as_str().unwrap()]);
        assert_eq!(env.read(&file), wanted, "{result}");
        env.run(&["undo"]).ended(0);
        fixes += 1;
    }
    assert!(fixes >= 6, "{fixes}");
}

#[test]
fn a_sarif_log_offers_no_edit_that_check_fix_refuses() {
    let env = TestEnv::new();
    let file = "repo/x/deploy/SKILL.md";
    env.write(file, "---\nname: Deploy_Prod\ndescription: d\n---\nText.\n");
    let edits = || env.run(&["check", "x", "--format", "sarif"]).out().matches("\"fixes\"").count();
    assert!(edits() > 0);
    env.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[skills.config]]\nname = \"Deploy_Prod\"\nenabled = false\n",
    );
    assert_eq!(edits(), 0);
    let fix = env.run(&["check", "x", "--fix"]).ended(0);
    assert!(fix.err.contains("its name stays, since a rule goes by it"), "{}", fix.err);
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
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    std::fs::File::create(&left).unwrap().set_modified(old).unwrap();
    env.run(&["undo"]).ended(0);
    assert!(!left.exists() && env.read("repo/x/b/SKILL.md").contains("name: B"));
}

/// Holds a log against the whole schema, which `.ci/sarif-schema` fetches.
fn holds_to_the_schema(log: &Json) {
    let path = std::env::var_os("SKILLPICK_SARIF_SCHEMA").filter(|path| !path.is_empty());
    let Some(path) = path else {
        return skipped("the schema of SARIF is not here (.ci/sarif-schema)");
    };
    let mut schema: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    // One pattern in it is no regular expression; it is of a property that the log does not have.
    for of in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][of]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn format_json_is_the_document_of_json() {
    let env = TestEnv::new();
    broken(&env, "repo/x");
    let text = |arguments: &[&str]| env.run(arguments).ended(1).out().to_owned();
    assert_eq!(text(&["check", "x", "--json"]), text(&["check", "x", "--format", "json"]));
    for format in [&["--format", "json"][..], &["--format=json"], &["--json"]] {
        env.fails(&[&["check", "nowhere"][..], format].concat());
    }
    assert_eq!(text(&["check", "x"]), text(&["check", "x", "--format", "text"]));
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

#[test]
fn a_skill_that_could_not_be_written_is_a_failure_and_not_nothing_to_mend() {
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
