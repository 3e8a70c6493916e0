//! `share`, `unshare`, `show --diff`.
#![cfg(unix)]

use crate::env::TestEnv;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("home/.claude/settings.json", "{}\n");
    env.skill("repo/.agents/skills", "pdf", "The standard's.");
    env.write("repo/.agents/skills/pdf/scripts/fill.py", "print()\n");
    env
}

const LINK: &str = "repo/.claude/skills/pdf";

fn sees(env: &TestEnv, name: &str) -> bool {
    let list = env.json("list", &["list", "--host", "claude", "--json"]);
    list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["name"] == name && row["enabled"] == true)
}

#[test]
fn share_makes_a_skill_visible_and_unshare_removes_the_link() {
    let env = env();
    assert!(!sees(&env, "pdf"));
    let dry = env.json("share", &["share", "pdf", "--to", "claude", "--dry-run", "--json"]);
    assert_eq!(
        (&dry["done"], &dry["how"], &dry["place"]),
        (&json!(false), &json!("link"), &json!(env.text(LINK)))
    );
    assert!(!env.at("repo/.claude").exists());
    let ran = env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    assert!(ran.out().is_empty() && ran.err.contains("shared with Claude Code"), "{ran:?}");
    assert_eq!(fs::read_link(env.at(LINK)).unwrap().to_str(), Some("../../.agents/skills/pdf"));
    assert!(sees(&env, "pdf"));
    let again = env.run(&["share", "pdf", "--to", "claude"]).ended(1);
    assert!(again.err.contains("Claude Code sees it already"), "{again:?}");
    env.run(&["unshare", "pdf", "--from", "claude", "--dry-run"]).ended(0);
    assert!(sees(&env, "pdf"));
    let back = env.json("share", &["unshare", "pdf", "--from", "claude", "--json"]);
    assert_eq!((&back["action"], &back["done"]), (&json!("unshare"), &json!(true)));
    assert!(
        env.at(LINK).symlink_metadata().is_err()
            && env.at("repo/.agents/skills/pdf/SKILL.md").exists()
    );
    let ran = env.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("nothing was shared"), "{ran:?}");
}

#[test]
fn undo_reverts_a_share_and_an_unshare() {
    for options in [&[][..], &["--copy"]] {
        let env = env();
        let before = "version = 1\n";
        env.write("home/.config/skillpick/config.toml", before);
        env.run(&["disable", "pdf"]).ended(0);
        env.run(&[&["share", "pdf", "--to", "claude"][..], options].concat()).ended(0);
        env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
        assert!(!env.at("repo/.claude").exists(), "the folders that were made for it go with it");
        let undone = env.json("undo", &["undo", "--json"]);
        assert_eq!(undone["label"], "pdf no longer shared with Claude Code");
        assert_eq!(undone["files"], json!([env.text(LINK)]));
        assert!(sees(&env, "pdf"));
        assert_eq!(env.at(LINK).is_symlink(), options.is_empty());
        let ran = env.run(&["undo"]).ended(0);
        assert!(
            ran.err.contains("undone: pdf shared with Claude Code (change 2): ")
                && ran.err.contains(LINK),
            "{ran:?}"
        );
        assert!(!sees(&env, "pdf") && !env.at("repo/.claude").exists());
        assert_ne!(env.read("home/.config/skillpick/config.toml"), before);
        env.run(&["undo"]).ended(0);
        assert_eq!(
            env.read("home/.config/skillpick/config.toml"),
            before,
            "the change before it comes last"
        );
        env.run(&["undo"]).ended(1);
    }
}

#[test]
fn what_undo_cannot_revert_of_a_share_is_left_and_named() {
    let env = env();
    env.run(&["share", "pdf", "--to", "claude", "--copy"]).ended(0);
    env.write(format!("{LINK}/mine.md"), "mine");
    let ran = env.run(&["undo"]).ended(1);
    assert!(ran.err.contains("has changed since it was made") && ran.err.contains(LINK), "{ran:?}");
    assert_eq!(env.read(&format!("{LINK}/mine.md")), "mine");
    fs::remove_file(env.at(format!("{LINK}/mine.md"))).unwrap();
    env.run(&["undo"]).ended(0);
    // Undoing an unshare does not share again if something else is there now or the skill is gone.
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    fs::rename(env.at("repo/.agents/skills/pdf"), env.at("repo/.agents/skills/other")).unwrap();
    let ran = env.run(&["undo"]).ended(1);
    assert!(ran.err.contains("the skill is not found from here"), "{ran:?}");
}

