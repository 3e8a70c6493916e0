//! A denied skill stays denied, however it is spelled and by whichever command it is requested.

use crate::env::TestEnv;
use std::fs;
use std::os::unix::fs::symlink;

const MARKER: &str = "MARKER-DENIED";

/// A denied skill, a harmless one, and every way in which one file can be in several places; a
/// repository that allows itself everything.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let skills = "repo/.agents/skills";
    let text = format!("---\nname: deploy\ndescription: Denied.\n---\n{MARKER}\n");
    env.write(format!("{skills}/deploy/SKILL.md"), &text);
    env.write(format!("{skills}/deploy/references/x.md"), MARKER);
    env.write(format!("{skills}/deploy/scripts/x.sh"), format!("echo {MARKER}"));
    env.write(
        "home/.agents/skills/deploy/SKILL.md",
        text.replace("name: deploy", "name: ' deploy '"),
    );
    env.skill(skills, "harmless", "Allowed.");
    env.skill(skills, "outer", "Allowed, and around another.");
    env.write(format!("{skills}/outer/own.md"), "OWN");
    env.write(format!("{skills}/outer/sub/deploy/SKILL.md"), &text);
    env.write(format!("{skills}/outer/sub/deploy/scripts/x.sh"), format!("echo {MARKER}"));
    env.write(format!("{skills}/outer/template/SKILL.md"), "---\nname: template\n---\nTEMPLATE");
    symlink("sub/deploy/SKILL.md", env.at(format!("{skills}/outer/link.md"))).unwrap();
    for (link, target) in [
        ("repo/.agents/skills/alias", "deploy"),
        ("repo/.agents/skills/nested/deploy", "../deploy"),
        ("repo/way", ".agents/skills/deploy"),
        ("home/way", "../repo/way"),
        ("repo/file.md", ".agents/skills/deploy/SKILL.md"),
        ("repo/.agents/skills/linked/SKILL.md", "../deploy/SKILL.md"),
        ("repo/up", ".agents/skills/deploy/references"),
    ] {
        fs::create_dir_all(env.at(link).parent().unwrap()).unwrap();
        symlink(target, env.at(link)).unwrap();
    }
    fs::create_dir_all(env.at(format!("{skills}/hard"))).unwrap();
    fs::hard_link(
        env.at(format!("{skills}/deploy/SKILL.md")),
        env.at(format!("{skills}/hard/SKILL.md")),
    )
    .unwrap();
    env.write(
        "repo/.skillpick.toml",
        "version = 1\n[scripts]\nenabled = true\n[[skills.config]]\nname = \"deploy\"\nenabled = true\n\
         [[permissions.allow]]\ntool = \"skill_load\"\n[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"deploy\"\n\
         [[permissions.allow]]\ntool = \"skill_script\"\nskill_name = \"deploy\"\n",
    );
    env
}

/// Spellings of the denied skill. `@` is the folder of the repository, `~` the home.
const SPELLINGS: &[&str] = &[
    "deploy",
    " deploy",
    "deploy\t",
    "\u{a0}deploy\u{2003}",
    "$deploy",
    "/deploy",
    "/deploy now",
    "Deploy",
    "DEPLOY",
    "deploy\u{200b}",
    "d\u{435}ploy",
    "deploy/",
    "deploy/SKILL.md",
    "deploy*",
    "*",
    "harmless\ndeploy",
    "@/.agents/skills/deploy",
    "@/.agents/skills/deploy/",
    "@/.agents/skills/deploy/SKILL.md",
    "@/.agents/skills/deploy/./SKILL.md",
    "@/.agents/skills//deploy///SKILL.md",
    "@/.agents/skills/harmless/../deploy/SKILL.md",
    "@/.agents/skills/deploy/references/../SKILL.md",
    "@/.agents/skills/alias",
    "@/.agents/skills/alias/SKILL.md",
    "@/.agents/skills/nested/deploy/SKILL.md",
    "@/.agents/skills/linked",
    "@/.agents/skills/linked/SKILL.md",
    "@/.agents/skills/hard/SKILL.md",
    "@/way",
    "@/way/SKILL.md",
    "~/way/SKILL.md",
    "@/file.md",
    "@/up/../SKILL.md",
    ".agents/skills/deploy",
    "./.agents/skills/deploy/SKILL.md",
    "../repo/.agents/skills/deploy/SKILL.md",
    "/proc/self/cwd/.agents/skills/deploy/SKILL.md",
    "/dev/fd/../../proc/self/root@/.agents/skills/deploy",
    "file://@/.agents/skills/deploy/SKILL.md",
    "~/.agents/skills/deploy",
    "[$harmless](@/.agents/skills/deploy/SKILL.md)",
    "[$harmless](@/.agents/skills/harmless/../deploy/SKILL.md)",
    "[$harmless](@/way/SKILL.md)",
    "[$harmless](.agents/skills/deploy)",
    "[$deploy](@/.agents/skills/deploy/SKILL.md)",
    "[harmless](@/.agents/skills/deploy/SKILL.md)",
    "[$harmless](@/.agents/skills/deploy/SKILL.md) ",
    "[$harmless]( @/.agents/skills/deploy/SKILL.md )",
    "[$harmless](file://@/.agents/skills/deploy/SKILL.md)",
];

