use super::*;
use crate::hosts::test_support::{self, Golden, Project, User, alarms, roots, seen, test};
use crate::workspace::fixture::TestWorkspace;

const OWN: &str = "home/.vibe/config.toml";
const HERE: &str = "repo/.vibe/config.toml";

/// Trusts folders of the test and distrusts others.
fn trust(test: &mut TestWorkspace, trusted: &[&str], untrusted: &[&str]) {
    let list = |folders: &[&str]| {
        let paths = folders.iter().map(|folder| test.env.top.join(folder));
        paths.map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ")
    };
    let text = format!("trusted = [{}]\nuntrusted = [{}]\n", list(trusted), list(untrusted));
    test.write("home/.vibe/trusted_folders.toml", &text);
}

fn on(test: &TestWorkspace) -> Vec<String> {
    let seen = seen(test).into_iter();
    let on = seen.filter(|line| line.contains(" on full allow "));
    on.filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
}

#[test]
fn a_project_counts_if_the_nearest_named_folder_is_trusted() {
    let test = test(&VIBE, &["repo/.vibe/skills/one"]);
    let all = |closed: &str| {
        [
            format!("repo/a/.vibe/skills repo{closed}"),
            format!("repo/a/.agents/skills repo{closed}"),
            "home/.vibe/skills user".to_owned(),
            "home/.agents/skills user".to_owned(),
        ]
    };
    let (open, closed) = (all(""), all(", the folder is not trusted"));
    let mut test = test.through(&VIBE, &[], "repo/a");
    assert_eq!(roots(&test), closed);
    for (trusted, untrusted, is_open) in [
        (&["repo"][..], &[][..], true),
        (&["repo"], &["repo/a"], false),
        (&["repo/a"], &["repo"], true),
        (&["repo/a"], &["repo/a"], true),
        (&["repo/b"], &[], false),
        (&[], &["repo"], false),
    ] {
        trust(&mut test, trusted, untrusted);
        let wanted = if is_open { &open } else { &closed };
        assert_eq!(roots(&test), *wanted, "{trusted:?} {untrusted:?}");
    }
}

#[test]
fn trusted_folders_that_are_no_list_are_what_python_makes_of_them() {
    let mut test = test(&VIBE, &["repo/.vibe/skills/one"]);
    let folder = test.env.top.join("repo").display().to_string();
    for (text, is_open) in [
        ("trusted = \"/\"".to_owned(), true),
        (format!("trusted = \"{folder}\""), true),
        ("trusted = \"repo\"".to_owned(), false),
        (format!("[trusted]\n\"{folder}\" = false"), true),
        (format!("untrusted = [\"{folder}\"]\n[trusted]\n\"/\" = 1"), false),
    ] {
        test.write("home/.vibe/trusted_folders.toml", &text);
        let is_closed = roots(&test).iter().any(|root| root.contains("not trusted"));
        assert_eq!(is_closed, !is_open, "{text}");
    }
}

#[test]
fn settings_name_further_folders_and_at_home_nothing_is_a_projects() {
    let mut test = test(&VIBE, &["home/.vibe/skills/one"]);
    test.write(OWN, "skill_paths = [\"more/../further\", \"~/mine\"]\n");
    let further = ["repo/further repo", "home/mine user"];
    let here = ["repo/.vibe/skills repo", "repo/.agents/skills repo"];
    let own = ["home/.vibe/skills user", "home/.agents/skills user"];
    trust(&mut test, &["repo", "home"], &[]);
    let test = test.through(&VIBE, &[], "repo");
    assert_eq!(roots(&test), [&further[..], &here, &own].concat());
    let test = test.through(&VIBE, &[], "home");
    assert_eq!(roots(&test), [&["home/further user", "home/mine user"][..], &own].concat());
    let elsewhere = test.env.top.join("elsewhere").to_str().unwrap().to_owned();
    let test = test.through(&VIBE, &[("VIBE_HOME", &elsewhere)], "home");
    let closed = "home/.vibe/skills repo, the folder is not trusted";
    assert_eq!(roots(&test), [closed, "elsewhere/skills user", own[1]]);
}

#[test]
fn the_lists_of_all_files_are_joined_and_one_counts() {
    let folders = ["home/.vibe/skills/one", "home/.vibe/skills/two", "repo/.vibe/skills/three"];
    let mut test = test(&VIBE, &folders);
    trust(&mut test, &["repo"], &[]);
    for (own, here, wanted) in [
        ("", "", "three one two"),
        ("disabled_skills = [\"ONE\"]", "disabled_skills = [\"thr??\"]", "two"),
        ("disabled_skills = [\"re:t.*\", \" \", \"re:[\"]", "", "one"),
        ("enabled_skills = [\"t*\"]", "disabled_skills = [\"two\"]", "three two"),
        ("enabled_skills = [\"two\"]", "enabled_skills = [\"one\"]", "one two"),
        ("enabled_skills = [\"\"]", "", ""),
        ("enabled_skills = [\"one\", \"re:(?=t).*\"]", "", "one"),
        ("disabled_skills = [\"re:(?=t).*\"]", "", ""),
        ("enabled_skills = []\n[disabled_skills]", "", "three one two"),
        ("enabled_skills = 5", "", ""),
        ("disabled_skills = [\"one\", 5]", "", ""),
        ("\u{feff}", "", ""),
        ("disabled_skills = [", "", ""),
    ] {
        test.write(OWN, own);
        test.write(HERE, here);
        assert_eq!(on(&test).join(" "), wanted, "{own} {here}");
    }
}