#[test]
fn a_copy_that_was_taken_away_comes_back_as_it_was_though_the_skill_is_gone_or_another() {
    for is_gone in [false, true] {
        let env = env();
        env.run(&["share", "pdf", "--to", "claude", "--copy"]).ended(0);
        let copy = |env: &TestEnv| env.read(&format!("{LINK}/SKILL.md"));
        let before = copy(&env);
        match is_gone {
            true => fs::remove_dir_all(env.at("repo/.agents")).unwrap(),
            false => drop(env.write("repo/.agents/skills/pdf/SKILL.md", before.clone() + "v2\n")),
        }
        env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
        assert!(!env.at("repo/.claude").exists());
        // From another folder as well.
        let home = env.text("home");
        env.run(&["-C", &home, "undo"]).ended(0);
        assert_eq!(copy(&env), before, "{is_gone}");
        assert_eq!(env.read(&format!("{LINK}/scripts/fill.py")), "print()\n");
        env.run(&["undo"]).ended(0);
        assert!(!env.at("repo/.claude").exists(), "the share itself is undone");
        env.run(&["redo"]).ended(0);
        assert_eq!(copy(&env), before, "{is_gone}");
        env.run(&["redo"]).ended(0);
        assert!(!env.at(LINK).exists());
    }
}

#[test]
fn a_link_is_made_again_from_any_folder_and_once() {
    let env = env();
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    env.run(&["-C", &env.text("home"), "undo"]).ended(0);
    assert!(env.at(LINK).is_symlink());
    env.run(&["undo"]).ended(0);
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.run(&["undo"]).ended(0);
    env.run(&["redo"]).ended(0);
    let ran = env.run(&["redo"]).ended(1);
    assert!(ran.err.contains("a newer change to the same file is not undone"), "{ran:?}");
}

#[test]
fn unshare_keeps_folders_that_it_did_not_make_or_that_hold_more() {
    let env = env();
    // The person put something of their own into the folders that were made.
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    let mine = env.write("repo/.claude/mine.md", "mine");
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(!env.at("repo/.claude/skills").exists() && mine.exists());
    fs::remove_dir_all(env.at("repo/.claude")).unwrap();
    env.skill("repo/.agents/skills", "zip", "The standard's.");
    fs::create_dir_all(env.at("repo/.claude")).unwrap();
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.run(&["share", "zip", "--to", "claude"]).ended(0);
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(sees(&env, "zip"));
    env.run(&["unshare", "zip", "--from", "claude"]).ended(0);
    assert!(!env.at("repo/.claude/skills").exists() && env.at("repo/.claude").exists());
}

#[test]
fn a_copy_that_was_changed_is_not_removed() {
    let env = env();
    env.write("secret", "hidden");
    symlink(env.at("secret"), env.at("repo/.agents/skills/pdf/leak")).unwrap();
    let ran = env.run(&["share", "pdf", "--to", "claude", "--copy", "--in", "user"]).ended(0);
    assert!(
        ran.err.contains("left out, for it is no file or leads out of the skill: leak"),
        "{ran:?}"
    );
    let copy = "home/.claude/skills/pdf";
    assert_eq!(env.read(&format!("{copy}/scripts/fill.py")), "print()\n");
    assert!(
        !env.at(copy).is_symlink() && env.at(format!("{copy}/leak")).symlink_metadata().is_err()
    );
    assert!(sees(&env, "pdf"));
    for (mine, folder) in
        [("mine.md", "mine.md"), ("scripts/node_modules/x/index.js", "scripts/node_modules")]
    {
        env.write(format!("{copy}/{mine}"), "mine");
        let ran = env.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
        assert!(ran.err.contains("has changed since it was made"), "{ran:?}");
        assert!(ran.err.contains(&format!("rm -r {}", env.text(copy))), "{ran:?}");
        assert_eq!(env.read(&format!("{copy}/{mine}")), "mine");
        let folder = env.at(format!("{copy}/{folder}"));
        if folder.is_dir() { fs::remove_dir_all(folder) } else { fs::remove_file(folder) }.unwrap();
    }
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(!env.at(copy).exists());
    assert!(
        !env.at("home/.claude/skills").exists(),
        "nothing is left, so that the folder that was made goes"
    );
}

