use super::*;
use crate::hosts::test_support::{alarms, judged, roots, seen, state, switch, test};
use crate::workspace::fixture::TestWorkspace;
use Enablement::{Off, On};

const NEAR: &str = "repo/.agents/skills/dup";
const FAR: &str = "home/.agents/skills/dup";
const SETTINGS: &str = "home/.codex/config.toml";

fn twins(settings: &str) -> TestWorkspace {
    let mut test = test(&CODEX, &[NEAR, FAR, "repo/.agents/skills/pdf"]);
    test.write(SETTINGS, settings);
    test
}

#[test]
fn the_roots_are_each_folders_up_to_the_repository_and_the_persons() {
    let seen = TestWorkspace::with(&[]).through(&CODEX, &[], "repo/sub");
    let expected = [
        "repo/sub/.codex/skills repo",
        "repo/.codex/skills repo",
        "home/.codex/skills user",
        "home/.agents/skills user",
        "home/.codex/skills/.system system",
        "/etc/codex/skills system",
        "repo/.agents/skills repo",
        "repo/sub/.agents/skills repo",
    ];
    assert_eq!(roots(&seen), expected);
}

#[cfg(unix)]
#[test]
fn a_skill_without_a_name_has_that_of_its_real_folder() {
    let test = TestWorkspace::with(&[]).through(&CODEX, &[], "repo");
    test.env.raw_skill("elsewhere/real", "description: d", "Text.");
    test.env.link("elsewhere/real", "repo/.agents/skills/linked");
    let view = test.view();
    let names: Vec<_> =
        view.rows.entries().map(|it| view.policy.order.name_of(&it.skill)).collect();
    assert_eq!(names, ["real"]);
}

#[test]
fn cod_5_2_other_marks_show_the_root() {
    let mut seen = TestWorkspace::with(&[]).through(&CODEX, &[], "plain/deep/er");
    let nearest = |test: &TestWorkspace| {
        roots(test).iter().filter(|root| root.contains("/.agents/skills ")).count()
    };
    assert_eq!(nearest(&seen), 2, "outside a repository the working directory alone");
    seen.write("plain/MARK", "");
    seen.write(SETTINGS, "project_root_markers = [\"MARK\"]\n");
    assert_eq!(nearest(&seen), 4);
    seen.write(SETTINGS, "project_root_markers = []\n");
    assert_eq!(nearest(&seen), 2);
}

#[test]
fn its_home_is_where_the_environment_says() {
    let test = TestWorkspace::with(&[]);
    let folder = test.text("elsewhere");
    let mut test = test.through(&CODEX, &[("CODEX_HOME", &folder)], "repo");
    assert!(roots(&test).contains(&"elsewhere/skills user".to_owned()), "{:?}", roots(&test));
    test.write("elsewhere/config.toml", "[skills.bundled]\nenabled = false\n");
    assert!(
        roots(&test).contains(
            &"elsewhere/skills/.system system, its own skills are switched off ([skills.bundled])"
                .to_owned()
        ),
        "{:?}",
        roots(&test)
    );
}

#[test]
fn in_the_home_directory_its_own_folder_is_no_projects() {
    let test = TestWorkspace::with(&[]).through(&CODEX, &[], "home");
    let own = roots(&test)
        .into_iter()
        .filter(|root| root.starts_with("home/.codex/skills "))
        .collect::<Vec<_>>();
    assert_eq!(own, ["home/.codex/skills user"]);
    let files = layers::settings_paths(&test.workspace.context);
    assert_eq!(files.iter().filter(|file| file.layer != Layer::Managed).count(), 1);
}

#[test]
fn cod_5_4_skills_with_the_same_name_are_all_kept() {
    let test = twins("");
    assert_eq!(seen(&test).len(), 3);
    assert_eq!(test.view().rows.entries().filter(|entry| entry.same_name == 2).count(), 2);
    assert_eq!(judged(&test, NEAR), ("full allow yes".into(), "default".into()));
}

#[test]
fn a_verdict_has_its_line_and_the_last_entry_wins() {
    let test = twins("");
    let path = test.text(NEAR);
    let mut test = test;
    test.write(SETTINGS, "[[skills.config]]\nname = \" dup \"\nenabled = false\n");
    let off = "no deny no".to_owned();
    assert_eq!(
        judged(&test, NEAR),
        (off.clone(), "home/.codex/config.toml:1 skills.config name \"dup\"".into())
    );
    let on = format!("\n[[skills.config]]\npath = '{path}/SKILL.md'\nenabled = true\n");
    test.write(SETTINGS, &format!("{}{on}", test.read(SETTINGS)));
    assert_eq!((state(&test, NEAR), state(&test, FAR)), (On, Off));
    assert_eq!(judged(&test, FAR).0, off);
}

