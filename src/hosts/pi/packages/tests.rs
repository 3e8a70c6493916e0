use super::*;
use crate::catalog::Enablement::{Off, On};
use crate::hosts::PI;
use crate::hosts::test_support::{Project, User, seen, switch, test};
use crate::workspace::fixture::TestWorkspace;

const USER: &str = "home/.pi/agent/settings.json";
const ALPHA: &str = "pkg/skills/alpha";

fn packaged(entry: &str, manifest: &str) -> TestWorkspace {
    let skills = [ALPHA, "pkg/skills/beta", "pkg/more/deep/gamma"];
    let mut test = test(&PI, &skills);
    test.write("pkg/package.json", manifest);
    test.write(USER, &format!("{{\n  \"packages\": [\n    {entry}\n  ]\n}}\n"));
    test
}

/// The skills that are on.
fn on(test: &TestWorkspace) -> Vec<String> {
    let on = |line: String| Some(line.split_once(" on ")?.0.to_owned());
    seen(test).into_iter().filter_map(on).collect()
}

const PLAIN: &str = r#"{"version": "1.2.3"}"#;
const SOURCE: &str = r#""../../../pkg""#;

#[test]
fn the_skills_of_a_package_are_those_of_its_manifest_and_its_entry() {
    let both = ["alpha", "beta"].as_slice();
    let table: [(&str, &str, &[&str]); 11] = [
        (SOURCE, PLAIN, both),
        (SOURCE, r#"{"pi": {"skills": ["./more"]}}"#, &["gamma"]),
        (
            SOURCE,
            r#"{"pi": {"skills": ["more", "skills/beta/SKILL.md", "-skills/beta"]}}"#,
            &["gamma"],
        ),
        (SOURCE, r#"{"pi": {}}"#, &[]),
        (r#"{"source": "../../../pkg"}"#, r#"{"pi": {}}"#, both),
        (r#"{"source": "../../../pkg", "skills": []}"#, PLAIN, &[]),
        (r#"{"source": "../../../pkg", "skills": ["alpha"]}"#, PLAIN, &["alpha"]),
        (r#"{"source": "../../../pkg", "skills": ["!**/alpha"]}"#, PLAIN, &["beta"]),
        (r#"{"source": "../../../pkg", "skills": ["-skills/alpha"]}"#, PLAIN, &["beta"]),
        (r#""../../../pkg"], "skills": ["!**/beta""#, PLAIN, both),
        (r#""../../../gone""#, PLAIN, &[]),
    ];
    for (entry, manifest, expected) in table {
        assert_eq!(on(&packaged(entry, manifest)), expected, "{entry} {manifest}");
    }
    let mut test = packaged(SOURCE, r#"{"pi": {"skills": ["./one.md", "./two.md", "!two.md"]}}"#);
    for name in ["one", "two"] {
        test.write(&format!("pkg/{name}.md"), &format!("---\nname: {name}\ndescription: d\n---\n"));
    }
    assert_eq!(on(&test), ["one"], "files by their names");
    let test = packaged(SOURCE, PLAIN);
    let source = test.view().rows[0].entry.skill.source().unwrap();
    assert_eq!(source.as_str(), "package ../../../pkg 1.2.3");
}

#[test]
fn a_package_says_nothing_of_a_persons_own_skills() {
    const OWN: &str = "home/.pi/agent/skills";
    let source = r#""source": "../../../pkg""#;
    let listed = r#"{"pi": {"skills": ["skills", "!mine", "!**"]}}"#;
    for (filter, manifest) in [
        (r#", "skills": []"#, PLAIN),
        (r#", "skills": ["gamma"]"#, PLAIN),
        (r#", "skills": ["!mine", "!alpha", "!**"]"#, PLAIN),
        ("", listed),
    ] {
        let mut test = packaged(&format!("{{{source}{filter}}}"), manifest);
        test.write(&format!("{OWN}/mine/SKILL.md"), "---\nname: mine\ndescription: X.\n---\n");
        // Of a name with one of the package's, whose place is below the package's folder.
        let linked = test.env.at("pkg/more/alpha");
        std::fs::create_dir_all(&linked).unwrap();
        std::fs::write(linked.join(FILE_NAME), "---\nname: alpha\ndescription: X.\n---\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&linked, test.env.at(format!("{OWN}/alpha"))).unwrap();
        test.workspace = test.workspace.reread();
        let on = on(&test);
        assert!(on.contains(&"mine".to_owned()), "{filter} {manifest}: {on:?}");
        #[cfg(unix)]
        assert_eq!(on, ["alpha", "mine"], "{filter} {manifest}");
    }
}

#[cfg(unix)]
#[test]
fn a_filter_covers_what_links_bring_into_a_package() {
    let mut test = packaged(r#"{"source": "../../../pkg", "skills": ["!far"]}"#, PLAIN);
    test.write("else/far/SKILL.md", "---\nname: far\ndescription: X.\n---\n");
    let far = test.env.at("else/far");
    std::os::unix::fs::symlink(far, test.env.at("pkg/skills/far")).unwrap();
    test.workspace = test.workspace.reread();
    assert_eq!(on(&test), ["alpha", "beta"]);
}

#[test]
fn one_skill_is_switched_in_the_entry_of_its_package() {
    let mut test = packaged(SOURCE, PLAIN);
    let before = test.read(USER);
    switch(&mut test, ALPHA, Off, User).unwrap();
    assert_eq!(on(&test), ["beta"]);
    assert!(test.read(USER).contains("-skills/alpha/SKILL.md"), "{}", test.read(USER));
    switch(&mut test, ALPHA, On, User).unwrap();
    assert_eq!(on(&test), ["alpha", "beta"]);
    test.workspace.undo().unwrap();
    test.workspace = test.workspace.reread();
    test.workspace.undo().unwrap();
    assert_eq!(test.read(USER), before);
    let why = switch(&mut test, ALPHA, Off, Project).unwrap_err();
    assert!(why.contains("skills of its own scope"), "{why}");
}

/// What the program, 0.73.1, does with them.
#[test]
fn a_package_that_both_name_is_the_projects_whatever_its_version() {
    const REPO: &str = "repo/.pi/settings.json";
    let said = |source: &str| format!(r#"{{"packages": ["{source}"]}}"#);
    let skills = [
        "npm/lib/node_modules/b/skills/alpha",
        "repo/.pi/npm/node_modules/b/skills/beta",
        "home/.pi/agent/git/h.org/o/r/skills/gamma",
        "repo/.pi/git/h.org/o/r/skills/delta",
    ];
    for (own, here, expected) in [
        ("npm:b@1.0", "npm:b", ["beta"].as_slice()),
        ("npm:b", "npm:c", &["alpha"]),
        ("git:h.org/o/r@v1", "https://h.org/o/r.git@v2", &["delta"]),
        ("git:h.org/o/r", "git:h.org/o/s", &["gamma"]),
        ("npm:b", "git:h.org/o/r", &["alpha", "delta"]),
    ] {
        let test = test(&PI, &skills);
        let prefix = test.text("npm");
        let mut test = test.through(&PI, &[("npm_config_prefix", &prefix)], "repo");
        test.write(USER, &said(own));
        test.write(REPO, &said(here));
        let view = test.view();
        let names = view.rows.entries().map(|entry| entry.skill.name.to_string());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, expected, "{own} {here}");
    }
}

#[test]
fn what_is_fetched_lies_in_folders_of_npm_and_git() {
    let context = Context::at(
        Path::new("/repo"),
        Some(PathBuf::from("/home")),
        [("npm_config_prefix".to_owned(), "/npm".into())].into(),
    );
    let (own, here) = ("/home/.pi/agent/settings.json", "/repo/.pi/settings.json");
    let table = [
        ("npm:@a/b@1.0", "/npm/lib/node_modules/@a/b", "/repo/.pi/npm/node_modules/@a/b"),
        ("npm:b", "/npm/lib/node_modules/b", "/repo/.pi/npm/node_modules/b"),
        ("git:github.com/o/r@v1", "/home/.pi/agent/git/github.com/o/r", ""),
        ("git:git@github.com:o/r.git", "/home/.pi/agent/git/github.com/o/r", ""),
        ("https://github.com/o/r.git", "", "/repo/.pi/git/github.com/o/r"),
        ("ssh://git@h.org:22/o/r@v2", "/home/.pi/agent/git/h.org/o/r", ""),
        ("./near", "/home/.pi/agent/near", "/repo/.pi/near"),
        ("~/far", "/home/far", "/home/far"),
    ];
    for (source, user, project) in table {
        let found = |layer, file| folder(&context, layer, Path::new(file), source).unwrap();
        let both = [found(Layer::User, own), found(Layer::Project, here)];
        for (found, expected) in both.iter().zip([user, project]) {
            assert!(expected.is_empty() || *found == Path::new(expected), "{source} {found:?}");
        }
    }
}