#[test]
fn unshare_never_deletes_what_share_did_not_make() {
    let env = env();
    // A directory of the name, made by somebody else.
    env.skill("home/.claude/skills", "pdf", "Somebody's.");
    let ran = env.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("nothing was shared"), "{ran:?}");
    assert!(env.at("home/.claude/skills/pdf/SKILL.md").exists());
    // A link that we made and somebody then redirected is not ours.
    fs::remove_dir_all(env.at("home/.claude/skills/pdf")).unwrap();
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.write("elsewhere/SKILL.md", "---\nname: pdf\ndescription: Elsewhere.\n---\n");
    fs::remove_file(env.at(LINK)).unwrap();
    symlink(env.at("elsewhere"), env.at(LINK)).unwrap();
    let ran = env.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
    assert!(ran.err.contains(&format!("rm {}", env.text(LINK))), "{ran:?}");
    assert!(env.at(LINK).is_symlink() && env.at("elsewhere/SKILL.md").exists());
}

#[test]
fn a_link_that_a_person_made_is_refused_with_the_command_that_removes_it() {
    let env = TestEnv::new();
    env.skill("home/src", "pdf", "My own.");
    let user_folder = env.at("home/.agents/skills");
    fs::create_dir_all(&user_folder).unwrap();
    env.settings("");
    env.skill("repo/.agents/skills", "zip", "The repository's.");
    env.run(&["disable", "zip"]).ended(0);
    let link = user_folder.join("pdf");
    for target in [env.at("home/src/pdf"), "../../src/pdf".into()] {
        symlink(&target, &link).unwrap();
        for name in ["pdf", link.to_str().unwrap()] {
            let ran = env.run(&["unshare", name, "--from", "agents"]).ended(1);
            let command = format!("rm {}", link.display());
            assert!(ran.err.contains("did not make this") && ran.err.contains(&command), "{ran:?}");
            assert_eq!(fs::read_link(&link).unwrap(), target);
        }
        fs::remove_file(&link).unwrap();
    }
    let ran = env.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: zip off"), "no refused unshare is in the journal: {ran:?}");
}

#[test]
fn a_link_that_a_person_put_in_place_of_ours_stays_and_does_not_block_older_changes() {
    let env = env();
    env.skill("repo/.agents/skills", "zip", "The standard's.");
    env.run(&["disable", "zip"]).ended(0);
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    // It leads to the same skill by another path.
    let theirs = env.at("repo/.agents/skills/pdf");
    fs::remove_file(env.at(LINK)).unwrap();
    symlink(&theirs, env.at(LINK)).unwrap();
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
    let ran = env.run(&["undo"]).ended(1);
    assert!(
        ran.err.contains("not undone: pdf shared with Claude Code: ")
            && ran.err.contains("(zip off): skillpick undo"),
        "{ran:?}"
    );
    let undone = env.json("undo", &["undo", "--json"]);
    assert_eq!(undone["label"], "zip off");
    assert_eq!(undone["left"][0]["label"], "pdf shared with Claude Code");
    assert_eq!(undone["left"][0]["file"], env.text(LINK));
    assert_eq!(fs::read_link(env.at(LINK)).unwrap(), theirs);
}

#[test]
fn undo_of_unshare_does_not_replace_what_a_person_put_there() {
    let env = env();
    env.skill("repo/.agents/skills", "zip", "The standard's.");
    env.run(&["disable", "zip"]).ended(0);
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    env.skill("repo/.claude/skills", "pdf", "Mine.");
    let ran = env.run(&["undo"]).ended(1);
    assert!(
        ran.err.contains("something is there already")
            && ran.err.contains("not undone: pdf no longer shared"),
        "{ran:?}"
    );
    // The older share at the same path is not undone either.
    let ran = env.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: zip off"), "{ran:?}");
    assert!(ran.err.contains("not undone: pdf shared with Claude Code"), "{ran:?}");
    assert!(env.read(&format!("{LINK}/SKILL.md")).contains("Mine."));
}