/// The commands that read a skill; `?` is the spelling.
const COMMANDS: &[&[&str]] = &[
    &["load", "?", "--yes"],
    &["load", "harmless", "?", "--yes", "--session", "chat", "--as", "instructions"],
    &["read", "?", "references/x.md", "--yes"],
    &["read", "?", "SKILL.md", "--encoding", "binary", "--yes"],
    &["run", "?", "scripts/x.sh", "--yes", "--no-sandbox"],
];

fn spelt(env: &TestEnv, spelling: &str) -> String {
    let at = |sign, folder| (sign, env.text(folder));
    [at('@', "repo"), at('~', "home")]
        .iter()
        .fold(spelling.to_owned(), |text, (sign, folder)| text.replace(*sign, folder))
}

#[test]
fn no_spelling_and_no_command_gets_around_a_denial() {
    let env = env();
    env.settings("[scripts]\nenabled = true\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"deploy\"\n");
    assert!(SPELLINGS.len() * COMMANDS.len() >= 200);
    std::thread::scope(|scope| {
        for command in COMMANDS {
            let env = &env;
            scope.spawn(move || {
                for spelling in SPELLINGS.iter().map(|spelling| spelt(env, spelling)) {
                    let words: Vec<&str> = command
                        .iter()
                        .map(|word| if *word == "?" { &spelling } else { *word })
                        .collect();
                    let ran = env.run(&words);
                    assert!(ran.code == 1 || ran.code == 2, "{words:?}: {ran:?}");
                    assert!(
                        !ran.out().contains(MARKER) && !ran.err.contains(MARKER),
                        "{words:?}: {ran:?}"
                    );
                }
            });
        }
    });
    assert!(!env.run(&["session", "chat"]).out().contains("deploy"));
}

#[test]
fn no_view_of_an_agent_gets_around_the_persons_own_rules() {
    let env = TestEnv::new();
    for folder in ["repo/.agents/skills", "repo/.claude/skills"] {
        env.skill(folder, "deploy", &format!("Has the {MARKER}"));
    }
    let tables = [
        ("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"deploy\"\n", "denied"),
        ("[permissions]\ndefault = \"deny\"\n", "denied"),
        ("[permissions]\ndefault = \"ask\"\n", "consent"),
        ("[skills]\nenabled = false\n", "skills.enabled"),
    ];
    let commands: [&[&str]; 3] =
        [&["load", "deploy"], &["read", "deploy", "SKILL.md"], &["prompt"]];
    let hosts = ["codex", "claude", "copilot", "all"];
    for host in hosts {
        env.settings("");
        assert!(env.run(&["load", "deploy", "--host", host]).ended(0).out().contains(MARKER));
        for (table, word) in tables {
            env.settings(table);
            for words in commands {
                let ran = env.run(&[words, &["--host", host]].concat());
                let is_list = words == ["prompt"];
                assert!(!ran.out().contains(MARKER) || is_list && word == "consent", "{ran:?}");
                assert!(is_list || ran.err.contains(word), "{host} {words:?}: {ran:?}");
            }
        }
    }
    // A repository that chooses another agent's view chooses no other rules.
    env.settings(tables[1].0);
    std::fs::write(env.at("repo/.skillpick.toml"), "version = 1\nhost = \"codex\"\n").unwrap();
    let ran = env.run(&["load", "deploy"]).ended(1);
    assert!(!ran.out().contains(MARKER) && ran.err.contains("config.toml:"), "{ran:?}");
    assert!(ran.err.contains("which is yours and holds for every agent"), "{ran:?}");
}

