//! `share`, `unshare`, `show --diff`.
#![cfg(unix)]

use crate::support::House;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

fn house() -> House {
    let house = House::new();
    house.write("home/.claude/settings.json", "{}\n");
    house.skill("repo/.agents/skills", "pdf", "The standard's.");
    house.write("repo/.agents/skills/pdf/scripts/fill.py", "print()\n");
    house
}

const LINK: &str = "repo/.claude/skills/pdf";

fn sees(house: &House, name: &str) -> bool {
    let list = house.json("list", &["list", "--host", "claude", "--json"]);
    list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["name"] == name && row["enabled"] == true)
}

#[test]
fn a_link_makes_a_skill_visible_and_goes_again() {
    let house = house();
    assert!(!sees(&house, "pdf"));
    let dry = house.json("share", &["share", "pdf", "--to", "claude", "--dry-run", "--json"]);
    assert_eq!(
        (&dry["done"], &dry["how"], &dry["place"]),
        (&json!(false), &json!("link"), &json!(house.text(LINK)))
    );
    assert!(!house.at("repo/.claude").exists());
    let ran = house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    assert!(ran.out().is_empty() && ran.err.contains("shared with Claude Code"), "{ran:?}");
    assert_eq!(fs::read_link(house.at(LINK)).unwrap().to_str(), Some("../../.agents/skills/pdf"));
    assert!(sees(&house, "pdf"));
    let again = house.run(&["share", "pdf", "--to", "claude"]).ended(1);
    assert!(again.err.contains("Claude Code sees it already"), "{again:?}");
    house.run(&["unshare", "pdf", "--from", "claude", "--dry-run"]).ended(0);
    assert!(sees(&house, "pdf"));
    let back = house.json("share", &["unshare", "pdf", "--from", "claude", "--json"]);
    assert_eq!((&back["action"], &back["done"]), (&json!("unshare"), &json!(true)));
    assert!(
        house.at(LINK).symlink_metadata().is_err()
            && house.at("repo/.agents/skills/pdf/SKILL.md").exists()
    );
    let ran = house.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("nothing was shared"), "{ran:?}");
}

#[test]
fn undo_takes_back_a_share_and_what_takes_one_back() {
    for options in [&[][..], &["--copy"]] {
        let house = house();
        let before = "version = 1\n";
        house.write("home/.config/skillpick/config.toml", before);
        house.run(&["disable", "pdf"]).ended(0);
        house.run(&[&["share", "pdf", "--to", "claude"][..], options].concat()).ended(0);
        house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
        assert!(!house.at("repo/.claude").exists(), "the folders that were made for it go with it");
        let undone = house.json("undo", &["undo", "--json"]);
        assert_eq!(undone["label"], "pdf no longer shared with Claude Code");
        assert_eq!(undone["files"], json!([house.text(LINK)]));
        assert!(sees(&house, "pdf"));
        assert_eq!(house.at(LINK).is_symlink(), options.is_empty());
        let ran = house.run(&["undo"]).ended(0);
        assert!(
            ran.err.contains("undone: pdf shared with Claude Code: ") && ran.err.contains(LINK),
            "{ran:?}"
        );
        assert!(!sees(&house, "pdf") && !house.at("repo/.claude").exists());
        assert_ne!(house.read("home/.config/skillpick/config.toml"), before);
        house.run(&["undo"]).ended(0);
        assert_eq!(
            house.read("home/.config/skillpick/config.toml"),
            before,
            "the change before it comes last"
        );
        house.run(&["undo"]).ended(1);
    }
}

#[test]
fn what_undo_cannot_take_back_of_a_share_is_left_and_named() {
    let house = house();
    house.run(&["share", "pdf", "--to", "claude", "--copy"]).ended(0);
    house.write(&format!("{LINK}/mine.md"), "mine");
    let ran = house.run(&["undo"]).ended(2);
    assert!(ran.err.contains("was changed since it was made") && ran.err.contains(LINK), "{ran:?}");
    assert_eq!(house.read(&format!("{LINK}/mine.md")), "mine");
    fs::remove_file(house.at(&format!("{LINK}/mine.md"))).unwrap();
    house.run(&["undo"]).ended(0);
    // What is taken back is not shared again where something else stands now, or where its skill is
    // gone.
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    fs::rename(house.at("repo/.agents/skills/pdf"), house.at("repo/.agents/skills/other")).unwrap();
    let ran = house.run(&["undo"]).ended(2);
    assert!(ran.err.contains("the skill is not found from here"), "{ran:?}");
}

