//! The picker line by line: what a screen reader reads out, without a screen.

use super::setup::Setup;
use super::terminal::Terminal;
use crate::env::TestEnv;

const CONFIG: &str = "home/.config/skillpick/config.toml";

/// A talk whose selection goes to a file, as `$(…)` takes it.
fn talk(env: &TestEnv, arguments: &str) -> Terminal {
    let terminal = Setup::sh(
        env,
        &format!("skillpick --linear --host agents {arguments} > picked; echo ended $?"),
    );
    let terminal = terminal.env("TERM", "dumb").start();
    terminal.see("? is help");
    terminal
}

/// Nothing but text and line ends was written, so that nothing is drawn over.
fn is_lines(terminal: &Terminal) {
    let raw = terminal.raw();
    assert!(!raw.contains(&0x1b), "{}", String::from_utf8_lossy(&raw));
}

#[test]
fn a_skill_is_found_explained_and_picked_by_its_number() {
    let env = TestEnv::with_four_skills();
    let mut terminal = talk(&env, "");
    terminal.see("4 skills.");
    terminal.see("4. zebra, on. Draws stripes");
    terminal.type_keys("pdf<enter>");
    terminal.see("2 skills for pdf.");
    terminal.see("2. pdf-merge, on. Join portable documents");
    terminal.type_keys("w 2<enter>");
    terminal.see("pdf-merge, on, in ");
    terminal.see("agents: on");
    terminal.type_keys("r 2<enter>");
    terminal.see("The body of pdf-merge.");
    terminal.type_keys("9<enter>");
    terminal.see("there is no number 9 in this list.");
    terminal.type_keys("2<enter>");
    terminal.see("ended 0");
    is_lines(&terminal);
    terminal.exit();
    assert_eq!(env.read("repo/picked"), "$pdf-merge\n");
}

#[test]
fn marks_are_kept_in_their_order_and_an_end_of_input_leaves() {
    let env = TestEnv::with_four_skills();
    let mut terminal = talk(&env, "");
    terminal.see("4. zebra");
    terminal.type_keys("m 4 1<enter>");
    terminal.see("alpha: marked. 2 marked.");
    terminal.type_keys("b<enter>");
    terminal.see("1. alpha, on, marked.");
    terminal.type_keys("p<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert_eq!(env.read("repo/picked"), "$zebra $alpha\n");
    for keys in ["q<enter>", "<^d>"] {
        let mut terminal = talk(&env, "");
        // What was picked comes first now.
        terminal.see("4. pdf-merge");
        terminal.type_keys(keys);
        terminal.see("ended 130");
        terminal.exit();
        assert_eq!(env.read("repo/picked"), "");
    }
}

#[test]
fn a_switch_is_told_and_undone() {
    let env = TestEnv::with_four_skills();
    let mut terminal = talk(&env, "-q zebra");
    terminal.see("1. zebra, on.");
    terminal.type_keys("x 1<enter>");
    terminal.see("zebra off. u undoes it.");
    assert!(env.read(CONFIG).contains("zebra"));
    terminal.type_keys("b<enter>");
    terminal.see("1. zebra, off.");
    terminal.type_keys("1<enter>");
    terminal.see("skillpick enable");
    terminal.type_keys("u<enter>");
    terminal.see("undone: zebra off (change 1).");
    assert!(!env.at(CONFIG).exists() || !env.read(CONFIG).contains("zebra"));
    terminal.type_keys("?<enter>");
    terminal.see("u: undo the last change");
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    is_lines(&terminal);
    terminal.exit();
}

#[test]
fn a_problem_is_told_and_mended_after_a_yes() {
    let env = TestEnv::new();
    let path = env.write("repo/.agents/skills/bare/SKILL.md", "# Bare\n\nReads barcodes.\n");
    let mut terminal = talk(&env, "");
    terminal.see("1. bare, cannot be offered.");
    terminal.type_keys("f 1<enter>");
    terminal.see("error, line 1: ");
    terminal.see("write it? yes or no.");
    terminal.type_keys("no<enter>");
    terminal.see("nothing was changed.");
    assert!(!std::fs::read_to_string(&path).unwrap().starts_with("---"));
    terminal.type_keys("f 1<enter>yes<enter>");
    terminal.see("bare is mended. u undoes it.");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("---\nname: bare\n"));
    terminal.type_keys("b<enter>");
    terminal.see("1. bare, on. Reads barcodes.");
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    terminal.exit();
}