#[test]
fn a_rule_bound_to_files_allows_through_every_view_until_they_change() {
    let env = TestEnv::new();
    env.skill("repo/.agents/skills", "deploy", &format!("Has the {MARKER}"));
    env.settings("[permissions]\ndefault = \"deny\"\n");
    env.run(&["permit", "allow", "deploy"]).ended(0);
    let load = |code| env.run(&["load", "deploy", "--host", "codex"]).ended(code);
    assert!(load(0).out().contains(MARKER));
    std::fs::write(env.at("repo/.agents/skills/deploy/more.md"), "new").unwrap();
    assert!(!load(1).out().contains(MARKER));
}

#[test]
fn a_denied_nested_skill_is_not_read_through_its_outer_skill() {
    let env = env();
    let commands: [&[&str]; 4] = [
        &["read", "outer", "sub/deploy/SKILL.md", "--yes"],
        &["read", "outer", "sub/../sub/deploy/scripts/x.sh", "--yes"],
        &["read", "outer", "link.md", "--encoding", "binary", "--yes"],
        &["run", "outer", "sub/deploy/scripts/x.sh", "--yes"],
    ];
    env.settings("[scripts]\nenabled = true\n");
    for words in commands {
        assert!(env.run(words).ended(0).out().contains(MARKER), "{words:?}");
    }
    let denied = "[scripts]\nenabled = true\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"deploy\"\n";
    // Consent to the outer skill is no consent to the denied one.
    let asked =
        format!("{denied}[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"outer\"\n");
    for settings in [asked.as_str(), denied] {
        env.settings(settings);
        for words in commands {
            let ran = env.run(words).ended(1);
            assert!(ran.out().is_empty() && ran.err.contains("denied"), "{words:?}: {ran:?}");
        }
    }
    assert_eq!(env.run(&["read", "outer", "own.md"]).ended(0).out(), "OWN\n");
    // A folder that looks like a skill but is none belongs to the outer skill.
    assert!(env.run(&["read", "outer", "template/SKILL.md"]).ended(0).out().contains("TEMPLATE"));
}

#[test]
fn the_same_spellings_work_where_nothing_is_denied() {
    let env = env();
    let loaded = SPELLINGS.iter().filter(|spelling| {
        let ran = env.run(&["load", &spelt(&env, spelling)]);
        ran.code == 0 && ran.out().contains(MARKER)
    });
    assert!(loaded.count() >= 20, "the table tries what leads nowhere");
}

#[test]
fn a_rule_that_cannot_be_read_never_allows() {
    let env = env();
    for rule in [
        "[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"\"\n",
        "[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = 7\n",
        "[[permissions.allow]]\ntool = \"skill_load\"\nskil_name = \"harmless\"\n",
        "[[permissions.allow]]\nskill_name = \"*\"\n",
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"dep*oy\"\n",
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = [\"deploy\"]\n",
        "[permissions]\ndeny = \"deploy\"\n",
        "[permissions]\ndefault = \"alow\"\n",
    ] {
        env.settings(&format!("[scripts]\nenabled = true\n{rule}"));
        let way = env.text("repo/.agents/skills/deploy/SKILL.md");
        for words in [
            vec!["load", &way],
            vec!["read", &way, "references/x.md"],
            vec!["run", &way, "scripts/x.sh"],
        ] {
            let ran = env.run(&words);
            assert!(ran.code == 2 && ran.err.contains("config.toml:"), "{rule}: {ran:?}");
            assert!(!ran.out().contains(MARKER), "{rule}: {ran:?}");
        }
    }
}