#[test]
fn folders_that_were_there_or_hold_more_stay() {
    let house = house();
    // The person put something of their own into the folders that were made.
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    let mine = house.write("repo/.claude/mine.md", "mine");
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(!house.at("repo/.claude/skills").exists() && mine.exists());
    fs::remove_dir_all(house.at("repo/.claude")).unwrap();
    house.skill("repo/.agents/skills", "zip", "The standard's.");
    fs::create_dir_all(house.at("repo/.claude")).unwrap();
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    house.run(&["share", "zip", "--to", "claude"]).ended(0);
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(sees(&house, "zip"));
    house.run(&["unshare", "zip", "--from", "claude"]).ended(0);
    assert!(!house.at("repo/.claude/skills").exists() && house.at("repo/.claude").exists());
}

#[test]
fn a_copy_is_taken_back_only_as_it_was_made() {
    let house = house();
    house.write("secret", "hidden");
    symlink(house.at("secret"), house.at("repo/.agents/skills/pdf/leak")).unwrap();
    let ran = house.run(&["share", "pdf", "--to", "claude", "--copy", "--in", "user"]).ended(0);
    assert!(ran.err.contains("left out, for it leads out of the skill: leak"), "{ran:?}");
    let copy = "home/.claude/skills/pdf";
    assert_eq!(house.read(&format!("{copy}/scripts/fill.py")), "print()\n");
    assert!(
        !house.at(copy).is_symlink()
            && house.at(&format!("{copy}/leak")).symlink_metadata().is_err()
    );
    assert!(sees(&house, "pdf"));
    for (mine, folder) in
        [("mine.md", "mine.md"), ("scripts/node_modules/x/index.js", "scripts/node_modules")]
    {
        house.write(&format!("{copy}/{mine}"), "mine");
        let ran = house.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
        assert!(ran.err.contains("was changed since it was made"), "{ran:?}");
        assert!(ran.err.contains(&format!("rm -r {}", house.text(copy))), "{ran:?}");
        assert_eq!(house.read(&format!("{copy}/{mine}")), "mine");
        let folder = house.at(&format!("{copy}/{folder}"));
        if folder.is_dir() { fs::remove_dir_all(folder) } else { fs::remove_file(folder) }.unwrap();
    }
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(!house.at(copy).exists());
    assert!(
        !house.at("home/.claude/skills").exists(),
        "nothing is left, so that the folder that was made goes"
    );
}

#[test]
fn what_is_not_ours_is_never_deleted() {
    let house = house();
    // A directory of the name, made by somebody else.
    house.skill("home/.claude/skills", "pdf", "Somebody's.");
    let ran = house.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("nothing was shared"), "{ran:?}");
    assert!(house.at("home/.claude/skills/pdf/SKILL.md").exists());
    // A link that was made by us and then turned elsewhere is another's.
    fs::remove_dir_all(house.at("home/.claude/skills/pdf")).unwrap();
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    house.write("elsewhere/SKILL.md", "---\nname: pdf\ndescription: Elsewhere.\n---\n");
    fs::remove_file(house.at(LINK)).unwrap();
    symlink(house.at("elsewhere"), house.at(LINK)).unwrap();
    let ran = house.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
    assert!(ran.err.contains(&format!("rm {}", house.text(LINK))), "{ran:?}");
    assert!(house.at(LINK).is_symlink() && house.at("elsewhere/SKILL.md").exists());
}

#[test]
fn a_link_that_a_person_made_is_refused_with_the_command_that_removes_it() {
    let house = House::new();
    house.skill("home/src", "pdf", "My own.");
    let user_folder = house.at("home/.agents/skills");
    fs::create_dir_all(&user_folder).unwrap();
    house.settings("");
    house.skill("repo/.agents/skills", "zip", "The repository's.");
    house.run(&["disable", "zip"]).ended(0);
    let link = user_folder.join("pdf");
    for target in [house.at("home/src/pdf"), "../../src/pdf".into()] {
        symlink(&target, &link).unwrap();
        for name in ["pdf", link.to_str().unwrap()] {
            let ran = house.run(&["unshare", name, "--from", "agents"]).ended(1);
            let command = format!("rm {}", link.display());
            assert!(ran.err.contains("did not make this") && ran.err.contains(&command), "{ran:?}");
            assert_eq!(fs::read_link(&link).unwrap(), target);
        }
        fs::remove_file(&link).unwrap();
    }
    let ran = house.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: zip off"), "no refused unshare is in the journal: {ran:?}");
}

