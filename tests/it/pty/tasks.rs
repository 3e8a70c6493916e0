//! What people come for, from the start to its end, with the keys counted. Words of a query are
//! counted by their letters. The same is done line by line, where nothing is drawn over.

use super::setup::Setup;
use super::terminal::Terminal;
use crate::env::TestEnv;

/// A terminal whose keys are counted.
pub(super) struct Counted {
    pub(super) terminal: Terminal,
    keys: usize,
}

impl Counted {
    pub(super) fn start(setup: Setup) -> Self {
        Self { terminal: setup.start(), keys: 0 }
    }

    /// Types keys, as [`Terminal::type_keys`] takes them.
    pub(super) fn press(&mut self, keys: &str) {
        self.terminal.type_keys(keys);
        let mut rest = keys;
        while let Some(letter) = rest.chars().next() {
            let end = if letter == '<' { rest.find('>').map(|at| at + 1) } else { None };
            rest = &rest[end.unwrap_or(letter.len_utf8())..];
            self.keys += 1;
        }
    }

    /// Says yes to a question.
    pub(super) fn agree(&mut self, expected: &str) {
        self.terminal.agree(expected);
        self.keys += 1;
    }

    /// That the task took as many keys as the table in `docs/keys.md` says.
    pub(super) fn took_what_is_written(&self, task: &str) {
        let page = std::fs::read_to_string("docs/keys.md").unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| {task} |"))).unwrap();
        assert_eq!(row.split('|').nth(3).unwrap().trim(), self.keys.to_string(), "{row}");
    }

    /// Leaves with a key that does not count.
    pub(super) fn leave(mut self) {
        self.terminal.type_keys("<^c>");
        self.terminal.exit();
    }
}

/// Codex and Claude Code, and three skills in the folder that only Codex searches; `pdf` is linked
/// into Claude Code's as well.
fn two_agents() -> TestEnv {
    let env = TestEnv::new();
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}\n");
    for (name, what) in [("pdf", "Fills forms."), ("csv", "Reads tables."), ("zip", "Packs.")] {
        env.skill("home/.agents/skills", name, what);
    }
    std::fs::create_dir_all(env.at("home/.claude/skills")).unwrap();
    let link = env.at("home/.claude/skills/pdf");
    std::os::unix::fs::symlink("../../.agents/skills/pdf", link).unwrap();
    env
}

#[test]
fn a_skill_is_picked_for_the_agent_that_runs_here() {
    let env = two_agents();
    let setup = Setup::sh(&env, "skillpick --host all > picked").env("CLAUDECODE", "1");
    let mut task = Counted::start(setup);
    task.terminal.see_current("csv");
    task.press("pdf");
    task.terminal.see("prints /pdf for claude");
    task.press("<enter>");
    assert_eq!(task.terminal.exit(), 0);
    assert_eq!(env.read("repo/picked"), "/pdf\n");
    task.took_what_is_written("pick a skill for the agent that runs here");
}

#[test]
fn it_is_seen_why_claude_does_not_see_a_skill_and_mended() {
    let env = two_agents();
    let mut task = Counted::start(Setup::new(&env, &["--host", "claude"]));
    task.terminal.see("1 of 1 · 2 not seen");
    task.press("csv");
    task.terminal.see("does not look in ~/.agents/skills");
    task.press("<f6>");
    task.terminal.see("does not look there");
    task.press("jjs");
    task.terminal.see("undoes it");
    task.press("<esc>");
    task.terminal.see("1 of 2");
    assert!(env.at("home/.claude/skills/csv").is_symlink());
    task.took_what_is_written("see why Claude Code lacks a skill, and share it");
    task.leave();
}

