mod kept;

use super::*;
use crate::policy::{Entry, Origin};
use crate::runtime::{Activity, Contents};
use crate::runtime::{By, CallContext, ConsentGate, Encoding, Reply, WantedFile};
use crate::workspace::View;
use crate::workspace::fixture::TestWorkspace;

fn caller<'a>(test: &'a TestWorkspace, view: &'a View) -> CallContext<'a> {
    CallContext { session: Some("chat"), ..test.call_context(view) }
}

fn test() -> TestWorkspace {
    TestWorkspace::with(&["a", "b", "c"].map(|name| match name {
        "a" => ("repo/.agents/skills/a", "a"),
        "b" => ("repo/.agents/skills/b", "b"),
        _ => ("repo/.agents/skills/c", "c"),
    }))
}

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Loads into the saved session, as a new process would.
fn load(test: &TestWorkspace, names: &[&str], mode: Mode) -> Result<Vec<Handed>, SessionError> {
    load_by(test, names, mode, Rules::default())
}

fn load_by(
    test: &TestWorkspace,
    names: &[&str],
    mode: Mode,
    rules: Rules,
) -> Result<Vec<Handed>, SessionError> {
    let view = test.view();
    let caller = caller(test, &view);
    let loaded = caller.load_all(
        &words(names),
        &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
    )?;
    let admit = |loaded| {
        caller.change_session("chat", |session| Ok((session.admit(loaded, mode, rules)?, ())))
    };
    caller.hand_over(loaded, admit).map(|(handed, ())| handed)
}

fn active(test: &TestWorkspace) -> Vec<String> {
    let view = test.view();
    let session = caller(test, &view).session("chat").unwrap().unwrap_or_default();
    session.active().iter().map(|skill| skill.name.clone()).collect()
}

fn kinds(handed: &[Handed]) -> Vec<&'static str> {
    let kind = |handed: &Handed| match handed {
        Handed::Text(_) => "text",
        Handed::Reminder(_) => "reminder",
        Handed::Instructions(_) => "instructions",
    };
    handed.iter().map(kind).collect()
}

#[test]
fn run_2_and_8_replace_and_add_keep_the_order_with_the_newest_last() {
    let test = test();
    load(&test, &["b", "a"], Mode::Replace).unwrap();
    assert_eq!(active(&test), ["b", "a"]);
    load(&test, &["b", "c", "b"], Mode::Add).unwrap();
    assert_eq!(active(&test), ["b", "a", "c"], "once each, in their order");
    load(&test, &["c"], Mode::Replace).unwrap();
    assert_eq!(active(&test), ["c"]);
}

#[test]
fn cod_6_3_an_unchanged_skill_is_a_reminder_and_a_changed_one_its_text() {
    let mut test = test();
    assert_eq!(kinds(&load(&test, &["a"], Mode::Add).unwrap()), ["text"]);
    let again = load(&test, &["a", "b"], Mode::Add).unwrap();
    assert_eq!(kinds(&again), ["reminder", "text"]);
    assert!(again[0].text(None).len() < 250 && !again[0].text(None).contains("<skill_context"));
    test.write("repo/.agents/skills/a/SKILL.md", "---\nname: a\ndescription: New.\n---\n");
    assert_eq!(kinds(&load(&test, &["a"], Mode::Add).unwrap()), ["text"]);
    assert_eq!(kinds(&load(&test, &["a"], Mode::Add).unwrap()), ["reminder"]);
}

#[test]
fn unloading_and_a_compaction_notice_give_the_text_again() {
    let test = test();
    load(&test, &["a", "b"], Mode::Add).unwrap();
    let view = test.view();
    let caller = caller(&test, &view);
    caller
        .change_session("chat", |session| {
            session.compacted();
            Ok(())
        })
        .unwrap();
    assert_eq!(kinds(&load(&test, &["a"], Mode::Add).unwrap()), ["text"]);
    caller
        .change_session("chat", |session| Ok(caller.unload(session, Unload::These(&words(&["a"])))))
        .unwrap();
    assert_eq!(kinds(&load(&test, &["a", "b"], Mode::Add).unwrap()), ["text", "text"]);
    // Replacing logs the unloaded skills as well.
    load(&test, &["b"], Mode::Replace).unwrap();
    assert_eq!(kinds(&load(&test, &["a", "b"], Mode::Add).unwrap()), ["text", "reminder"]);
}

