use crate::catalog::Enablement::{Off, On};
use crate::hosts::PI;
use crate::hosts::test_support::{self, Golden, Project, User, roots, roots_inside, seen, switch};
use crate::workspace::fixture::TestWorkspace;

const HERE: &str = "repo/.pi/settings.json";
const HOME: &str = "home/.pi/agent/settings.json";

fn test() -> TestWorkspace {
    test_support::test(&PI, &["repo/.agents/skills/pdf", "home/.agents/skills/zip"])
}

#[test]
fn its_own_folder_here_and_agents_on_the_way_up() {
    let mut test = test().from("repo/a", &[]);
    let expected = [
        "repo/a/.pi/skills repo",
        "repo/a/.agents/skills repo",
        "repo/.agents/skills repo",
        "home/.pi/agent/skills user",
        "home/.agents/skills user",
    ];
    assert_eq!(roots(&test), expected);
    test.write(
        "repo/a/.pi/settings.json",
        "{\"skills\": [\"../more\", \"-x\", \"!y\", \"+z\", \"w*\"]}",
    );
    test.write(HOME, "{\"skills\": [\"~/mine\"]}");
    let found = roots(&test);
    assert_eq!(found[0], "repo/a/more repo");
    assert_eq!((found[4].as_str(), found.len()), ("home/mine user", 7));
    let test = test.from("repo", &[("PI_CODING_AGENT_DIR", "~/other")]);
    assert_eq!(roots(&test)[2..], ["home/other/skills user", "home/.agents/skills user"]);
    let test = test.from("home", &[]);
    assert!(
        roots(&test).contains(&"/.agents/skills repo".to_owned()),
        "without a repository up to the top"
    );
    assert!(
        roots_inside(&test).contains(&"home/.agents/skills user".to_owned()),
        "the person's own are the person's"
    );
}

#[test]
fn a_skill_that_is_off_leaves_its_name_to_the_next() {
    let mut test = test_support::test(&PI, &["repo/.pi/skills/pdf", "home/.agents/skills/pdf"]);
    let shadowed = |test: &TestWorkspace| -> Vec<bool> {
        test.view().rows.entries().map(|entry| entry.shadowed_by.is_some()).collect()
    };
    assert_eq!(shadowed(&test), [false, true]);
    test.write(HERE, "{\"skills\": [\"-skills/pdf\"]}");
    test.workspace = test.workspace.reread();
    assert_eq!(shadowed(&test), [false, false]);
    let states = seen(&test);
    assert!(states[0].starts_with("pdf off ") && states[1].starts_with("pdf on "), "{states:?}");
}

#[test]
fn minus_beats_plus_beats_a_glob_each_in_its_own_scope() {
    let mut test = test();
    let mut says = |entries: &str| {
        test.write(HERE, &format!("{{\"skills\": [\n{entries}]}}"));
        seen(&test)
    };
    let off = |line: u32| format!("pdf off no deny {HERE}:{line}");
    let on = "pdf on full allow default".to_owned();
    assert_eq!(
        says("\"-../.agents/skills/pdf\""),
        [off(2), "zip on full allow default".to_owned()]
    );
    for entry in [
        "-../.agents/skills/pdf/SKILL.md",
        "!pdf",
        "!p*",
        "!../.agents/skills/*",
        "!../.agents/**",
        "!*",
    ] {
        assert_eq!(says(&format!("\"{entry}\""))[0], off(2), "{entry}");
    }
    // pi compares only its own spelling.
    for entry in [
        "-pdf",
        "-../.agents/skills/pdf/",
        "-.././.agents/skills/pdf",
        "-../.pi/../.agents/skills/pdf",
        "!zip",
        "pdf",
    ] {
        assert_eq!(says(&format!("\"{entry}\""))[0], on, "{entry}");
    }
    assert_eq!(says("\"+../.agents/skills/pdf\",\n\"!pdf\"")[0], on);
    assert_eq!(says("\"-../.agents/skills/pdf\",\n\"+../.agents/skills/pdf\"")[0], off(2));
    assert_eq!(says("\"!{pdf,zip}\"")[0], off(2), "a glob that is not understood");
    assert_eq!(says("\"!!zip\"")[0], off(2), "what is not named so");
    assert_eq!(says("\"![pq]df\"")[0], off(2));
    assert_eq!(says("\"!#pdf\"")[0], on);
    assert!(says("1")[0].starts_with("pdf user-only no deny"), "fails closed");
    let path = test.text("repo/.agents/skills/pdf");
    test.write(HERE, &format!("{{\"skills\": [\n\"-{path}\"]}}"));
    assert_eq!(seen(&test)[0], off(2));
    test.write(HERE, "");
    test.write(HOME, "{\"skills\": [\"!*\"]}");
    assert_eq!(seen(&test), [on, format!("zip off no deny {HOME}:1")]);
}