#[test]
fn paths_begin_at_home_or_at_the_settings_and_links_are_followed() {
    for path in
        ["~/.agents/skills/dup/SKILL.md", "../.agents/skills/dup/SKILL.md", "../linked/SKILL.md"]
    {
        let test = twins(&format!("[[skills.config]]\npath = \"{path}\"\nenabled = false\n"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(test.env.top.join(FAR), test.env.top.join("home/linked"))
            .unwrap();
        let mut test = test;
        test.workspace = test.workspace.reread();
        assert_eq!((state(&test, FAR), state(&test, NEAR)), (Off, On), "{path}");
    }
}

#[test]
fn an_entry_without_effect_is_said() {
    let folder = twins("").text(NEAR);
    for (entry, message) in [
        ("path = \"~/.agents/skills/dup\"", "names a folder"),
        ("path = \"~/.agents/skills/dup/SKILL.md\"\nname = \"dup\"", "a path and a name"),
        ("name = \"  \"", "names nothing"),
    ] {
        let test = twins(&format!("\n[[skills.config]]\n{entry}\nenabled = false\n"));
        assert_eq!((state(&test, FAR), state(&test, NEAR)), (On, On), "{entry} {folder}");
        let alarms = alarms(&test);
        assert!(alarms.len() == 1 && alarms[0].contains(message), "{alarms:?}");
        assert!(alarms[0].starts_with("home/.codex/config.toml:2 "), "{alarms:?}");
    }
}

#[test]
fn what_codex_cannot_load_leaves_no_skill() {
    for settings in [
        "x = 1\n[[skills.config]]\nname = \"pdf\"\n",
        "x = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = \"no\"\n",
        "x = 1\nskills = 3\n",
        "[skills]\nconfig = \"pdf\"\n",
        "[skills]\nbundled = 3\n",
    ] {
        let mut test = twins(settings);
        assert_eq!(judged(&test, NEAR).0, "no deny yes", "{settings}");
        assert!(alarms(&test)[0].starts_with("home/.codex/config.toml:2 "), "{:?}", alarms(&test));
        let refusal = switch(&mut test, NEAR, Off, Layer::User).unwrap_err();
        assert!(refusal.contains("until line 2 is mended: "), "{refusal}");
    }
}

/// What the program takes and refuses; see [`super::typed`].
#[test]
fn one_value_that_codex_does_not_know_leaves_no_skill() {
    let mut test = test(&CODEX, &["repo/.agents/skills/pdf"]);
    for settings in [
        "profile = \"p\"\n[profiles.p]\nmodel = \"x\"\n",
        "approval_policy = \"maybe\"\n",
        "approval_policy = \"untrusted\"\n",
        "sandbox_mode = \"zz\"\n",
        "notify = \"x\"\n",
        "tui = 5\n",
        "mcp_servers = 5\n",
        "[mcp_servers]\na = 5\n",
        "[mcp_servers.a]\nargs = [\"x\"]\n",
        "[mcp_servers.a]\ncommand = \"x\"\nurl = \"http://x\"\n",
        "[mcp_servers.a]\ncommand = \"x\"\nenv = { A = 5 }\n",
        "[model_providers.x]\nbase_url = \"http://x\"\n",
        "[model_providers.x]\nname = \"x\"\nwire_api = \"chat\"\n",
        "history = 3\n",
        "[history]\npersistence = \"zz\"\n",
        "model_reasoning_effort = 5\n",
        "model_context_window = \"x\"\n",
        "personality = \"zz\"\n",
        "web_search = true\n",
        "[tui]\nnotifications = 5\n",
        "[plugins]\nx = 5\n",
    ] {
        test.write(SETTINGS, settings);
        assert_eq!(judged(&test, "pdf").0, "no deny yes", "{settings}");
        assert_eq!(alarms(&test).len(), 1, "{settings}");
    }
    for settings in [
        "[profiles.p]\nmodel = \"x\"\n",
        "approval_policy = \"on-failure\"\n[sandbox_workspace_write]\nnetwork_access = true\n",
        "[approval_policy.granular]\nrules = true\n",
        "model_reasoning_effort = \"whatever\"\nmodel_context_window = 200_000\n",
        "[mcp_servers.a]\ncommand = \"x\"\nenv = { A = \"b\" }\nother = 5\n",
        "[mcp_servers.a]\nurl = \"http://x\"\n",
        "[model_providers.x]\nname = \"x\"\n",
        "[tui]\nnotifications = [\"x\"]\n",
        "notify = []\nunknown = 5\n",
        "[tools]\nweb_search = true\nview_image = 5\n",
    ] {
        test.write(SETTINGS, settings);
        assert_eq!(alarms(&test), Vec::<String>::new(), "{settings}");
    }
}

/// In an older version these values were sound.
#[cfg(unix)]
#[test]
fn what_only_newer_versions_refuse_is_taken_by_an_older_one() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf")]);
    let path = test.text("package");
    let mut test = test.through(&CODEX, &[("PATH", &path)], "repo");
    test.write("package/codex", "");
    let program = test.env.top.join("package/codex");
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    test.write(SETTINGS, "profile = \"p\"\napproval_policy = \"untrusted\"\n");
    for (version, refused) in [("0.130.0", 0), ("0.171.0", 1)] {
        test.write("package/package.json", &format!("{{\"version\": \"{version}\"}}"));
        assert_eq!(alarms(&test).len(), refused, "{version}");
    }
    test.write("package/package.json", "{\"version\": \"0.130.0\"}");
    test.write(SETTINGS, "approval_policy = \"maybe\"\n");
    assert_eq!(alarms(&test).len(), 1);
}

#[test]
fn one_of_two_is_switched_by_its_path_and_on_again() {
    let before =
        "# mine\nmodel = \"x\"  # keep\n\n[[skills.config]]\nname = \"other\"\nenabled = false\n";
    let mut test = twins(before);
    assert_eq!(switch(&mut test, NEAR, Off, Layer::User), Ok(1));
    let path = test.text(NEAR);
    let entry = format!("\n[[skills.config]]\npath = \"{path}/SKILL.md\"\nenabled = false\n");
    assert_eq!(test.read(SETTINGS), format!("{before}{entry}"));
    assert_eq!(state(&test, FAR), On);
    assert_eq!(switch(&mut test, NEAR, Off, Layer::User), Ok(0), "it is so already");
    assert_eq!(switch(&mut test, NEAR, On, Layer::User), Ok(1));
    assert_eq!(test.read(SETTINGS), before);
}

#[test]
fn an_entry_that_enables_a_skill_is_turned_and_keeps_its_comments() {
    let mut test = twins("");
    let path = test.text(NEAR);
    let entry = |enabled: bool| {
        let path = format!("# needed for invoices\npath = \"{path}/SKILL.md\" # the real one");
        format!("[[skills.config]]\n{path}\nenabled = {enabled} # since May\n\n# the end\n")
    };
    test.write(SETTINGS, &entry(true));
    switch(&mut test, NEAR, Off, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), entry(false));
    switch(&mut test, NEAR, On, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), entry(true), "and is turned back");
    test.workspace.undo().unwrap();
    assert_eq!(test.read(SETTINGS), entry(false));
}