#[test]
fn unshare_names_the_place_through_which_the_agent_still_sees_the_skill() {
    let env = env();
    env.write("home/.codex/config.toml", "");
    env.skill("home/.claude/skills", "notes", "Claude's.");
    env.run(&["share", "notes", "--to", "codex"]).ended(0);
    env.run(&["unshare", "notes", "--from", "codex"]).ended(0);
    env.run(&["undo"]).ended(0);
    let other = env.text("home/.agents/skills/notes");
    std::fs::create_dir_all(env.at("home/.agents/skills")).unwrap();
    env.link("home/.claude/skills/notes", "home/.agents/skills/notes");
    let would = env.run(&["unshare", "notes", "--from", "codex", "--dry-run"]);
    assert!(would.err.contains(&format!("Codex would still see it: {other}\n")), "{would:?}");
    let unshare = ["unshare", "notes", "--from", "codex", "--dry-run", "--json"];
    assert_eq!(env.json("share", &unshare)["still_seen_at"], json!(other));
    let ran = env.run(&["unshare", "notes", "--from", "codex"]).ended(0);
    assert!(ran.err.contains(&format!("Codex still sees it: {other}\n")), "{ran:?}");
}

#[test]
fn unshare_from_the_wrong_agent_names_the_right_command() {
    let env = env();
    env.write("home/.codex/config.toml", "");
    env.skill("repo/.codex/skills", "notes", "Codex's.");
    env.run(&["share", "notes", "--to", "amp"]).ended(0);
    let link = env.at("repo/.agents/skills/notes");
    let ran = env.run(&["unshare", "notes", "--from", "agents"]).ended(1);
    let command = format!("skillpick unshare {} --from amp", link.display());
    assert!(ran.err.contains(&command) && link.is_symlink(), "{ran:?}");
    env.run(&["unshare", link.to_str().unwrap(), "--from", "amp"]).ended(0);
    assert!(link.symlink_metadata().is_err());
}

#[test]
fn in_chooses_between_two_shares_of_one_name() {
    let env = env();
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    fs::remove_file(env.at(LINK)).unwrap();
    env.run(&["share", "pdf", "--to", "claude", "--in", "user"]).ended(0);
    symlink("../../.agents/skills/pdf", env.at(LINK)).unwrap();
    let ran = env.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("at several places"), "{ran:?}");
    env.run(&["unshare", "pdf", "--from", "claude", "--in", "user"]).ended(0);
    assert!(env.at(LINK).is_symlink() && !env.at("home/.claude/skills").exists());
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(env.at(LINK).symlink_metadata().is_err());
}

#[test]
fn a_dangling_link_is_unshared_by_its_name() {
    let env = env();
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    fs::remove_dir_all(env.at("repo/.agents/skills/pdf")).unwrap();
    env.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(env.at(LINK).symlink_metadata().is_err());
}

#[test]
fn a_namesake_in_the_way_is_refused_and_named() {
    let env = env();
    let twin = env.skill("home/.claude/skills", "pdf", "Mine.");
    let path = env.text("repo/.agents/skills/pdf");
    for how in [["--link"].as_slice(), &["--copy"], &["--in", "user"], &["--copy", "--dry-run"]] {
        let ran = env.run(&[&["share", &path, "--to", "claude"], how].concat()).ended(1);
        assert!(
            ran.err.contains("another skill of this name")
                && ran.err.contains(twin.to_str().unwrap()),
            "{ran:?}"
        );
    }
    assert!(!env.at("repo/.claude").exists());
    // Something that is no skill stands at the place: it is not replaced.
    fs::remove_dir_all(env.at("home/.claude/skills/pdf")).unwrap();
    let file = env.write(LINK, "a file of theirs");
    let ran = env.run(&["share", &path, "--to", "claude"]).ended(2);
    assert!(ran.err.contains("something is there already"), "{ran:?}");
    assert_eq!(fs::read_to_string(file).unwrap(), "a file of theirs");
}