#[test]
fn a_skill_is_off_everywhere_and_that_is_undone() {
    let env = two_agents();
    let before = env.read("home/.claude/settings.json");
    let mut task = Counted::start(Setup::new(&env, &["--host", "all"]));
    task.terminal.see_current("csv");
    task.press("pdf");
    task.terminal.see_current("pdf");
    task.press("<^x>");
    task.agree("claude");
    task.terminal.see("undoes it");
    assert!(env.read("home/.codex/config.toml").contains("enabled = false"));
    task.press("<alt-u>");
    task.terminal.see("undone");
    assert_eq!(env.read("home/.codex/config.toml"), "");
    assert_eq!(env.read("home/.claude/settings.json"), before);
    task.took_what_is_written("switch a skill off for all agents, and undo it");
    task.leave();
}

#[test]
fn three_skills_are_switched_and_named() {
    let env = two_agents();
    let mut task = Counted::start(Setup::new(&env, &["--host", "codex"]));
    task.terminal.see("3 of 3");
    task.terminal.see_current("csv");
    task.press("<tab><tab><tab>");
    task.terminal.see("3 marked");
    task.press("<^x>");
    task.terminal.see("csv, pdf, zip off");
    assert_eq!(env.read("home/.codex/config.toml").matches("enabled = false").count(), 3);
    task.took_what_is_written("switch three skills, and see their names");
    task.leave();
}

#[test]
fn all_skills_without_frontmatter_are_mended_at_once() {
    let env = two_agents();
    let bare: Vec<_> = (0..3)
        .map(|index| {
            env.write(format!("home/.agents/skills/bare{index}/SKILL.md"), "# Bare\n\nIt.\n")
        })
        .collect();
    let mut task = Counted::start(Setup::new(&env, &["--host", "codex"]));
    // On the first rows the key would open the causes of another skill.
    task.terminal.see_current("csv");
    task.terminal.see("✗");
    task.press("<f2>");
    task.terminal.see("3 findings");
    task.press("x");
    task.agree("bare2");
    task.terminal.see("undoes it");
    for path in bare {
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("---\n"), "{path:?}");
    }
    task.took_what_is_written("write the frontmatter of all skills that have none");
    task.leave();
}

/// Three folders with a `pdf` each: two that say the same, and one with another text.
fn three_copies() -> TestEnv {
    let env = two_agents();
    std::fs::remove_file(env.at("home/.claude/skills/pdf")).unwrap();
    env.skill("home/.claude/skills", "pdf", "Fills forms.");
    env.skill("home/.codex/skills", "pdf", "Fills forms, as I wrote it for Codex.");
    env
}

/// Whether one folder is left, to which the two others lead.
fn is_kept(env: &TestEnv) -> bool {
    let places = ["home/.agents/skills/pdf", "home/.claude/skills/pdf", "home/.codex/skills/pdf"];
    let real = places.map(|place| std::fs::canonicalize(env.at(place)).unwrap());
    real[0] == real[1] && real[1] == real[2]
}

#[test]
fn of_three_copies_one_is_kept_and_that_is_undone() {
    let env = three_copies();
    let before = env.read("home/.codex/skills/pdf/SKILL.md");
    let mut task = Counted::start(Setup::new(&env, &["--host", "all"]));
    task.terminal.see_current("csv");
    task.press("pdf");
    task.terminal.see("⇉3");
    task.press("<right>");
    task.terminal.see("the others are compared with this one");
    task.press("K");
    task.agree("as I wrote it for Codex");
    task.terminal.see("one pdf kept for all · Alt-u undoes it");
    // The screen closes as soon as one is left.
    task.terminal.see("1 of 3 · all agents");
    assert!(is_kept(&env));
    task.press("<alt-u>");
    task.terminal.see("undone");
    task.terminal.see("⇉3");
    assert!(!is_kept(&env));
    assert_eq!(env.read("home/.codex/skills/pdf/SKILL.md"), before);
    task.took_what_is_written("keep one of three copies, and undo it");
    task.leave();
}