#[test]
fn an_entry_with_something_beside_is_turned_and_never_removed() {
    let test = twins("");
    let (near, pdf) = (test.text(NEAR), test.text("repo/.agents/skills/pdf"));
    for (skill, entry) in [
        (
            NEAR,
            format!("# invoices\n[[skills.config]]\npath = '{near}/SKILL.md'\nenabled = false\n"),
        ),
        (NEAR, format!("[[skills.config]]\npath = '{near}/SKILL.md'\nenabled = false # May\n")),
        (NEAR, format!("[[skills.config]]\nnote = 1\npath = '{near}/SKILL.md'\nenabled = false\n")),
        ("pdf", "[[skills.config]]\n# noisy\nname = \"pdf\"\nenabled = false\n".to_owned()),
        (
            "pdf",
            format!(
                "skills = {{ config = [{{ path = '{pdf}/SKILL.md', enabled = false }}] }} # one\n"
            ),
        ),
    ] {
        let mut test = twins("");
        let at = |text: &str| {
            text.replace(&near, &test.text(NEAR))
                .replace(&pdf, &test.text("repo/.agents/skills/pdf"))
        };
        let entry = at(&entry);
        test.write(SETTINGS, &entry);
        switch(&mut test, skill, On, Layer::User).unwrap();
        assert_eq!(test.read(SETTINGS), entry.replace("false", "true"));
        if skill == NEAR {
            switch(&mut test, skill, Off, Layer::User).unwrap();
            assert_eq!(test.read(SETTINGS), entry);
        }
    }
}

#[test]
fn an_entry_with_a_comment_stays_where_a_later_name_decides() {
    let mut test = twins("");
    let entry = |comment| {
        let path = test.text(NEAR);
        format!("[[skills.config]]\npath = \"{path}/SKILL.md\"{comment}\nenabled = true\n")
    };
    let name = "[[skills.config]]\nname = \"dup\"\nenabled = false\n";
    let text = format!("{}\n{name}", entry(" # mine"));
    let expected = format!("{text}\n{}", entry(""));
    test.write(SETTINGS, &text);
    switch(&mut test, NEAR, On, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), expected);
}