#[test]
fn a_link_that_a_person_put_in_place_of_ours_stays_and_does_not_block_older_changes() {
    let house = house();
    house.skill("repo/.agents/skills", "zip", "The standard's.");
    house.run(&["disable", "zip"]).ended(0);
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    // It leads to the same skill, but it says so in other words.
    let theirs = house.at("repo/.agents/skills/pdf");
    fs::remove_file(house.at(LINK)).unwrap();
    symlink(&theirs, house.at(LINK)).unwrap();
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(2);
    let ran = house.run(&["undo"]).ended(2);
    assert!(
        ran.err.contains("not undone: pdf shared with Claude Code: ")
            && ran.err.contains("(zip off): skillpick undo"),
        "{ran:?}"
    );
    let undone = house.json("undo", &["undo", "--json"]);
    assert_eq!(undone["label"], "zip off");
    assert_eq!(undone["left"][0]["label"], "pdf shared with Claude Code");
    assert_eq!(undone["left"][0]["file"], house.text(LINK));
    assert_eq!(fs::read_link(house.at(LINK)).unwrap(), theirs);
}

#[test]
fn a_share_that_was_taken_back_is_not_made_again_where_a_person_put_something() {
    let house = house();
    house.skill("repo/.agents/skills", "zip", "The standard's.");
    house.run(&["disable", "zip"]).ended(0);
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    house.skill("repo/.claude/skills", "pdf", "Mine.");
    let ran = house.run(&["undo"]).ended(2);
    assert!(
        ran.err.contains("something is there already")
            && ran.err.contains("not undone: pdf no longer shared"),
        "{ran:?}"
    );
    // The share before it is not taken back either, for it is at the same place.
    let ran = house.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: zip off"), "{ran:?}");
    assert!(ran.err.contains("not undone: pdf shared with Claude Code"), "{ran:?}");
    assert!(house.read(&format!("{LINK}/SKILL.md")).contains("Mine."));
}

#[test]
fn what_was_shared_with_another_agent_is_taken_back_from_that_one() {
    let house = house();
    house.write("home/.codex/config.toml", "");
    house.skill("repo/.codex/skills", "notes", "Codex's.");
    house.run(&["share", "notes", "--to", "amp"]).ended(0);
    let link = house.at("repo/.agents/skills/notes");
    let ran = house.run(&["unshare", "notes", "--from", "agents"]).ended(1);
    let command = format!("skillpick unshare {} --from amp", link.display());
    assert!(ran.err.contains(&command) && link.is_symlink(), "{ran:?}");
    house.run(&["unshare", link.to_str().unwrap(), "--from", "amp"]).ended(0);
    assert!(link.symlink_metadata().is_err());
}

#[test]
fn two_shares_of_one_name_are_told_apart_by_in_and_taken_back_one_by_one() {
    let house = house();
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    fs::remove_file(house.at(LINK)).unwrap();
    house.run(&["share", "pdf", "--to", "claude", "--in", "user"]).ended(0);
    symlink("../../.agents/skills/pdf", house.at(LINK)).unwrap();
    let ran = house.run(&["unshare", "pdf", "--from", "claude"]).ended(1);
    assert!(ran.err.contains("at several places"), "{ran:?}");
    house.run(&["unshare", "pdf", "--from", "claude", "--in", "user"]).ended(0);
    assert!(house.at(LINK).is_symlink() && !house.at("home/.claude/skills").exists());
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(house.at(LINK).symlink_metadata().is_err());
}

#[test]
fn a_link_whose_skill_is_gone_is_taken_back_by_its_name() {
    let house = house();
    house.run(&["share", "pdf", "--to", "claude"]).ended(0);
    fs::remove_dir_all(house.at("repo/.agents/skills/pdf")).unwrap();
    house.run(&["unshare", "pdf", "--from", "claude"]).ended(0);
    assert!(house.at(LINK).symlink_metadata().is_err());
}