#[test]
fn other_peoples_text_is_inert_there_too() {
    let env = TestEnv::new();
    let hostile = "name: \"e\\e[31mvil\"\ndescription: \"a\\e]0;title\\a b\\u202ec\"";
    env.raw_skill("repo/.agents/skills/evil", hostile, "\u{1b}[2J\u{9b}31m body\n");
    let mut terminal = Setup::new(&env, &["--host", "agents"]).env("ACCESSIBLE", "1").start();
    terminal.see("1. e^[[31mvil, on.");
    terminal.type_keys("r 1<enter>w 1<enter>");
    terminal.see("agents: on");
    is_lines(&terminal);
    terminal.type_keys("q<enter>");
    assert_eq!(terminal.exit(), 130);
}

#[test]
fn several_problems_are_mended_one_after_the_other_each_by_its_name() {
    let env = TestEnv::new();
    for name in ["a-bare", "b-bare"] {
        env.write(format!("repo/.agents/skills/{name}/SKILL.md"), "# Bare\n\nReads barcodes.\n");
    }
    env.skill("repo/.agents/skills", "a-good", "Is listed before them once they are mended.");
    let cased = env.skill("repo/.agents/skills", "cased", "Has a file of an odd case.");
    std::fs::rename(&cased, cased.with_file_name("Skill.md")).unwrap();
    let mut terminal = talk(&env, "");
    terminal.see("4. cased, cannot be offered.");
    terminal.type_keys("f 2 3<enter>");
    terminal.see("a-bare: 1 problem.");
    terminal.type_keys("yes<enter>");
    terminal.see("a-bare is mended.");
    terminal.see("b-bare: 1 problem.");
    terminal.type_keys("yes<enter>");
    terminal.see("b-bare is mended.");
    terminal.type_keys("cased<enter>f 1<enter>");
    terminal.see("renames ");
    terminal.type_keys("yes<enter>");
    terminal.see("cased is mended.");
    assert!(cased.exists());
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    terminal.exit();
}

#[test]
fn the_first_skill_is_made_and_the_examples_are_read_out() {
    let env = TestEnv::new();
    let mut terminal = talk(&env, "");
    terminal.see("no skills yet.");
    terminal.type_keys("n Notes<enter>");
    terminal.see("has capital letters");
    terminal.type_keys("n notes<enter>");
    terminal.see("+name: notes");
    terminal.type_keys("yes<enter>");
    terminal.see("notes created. u undoes it.");
    terminal.see("1. notes, on.");
    terminal.type_keys("u<enter>");
    terminal.see("undone: notes created (change 1).");
    terminal.type_keys("b<enter>");
    terminal.see("these are examples");
    terminal.see("1. csv-report");
    terminal.type_keys("b<enter>");
    terminal.see("no skills yet.");
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    is_lines(&terminal);
    terminal.exit();
}

#[test]
fn what_the_limit_cuts_is_read_out_and_won_back() {
    let env = TestEnv::new();
    env.write("home/.claude/settings.json", "{\"skillListingBudgetFraction\": 0.00215}\n");
    for name in ["aa", "bb", "cc"] {
        env.skill("home/.claude/skills", name, &"Reads tables and writes them. ".repeat(9));
    }
    let setup = Setup::sh(&env, "skillpick --linear --host claude > picked; echo ended $?");
    let mut terminal = setup.env("TERM", "dumb").start();
    terminal.see("3. cc, on.");
    terminal.type_keys("c<enter>");
    terminal.see("Claude Code");
    terminal.see("cut: ");
    terminal.type_keys("x 2 3<enter>");
    terminal.see("write it? yes or no.");
    terminal.type_keys("yes<enter>");
    terminal.see("off in Claude Code. u undoes it.");
    terminal.type_keys("c<enter>");
    terminal.see("of 6.4k characters.");
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    is_lines(&terminal);
    terminal.exit();
}