/// What pi says of each.
#[test]
fn an_older_form_counts_and_a_file_that_pi_cannot_read_does_not() {
    let mut test = test();
    let mut says = |text: &str| {
        test.write(HERE, text);
        let roots = roots(&test);
        (roots[0].clone(), seen(&test)[0].clone())
    };
    let (first, on) = ("repo/.pi/skills repo", "pdf on full allow default");
    for (text, root) in [
        ("{\"skills\": {\"customDirectories\": [\"~more\", \"-x\"]}}", "home/more repo"),
        ("{\"skills\": {\"customDirectories\": \"x\"}}", first),
        ("{\"skills\": {}}", first),
        ("{\"skills\": null}", first),
        ("\u{feff}{\"skills\": [\"../x\", \"!pdf\"]}", first),
        ("{\"skills\": [\"../x\", \"!pdf\",]}", first),
        ("[5]", first),
        ("{\"skills\": [\"!pdf\"]}\n}", first),
    ] {
        assert_eq!(says(text), (root.to_owned(), on.to_owned()), "{text}");
    }
    for text in ["true", "\"text\"", "[[\"a\"]]", "[null]", "{\"customDirectories\": [5]}"] {
        let (_, said) = says(&format!("{{\"skills\": {text}}}"));
        assert!(said.starts_with("pdf user-only no deny"), "{text}: {said}");
    }
}

/// A skill's state is that of the place where pi finds it first.
#[cfg(unix)]
#[test]
fn a_skill_is_named_by_the_place_where_it_is_found_first() {
    let test = TestWorkspace::with(&[("elsewhere/pdf", "pdf"), ("repo/.pi/skills/one", "one")]);
    std::os::unix::fs::symlink(test.text("elsewhere/pdf"), test.text("repo/.pi/skills/pdf"))
        .unwrap();
    std::os::unix::fs::symlink(test.text("repo/.pi/skills/one"), test.text("repo/.pi/skills/two"))
        .unwrap();
    let mut test = test.through(&PI, &[], "repo");
    let mut says = |entry: &str| {
        test.write(HERE, &format!("{{\"skills\": [\"{entry}\"]}}"));
        seen(&test).into_iter().filter(|row| row.contains(" off ")).count()
    };
    for (entry, off) in [
        ("-skills/pdf", 1),
        ("-skills/pdf/SKILL.md", 1),
        ("-../../elsewhere/pdf", 0),
        ("!skills/two", 0),
        ("!skills/one", 1),
        ("-skills/two", 0),
    ] {
        assert_eq!(says(entry), off, "{entry}");
    }
}

#[test]
fn a_file_of_a_skill_may_be_named_and_ignore_files_count() {
    let mut test = test();
    test.write("repo/.agents/skills/.gitignore", "p*\n");
    test.write("repo/more/x/SKILL.md", "---\nname: x\ndescription: d\n---\n");
    test.write("repo/more/y/SKILL.md", "---\nname: y\ndescription: d\n---\n");
    test.write(HERE, "{\"skills\": [\"../more/x/SKILL.md\"]}");
    assert_eq!(seen(&test), ["x on full allow default", "zip on full allow default"]);
}

