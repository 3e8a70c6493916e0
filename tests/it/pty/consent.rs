//! Consent at the terminal: what a person is shown, and what each answer does (X2).

use super::setup::Setup;
use crate::env::TestEnv;

fn env() -> TestEnv {
    let env = TestEnv::with_four_skills();
    env.write("home/.config/skillpick/config.toml", "version = 1\n[scripts]\nenabled = true\n");
    env.write("repo/.agents/skills/alpha/run.sh", "echo MARKER-$((40 + 2))\n");
    env
}

#[cfg(target_os = "linux")]
#[test]
fn no_refuses_yes_allows_once_and_always_allows_exactly_this_run() {
    let env = env();
    let asked = |answer: &str, code: u32, ran: bool| {
        let mut terminal = Setup::new(&env, &["run", "alpha", "run.sh"]).start();
        terminal.see("Run it?");
        assert!(
            terminal.text().contains("digest:") && terminal.text().contains("network:   no"),
            "{}",
            terminal.text()
        );
        terminal.type_keys(answer);
        assert_eq!(terminal.exit(), code, "{}", terminal.text());
        let text = terminal.text();
        assert_eq!(text.contains("MARKER-42"), ran, "{text}");
        // Who says no has seen what it is, and wants no advice how to agree.
        assert_eq!(text.contains("running run.sh of 'alpha' was declined"), !ran, "{text}");
        assert!(text.matches("digest:").count() == 1 && !text.contains("--yes"), "{text}");
    };
    asked("<enter>", 1, false);
    asked("n<enter>", 1, false);
    let log = env.read("home/.local/state/skillpick/activity.jsonl");
    assert!(log.contains("declined") && !log.contains("needs_consent"), "{log}");
    asked("y<enter>", 0, true);
    asked("a<enter>", 0, true);
    let mut terminal = Setup::new(&env, &["run", "alpha", "run.sh"]).start();
    assert_eq!(terminal.exit(), 0);
    assert!(
        terminal.text().contains("MARKER-42") && !terminal.text().contains("Run it?"),
        "{}",
        terminal.text()
    );
    // So does another run after it was taken back.
    let listed = env.json("approve", &["approve", "--list", "--json"])["approvals"][0].clone();
    assert_eq!(listed["subject"], "run");
    env.run(&["approve", "--revoke", &listed["digest"].as_str().unwrap()[..6]]).ended(0);
    asked("n<enter>", 1, false);
    asked("a<enter>", 0, true);
    // One with arguments is another one, and can be told from it.
    let mut terminal = Setup::new(&env, &["run", "alpha", "run.sh", "--", "two words"]).start();
    terminal.see("Run it?");
    terminal.type_keys("a<enter>");
    assert_eq!(terminal.exit(), 0);
    let listed = env.json("approve", &["approve", "--list", "--json"])["approvals"].clone();
    assert_eq!(
        (&listed[0]["details"], &listed[1]["details"]),
        (&"-- 'two words'".into(), &"".into())
    );
    let digest = &listed[0]["digest"].as_str().unwrap()[..8];
    assert!(terminal.text().contains(&format!("approve --revoke {digest}")), "{}", terminal.text());
    let list = env.run(&["approve", "--list"]).ended(0);
    let list = list.out();
    assert!(list.contains(" run ") && list.contains("/run.sh  -- 'two words'\n"), "{list}");
    // Another byte anywhere in the skill asks again.
    env.write("repo/.agents/skills/alpha/notes.md", "new");
    asked("n<enter>", 1, false);
}

#[test]
fn who_does_not_approve_a_text_is_not_shown_it_again() {
    let env = TestEnv::with_four_skills();
    env.raw_skill("repo/.agents/skills/sly", "name: sly\ndescription: d", "Do it.\u{202e}now\n");
    let mut terminal = Setup::new(&env, &["approve", "sly"]).start();
    terminal.see("Let models read");
    terminal.type_keys("n<enter>");
    assert_eq!(terminal.exit(), 1, "{}", terminal.text());
    let text = terminal.text();
    assert_eq!(text.matches("Do it.").count(), 1, "{text}");
    assert!(text.contains("not approved") && !text.contains("--yes"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_tells_how_long_it_takes_and_what_it_had_written_when_it_is_interrupted() {
    let env = env();
    env.write("repo/.agents/skills/alpha/run.sh", "echo BEGUN; exec sleep 60\n");
    let mut terminal = Setup::new(&env, &["run", "alpha", "run.sh", "--yes"]).start();
    terminal.see("running for 1 s of at most 120 s");
    terminal.send(b"\x03");
    assert_eq!(terminal.exit(), 130, "{}", terminal.text());
    let text = terminal.text();
    assert!(text.contains("BEGUN") && text.contains("cancelled"), "{text}");
    assert!(!text.contains("running for"), "{text}");
}

#[test]
fn an_asked_load_is_answered_at_the_terminal() {
    let env = TestEnv::with_four_skills();
    let rule = "version = 1\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"alpha\"\n";
    env.write("home/.config/skillpick/config.toml", rule);
    for (answer, code) in [("n<enter>", 1), ("y<enter>", 0)] {
        let mut terminal = Setup::new(&env, &["load", "alpha"]).start();
        terminal.see("Load it?");
        terminal.type_keys(answer);
        assert_eq!(terminal.exit(), code, "{}", terminal.text());
        let text = terminal.text();
        assert_eq!(text.contains("The body of alpha"), code == 0, "{text}");
        assert_eq!(text.contains("loading this skill was declined"), code == 1, "{text}");
        assert!(!text.contains("--yes"), "{text}");
    }
}