#[test]
fn marks_are_found_and_an_unknown_agent_in_a_query_is_said() {
    let env = TestEnv::with_four_skills();
    let mut terminal = talk(&env, "");
    terminal.see("4. zebra");
    terminal.type_keys("m 4<enter>is:marked<enter>");
    terminal.see("1 skill for is:marked.");
    terminal.type_keys("host:cladue<enter>");
    terminal.see("query: ");
    terminal.see("claude");
    terminal.type_keys("q<enter>");
    terminal.see("ended 130");
    terminal.exit();
}

/// Compose line by line; what it prints is in `repo/out`.
fn write(env: &TestEnv, options: &str) -> Terminal {
    let line = format!("skillpick compose --linear {options} >out; echo ended $?");
    let terminal = Setup::sh(env, &line).env("TERM", "dumb").start();
    terminal.see("$ and letters put a skill in.");
    terminal
}

/// Codex is here and has all skills.
fn for_codex() -> TestEnv {
    let env = TestEnv::with_four_skills();
    env.write("home/.codex/config.toml", "");
    env
}

#[test]
fn a_prompt_is_written_line_by_line_and_a_skill_is_asked_for_where_several_are_meant() {
    let env = for_codex();
    let mut terminal = write(&env, "--for codex");
    terminal.see("prompt for codex.");
    terminal.type_keys(".<enter>");
    terminal.see("there is nothing to send.");
    terminal.type_keys("Use $pdf, not $HOME or $5<enter>");
    terminal.see("$pdf is which? Enter leaves it text.");
    terminal.see("2. pdf-merge, on, in ");
    terminal.type_keys("9<enter>");
    terminal.see("A number or a name of these; Enter leaves it text.");
    terminal.type_keys("pdf-merge<enter>");
    terminal.see("pdf-merge, on.");
    terminal.see("no skill begins with $HOME; it stays text.");
    terminal.type_keys("not this<enter>.undo<enter>");
    terminal.see("1 line left.");
    terminal.type_keys("<enter>then $zeb.<enter>");
    terminal.see("zebra, on.");
    terminal.type_keys(".read<enter>");
    terminal.see("3 lines:");
    terminal.see("then [zebra].");
    terminal.type_keys(".<enter>");
    terminal.see("ended 0");
    is_lines(&terminal);
    terminal.exit();
    let expected = "Use $pdf-merge, not $HOME or $5\n\nthen $zebra.\n";
    assert_eq!(env.read("repo/out"), expected);
}

#[test]
fn every_skill_that_the_agent_does_not_call_as_it_stands_is_named_once() {
    let env = for_codex();
    env.write("home/.claude/settings.json", "{}\n");
    for name in ["notes", "review"] {
        env.skill("repo/.claude/skills", name, "Claude's.");
    }
    let mut terminal = write(&env, "--for claude");
    for (line, name) in [
        ("Use $notes", "notes"),
        ("$review", "review"),
        ("$notes", "notes"),
        ("$zebra", "zebra"),
        ("$pdf-merge", "pdf-merge"),
    ] {
        let from = terminal.mark();
        terminal.type_keys(&format!("{line}<enter>"));
        terminal.see_bytes(from, format!("{name}, ").as_bytes());
    }
    terminal.type_keys(".<enter>");
    terminal.see("ended 0");
    terminal
        .see("claude does not look in the folders of zebra, pdf-merge: their paths say which file");
    let hints = "Claude Code runs a call only at the very start; notes, review are hints";
    terminal.see(hints);
    terminal.exit();
}