#[test]
fn a_share_that_the_agent_would_refuse_makes_nothing() {
    let env = env();
    env.write("repo/.claude/skills/mute/SKILL.md", "---\nname: mute\n---\n");
    let path = env.text("repo/.claude/skills/mute");
    for how in ["--link", "--copy"] {
        let ran = env.run(&["share", &path, "--to", "codex", how]).ended(1);
        assert!(ran.err.contains("does not take it: desc-missing"), "{ran:?}");
    }
    assert!(!env.at("repo/.agents/skills/mute").exists() && !env.at("repo/.codex").exists());
    let ran = env.run(&["share", "pdf", "--to", "cluade"]).ended(2);
    assert!(ran.err.contains("did you mean `claude`?"), "{ran:?}");
    env.run(&["share", "no-such", "--to", "claude"]).ended(1);
}

#[test]
fn share_does_not_write_through_a_repository_folder_that_links_out() {
    let env = env();
    fs::create_dir_all(env.at("elsewhere/skills")).unwrap();
    symlink(env.at("elsewhere"), env.at("repo/.claude")).unwrap();
    let ran = env.run(&["share", "pdf", "--to", "claude"]).ended(2);
    assert!(ran.err.contains("leads out of the repository"), "{ran:?}");
    assert_eq!(fs::read_dir(env.at("elsewhere/skills")).unwrap().count(), 0);
    // And a link in the repository to what is outside would be broken for everybody else.
    fs::remove_file(env.at("repo/.claude")).unwrap();
    env.skill("home/.agents/skills", "own", "My own.");
    let ran = env.run(&["share", "own", "--to", "claude", "--in", "project"]).ended(2);
    assert!(ran.err.contains("--copy"), "{ran:?}");
    env.run(&["share", "own", "--to", "claude"]).ended(0);
    assert!(env.at("home/.claude/skills/own").is_symlink());
}

#[test]
fn copies_of_one_name_are_compared() {
    let env = env();
    env.skill("home/.agents/skills", "pdf", "My own.");
    env.write("home/.agents/skills/pdf/notes.md", "x\n");
    let ran = env.run(&["show", "pdf", "--diff"]).ended(0);
    ran.is_inert();
    let [repo, user] =
        ["repo", "home"].map(|place| env.text(&format!("{place}/.agents/skills/pdf")));
    for line in [
        format!("--- {repo}/SKILL.md"),
        format!("+++ {user}/SKILL.md"),
        "-description: The standard's.".to_owned(),
        "+description: My own.".to_owned(),
        format!("only in {repo}: scripts/fill.py"),
        format!("only in {user}: notes.md"),
    ] {
        assert!(ran.out().lines().any(|shown| shown == line), "{line}: {}", ran.out());
    }
    env.write("home/.agents/skills/pdf/scripts/fill.py", "other\n");
    let json = env.json("diff", &["show", &repo, "--diff", &user, "--json"]);
    let pair = &json["pairs"][0];
    assert_eq!((&pair["differing"], &pair["same"]), (&json!(["scripts/fill.py"]), &json!(false)));
    env.skill("repo/.agents/skills", "alone", "No twin.");
    let ran = env.run(&["show", "alone", "--diff"]).ended(1);
    assert!(ran.err.contains("no other skill here is named alone"), "{ran:?}");
    env.run(&["show", "pdf", "--diff", "no-such"]).ended(1);
    // The one that cannot be read is named, whichever it is.
    env.write("notes.md", "---\nname: away\ndescription: Elsewhere.\n---\n");
    fs::create_dir(env.at("repo/.agents/skills/away")).unwrap();
    symlink(env.at("notes.md"), env.at("repo/.agents/skills/away/SKILL.md")).unwrap();
    let away = env.text("repo/.agents/skills/away");
    let named = format!("{away}/SKILL.md: a link on the path leaves the skill's directory");
    for pair in [[&away, &user], [&user, &away]] {
        let ran = env.run(&["show", pair[0], "--diff", pair[1]]).ended(2);
        assert!(ran.err.contains(&named), "{ran:?}");
    }
}

#[test]
fn a_skill_is_shared_with_one_agent_at_a_time() {
    for word in ["all", "al"] {
        let ran = env().run(&["share", "pdf", "--to", word]).ended(2);
        assert!(!ran.err.contains("did you mean `all`"), "{ran:?}");
        assert_eq!(ran.err.contains("one agent at a time"), word == "all", "{ran:?}");
    }
}