#[test]
fn a_new_file_holds_the_entry_alone() {
    let mut test = test(&CODEX, &["repo/.agents/skills/pdf"]);
    switch(&mut test, "pdf", Off, Layer::User).unwrap();
    let path = test.text("repo/.agents/skills/pdf/SKILL.md");
    assert_eq!(
        test.read(SETTINGS),
        format!("[[skills.config]]\npath = \"{path}\"\nenabled = false\n")
    );
}

#[test]
fn under_a_name_that_others_have_too_the_path_is_switched_on_after_it() {
    let before = "[[skills.config]]\nname = \"dup\"\nenabled = false\n";
    let mut test = twins(before);
    switch(&mut test, NEAR, On, Layer::User).unwrap();
    let path = test.text(NEAR);
    let entry = format!("\n[[skills.config]]\npath = \"{path}/SKILL.md\"\nenabled = true\n");
    assert_eq!(test.read(SETTINGS), format!("{before}{entry}"));
    assert_eq!(state(&test, FAR), Off);
    switch(&mut test, NEAR, Off, Layer::User).unwrap();
    let turned = entry.replace("true", "false");
    assert_eq!(test.read(SETTINGS), format!("{before}{turned}"), "one word of it changes");
    switch(&mut test, NEAR, On, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), format!("{before}{entry}"));
}

#[test]
fn a_name_that_one_skill_has_is_switched_on_by_taking_it_away() {
    let mut test = twins("[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
    switch(&mut test, "pdf", On, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), "");
}

#[test]
fn a_path_that_is_off_by_the_name_before_and_after_it_is_moved_behind() {
    let test = twins("");
    let entry = |enabled| {
        format!("[[skills.config]]\npath = \"{}/SKILL.md\"\nenabled = {enabled}\n", test.text(NEAR))
    };
    let name = "[[skills.config]]\nname = \"dup\"\nenabled = false\n";
    let text = format!("{}\n{name}", entry(true));
    let expected = format!("{name}\n{}", entry(true));
    let mut test = test;
    test.write(SETTINGS, &text);
    assert_eq!(state(&test, NEAR), Off);
    switch(&mut test, NEAR, On, Layer::User).unwrap();
    assert_eq!(test.read(SETTINGS), expected);
}

#[test]
fn the_projects_file_is_ignored_and_not_written() {
    let mut test = twins("");
    test.write("repo/.codex/config.toml", "[[skills.config]]\nname = \"pdf\"\nenabled = false\n");
    assert_eq!(state(&test, "pdf"), On);
    let refusal = switch(&mut test, "pdf", Off, Layer::Project).unwrap_err();
    let expected = "Codex ignores its project settings file: Codex reads skills.config from the user file only";
    assert_eq!(refusal, expected);
}

#[test]
fn a_broken_file_denies_and_is_not_edited() {
    let mut test = twins("[[skills.config]\nname = 3");
    assert_eq!(judged(&test, "pdf").0, "no deny yes");
    assert!(
        switch(&mut test, "pdf", On, Layer::User).unwrap_err().contains("until line 1 is mended: ")
    );
}

#[test]
fn what_it_refuses_and_what_it_hides() {
    let mut test = test(&CODEX, &["repo/.agents/skills/pdf"]);
    test.write(
        "repo/.agents/skills/bom/SKILL.md",
        "\u{feff}---\nname: bom\ndescription: With a mark.\n---\n",
    );
    test.write(
        "repo/.agents/skills/quiet/SKILL.md",
        "---\nname: quiet\ndescription: Not by itself.\n---\n",
    );
    test.write(
        "repo/.agents/skills/quiet/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    test.write(
        "repo/.agents/skills/.hidden/SKILL.md",
        "---\nname: hidden\ndescription: No.\n---\n",
    );
    assert_eq!(seen(&test).len(), 3);
    assert_eq!(judged(&test, "bom").0, "no deny no");
    assert_eq!(
        judged(&test, "quiet"),
        ("no deny yes".into(), "allow_implicit_invocation: false".into())
    );
}

#[test]
fn a_session_without_some_skills_is_one_line() {
    let test = twins("");
    let line = launch_line(&test.workspace.host_contexts[0].reading, &["noisy", "it's"]).unwrap();
    assert_eq!(
        line,
        r#"codex -c 'skills.config=[{name="noisy",enabled=false},{name="it'\''s",enabled=false}]'"#
    );
}
