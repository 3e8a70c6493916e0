use super::*;
use crate::runtime::session::{Mode, Rules};
use crate::runtime::{By, Reply};
use crate::state::activity::Activity;
use crate::workspace::fixture::TestWorkspace;

fn test() -> TestWorkspace {
    let mut test =
        TestWorkspace::with(&[("repo/.agents/skills/a", "a"), ("repo/.agents/skills/b", "b")]);
    test.write("repo/.agents/skills/a/refs/x.md", "of a");
    test.write("repo/.agents/skills/b/refs/x.md", "of b");
    test
}

fn session(caller: &CallContext<'_>, style: Style, names: &[&str]) -> Session {
    let mut session = Session::new(style);
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let loaded = caller
        .load_all(&names, &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody))
        .unwrap();
    if !names.is_empty() {
        caller
            .hand_over(loaded, |loaded| {
                Ok((session.admit(loaded, Mode::Add, Rules::default())?, ()))
            })
            .unwrap();
    }
    session
}

fn read(
    caller: &CallContext<'_>,
    session: Option<&Session>,
    skill: Option<&str>,
    path: &str,
) -> Result<String, &'static str> {
    match caller.read(
        WantedFile { skill, path },
        Encoding::Text,
        &mut ConsentGate::new(session, By::Model, &mut |_, _, _| Reply::Nobody),
    ) {
        Ok(fetched) => match fetched.resource.body {
            ResourceBody::Text(text) => Ok(text),
            ResourceBody::Binary(_) => Err("bytes"),
        },
        Err(error) => Err(error.code()),
    }
}

#[test]
fn run_10_the_newest_active_skill_is_the_default_and_a_named_one_must_be_active() {
    let test = test();
    let view = test.view();
    let caller = test.call_context(&view);
    let none = session(&caller, Style::Instructions, &[]);
    assert_eq!(read(&caller, Some(&none), None, "refs/x.md"), Err("nothing_active"));
    assert_eq!(read(&caller, Some(&none), Some("a"), "refs/x.md"), Err("not_active"));
    let both = session(&caller, Style::Instructions, &["a", "b"]);
    assert_eq!(read(&caller, Some(&both), None, "refs/x.md"), Ok("of b".into()));
    assert_eq!(read(&caller, Some(&both), Some("a"), "refs/x.md"), Ok("of a".into()));
}

#[test]
fn a_skill_is_advised_to_be_named_only_where_that_helps() {
    let test = test();
    let view = test.view();
    let caller = test.call_context(&view);
    for (style, advice) in [
        (Style::ToolResult, "no skill is active; load one first, or name it"),
        (Style::Instructions, "no skill is active; load one first"),
    ] {
        let none = session(&caller, style, &[]);
        let error = caller.named(Some(&none), None).unwrap_err();
        assert_eq!(error.to_string(), advice);
        let error = caller.require_active(&none, None).unwrap_err();
        assert_eq!(error.to_string(), "no skill is active; load one first");
    }
}

#[test]
fn where_texts_are_tool_results_a_skill_need_not_be_active() {
    let test = test();
    let view = test.view();
    let caller = test.call_context(&view);
    let none = session(&caller, Style::ToolResult, &[]);
    assert_eq!(read(&caller, Some(&none), Some("a"), "refs/x.md"), Ok("of a".into()));
    assert_eq!(read(&caller, None, Some("a"), "refs/x.md"), Ok("of a".into()));
    assert_eq!(read(&caller, None, None, "refs/x.md"), Err("nothing_active"));
}

#[cfg(unix)]
#[test]
fn aab_9_and_9b_a_path_is_relative_and_stays_in_the_skill() {
    let test = test();
    let dir = test.env.top.join("repo/.agents/skills/a");
    std::os::unix::fs::symlink("/etc/hostname", dir.join("out")).unwrap();
    std::os::unix::fs::symlink("../../b/refs/x.md", dir.join("refs/sibling")).unwrap();
    std::fs::create_dir(dir.join("folder")).unwrap();
    std::fs::write(dir.join("bin.dat"), [0, 159, 146, 150]).unwrap();
    let view = test.view();
    let caller = test.call_context(&view);
    for (path, code) in [
        ("/etc/hostname", "absolute_path"),
        ("../b/refs/x.md", "parent_path"),
        ("refs/../../b/refs/x.md", "parent_path"),
        ("out", "link_out"),
        ("refs/sibling", "link_out"),
        ("folder", "not_regular"),
        ("nothing", "not_found"),
        ("", "empty_path"),
        ("bin.dat", "binary"),
        ("refs/x.md\0", "nul_in_path"),
    ] {
        let got = read(&caller, None, Some("a"), path);
        assert!(
            got == Err(code) || (code == "parent_path" && got == Err("link_out")),
            "{path}: {got:?}"
        );
    }
    assert_eq!(read(&caller, None, Some("a"), "refs/../refs/x.md"), Ok("of a".into()));
    for encoding in [Encoding::Binary, Encoding::Either] {
        let which = WantedFile { skill: Some("a"), path: "bin.dat" };
        let binary = caller
            .read(
                which,
                encoding,
                &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
            )
            .unwrap();
        assert_eq!(binary.resource.body, ResourceBody::Binary(vec![0, 159, 146, 150]));
    }
    let text = caller.read(
        WantedFile { skill: Some("a"), path: "refs/x.md" },
        Encoding::Either,
        &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
    );
    assert_eq!(text.unwrap().resource.body, ResourceBody::Text("of a".into()));
}