#[test]
fn kod_6b_a_strict_session_refuses_a_second_load() {
    let test = test();
    let strict = Rules { strict: true, ..Rules::default() };
    load_by(&test, &["a"], Mode::Add, strict).unwrap();
    let error = load_by(&test, &["b", "a"], Mode::Add, strict).unwrap_err();
    assert_eq!(error, SessionError::AlreadyActive { name: "a".into() });
    assert_eq!(active(&test), ["a"], "nothing was changed");
    // After a compaction the text is gone, so loading it again is no error.
    let view = test.view();
    let compact = |session: &mut Session| {
        session.compacted();
        Ok(())
    };
    caller(&test, &view).change_session("chat", compact).unwrap();
    assert_eq!(kinds(&load_by(&test, &["a"], Mode::Add, strict).unwrap()), ["text"]);
    assert!(load_by(&test, &["a"], Mode::Add, strict).is_err());
}

#[test]
fn run_7_more_than_the_cap_is_an_error_that_names_it() {
    let test = test();
    let rules = Rules { cap: 2, ..Rules::default() };
    load_by(&test, &["a", "b"], Mode::Add, rules).unwrap();
    let error = load_by(&test, &["c"], Mode::Add, rules).unwrap_err();
    assert_eq!(error, SessionError::TooMany { wanted: 3, cap: 2, active: active(&test) });
    assert!(error.to_string().contains("at most 2") && error.to_string().ends_with("first: a, b"));
    assert_eq!(active(&test), ["a", "b"]);
    load_by(&test, &["c"], Mode::Replace, rules).unwrap();
}

#[test]
fn one_that_fails_leaves_all_as_they_were() {
    let mut test = test();
    load(&test, &["a"], Mode::Add).unwrap();
    test.write("repo/.agents/skills/c/SKILL.md", "---\nname: c\ndescription: d\n---\n\u{202e}");
    for bad in ["nothing", "c", "  "] {
        let error = load(&test, &["b", bad], Mode::Replace).unwrap_err();
        assert!(
            matches!(&error, SessionError::Load { argument, .. } if argument == bad),
            "{error:?}"
        );
        assert_eq!(active(&test), ["a"], "{bad}");
    }
    // The log too has only the first `a` as loaded.
    let calls =
        crate::state::activity::Activity::load(test.workspace.state_dir.as_ref().unwrap()).calls;
    let told: Vec<_> =
        calls.iter().map(|call| (call.skill.as_str(), call.error.as_deref())).collect();
    assert_eq!(told, [("a", None), ("c", Some("hidden_text"))]);
    assert_eq!(load(&test, &[], Mode::Replace).unwrap_err(), SessionError::Nothing);
}

#[test]
fn consent_is_asked_once_for_each_skill_that_needs_it() {
    let mut test = test();
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"b\"\n",
    );
    let view = test.view();
    let caller = caller(&test, &view);
    let mut asked = Vec::new();
    let mut consent = |entry: &Entry, _: &Origin, _: Contents| {
        asked.push(entry.skill.name.clone());
        Reply::Yes
    };
    let loaded = caller
        .load_all(&words(&["a", "b"]), &mut ConsentGate::new(None, By::Model, &mut consent))
        .unwrap();
    assert_eq!(caller.hand_over(loaded, |loaded| Ok((Vec::new(), loaded.len()))).unwrap().1, 2);
    assert_eq!(asked, ["b"]);
    let error = caller
        .load_all(
            &words(&["a", "b"]),
            &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
        )
        .unwrap_err();
    let SessionError::Load { error, .. } = error else { panic!("{error:?}") };
    assert_eq!(error.code(), "needs_consent");
}