#[test]
fn of_three_copies_one_is_kept_line_by_line() {
    let env = three_copies();
    let setup = Setup::sh(&env, "skillpick --linear --host all > picked");
    let mut task = Counted::start(setup);
    task.terminal.see("5. zip");
    task.press("pdf<enter>");
    task.terminal.see("3 skills for pdf.");
    task.press("k 1<enter>");
    task.terminal.see("by a link to");
    task.terminal.see("write it? yes or no.");
    task.press("y<enter>");
    task.terminal.see("is kept for all. u undoes it.");
    assert!(is_kept(&env));
    task.press("u<enter>");
    task.terminal.see("undone: one pdf kept for all (change 1).");
    assert!(!is_kept(&env));
    task.took_what_is_written("… keep one of three copies, and undo it");
    task.leave();
}

#[test]
fn from_the_first_run_to_the_first_skill() {
    let env = TestEnv::new();
    let mut task = Counted::start(Setup::new(&env, &["--host", "agents"]));
    task.terminal.see("n  makes a new one here");
    task.press("n");
    task.terminal.see("A new skill");
    task.press("Notes<enter>");
    task.terminal.see("has capital letters");
    task.press("<^u>notes<enter>");
    task.agree("+name: notes");
    task.terminal.see("notes created · Alt-u undoes it");
    task.terminal.see_current("notes");
    assert!(env.read("repo/.agents/skills/notes/SKILL.md").starts_with("---\nname: notes\n"));
    task.press("<enter>");
    assert_eq!(task.terminal.exit(), 0);
    task.took_what_is_written("make the first skill of a new machine");
}

#[test]
fn on_the_first_run_skills_are_linked_and_the_examples_are_browsed() {
    let env = TestEnv::new();
    env.skill("home/mine", "pdf", "Fills forms.");
    let setup = Setup::sh(&env, "skillpick --host agents > picked");
    let mut task = Counted::start(setup);
    task.terminal.see("l  links a folder");
    task.press("l~/mine<enter>");
    task.agree("~/mine/pdf");
    task.terminal.see("pdf linked");
    task.terminal.see_current("pdf");
    task.press("<alt-u>");
    task.terminal.see("b  browses the examples");
    task.press("b");
    task.terminal.see_current("csv-report");
    task.terminal.see("these are examples");
    // Esc goes back, as the same key does, and there is nothing again.
    task.press("<esc>");
    task.terminal.see("b  browses the examples");
    task.press("b");
    task.terminal.see_current("csv-report");
    task.press("notes<enter>");
    assert_eq!(task.terminal.exit(), 0);
    assert!(env.read("repo/picked").contains("meeting-notes"));
}

/// The same without a screen. A line counts by its letters and its end.
fn talk(env: &TestEnv, host: &str) -> Counted {
    let setup = Setup::sh(env, &format!("skillpick --linear --host {host} > picked"));
    Counted::start(setup.env("CLAUDECODE", "1"))
}

#[test]
fn line_by_line_a_skill_is_picked_and_three_are_switched() {
    let env = two_agents();
    let mut task = talk(&env, "all");
    task.terminal.see("3. zip, on. Packs.");
    task.press("2<enter>");
    assert_eq!(task.terminal.exit(), 0);
    assert_eq!(env.read("repo/picked"), "/pdf\n");
    task.took_what_is_written("the same without a screen: pick");
    let mut task = talk(&env, "codex");
    task.terminal.see("3. zip, on. Packs.");
    task.press("x 1 2 3<enter>");
    task.terminal.see("pdf, csv, zip off in Codex. u undoes it.");
    assert_eq!(env.read("home/.codex/config.toml").matches("enabled = false").count(), 3);
    task.took_what_is_written("… switch three skills, and see their names");
    assert!(!task.terminal.raw().contains(&0x1b));
    task.leave();
}

#[test]
fn line_by_line_it_is_said_why_claude_does_not_see_a_skill_and_it_is_shared() {
    let env = two_agents();
    let mut task = talk(&env, "all");
    task.terminal.see("1. csv, on.");
    task.press("w 1<enter>");
    task.terminal.see("claude: does not look there");
    task.press("s 1<enter>");
    task.terminal.see("shares csv with Claude Code: ");
    task.terminal.see("write it? yes or no.");
    assert!(!env.at("home/.claude/skills/csv").exists());
    task.press("y<enter>");
    task.terminal.see("csv is shared with Claude Code. u undoes it.");
    assert!(env.at("home/.claude/skills/csv").is_symlink());
    task.took_what_is_written("… see why Claude Code lacks a skill, and share it");
    task.terminal.type_keys("s 1<enter>");
    task.terminal.see("csv: every agent here looks in its folder.");
    task.terminal.type_keys("u<enter>");
    task.terminal.see("undone: ");
    assert!(!env.at("home/.claude/skills/csv").exists());
    assert!(!task.terminal.raw().contains(&0x1b));
    task.leave();
}

