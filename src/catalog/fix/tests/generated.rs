//! What holds of every fix, on generated frontmatter.

use super::*;
use proptest::prelude::*;

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~é\u{feff}\u{202e}]{0,20}",
        Just("|\n  a\n\n   b".to_owned()),
        Just(">-\n  a: b\n  c".to_owned()),
        Just("\n  - a\n  - b c # d".to_owned()),
        Just("\n  x: 1\n  y: [a, 'b']".to_owned()),
        Just("[a, b]".to_owned()),
        Just("\"a\n  b\"".to_owned()),
        Just("Use this: when # it".to_owned()),
    ]
}

fn frontmatter() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("name"),
        Just("description"),
        Just("metadata"),
        Just("compatibility"),
        Just("author"),
        Just("tags"),
        Just("license"),
        Just("# note"),
        Just("<<"),
    ];
    let line = (key, value(), "[ ]{0,2}")
        .prop_map(|(key, value, after)| format!("{key}: {value}{after}\n"));
    prop::collection::vec(
        prop_oneof![6 => line, 1 => Just("\n".to_owned()), 1 => Just("# c\n".to_owned())],
        0..7,
    )
    .prop_map(|lines| lines.concat())
}

/// A line as people get it wrong: odd indents, other spellings of keys, fences that are none. Every
/// word of the author begins with a `w`.
fn odd_line() -> impl Strategy<Value = String> {
    let indent = prop::sample::select(vec!["", "", "", "", " ", "  ", "  ", "    ", "\t"]);
    let keys = [
        "name: ",
        "name:",
        "Name: ",
        "description: ",
        "description: ",
        "Description: ",
        "\"description\": ",
        "description : ",
        "- description: ",
        "license: ",
        "allowed_tools: ",
        "metadata: ",
        "author: ",
        "description: >-\n  ",
        "",
    ];
    let key = prop::sample::select(keys.to_vec());
    let value = "(w[a-z]{4,7}[:,]? ?){0,3}( # w[a-z]{5})?|\"w[a-z]{4}: w[a-z]{4}\"|\\[w[a-z]{5}\\]";
    let line =
        (indent, key, value).prop_map(|(indent, key, value)| format!("{indent}{key}{value}"));
    let fence = prop::sample::select(vec!["----", "--- x", "...", "***", "- - -", ""]);
    prop_oneof![6 => line, 1 => fence.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_word_of_the_author_is_lost_but_a_wrong_name(
        fields in prop::collection::vec(odd_line(), 1..6), named in any::<bool>(),
        only in prop::sample::select(vec!["", "", "name-dir-mismatch", "yaml-repaired"]),
    ) {
        let named = if named { "name: pdf\n" } else { "" };
        let text = format!("---\n{named}{}\n---\nFills forms.\n", fields.join("\n"));
        let source = Source { bytes: text.as_bytes(), directory: "pdf", file: "SKILL.md" };
        let wanted = |check: &Check| only.is_empty() || check.code == only;
        let Some(mended) = mend(source, &wanted) else { return Ok(()) };
        let after = String::from_utf8(mended.bytes.clone()).unwrap();
        for line in text.lines() {
            let kept = match line.trim_start().strip_prefix("name:") {
                Some(value) => value.split_once('#').map_or("", |(_, comment)| comment),
                None => line,
            };
            for word in kept.split(|c: char| !c.is_alphanumeric()) {
                prop_assert!(!word.starts_with('w') || after.contains(word), "{text}{after}");
            }
        }
        prop_assert_eq!(mend(Source { bytes: &mended.bytes, ..source }, &wanted), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_mended_has_fewer_findings_the_same_body_and_nothing_left_to_mend(
        mark in "\u{feff}?", opener in "(---\n){0,1}", fields in frontmatter(), closer in "(---\n){0,1}",
        body in "(\n|# [a-z]{1,5}\n|[A-Za-z_:`*-]{1,9} [a-z]{0,4}\n){0,4}", windows in any::<bool>(),
        directory in prop_oneof![Just("pdf"), Just("My PDF"), Just("é")],
    ) {
        let text = format!("{mark}{opener}{fields}{closer}{body}");
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        let source = Source { bytes: text.as_bytes(), directory, file: "SKILL.md" };
        let Some(mended) = mend(source, &|_| true) else { return Ok(()) };
        let new = Source { bytes: &mended.bytes, ..source };
        prop_assert_eq!(mend(new, &|_| true), None);
        prop_assert!(!mended.gone.is_empty());
        let errors = |source| {
            let found = prove::findings(source);
            found.iter().filter(|one| one.severity() == Severity::Error).count()
        };
        prop_assert!(errors(new) <= errors(source));
        let body = if windows { body.replace('\n', "\r\n") } else { body };
        // Without a closing line, fields may go on in what is meant as body.
        prop_assert!(closer.is_empty() || mended.bytes.ends_with(body.as_bytes()));
        // Every line of the new file is one of the old file, or one that an edit writes.
        let old: Vec<&str> = text.lines().collect();
        let after = String::from_utf8(mended.bytes.clone()).unwrap();
        let kept = after.lines().filter(|line| old.contains(line)).count();
        prop_assert!(kept + 2 * old.len() + 6 >= after.lines().count());
    }
}