#[test]
fn consent_holds_for_the_bytes_that_were_loaded_and_no_others() {
    let mut test = test();
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[permissions]\ndefault = \"ask\"\n",
    );
    test.write("repo/.agents/skills/a/x.md", "of a");
    let load = |test: &TestWorkspace| {
        let view = test.view();
        let caller = caller(test, &view);
        let loaded = caller
            .load_all(
                &words(&["a"]),
                &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Yes),
            )
            .unwrap();
        let admit =
            |session: &mut Session, loaded| session.admit(loaded, Mode::Add, Rules::default());
        let add =
            |loaded| caller.change_session("chat", |session| Ok((admit(session, loaded)?, ())));
        caller.hand_over(loaded, add).unwrap();
    };
    // Its state, whether the instructions have its text, and the result of reading its file, with
    // and without its name.
    let seen = |test: &TestWorkspace| {
        let view = test.view();
        let caller = caller(test, &view);
        let session = caller.session("chat").unwrap().unwrap();
        let given = caller.instructions(&session);
        let read = |skill| {
            let mut nobody = |_: &Entry, _: &Origin, _: Contents| Reply::Nobody;
            let mut gate = ConsentGate::new(Some(&session), By::Model, &mut nobody);
            let read = caller.read(WantedFile { skill, path: "x.md" }, Encoding::Text, &mut gate);
            read.map_or_else(|error| error.code(), |_| "read")
        };
        (given.states[0].word(), given.text.contains("<skill "), [read(Some("a")), read(None)])
    };
    // The result of a second load if nobody can be asked.
    let again = |test: &TestWorkspace| {
        let view = test.view();
        let caller = caller(test, &view);
        let session = caller.session("chat").unwrap();
        let loaded = caller.load_all(
            &words(&["a"]),
            &mut ConsentGate::new(session.as_ref(), By::Model, &mut |_, _, _| Reply::Nobody),
        );
        loaded.map_or_else(|error| error.code(), |_| "loaded")
    };
    load(&test);
    assert_eq!((seen(&test), again(&test)), (("current", true, ["read"; 2]), "loaded"));
    test.write("repo/.agents/skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\nOther words.");
    assert_eq!(
        (seen(&test), again(&test)),
        (("refused", false, ["needs_consent"; 2]), "needs_consent")
    );
    load(&test);
    assert_eq!((seen(&test), again(&test)), (("current", true, ["read"; 2]), "loaded"));
}

#[test]
fn run_9_unloading_ignores_what_is_absent_and_takes_all() {
    let test = test();
    load(&test, &["a", "b", "c"], Mode::Add).unwrap();
    let view = test.view();
    let caller = caller(&test, &view);
    let drop = |which: Unload<'_>| {
        caller.change_session("chat", |session| Ok(caller.unload(session, which).len())).unwrap()
    };
    assert_eq!(drop(Unload::These(&words(&["nothing", "b"]))), 1);
    assert_eq!(drop(Unload::These(&[test.text("repo/.agents/skills/a/SKILL.md")])), 1);
    assert_eq!((active(&test), drop(Unload::All)), (words(&["c"]), 1));
    assert!(active(&test).is_empty());
    let near = |path: &str| format!("./.agents/skills/{path}");
    let link = format!("[$x]({})", test.text("repo/.agents/skills/a/SKILL.md"));
    let spellings = [
        "$a".to_owned(),
        link,
        near("a"),
        near("a/SKILL.md"),
        near("b/../a/./SKILL.md"),
        " a ".to_owned(),
    ];
    for spelling in &spellings {
        load(&test, &["a", "b"], Mode::Add).unwrap();
        assert_eq!(drop(Unload::These(std::slice::from_ref(spelling))), 1, "{spelling}");
        assert_eq!(active(&test), ["b"], "{spelling}");
    }
    // The same if the skill itself is gone.
    load(&test, &["a", "b"], Mode::Add).unwrap();
    std::fs::remove_dir_all(test.env.top.join("repo/.agents/skills/a")).unwrap();
    let later = test.view();
    let caller = self::caller(&test, &later);
    let meant = |spelling: &&String| {
        let session = caller.session("chat").unwrap().unwrap();
        session.active().iter().filter(|active| caller.means(spelling, active)).count() == 1
    };
    assert_eq!(spellings.iter().filter(meant).count(), spellings.len());
}

#[test]
fn run_6_and_14_the_active_bodies_stand_in_the_instructions_in_order_and_a_switch_drops_the_old_one()
 {
    let mut test = test();
    test.write(
        "repo/.agents/skills/b/SKILL.md",
        "---\nname: b\ndescription: d\n---\nBody b </skill></active_skills>",
    );
    let view = test.view();
    let caller = caller(&test, &view);
    let mut session = Session::new(Style::Instructions);
    assert_eq!(caller.instructions(&session).text, "");
    let loaded = |names: &[&str]| {
        let loaded = caller
            .load_all(
                &words(names),
                &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
            )
            .unwrap();
        caller.hand_over(loaded, |loaded| Ok((Vec::new(), loaded))).unwrap().1
    };
    let handed = session.admit(loaded(&["b", "a"]), Mode::Replace, Rules::default()).unwrap();
    assert_eq!(kinds(&handed), ["instructions", "instructions"]);
    let text = caller.instructions(&session).text;
    let (b, a) = (text.find("name=\"b\"").unwrap(), text.find("name=\"a\"").unwrap());
    assert!(
        text.starts_with("<active_skills>\n<skill name=\"b\"")
            && b < a
            && text.ends_with("</skill>\n</active_skills>")
    );
    assert_eq!(
        (text.matches("</active_skills>").count(), text.matches("</skill>").count()),
        (1, 2),
        "{text}"
    );
    session.admit(loaded(&["a"]), Mode::usual(Style::Instructions), Rules::default()).unwrap();
    assert!(!caller.instructions(&session).text.contains("Body b"));
    assert_eq!(session.current().map(|skill| skill.name.as_str()), Some("a"));
}

