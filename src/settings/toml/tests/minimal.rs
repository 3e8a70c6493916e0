//! Properties of edits in arbitrary files.

use super::*;
use proptest::prelude::*;

/// A file as people write them: odd order, comments, tabs, either line end, perhaps a byte order
/// mark, perhaps no final line end; `skills.config` as headers, in brackets or absent; `disabled`
/// on one line, on many or absent.
fn file() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec!["", "", " # c", "  # [x] = \"1\", ]"]);
    let value = prop::sample::select(vec![
        "1",
        "'lit'",
        "\"a \\\" # b\"",
        "true",
        "1.5",
        "1979-05-27",
        "[1, 2]",
        "{ x = 1, y.z = [ { } ] }",
        "\"\"\"\n[fake]\n# no\n\"\"\"",
        "[\n  1, # one\n\n  2\n]",
    ]);
    let lines = |names: Vec<&'static str>| {
        prop::sample::subsequence(names, 0..4).prop_shuffle().prop_flat_map({
            let (comment, value) = (comment.clone(), value.clone());
            move |names| {
                let row = (
                    prop::sample::select(vec!["", "  ", "\t"]),
                    value.clone(),
                    comment.clone(),
                    prop::sample::select(vec!["", "", "# own line\n", "\n"]),
                );
                prop::collection::vec(row, names.len()).prop_map(move |rows| {
                    let row = |(name, (indent, value, comment, above)): (&&str, (_, _, _, _))| {
                        format!("{above}{indent}{name} = {value}{comment}\n")
                    };
                    names.iter().zip(rows).map(row).collect::<String>()
                })
            }
        })
    };
    let disabled = prop::sample::select(vec![
        "",
        "disabled = []\n",
        "disabled = [ 'a' ] # c\n",
        "disabled = ['a', 'b',]\n",
        "disabled = [\n\t'a', # of a\n\n\t# b too\n\t'b'\n]\n",
        "disabled = [\n  # none\n]\n",
    ]);
    let config = prop::sample::select(vec![
        "",
        "",
        "[[skills.config]]\npath = 'o'\n",
        "[[skills.config]] # c\npath = 'o'\nenabled = true\n\n# two\n[[skills.config]]\n\tpath = 't' # c\n\n",
        "[[ skills . config ]]\n[skills.config.more]\nx = 1\n",
        "[skills]\nconfig = [{ path = 'o' }]\n",
        "[skills]\nconfig = [\n  { path = 'o' }, # c\n]\n",
        "[skills]\non = true\n",
    ]);
    let header =
        prop::sample::select(vec!["\n[model]\n", "[model] # c\n", "\n# of it\n[ model ]\n", ""]);
    let tail = prop::sample::select(vec!["", "\n", "# end\n", "\n\n# end\n"]);
    let parts = (
        lines(vec!["a", "b", "\"q.r\"", "dot.ted", "dot.two"]),
        disabled,
        config,
        header,
        lines(vec!["m1", "m2", "m.x"]),
        (tail, any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
    );
    parts.prop_map(|(top, disabled, config, header, model, (tail, crlf, mark, bare, swap))| {
        let header = if header.is_empty() && !model.is_empty() { "[model]\n" } else { header };
        let sections = if swap {
            format!("{header}{model}{config}")
        } else {
            format!("{config}{header}{model}")
        };
        let mut text = format!("{top}{disabled}{sections}{tail}");
        if bare {
            text.truncate(text.trim_end_matches('\n').len());
        }
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        if mark { format!("\u{feff}{text}") } else { text }
    })
}

fn edits() -> Vec<Edit> {
    vec![
        set("", "fresh", text("x")),
        set("model", "m9", Value::Flag(true)),
        set("dot", "three", Value::from(3)),
        set("new.deep", "k", Value::List(vec![text("x")])),
        remove("", "a"),
        remove("", "q.r"),
        remove("model.m", "x"),
        push("disabled", "z"),
        push("disabled", "a"),
        push_table("skills.config", "p", false),
    ]
}

/// The lines of a text without their line ends.
fn own_comments(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.starts_with('#')).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn only_the_bytes_of_the_key_differ_and_a_second_run_writes_nothing(old in file()) {
        for edit in edits() {
            let new = apply(&old, &edit);
            let new = match new {
                Err(EditError::Shape { .. }) => continue,
                other => other.map_err(|error| TestCaseError::fail(format!("{error:?}: {edit:?} in\n{old}")))?,
            };
            prop_assert_eq!(apply(&new, &edit).unwrap(), new.clone(), "second run of {:?}", edit);
            let prefix = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
            let most = old.len().min(new.len()) - prefix;
            let suffix = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
            let (gone, come) = (&old.as_bytes()[prefix..old.len() - suffix], &new.as_bytes()[prefix..new.len() - suffix]);
            let (gone, come) = (String::from_utf8_lossy(gone), String::from_utf8_lossy(come));
            if matches!(edit, Edit::Remove { .. }) {
                prop_assert!(come.is_empty(), "{come:?} came by {edit:?} in\n{old}");
            } else {
                // The addition is one piece, except for the comma after the element before it and
                // the blanks in `[ ]`.
                let pieces = gone.trim().is_empty() || come.starts_with(',') && come.contains(gone.trim());
                prop_assert!(pieces, "{gone:?} went by {edit:?} in\n{old}");
                prop_assert_eq!(own_comments(&old), own_comments(&new));
            }
            prop_assert_eq!(old.contains("\r\n") && old.replace("\r\n", "").contains('\n'),
                new.contains("\r\n") && new.replace("\r\n", "").contains('\n'), "mixed line ends");
            prop_assert_eq!(old.starts_with('\u{feff}'), new.starts_with('\u{feff}'));
        }
    }

    #[test]
    fn what_is_pushed_last_is_removed_without_a_trace(old in file()) {
        for (push, array) in [(push("disabled", "z"), "disabled"), (push_table("skills.config", "p", false), "skills.config")] {
            let Ok(new) = apply(&old, &push) else { continue };
            let before = super::super::super::read(Format::Toml, old.as_bytes()).unwrap();
            let before = before.at(&array.split('.').collect::<Vec<_>>()).map_or(0, |list| list.items().len());
            let back = apply(&new, &cut(array, before)).unwrap();
            if before == 0 {
                // A new list is removed, or becomes empty.
                continue;
            }
            if array == "disabled" {
                prop_assert_eq!(&back, &old, "through\n{}", new);
            }
            // A blank line may remain between sections that had none.
            let solid = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(solid(&back), solid(&old), "through\n{}", new);
            prop_assert!(back.len() <= old.len() + 2 && old.len() <= back.len() + 2, "{old:?} {back:?}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(old in "[\\[\\]{}a.=,#\"'\n\r \t1]{0,40}", index in 0..10_usize) {
        let edits = edits();
        if let Ok(new) = apply(&old, &edits[index]) {
            prop_assert_eq!(apply(&new, &edits[index]).unwrap(), new);
        }
    }
}