#[test]
fn a_twin_in_the_way_is_refused_and_named() {
    let house = house();
    let twin = house.skill("home/.claude/skills", "pdf", "Mine.");
    let path = house.text("repo/.agents/skills/pdf");
    for how in [["--link"].as_slice(), &["--copy"], &["--in", "user"], &["--copy", "--dry-run"]] {
        let ran = house.run(&[&["share", &path, "--to", "claude"], how].concat()).ended(1);
        assert!(
            ran.err.contains("another skill of this name")
                && ran.err.contains(twin.to_str().unwrap()),
            "{ran:?}"
        );
    }
    assert!(!house.at("repo/.claude").exists());
    // Something that is no skill stands at the place: it is not replaced.
    fs::remove_dir_all(house.at("home/.claude/skills/pdf")).unwrap();
    let file = house.write(LINK, "a file of theirs");
    let ran = house.run(&["share", &path, "--to", "claude"]).ended(2);
    assert!(ran.err.contains("something is there already"), "{ran:?}");
    assert_eq!(fs::read_to_string(file).unwrap(), "a file of theirs");
}

#[test]
fn what_the_agent_would_not_take_is_refused_before_anything_is_made() {
    let house = house();
    house.write("repo/.claude/skills/mute/SKILL.md", "---\nname: mute\n---\n");
    let path = house.text("repo/.claude/skills/mute");
    for how in ["--link", "--copy"] {
        let ran = house.run(&["share", &path, "--to", "codex", how]).ended(1);
        assert!(ran.err.contains("does not take it: desc-missing"), "{ran:?}");
    }
    assert!(!house.at("repo/.agents/skills/mute").exists() && !house.at("repo/.codex").exists());
    let ran = house.run(&["share", "pdf", "--to", "cluade"]).ended(2);
    assert!(ran.err.contains("did you mean `claude`?"), "{ran:?}");
    house.run(&["share", "no-such", "--to", "claude"]).ended(1);
}

#[test]
fn a_repositorys_folder_that_leads_out_of_it_is_not_written_through() {
    let house = house();
    fs::create_dir_all(house.at("elsewhere/skills")).unwrap();
    symlink(house.at("elsewhere"), house.at("repo/.claude")).unwrap();
    let ran = house.run(&["share", "pdf", "--to", "claude"]).ended(2);
    assert!(ran.err.contains("leads out of the repository"), "{ran:?}");
    assert_eq!(fs::read_dir(house.at("elsewhere/skills")).unwrap().count(), 0);
    // And a link in the repository to what is outside would be broken for everybody else.
    fs::remove_file(house.at("repo/.claude")).unwrap();
    house.skill("home/.agents/skills", "own", "My own.");
    let ran = house.run(&["share", "own", "--to", "claude", "--in", "project"]).ended(2);
    assert!(ran.err.contains("--copy"), "{ran:?}");
    house.run(&["share", "own", "--to", "claude"]).ended(0);
    assert!(house.at("home/.claude/skills/own").is_symlink());
}

#[test]
fn copies_of_one_name_are_compared() {
    let house = house();
    house.skill("home/.agents/skills", "pdf", "My own.");
    house.write("home/.agents/skills/pdf/notes.md", "x\n");
    let ran = house.run(&["show", "pdf", "--diff"]).ended(0);
    ran.is_inert();
    let [repo, user] =
        ["repo", "home"].map(|place| house.text(&format!("{place}/.agents/skills/pdf")));
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
    house.write("home/.agents/skills/pdf/scripts/fill.py", "other\n");
    let json = house.json("diff", &["show", &repo, "--diff", &user, "--json"]);
    let pair = &json["pairs"][0];
    assert_eq!((&pair["differing"], &pair["same"]), (&json!(["scripts/fill.py"]), &json!(false)));
    house.skill("repo/.agents/skills", "alone", "No twin.");
    let ran = house.run(&["show", "alone", "--diff"]).ended(1);
    assert!(ran.err.contains("no other skill here is named alone"), "{ran:?}");
    house.run(&["show", "pdf", "--diff", "no-such"]).ended(1);
    // The one that cannot be read is named, whichever it is.
    house.write("notes.md", "---\nname: away\ndescription: Elsewhere.\n---\n");
    fs::create_dir(house.at("repo/.agents/skills/away")).unwrap();
    symlink(house.at("notes.md"), house.at("repo/.agents/skills/away/SKILL.md")).unwrap();
    let away = house.text("repo/.agents/skills/away");
    let named = format!("{away}/SKILL.md: a link on the path leaves the skill's directory");
    for pair in [[&away, &user], [&user, &away]] {
        let ran = house.run(&["show", pair[0], "--diff", pair[1]]).ended(2);
        assert!(ran.err.contains(&named), "{ran:?}");
    }
}