#[test]
fn line_by_line_a_skill_is_off_everywhere_and_that_is_undone() {
    let env = two_agents();
    let before = env.read("home/.claude/settings.json");
    let mut task = talk(&env, "all");
    task.terminal.see("2. pdf, on.");
    task.press("x 2<enter>");
    task.terminal.see("write it? yes or no.");
    task.press("y<enter>");
    task.terminal.see("off. u undoes it.");
    assert!(env.read("home/.codex/config.toml").contains("enabled = false"));
    task.terminal.see("claude");
    task.press("u<enter>");
    task.terminal.see("undone: ");
    assert_eq!(env.read("home/.codex/config.toml"), "");
    assert_eq!(env.read("home/.claude/settings.json"), before);
    task.took_what_is_written("… switch a skill off for all agents, and undo it");
    task.leave();
}

#[test]
fn line_by_line_frontmatter_is_written_the_limit_is_met_and_the_first_skill_is_made() {
    let env = two_agents();
    let bare = |index| format!("home/.agents/skills/bare{index}/SKILL.md");
    (0..3).for_each(|index| drop(env.write(bare(index), "# Bare\n\nIt.\n")));
    let mut task = talk(&env, "codex");
    task.terminal.see("6. bare2, cannot be offered.");
    task.press("f 4 5 6<enter>");
    for index in 0..3 {
        task.terminal.see(&format!("bare{index}: 1 problem."));
        task.press("y<enter>");
        task.terminal.see(&format!("bare{index} is mended. u undoes it."));
        assert!(env.read(&bare(index)).starts_with("---\n"));
    }
    task.took_what_is_written("… write the frontmatter of all skills that have none");
    task.leave();
    let env = super::budget::env();
    let mut task = talk(&env, "claude");
    task.terminal.see("2. two, on.");
    task.press("c<enter>");
    task.terminal.see("cut: ");
    task.press("x 1<enter>");
    task.terminal.see("write it? yes or no.");
    task.press("y<enter>");
    task.terminal.see("off in Claude Code. u undoes it.");
    task.took_what_is_written("… find what the limit cuts, and win it back");
    task.terminal.type_keys("c<enter>");
    task.terminal.see("344 of 370");
    task.leave();
    let env = TestEnv::new();
    let mut task = talk(&env, "agents");
    task.terminal.see("no skills yet.");
    task.press("n notes<enter>");
    task.terminal.see("write it? yes or no.");
    task.press("y<enter>");
    task.terminal.see("1. notes, on.");
    task.press("1<enter>");
    assert_eq!(task.terminal.exit(), 0);
    assert!(env.read("repo/picked").contains("notes"));
    task.took_what_is_written("… make the first skill of a new machine");
}

#[test]
fn a_share_is_made_and_ended_with_the_same_key_through_one_agent_and_through_all() {
    for host in ["claude", "codex", "all"] {
        let env = two_agents();
        let mut task = Counted::start(Setup::new(&env, &["--host", host]));
        task.terminal.see("zip");
        task.press("zip");
        task.terminal.see_current("zip");
        task.press("<f6>");
        task.terminal.see("does not look there");
        task.press("<end>s");
        task.terminal.see("zip is shared with Claude Code");
        task.terminal.miss("does not look there");
        assert!(env.at("home/.claude/skills/zip").is_symlink(), "{host}");
        task.press("s");
        task.terminal.see("no longer shared");
        task.terminal.see("does not look there");
        assert!(!env.at("home/.claude/skills/zip").exists(), "{host}");
        task.leave();
    }
}
