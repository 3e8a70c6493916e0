//! What a conversation keeps: room for new skills, and which texts the model still has.

use super::*;
use crate::state::activity::Activity;

/// The texts of skills as they are now.
fn texts(test: &TestWorkspace, names: &[&str]) -> Vec<Loaded> {
    let view = test.view();
    let caller = caller(test, &view);
    let mut nobody = |_: &_, _: &_, _| Reply::Nobody;
    let gate = &mut ConsentGate::new(None, By::Model, &mut nobody);
    let gathered = caller.load_all(&words(names), gate).unwrap();
    let mut texts = Vec::new();
    let keep = |loaded| {
        texts = loaded;
        Ok((Vec::new(), ()))
    };
    caller.hand_over(gathered, keep).unwrap();
    texts
}

/// Loads within a session of this process.
fn add(test: &TestWorkspace, session: &mut Session, names: &[&str]) -> Vec<Handed> {
    session.admit(texts(test, names), Mode::Add, Rules::default()).unwrap()
}

#[test]
fn run_7_the_oldest_make_room_if_the_rules_say_so_and_the_log_has_them() {
    let test = test();
    let view = test.view();
    let caller = caller(&test, &view);
    let mut session = Session::default();
    let mut admit = |names: &[&str], mode, drop_oldest| {
        let rules = Rules { cap: 2, drop_oldest, ..Rules::default() };
        let dropped = caller.admit(&mut session, texts(&test, names), mode, rules)?.dropped;
        let names = |skills: &[SavedSkill]| skills.iter().map(|skill| skill.name.clone()).collect();
        Ok::<(Vec<String>, Vec<String>), SessionError>((names(&dropped), names(session.active())))
    };
    let of = |dropped: &[&str], active: &[&str]| Ok((words(dropped), words(active)));
    assert_eq!(admit(&["a", "b"], Mode::Add, true), of(&[], &["a", "b"]));
    let full = admit(&["c"], Mode::Add, false);
    assert!(matches!(full, Err(SessionError::TooMany { wanted: 3, cap: 2, .. })), "{full:?}");
    assert_eq!(admit(&["c"], Mode::Add, true), of(&["a"], &["b", "c"]));
    assert_eq!(admit(&["b", "a"], Mode::Add, true), of(&["c"], &["b", "a"]));
    assert_eq!(admit(&["c"], Mode::Replace, true), of(&["b", "a"], &["c"]));
    let calls = Activity::load(test.workspace.state_dir.as_ref().unwrap()).calls;
    let unloads = calls.iter().filter(|call| call.kind == crate::catalog::CallKind::Unload);
    let mut unloaded: Vec<_> = unloads.map(|call| call.skill.as_str()).collect();
    unloaded.sort_unstable();
    assert_eq!(unloaded, ["a", "a", "b", "c"]);
}

#[test]
fn only_a_change_of_style_forgets_what_the_model_has() {
    let test = test();
    let mut session = Session::default();
    assert_eq!(kinds(&add(&test, &mut session, &["a"])), ["text"]);
    session.set_style(Style::ToolResult);
    assert_eq!(kinds(&add(&test, &mut session, &["a"])), ["reminder"]);
    session.set_style(Style::Instructions);
    assert_eq!(session.style(), Style::Instructions);
    session.set_style(Style::ToolResult);
    assert_eq!(kinds(&add(&test, &mut session, &["a"])), ["text"]);
}

#[test]
fn what_did_not_reach_the_model_is_given_again_and_the_rest_is_not() {
    let test = test();
    let mut session = Session::default();
    let handed = add(&test, &mut session, &["a", "b"]);
    session.untold(&Handed::texts(&handed[..1]));
    let again = add(&test, &mut session, &["a", "b"]);
    assert_eq!(kinds(&again), ["text", "reminder"]);
    session.untold(&Handed::texts(&again[1..]));
    assert_eq!(kinds(&add(&test, &mut session, &["b"])), ["reminder"], "a reminder is no text");
}

#[test]
fn a_session_has_the_skills_that_it_has_loaded_and_no_others() {
    let test = test();
    let mut session = Session::default();
    add(&test, &mut session, &["a"]);
    let [a, b] = ["a", "b"].map(|name| texts(&test, &[name]).remove(0).skill);
    assert!(session.has(&a) && !session.has(&b));
}

#[test]
fn a_file_that_was_written_again_is_another_text() {
    let test = test();
    let mut session = Session::default();
    add(&test, &mut session, &["a"]);
    let file = test.env.at("repo/.agents/skills/a/SKILL.md");
    let file = std::fs::File::options().write(true).open(file).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(kinds(&add(&test, &mut session, &["a"])), ["text"]);
}

#[test]
fn only_a_known_conversation_is_changed_and_an_id_has_a_longest_length() {
    let test = test();
    let view = test.view();
    let caller = caller(&test, &view);
    let has =
        |id: &str| caller.change_known_session(id, |session| Ok(session.active().len())).unwrap();
    assert_eq!(has("chat"), None);
    load(&test, &["a"], Mode::Add).unwrap();
    assert_eq!(has("chat"), Some(1));
    assert_eq!(caller.session(&"x".repeat(MAX_ID)).unwrap(), None);
}

#[test]
fn a_body_ends_with_one_line_end_in_the_instructions() {
    for body in ["Body", "Body\n"] {
        let mut test = test();
        let text = format!("---\nname: a\ndescription: d\n---\n{body}");
        test.write("repo/.agents/skills/a/SKILL.md", &text);
        let mut session = Session::default();
        add(&test, &mut session, &["a"]);
        let view = test.view();
        let text = caller(&test, &view).instructions(&session).text;
        assert!(text.contains(">\nBody\n</skill>"), "{text}");
    }
}

#[test]
fn a_skill_that_is_there_but_not_in_the_view_is_unseen() {
    let test = test();
    let mut session = Session::default();
    add(&test, &mut session, &["a"]);
    let state = |test: &TestWorkspace| {
        let view = test.view();
        caller(test, &view).lost(&session.active()[0])
    };
    assert_eq!(state(&test), LoadedState::Unseen);
    std::fs::remove_file(test.env.at("repo/.agents/skills/a/SKILL.md")).unwrap();
    assert_eq!(state(&test), LoadedState::Missing);
}