#[test]
fn the_last_line_of_a_given_text_is_taken_back_alone() {
    let env = for_codex();
    let file = env.write("prompt", "line one\nline two\nline three\n");
    let mut terminal = write(&env, &format!("--for codex --edit '{}'", file.display()));
    terminal.see("3 lines:");
    terminal.type_keys(".undo<enter>");
    terminal.see("2 lines left.");
    terminal.type_keys(".<enter>");
    terminal.see("ended 0");
    terminal.exit();
    assert_eq!(env.read("prompt"), "line one\nline two\n");
}

#[test]
fn control_characters_are_left_out_and_counted_there_too() {
    let env = for_codex();
    let before = "a\u{1b}[31mb\u{7} c\n";
    let file = env.write("prompt", before);
    for (typed, after) in [("", before), ("d<^g>e<enter>", "a[31mb c\nde\n")] {
        let options = format!("--for codex --edit '{}'", file.display());
        let mut terminal = write(&env, &options);
        terminal.see("2 control characters were left out.");
        terminal.see("a[31mb c");
        terminal.type_keys(typed);
        if !typed.is_empty() {
            terminal.see("1 control character was left out.");
        }
        terminal.type_keys(".<enter>");
        terminal.see("ended 0");
        is_lines(&terminal);
        terminal.exit();
        assert_eq!(env.read("prompt"), after);
    }
}

#[test]
fn a_skill_where_the_agent_does_not_look_is_told_so_behind_its_own() {
    let env = for_codex();
    env.write("home/.claude/settings.json", "{}\n");
    for folder in [".agents", ".claude"] {
        env.skill(&format!("repo/{folder}/skills"), "notes", "Takes notes.");
    }
    let mut terminal = write(&env, "--for claude");
    terminal.type_keys("$notes<enter>");
    terminal.see("1. notes, on, in ");
    terminal.see("2. notes, by its path, in ");
    terminal.type_keys("<enter><^d>");
    terminal.see("ended 130");
    terminal.exit();
}

#[test]
fn a_prompt_that_is_left_is_the_draft_and_what_cannot_be_sent_is_said() {
    let env = for_codex();
    let mut terminal = write(&env, "--for codex");
    terminal.type_keys("Use $zebra now<enter>");
    terminal.see("zebra, on.");
    terminal.type_keys("<^d>");
    terminal.see("ended 130");
    terminal.exit();
    assert_eq!(env.read("repo/out"), "");
    std::fs::rename(env.at("repo/.agents/skills/zebra"), env.at("home/zebra")).unwrap();
    let mut terminal = write(&env, "--for codex");
    terminal.see("Use [zebra] now");
    terminal.type_keys("more<enter>.<enter>");
    terminal.see("zebra is not there any more");
    std::fs::rename(env.at("home/zebra"), env.at("repo/.agents/skills/zebra")).unwrap();
    terminal.type_keys("<^d>");
    terminal.see("ended 130");
    terminal.exit();
    let mut terminal = write(&env, "--for codex --inject");
    terminal.see("more");
    terminal.type_keys(".<enter>");
    terminal.see("ended 0");
    terminal.exit();
    let out = env.read("repo/out");
    assert!(out.starts_with("<skill_context name=\"zebra\""), "{out}");
    assert!(out.ends_with("Use zebra now\nmore\n"), "{out}");
    let mut terminal = write(&env, "--for codex");
    terminal.type_keys("<^d>");
    terminal.see("ended 130");
    assert!(!terminal.text().contains("line:"), "it was sent: {}", terminal.text());
    terminal.exit();
}

#[test]
fn a_terminal_that_no_screen_can_be_drawn_on_is_told_of_it() {
    let env = TestEnv::with_four_skills();
    for words in [&[] as &[&str], &["compose"]] {
        let mut terminal = Setup::new(&env, words).env("TERM", "dumb").start();
        terminal.see("--linear talks line by line on this one");
        assert_eq!(terminal.exit(), 2);
    }
    let mut terminal = Setup::new(&env, &[]).env("TERM", "dumb").no_controlling_terminal().start();
    terminal.see("the picker needs a terminal");
    assert!(!terminal.text().contains("--linear"), "{}", terminal.text());
    terminal.exit();
}