#[test]
fn a_markdown_file_may_be_named_and_is_switched_by_its_path() {
    let mut test = test();
    for (file, name) in [("home/ex/one.md", "one"), ("home/ex/two.md", "two")] {
        test.write(file, &format!("---\nname: {name}\ndescription: d\n---\n"));
    }
    test.write("home/ex/three.md", "---\nname: three\ndescription: d\n---\n");
    test.write(HOME, "{\"skills\": [\"~/ex/one.md\", \"~/ex/two.md\"]}");
    let on = |test: &TestWorkspace| -> Vec<String> {
        let on = |line: String| Some(line.split_once(" on ")?.0.to_owned());
        seen(test).into_iter().filter_map(on).collect()
    };
    assert_eq!(on(&test), ["pdf", "one", "two", "zip"]);
    for (more, left) in [("-../../ex/one.md", "two"), ("!two.md", "one"), ("-../../ex", "one two")]
    {
        test.write(
            HOME,
            &format!("{{\"skills\": [\"~/ex/one.md\", \"~/ex/two.md\", \"{more}\"]}}"),
        );
        let left: Vec<&str> = left.split(' ').collect();
        let seen = on(&test).into_iter().filter(|name| !["pdf", "zip"].contains(&&**name));
        assert_eq!(seen.collect::<Vec<_>>(), left, "{more}");
    }
    // Nothing is put into such a root.
    let own = roots(&test);
    assert!(own.contains(&"home/ex/one.md user".to_owned()), "{own:?}");
    std::fs::remove_dir_all(test.env.at("home/.agents")).unwrap();
    let test = test.from("home", &[]);
    let plan = test.workspace.plan_new("new").unwrap();
    assert_eq!(plan.skills[0].path, test.env.at("home/.pi/agent/skills/new/SKILL.md"));
}

#[test]
fn the_nearest_of_a_name_wins_and_nothing_lies_below_a_skill() {
    let mut test = TestWorkspace::with(&[
        ("home/.pi/agent/skills/dup", "dup"),
        ("repo/.agents/skills/dup", "dup"),
        ("repo/.agents/skills/dup/inner", "inner"),
        ("repo/.pi/skills/a/b/dup", "dup"),
        ("repo/.pi/skills/node_modules/m", "m"),
    ]);
    test.write(
        "repo/.agents/skills/mine/SKILL.md",
        "---\nname: mine\ndescription: d\ndisable-model-invocation: true\n---\n",
    );
    test.write("repo/.agents/skills/colon/SKILL.md", "---\nname: colon\ndescription: a: b\n---\n");
    let by = "dup off no deny by repo/.pi/skills/a/b/dup/SKILL.md";
    let expected = [
        "colon refused yaml-repaired",
        by,
        "dup on full allow default",
        "mine user-only no deny disable-model-invocation",
        by,
    ];
    assert_eq!(seen(&test.through(&PI, &[], "repo")), expected);
}

#[test]
fn a_path_more_or_less_in_the_file_of_its_scope() {
    let mut test = test();
    let minus = "\"-../.agents/skills/pdf\"";
    let plus = "\"+../.agents/skills/pdf\"";
    let rows = [
        (HERE, "pdf", String::new(), Off, format!("{{\n  \"skills\": [\n    {minus}\n  ]\n}}\n")),
        (
            HOME,
            "zip",
            String::new(),
            Off,
            "{\n  \"skills\": [\n    \"-../../.agents/skills/zip\"\n  ]\n}\n".to_owned(),
        ),
        (
            HERE,
            "pdf",
            format!("{{\"skills\":[{minus},\"!x-*\"]}}"),
            On,
            "{\"skills\":[\"!x-*\"]}".to_owned(),
        ),
        (
            HERE,
            "pdf",
            "{\"skills\":[\"!p*\"]}".to_owned(),
            On,
            format!("{{\"skills\":[\"!p*\",{plus}]}}"),
        ),
        (
            HERE,
            "pdf",
            format!("{{\"skills\":[\"!p*\",{plus}]}}"),
            Off,
            "{\"skills\":[\"!p*\"]}".to_owned(),
        ),
        (HERE, "pdf", format!("{{\"skills\":[{plus}]}}"), Off, format!("{{\"skills\":[{minus}]}}")),
        (
            HERE,
            "pdf",
            "{\"skills\":[\"!p*\"]}".to_owned(),
            Off,
            "{\"skills\":[\"!p*\"]}".to_owned(),
        ),
    ];
    for (file, name, before, to, after) in rows {
        // The repository's file only where it is chosen.
        let place = (file == HERE).then_some(Project);
        Golden { file, place, before: &before, after: &after }
            .check(&mut test, |test, place| switch(test, name, to, place));
    }
}

#[test]
fn a_file_has_no_say_over_another_scope_and_comments_break_it() {
    let mut test = test();
    let sentence =
        "pi ignores its project settings file: each file governs the skills of its own scope";
    assert_eq!(switch(&mut test, "zip", Off, Some(Project)), Err(sentence.to_owned()));
    test.write(HOME, "{ // mine\n}");
    let refused = switch(&mut test, "zip", Off, Some(User)).unwrap_err();
    assert!(refused.contains("until line 1 is mended: "), "{refused}");
}
