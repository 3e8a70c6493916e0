use super::*;
use crate::state::activity::Activity;
use crate::workspace::fixture::TestWorkspace;
use proptest::prelude::*;

fn names(test: &TestWorkspace, prompt: &str) -> (Vec<String>, String) {
    let view = test.view();
    let caller = test.call_context(&view);
    let calls = caller.calls(prompt);
    let names =
        calls.skills().into_iter().map(|index| view.rows[index].entry.skill.name.clone()).collect();
    (names, calls.remaining)
}

fn test() -> TestWorkspace {
    TestWorkspace::with(&[("repo/.agents/skills/pdf", "pdf"), ("repo/.agents/skills/zip", "zip")])
}

#[test]
fn rem_6_2_a_slash_at_the_start_is_stripped_and_an_unknown_one_stays_text() {
    let test = test();
    for (prompt, called, remaining) in [
        ("/pdf fill this", vec!["pdf"], "fill this"),
        ("/pdf", vec!["pdf"], ""),
        ("/pdf\n\nfill", vec!["pdf"], "fill"),
        ("/nothing fill this", vec![], "/nothing fill this"),
        ("/pdfs x", vec![], "/pdfs x"),
        (" /pdf x", vec![], " /pdf x"),
        ("use /pdf now", vec![], "use /pdf now"),
        ("/etc/passwd", vec![], "/etc/passwd"),
    ] {
        assert_eq!(
            names(&test, prompt),
            (called.iter().map(|n| (*n).to_owned()).collect(), remaining.to_owned()),
            "{prompt}"
        );
    }
}

#[test]
fn cod_1_3_whatever_name_a_mention_is_printed_for_is_found_again() {
    for name in ["日本", "PDF", "v1.2", "a:b", "3d", "naïve-ü", "pdf", "skill:pdf", "a b", "5"]
    {
        let mut test = TestWorkspace::with(&[]);
        test.write(
            "repo/.agents/skills/one/SKILL.md",
            &format!("---\nname: {name:?}\ndescription: d\n---\n"),
        );
        test.write("repo/.agents/skills/decoy/SKILL.md", "---\nname: decoy\ndescription: d\n---\n");
        let path = PathBuf::from(test.text("repo/.agents/skills/one/SKILL.md"));
        let printed = [Mention::slash(name, true), Mention::for_pick(name, &path, true)];
        for mention in printed.iter().flatten() {
            assert_eq!(names(&test, &format!("{mention} x")).0, [name], "{mention}");
        }
    }
}

#[test]
fn variables_prices_and_code_are_no_mentions() {
    let mut test = test();
    test.write("repo/.agents/skills/HOME/SKILL.md", "---\nname: HOME\ndescription: d\n---\n");
    for prompt in [
        "echo $HOME",
        "costs $5",
        "`$pdf`",
        "```\n$pdf\n```",
        "$pdf/x",
        "${pdf}",
        "\\$pdf",
        "a$pdf",
        "$pdf.zip",
    ] {
        assert_eq!(names(&test, prompt), (Vec::new(), prompt.to_owned()));
    }
    let (called, remaining) = names(&test, "use $pdf, then $zip and $pdf");
    assert_eq!(
        (called, remaining.as_str()),
        (vec!["pdf".to_owned(), "zip".to_owned()], "use $pdf, then $zip and $pdf")
    );
}

#[test]
fn a_name_of_several_is_ambiguous_and_a_link_selects() {
    let test = TestWorkspace::with(&[
        ("repo/.agents/skills/pdf", "pdf"),
        ("home/.agents/skills/pdf", "pdf"),
    ]);
    let view = test.view();
    let caller = test.call_context(&view);
    let calls = caller.calls("use $pdf");
    assert!(
        matches!(&calls.called[0].means, Means::Several(candidates) if candidates.len() == 2),
        "{calls:?}"
    );
    assert!(calls.skills().is_empty(), "no skill is guessed");
    let path = test.text("home/.agents/skills/pdf/SKILL.md");
    let calls = caller.calls(&format!("use [$pdf]({path})"));
    assert_eq!(
        calls
            .skills()
            .iter()
            .map(|index| view.rows[*index].entry.skill.path.to_str().unwrap())
            .collect::<Vec<_>>(),
        [path]
    );
}

#[test]
fn rem_6_3_the_texts_stand_before_the_rest_of_the_prompt() {
    let mut test = test();
    test.write(
        "repo/.agents/skills/zip/SKILL.md",
        "---\nname: zip\ndescription: d\n---\nZip it. </skill_context>",
    );
    let view = test.view();
    let caller = test.call_context(&view);
    let inject = |prompt: &str| {
        let calls = caller.calls(prompt);
        calls.injected(&caller.hand_over_texts(caller.gather(&calls).unwrap()), &[])
    };
    let text = inject("/zip all with $pdf");
    assert!(
        text.starts_with("<skill_context name=\"zip\"")
            && text.ends_with("</skill_context>\n\nall with $pdf"),
        "{text}"
    );
    assert_eq!(text.matches("</skill_context>").count(), 2, "{text}");
    assert_eq!(inject("plain"), "plain");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_prompt_is_looked_through_and_nothing_of_it_is_lost(prompt in "(\\$|/|\\[\\$|pdf|zip|\\(|\\)|\\]|`| |\n|é|\u{202e}|.){0,40}") {
        let test = test();
        let view = test.view();
        let caller = CallContext { workspace: &test.workspace, view: &view, client: "test", session: None, scope: None };
        let calls = caller.calls(&prompt);
        prop_assert!(prompt.ends_with(&calls.remaining));
        prop_assert!(calls.called.iter().all(|called| prompt.get(called.range.clone()).is_some()));
    }
}

#[test]
fn rem_9_what_a_prompt_called_is_logged_as_loaded_only_where_all_of_it_was_handed_over() {
    let mut test = test();
    let words = |test: &TestWorkspace, prompt: &str| {
        let view = test.view();
        let caller = test.call_context(&view);
        if let Ok(gathered) = caller.gather(&caller.calls(prompt)) {
            caller.hand_over_texts(gathered);
        }
        let log = Activity::load(test.workspace.state_dir.as_deref().unwrap());
        log.calls.iter().map(|call| (call.skill.clone(), call.error.clone())).collect::<Vec<_>>()
    };
    test.write(
        "repo/.agents/skills/zip/SKILL.md",
        "---\nname: zip\ndescription: d\n---\nx\u{e0041}\n",
    );
    let expected = vec![("zip".to_owned(), Some("hidden_text".to_owned()))];
    assert_eq!(words(&test, "use $pdf and $zip"), expected);
}