#[test]
fn what_may_not_be_loaded_may_not_be_read() {
    let mut test = test();
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"a\"\n[[permissions.ask]]\n\
         tool = \"skill_load\"\nskill_name = \"b\"\n",
    );
    let view = test.view();
    let caller = test.call_context(&view);
    assert_eq!(read(&caller, None, Some("a"), "refs/x.md"), Err("denied"));
    assert_eq!(read(&caller, None, Some("b"), "refs/x.md"), Err("needs_consent"));
    // The path of another skill's file does not bypass the rule.
    assert_eq!(
        read(&caller, None, Some(&test.text("repo/.agents/skills/a")), "refs/x.md"),
        Err("denied")
    );
    let mut active = Session::new(Style::ToolResult);
    let loaded = caller
        .load_all(
            &["b".to_owned()],
            &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Yes),
        )
        .unwrap();
    caller
        .hand_over(loaded, |loaded| Ok((active.admit(loaded, Mode::Add, Rules::default())?, ())))
        .unwrap();
    assert_eq!(
        read(&caller, Some(&active), None, "refs/x.md"),
        Ok("of b".into()),
        "consent was given with the load"
    );
}

#[test]
fn rem_9_a_read_is_noted_once_however_it_ends() {
    let mut test = test();
    test.write("repo/.agents/skills/a/in/SKILL.md", "---\nname: in\ndescription: d\n---\n");
    test.write(
        "home/.config/skillpick/config.toml",
        "version = 1\n[permissions]\ndefault = \"ask\"\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"b\"\n",
    );
    let view = test.view();
    let caller = test.call_context(&view);
    let read = |skill, path, reply| {
        let read = caller.read(
            WantedFile { skill: Some(skill), path },
            Encoding::Text,
            &mut ConsentGate::new(None, By::Model, &mut |_, _, _| reply),
        );
        read.map_err(|error| error.code()).map(drop)
    };
    assert_eq!(read("b", "refs/x.md", Reply::Yes), Err("denied"));
    assert_eq!(read("a", "refs/x.md", Reply::Nobody), Err("needs_consent"));
    // The call is repeated, and only that one is logged.
    assert_eq!(read("a", "in/SKILL.md", Reply::Later), Err("needs_consent"));
    assert_eq!(read("a", "in/SKILL.md", Reply::Yes), Ok(()));
    let instructions = session(&caller, Style::Instructions, &[]);
    assert_eq!(self::read(&caller, Some(&instructions), Some("a"), "refs/x.md"), Err("not_active"));
    let calls = Activity::load(test.workspace.state_dir.as_ref().unwrap()).calls;
    let rows: Vec<_> =
        calls.iter().map(|call| (call.skill.as_str(), call.error.as_deref())).collect();
    assert_eq!(
        rows,
        [
            ("b", Some("denied")),
            ("a", Some("needs_consent")),
            ("a", None),
            ("a", Some("not_active"))
        ]
    );
}

#[test]
fn a_resource_that_hides_text_waits_for_approval_and_every_read_is_noted() {
    let mut test = test();
    test.write("repo/.agents/skills/a/refs/x.md", "see \u{e0041}\u{e0042}");
    let view = test.view();
    let caller = test.call_context(&view);
    assert_eq!(read(&caller, None, Some("a"), "refs/x.md"), Err("hidden_text"));
    // It is not given as bytes either, since a model would read them too.
    let which = WantedFile { skill: Some("a"), path: "refs/x.md" };
    let bytes = caller.read(
        which,
        Encoding::Binary,
        &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
    );
    assert_eq!(bytes.unwrap_err().code(), "hidden_text");
    let calls = Activity::load(test.workspace.state_dir.as_ref().unwrap()).calls;
    assert_eq!(
        (calls.len(), calls[0].file.as_deref(), calls[0].error.as_deref()),
        (2, Some("refs/x.md"), Some("hidden_text"))
    );
}

#[test]
fn a_binary_file_with_control_bytes_is_given_as_bytes() {
    let mut test = test();
    test.write("repo/.agents/skills/a/assets/data.bin", "PNG\0MARKER\u{1}");
    let view = test.view();
    let caller = test.call_context(&view);
    let which = WantedFile { skill: Some("a"), path: "assets/data.bin" };
    let bytes = caller.read(
        which,
        Encoding::Binary,
        &mut ConsentGate::new(None, By::Model, &mut |_, _, _| Reply::Nobody),
    );
    assert!(matches!(bytes.unwrap().resource.body, ResourceBody::Binary(_)));
}