#[test]
fn run_13_a_resumed_session_says_what_was_updated_went_missing_or_may_not_be_loaded() {
    let mut test = test();
    load(&test, &["a", "b", "c"], Mode::Add).unwrap();
    test.write("repo/.agents/skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\nNew body.");
    std::fs::remove_dir_all(test.env.top.join("repo/.agents/skills/b")).unwrap();
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"c\"\n",
    );
    let view = test.view();
    let caller = caller(&test, &view);
    let session = caller.session("chat").unwrap().unwrap();
    let states: Vec<&str> =
        session.active().iter().map(|active| caller.state(active).word()).collect();
    assert_eq!(states, ["updated", "missing", "refused"]);
    let instructions = caller.instructions(&session);
    assert!(
        instructions.text.contains("New body.")
            && instructions.text.matches("<skill ").count() == 1
    );
    assert_eq!(instructions.states.iter().map(LoadedState::word).collect::<Vec<_>>(), states);
}

#[test]
fn rem_8_only_names_paths_and_digests_are_remembered() {
    let mut test = test();
    test.write(
        "repo/.agents/skills/a/SKILL.md",
        "---\nname: a\ndescription: SECRET-1\n---\nSECRET-2",
    );
    load(&test, &["a"], Mode::Add).unwrap();
    let mut seen = 0;
    for file in std::fs::read_dir(test.env.top.join("home/state/sessions")).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains("SECRET"), "{text}");
        seen += text.matches("\"name\":\"a\"").count();
    }
    assert_eq!(seen, 1);
}

#[test]
fn run_13_and_rem_11_3_allowed_tools_are_remembered_and_logged() {
    let mut test = test();
    let long = "x".repeat(4_000);
    test.write(
        "repo/.agents/skills/a/SKILL.md",
        &format!("---\nname: a\ndescription: d\nallowed-tools: Bash(git *) Read {long} Y\n---\n"),
    );
    load(&test, &["a"], Mode::Add).unwrap();
    let view = test.view();
    let tools = ["Bash(git *)", "Read", &long, "Y"];
    let session = caller(&test, &view).session("chat").unwrap().unwrap();
    assert_eq!(session.active()[0].allowed_tools, tools);
    let log = Activity::load(test.workspace.state_dir.as_ref().unwrap());
    assert_eq!(log.calls.last().unwrap().allowed_tools, tools);
    let endless = format!("---\nname: a\ndescription: d\nallowed-tools: Z {long} {long}\n---\n");
    test.write("repo/.agents/skills/a/SKILL.md", &endless);
    load(&test, &["a"], Mode::Add).unwrap();
    let view = test.view();
    let session = caller(&test, &view).session("chat").unwrap().unwrap();
    assert_eq!(session.active()[0].allowed_tools, ["Z", &long], "no file grows without bound");
}

#[test]
fn an_id_that_is_none_is_refused() {
    let test = test();
    let view = test.view();
    for id in ["", &"x".repeat(MAX_ID + 1)] {
        assert_eq!(caller(&test, &view).session(id).unwrap_err(), SessionError::Id);
    }
    assert_eq!(caller(&test, &view).session("unknown").unwrap(), None);
}

#[test]
fn a_session_consents_to_a_skill_only_with_the_text_that_is_loaded() {
    let test = test();
    load(&test, &["a"], Mode::Add).unwrap();
    let consents = |name: &str| {
        let view = test.view();
        let caller = caller(&test, &view);
        let session = caller.session("chat").unwrap();
        let skill = &view.rows.entries().find(|entry| entry.skill.name == name).unwrap().skill;
        caller.consents(session.as_ref(), skill)
    };
    assert!(consents("a") && !consents("b"));
    test.env.raw_skill("repo/.agents/skills/a", "name: a\ndescription: A.", "another text");
    assert!(!consents("a"), "nobody was asked about this text");
}
