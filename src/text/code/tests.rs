use super::super::{Limit, Syntax};
use super::*;
use crate::test_env::bar;
use crate::text::safe::tests::hostile;
use proptest::prelude::*;

/// Without a time limit, since a slow machine must not make a test fail.
fn patient(source: &str, language: &str) -> Vec<DocLine> {
    lines(source, language, 1, &mut Budget(Duration::from_secs(60)))
        .into_iter()
        .map(|(line, _)| line)
        .collect()
}

fn role_at(line: &DocLine, text: &str) -> Role {
    line.spans.iter().find(|span| span.text.as_str().contains(text)).map(|span| span.role).unwrap()
}

#[test]
fn known_languages_are_highlighted() {
    let table = [
        ("py", "def f(): # note", "def", Syntax::Keyword),
        ("python", "x = 'text'", "text", Syntax::String),
        ("rust", "let n = 42;", "42", Syntax::Number),
        ("typescript", "const a = 1", "const", Syntax::Keyword),
        ("toml", "# note", "note", Syntax::Comment),
        ("bash", "# note", "note", Syntax::Comment),
        ("shell", "echo hi", "echo", Syntax::Function),
        ("YAML", "key: 1", "key", Syntax::Tag),
        ("json", "{\"a\": 1}", "1", Syntax::Number),
        ("diff", "+new", "new", Syntax::Inserted),
        ("html", "<b>x</b>", "b", Syntax::Tag),
        ("Dockerfile", "FROM x", "FROM", Syntax::Keyword),
    ];
    for (language, source, text, syntax) in table {
        let line = &patient(source, language)[0];
        assert_eq!(role_at(line, text), Role::Syntax(syntax), "{language}: {line:?}");
        assert_eq!(line.plain(), source);
    }
}

#[test]
fn unknown_languages_are_plain() {
    for language in ["", "text", "no-such-language"] {
        assert_eq!(patient("let a = 1", language)[0].spans.len(), 1, "{language}");
    }
}

#[test]
fn files_tell_their_language() {
    let table = [
        ("a.py", "", Some("Python")),
        ("scripts/Makefile", "", Some("Makefile")),
        ("run", "#!/usr/bin/env python3", Some("Python")),
        ("a.rs", "", Some("Rust")),
        ("README", "hello", None),
        ("a.txt", "", None),
    ];
    for (file, first, language) in table {
        assert_eq!(language_of(file, first).as_deref(), language, "{file}");
    }
}

#[test]
fn text_is_cleaned_and_tabs_keep_their_columns() {
    let lines = patient("\tx = '\u{1b}[31m\u{202e}'\t# a", "py");
    assert_eq!(lines[0].plain(), "    x = '^[[31m<U+202E>'    # a");
}

#[test]
fn limits_make_the_rest_plain() {
    let lines = patient(&"x = 1\n".repeat(2_001), "py");
    assert!(lines[1_999].spans.len() > 1);
    assert_eq!(lines[2_000].spans.len(), 1);
    let doc = highlight(&format!("x = 1\n{}", "x=1;".repeat(250_000)), "js", 80, false);
    assert_eq!(doc.cut, Some(Cutoff { limit: Limit::LineLength, source: 2 }));
    let spent = self::lines("x = 1", "py", 1, &mut Budget(Duration::ZERO));
    assert_eq!(spent[0].0.spans.len(), 1);
}

/// Plain text within 100 ms is wanted; without optimisation the processor needs more.
#[test]
fn code_that_is_hard_to_highlight_is_shown_in_time() {
    for (name, source) in crate::test_env::hostile::code() {
        let language = name.rsplit('.').next().unwrap();
        let mut doc = Doc::default();
        let spent = bar::spent(|| doc = highlight(&source, language, 80, true));
        assert!(spent < Duration::from_secs(2), "{name}: {spent:?}");
        assert!(!doc.lines.is_empty() && doc.lines.iter().all(|line| line.width() <= 80), "{name}");
        bar::tried(1);
    }
}

#[test]
fn broken_lines_hang() {
    let doc = highlight("  abcdefgh\nx", "", 8, true);
    assert_eq!(doc.text(), "  abcdef\n    gh\nx\n");
    assert_eq!(doc.lines.iter().map(|line| line.source).collect::<Vec<_>>(), [1, 1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_code_is_safe_and_fits(source in hostile(), columns in 0_usize..20, language in "(py|js|sh|yaml|md)") {
        let doc = highlight(&source, &language, columns, true);
        for line in &doc.lines {
            prop_assert!(line.width() <= columns.max(1), "{:?}", line);
            prop_assert!(!line.plain().contains(char::is_control));
        }
    }
}