#[test]
fn a_variable_has_a_list_too() {
    let test = test(&VIBE, &["home/.vibe/skills/one", "home/.vibe/skills/two"]);
    let test = test.through(&VIBE, &[("VIBE_DISABLED_SKILLS", "[\"two\"]")], "repo");
    assert_eq!(on(&test), ["one"]);
    let test = test.through(&VIBE, &[("VIBE_DISABLED_SKILLS", "two")], "repo");
    assert_eq!(on(&test), ["one", "two"]);
}

#[test]
fn the_nearest_settings_of_a_project_count_if_they_are_trusted() {
    let mut test = test(&VIBE, &["home/.vibe/skills/one", "home/.vibe/skills/two"]);
    test.write(HERE, "disabled_skills = [\"one\"]\n");
    let mut test = test.through(&VIBE, &[], "repo/a/b");
    assert_eq!(on(&test), ["one", "two"]);
    trust(&mut test, &["repo"], &[]);
    let mut test = test.through(&VIBE, &[], "repo/a/b");
    assert_eq!(on(&test), ["two"]);
    test.write("repo/a/.vibe/config.toml", "");
    let test = test.through(&VIBE, &[], "repo/a/b");
    assert_eq!(on(&test), ["one", "two"]);
}

#[test]
fn a_file_of_trusted_folders_that_is_no_toml_is_empty() {
    let mut test = test(&VIBE, &["home/.vibe/skills/one"]);
    for (text, wanted, alarm) in [
        ("trusted = [", &["one"][..], "replaces it by an empty file"),
        ("trusted = 5", &[], "trusted is no list"),
    ] {
        test.write("home/.vibe/trusted_folders.toml", text);
        assert_eq!(on(&test), wanted, "{text}");
        assert!(alarms(&test)[0].ends_with(alarm), "{:?}", alarms(&test));
    }
}

#[test]
fn a_switch_is_a_name_in_the_list_that_counts() {
    let folders = ["one", "two", "three"].map(|name| format!("home/.vibe/skills/{name}"));
    let mut test = test(&VIBE, &folders.each_ref().map(String::as_str));
    trust(&mut test, &["repo"], &[]);
    let to = |state| {
        move |test: &mut TestWorkspace, layer| test_support::switch(test, "one", state, layer)
    };
    let (off, on) = (Enablement::Off, Enablement::On);
    for (file, layer, state, before, after) in [
        (OWN, User, off, "", "disabled_skills = [\"one\"]\n"),
        (HERE, Project, off, "x = 1\n", "x = 1\ndisabled_skills = [\"one\"]\n"),
        (
            OWN,
            User,
            on,
            "disabled_skills = [\" ONE \", \"two\"] # mine\n",
            "disabled_skills = [\"two\"] # mine\n",
        ),
        (OWN, User, off, "enabled_skills = [\"one\", \"two\"]\n", "enabled_skills = [\"two\"]\n"),
        (OWN, User, on, "enabled_skills = [\"two\"]\n", "enabled_skills = [\"two\", \"one\"]\n"),
    ] {
        let golden = Golden { file, place: Some(layer), before, after };
        golden.check(&mut test, to(state));
    }
}

#[test]
fn what_a_switch_cannot_do_is_refused() {
    let mut test = test(&VIBE, &["home/.vibe/skills/one"]);
    for (text, state) in [
        ("disabled_skills = [\"o*\"]\n", Enablement::On),
        ("enabled_skills = [\"o*\"]\n", Enablement::Off),
        ("enabled_skills = [\"one\"]\n", Enablement::Off),
    ] {
        test.write(OWN, text);
        let refused = test_support::switch(&mut test, "one", state, User);
        let refused = refused.unwrap_err();
        let is_last = refused.contains("an empty one turns all on");
        assert_eq!(is_last, text.contains("[\"one\"]"), "{text} {refused}");
        assert_eq!(test.read(OWN), text);
    }
    let refused = test_support::switch(&mut test, "one", Enablement::Off, Project).unwrap_err();
    assert!(refused.contains("not trusted"), "{refused}");
}

#[test]
fn a_file_with_which_it_does_not_start_is_not_edited() {
    let mut test = test(&VIBE, &["home/.vibe/skills/one"]);
    for (text, why) in [
        ("\u{feff}", "Mistral Vibe takes no file with a byte order mark"),
        ("enabled_skills = 3\n", "enabled_skills is no list of texts"),
    ] {
        test.write(OWN, text);
        let refused = test_support::switch(&mut test, "one", Enablement::Off, User).unwrap_err();
        let wanted = format!("is not edited until line 1 is mended: {why} ({OWN})");
        assert!(refused.contains(&wanted), "{refused}");
        assert_eq!(test.read(OWN), text);
    }
}

/// What the program lists; in its environment the names stood in this order.
#[test]
fn a_variables_name_may_have_any_case() {
    for (capitals, small, expected) in [
        ("", "[\"one\"]", &["two"][..]),
        ("[\"one\"]", "[\"two\"]", &["one"]),
        ("[\"one\"]", "", &["two"]),
        ("[\"one\"]", "x", &["one", "two"]),
    ] {
        let variables = [("VIBE_DISABLED_SKILLS", capitals), ("vibe_disabled_skills", small)];
        let test = test(&VIBE, &["home/.vibe/skills/one", "home/.vibe/skills/two"]);
        assert_eq!(on(&test.from("repo", &variables)), expected, "{variables:?}");
    }
    let probe = VIBE.probe.unwrap();
    assert!(probe.reads("Vibe_Disabled_Skills") && !probe.reads("VIBE_OTHER"));
    assert!(!crate::hosts::probe::KILO.reads("kilo_config"));
}
