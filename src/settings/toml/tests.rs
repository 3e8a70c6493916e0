use super::super::{Edit, EditError, Format, MAX_BYTES, Value};
use proptest::prelude::*;

fn path(dotted: &str) -> Vec<String> {
    dotted.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn set(table: &str, key: &str, value: Value) -> Edit {
    Edit::Set { table: path(table), key: key.to_owned(), value }
}

fn remove(table: &str, key: &str) -> Edit {
    Edit::Remove { table: path(table), key: key.to_owned() }
}

fn push_table(array: &str, name: &str, enabled: bool) -> Edit {
    let entries = vec![("path".to_owned(), text(name)), ("enabled".to_owned(), Value::Flag(enabled))];
    Edit::PushTable { array: path(array), entries }
}

fn push(array: &str, value: &str) -> Edit {
    Edit::PushElement { array: path(array), value: text(value) }
}

fn cut(array: &str, index: usize) -> Edit {
    Edit::RemoveElement { array: path(array), index }
}

fn apply(old: &str, edit: &Edit) -> Result<String, EditError> {
    let new = super::super::apply(Format::Toml, old.as_bytes(), std::slice::from_ref(edit))?;
    Ok(String::from_utf8(new).unwrap())
}

#[track_caller]
fn check(rows: &[(&str, Edit, &str)]) {
    for (old, edit, new) in rows {
        assert_eq!(apply(old, edit).as_deref(), Ok(*new), "{edit:?} in\n{old}");
        if !matches!(edit, Edit::RemoveElement { .. }) {
            assert_eq!(apply(new, edit).as_deref(), Ok(*new), "again {edit:?} in\n{new}");
        }
    }
}

#[test]
fn keys_are_set_where_they_belong() {
    check(&[
        ("", set("", "a", Value::Flag(true)), "a = true\n"),
        ("", set("t", "a", Value::Integer(-3)), "[t]\na = -3\n"),
        ("a = 'x' # why\nb = 2\n", set("", "a", text("y")), "a = \"y\" # why\nb = 2\n"),
        ("a = 'x' # why\n", set("", "a", text("x")), "a = 'x' # why\n"),
        ("a   =\t1\r\n", set("", "a", Value::Integer(2)), "a   =\t2\r\n"),
        ("\u{feff}a = 1\r\n", set("", "b", text("q")), "\u{feff}a = 1\r\nb = \"q\"\r\n"),
        ("a = 1", set("", "b", Value::Integer(2)), "a = 1\nb = 2"),
        ("a = 1 # c\n\n# d\n[t]\n", set("", "b", Value::Integer(2)), "a = 1 # c\nb = 2\n\n# d\n[t]\n"),
        (
            "[t]\n\tx = 1 # c\n\n# of u\n[u]\n",
            set("t", "y", Value::Integer(2)),
            "[t]\n\tx = 1 # c\n\ty = 2\n\n# of u\n[u]\n",
        ),
        ("[t] # head\n[u]\n", set("t", "y", Value::Integer(2)), "[t] # head\ny = 2\n[u]\n"),
        ("[t]", set("t", "y", Value::Integer(2)), "[t]\ny = 2"),
        (
            "[t]\nm = \"\"\"\na = [\n\"\"\"\n[u]\n",
            set("t", "y", Value::Integer(2)),
            "[t]\nm = \"\"\"\na = [\n\"\"\"\ny = 2\n[u]\n",
        ),
        // Only a table below it has a header, so it gets its own; the end of the file is a place that is right.
        ("[t.u]\nx = 1\n", set("t", "y", Value::Integer(2)), "[t.u]\nx = 1\n\n[t]\ny = 2\n"),
        ("t.u = 1\nz = 1\n", set("t", "y", Value::Integer(2)), "t.u = 1\nt.y = 2\nz = 1\n"),
        ("[s]\nt.u = 1\n", set("s.t.v", "y", Value::Integer(2)), "[s]\nt.u = 1\nt.v.y = 2\n"),
        ("t = { u = 1 }\n", set("t", "y", Value::Integer(2)), "t = { u = 1, y = 2 }\n"),
        ("t = {} # c\n", set("t", "y", Value::Integer(2)), "t = { y = 2 } # c\n"),
        ("t = {u = 1}\n", set("t.v", "y", Value::Integer(2)), "t = {u = 1, v.y = 2}\n"),
        ("t = { u.v = 1 }\n", set("t.u", "y", Value::Integer(2)), "t = { u.v = 1, u.y = 2 }\n"),
        ("# license\n\n[t]\n", set("", "a", Value::Integer(1)), "# license\n\na = 1\n\n[t]\n"),
        ("# of t\n[t]\n", set("", "a", Value::Integer(1)), "a = 1\n\n# of t\n[t]\n"),
        ("# only", set("", "a", Value::Integer(1)), "# only\na = 1"),
        (
            "[t]\n",
            set("t", "a b.c\"", text("q\"\\\n\u{1}\u{202e}é")),
            "[t]\n\"a b.c\\\"\" = \"q\\\"\\\\\\n\\u0001\\u202Eé\"\n",
        ),
        ("l = [1]\n", set("", "l", Value::List(vec![text("a"), text("b")])), "l = [\"a\", \"b\"]\n"),
    ]);
}

#[test]
fn keys_are_removed_and_comments_of_other_lines_stay() {
    check(&[
        ("a = 1\n", remove("", "a"), ""),
        ("# c\na = 1 # gone\nb = 2\n", remove("", "a"), "# c\nb = 2\n"),
        ("a = 1\nb = 2", remove("", "b"), "a = 1"),
        ("a = 1\r\nb = [\r\n 1, # x\r\n]\r\nc = 3\r\n", remove("", "b"), "a = 1\r\nc = 3\r\n"),
        ("[t]\nx.y = 1\nx.z = 2\n", remove("t.x", "y"), "[t]\nx.z = 2\n"),
        ("[t]\nx.y = 1\n", remove("t.x", "y"), "[t]\n"),
        ("t = { a = 1, b = 2, c = 3 }\n", remove("t", "a"), "t = { b = 2, c = 3 }\n"),
        ("t = { a = 1, b = 2, c = 3 }\n", remove("t", "b"), "t = { a = 1, c = 3 }\n"),
        ("t = { a = 1, b = 2, c = 3 }\n", remove("t", "c"), "t = { a = 1, b = 2 }\n"),
        ("t = { a = 1 }\n", remove("t", "a"), "t = {}\n"),
        ("t = { u.a = 1, b = 2, u.c = 3 }\n", remove("t.u", "c"), "t = { u.a = 1, b = 2 }\n"),
        ("t = { u.a = 1, b = 2, u.c = 3 }\n", remove("t.u", "a"), "t = { b = 2, u.c = 3 }\n"),
        ("a = 1\n", remove("", "b"), "a = 1\n"),
        ("a = 1\n", remove("no.such", "b"), "a = 1\n"),
    ]);
}

#[test]
fn tables_are_pushed_and_removed_without_junk() {
    let p = || push_table("s.c", "p", false);
    check(&[
        ("", p(), "[[s.c]]\npath = \"p\"\nenabled = false\n"),
        ("a = 1", p(), "a = 1\n\n[[s.c]]\npath = \"p\"\nenabled = false"),
        ("a = 1\r\n", p(), "a = 1\r\n\r\n[[s.c]]\r\npath = \"p\"\r\nenabled = false\r\n"),
        ("a = 1\n\n", p(), "a = 1\n\n[[s.c]]\npath = \"p\"\nenabled = false\n"),
        ("[s]\nx = 1\n\n[z]\n", p(), "[s]\nx = 1\n\n[z]\n\n[[s.c]]\npath = \"p\"\nenabled = false\n"),
        (
            "[[ s.c ]]\n\tpath = \"o\"\n\n# of z\n[z]\n",
            p(),
            "[[ s.c ]]\n\tpath = \"o\"\n\n[[ s.c ]]\n\tpath = \"p\"\n\tenabled = false\n\n# of z\n[z]\n",
        ),
        (
            "[[s.c]]\na = 1\n[s.c.sub]\nb = 1 # c\n\n[z]\n",
            p(),
            "[[s.c]]\na = 1\n[s.c.sub]\nb = 1 # c\n\n[[s.c]]\npath = \"p\"\nenabled = false\n\n[z]\n",
        ),
        ("s = { c = [{ path = 'o' }] }\n", p(), "s = { c = [{ path = 'o' }, { path = \"p\", enabled = false }] }\n"),
        ("s = { x = 1 }\n", p(), "s = { x = 1, c = [{ path = \"p\", enabled = false }] }\n"),
        ("s.x = 1\n", p(), "s.x = 1\ns.c = [{ path = \"p\", enabled = false }]\n"),
        ("[s]\nc = []\n", p(), "[s]\nc = [{ path = \"p\", enabled = false }]\n"),
        ("[[s.c]]\nenabled = false\npath = 'p'\n", p(), "[[s.c]]\nenabled = false\npath = 'p'\n"),
        ("[[s.c]]\na = 1\n", cut("s.c", 0), ""),
        ("x = 1\n\n[[s.c]]\na = 1\n", cut("s.c", 0), "x = 1\n"),
        ("x = 1\n\n[[s.c]]\na = 1", cut("s.c", 0), "x = 1"),
        ("[[s.c]]\na = 1\n\n[z]\n", cut("s.c", 0), "[z]\n"),
        ("[[s.c]]\na = 1 # x\n# stays\n\n[[s.c]]\na = 2\n\n[z]\n", cut("s.c", 0), "# stays\n\n[[s.c]]\na = 2\n\n[z]\n"),
        ("[[s.c]]\na = 1\n\n[[s.c]]\na = 2\n\n[z]\n", cut("s.c", 1), "[[s.c]]\na = 1\n\n[z]\n"),
        ("[[s.c]]\na = 1\n[s.c.sub]\nb = 1\n[z]\ny = 1\n[s.c.two]\n[[s.c]]\n", cut("s.c", 0), "[z]\ny = 1\n[[s.c]]\n"),
        ("[s]\nc = [{ a = 1 }, { b = 2 }]\n", cut("s.c", 0), "[s]\nc = [{ b = 2 }]\n"),
    ]);
}

#[test]
fn elements_of_a_list_of_tables_are_changed_in_place() {
    let on = |index| Edit::SetElement {
        array: path("s.c"),
        index,
        entries: vec![("path".to_owned(), text("p")), ("enabled".to_owned(), Value::Flag(true))],
    };
    check(&[
        ("[[s.c]]\npath = 'p' # c\nenabled = false\n", on(0), "[[s.c]]\npath = 'p' # c\nenabled = true\n"),
        (
            "[[s.c]]\n\n[[s.c]]\n  path = 'p'\n[s.c.x]\n",
            on(1),
            "[[s.c]]\n\n[[s.c]]\n  path = 'p'\n  enabled = true\n[s.c.x]\n",
        ),
        ("s = {c = [{path = 'p'}]}\n", on(0), "s = {c = [{path = 'p', enabled = true}]}\n"),
    ]);
    assert_eq!(apply("[[s.c]]\n", &on(1)), Err(EditError::NoSuchElement));
    assert_eq!(apply("", &on(0)), Err(EditError::NoSuchElement));
    assert_eq!(apply("[[s.c]]\n", &cut("s.c", 1)), Err(EditError::NoSuchElement));
}

#[test]
fn comments_in_lists_stay_with_their_elements() {
    let many = "d = [\n  # web\n  \"a\", # of a\n  \"b\" # of b\n  # end\n] # tail\n";
    check(&[
        ("", push("d", "x"), "d = [\"x\"]\n"),
        ("", push("t.d", "x"), "[t]\nd = [\"x\"]\n"),
        ("d = []\n", push("d", "x"), "d = [\"x\"]\n"),
        ("d = [ \"a\" ] # c\n", push("d", "x"), "d = [ \"a\", \"x\" ] # c\n"),
        ("d = [\"a\", ]\n", push("d", "x"), "d = [\"a\", \"x\", ]\n"),
        ("d = [\"a\"]\n", push("d", "a"), "d = [\"a\"]\n"),
        (many, push("d", "x"), "d = [\n  # web\n  \"a\", # of a\n  \"b\", # of b\n  \"x\"\n  # end\n] # tail\n"),
        ("d = [\r\n\t\"a\", # of a\r\n]", push("d", "x"), "d = [\r\n\t\"a\", # of a\r\n\t\"x\",\r\n]"),
        ("d = [\"a\", # of a\n]\n", push("d", "x"), "d = [\"a\", # of a\n  \"x\",\n]\n"),
        ("d = [\n  # none\n]\n", push("d", "x"), "d = [\n  # none\n  \"x\",\n]\n"),
        ("d = [\n]\n", push("d", "x"), "d = [\"x\"]\n"),
        (many, cut("d", 0), "d = [\n  # web\n  \"b\" # of b\n  # end\n] # tail\n"),
        (many, cut("d", 1), "d = [\n  # web\n  \"a\" # of a\n  # end\n] # tail\n"),
        ("d = [ \"p\", \"q\" ]\n", cut("d", 0), "d = [ \"q\" ]\n"),
        ("d = [ \"p\", \"q\" ]\n", cut("d", 1), "d = [ \"p\" ]\n"),
        ("d = [ \"p\", \"q\", ]\n", cut("d", 1), "d = [ \"p\", ]\n"),
        ("d = [ \"p\" ]\n", cut("d", 0), "d = []\n"),
        ("d = [\n  \"p\",\n]\n", cut("d", 0), "d = []\n"),
        ("d = [\n  # web\n  \"p\", # c\n]\n", cut("d", 0), "d = [\n  # web\n]\n"),
        ("d = [\"p\", # c\n  \"q\"]\n", cut("d", 0), "d = [ # c\n  \"q\"]\n"),
        ("d = ['p', 'q', 'p']\n", Edit::RemoveValue { array: path("d"), value: text("p") }, "d = ['q']\n"),
        ("d = ['q']\n", Edit::RemoveValue { array: path("x.d"), value: text("p") }, "d = ['q']\n"),
    ]);
}

#[test]
fn another_kind_of_value_is_refused() {
    let shape = |what: &str| Err(EditError::Shape { what: what.to_owned() });
    for (old, edit, what) in [
        ("a = 1\n", set("", "a", text("x")), "a"),
        ("[a]\n", set("", "a", text("x")), "a"),
        ("a = 1\n", set("a", "b", text("x")), "a"),
        ("[[a]]\n", set("a", "b", text("x")), "a"),
        ("[a]\n", remove("", "a"), "a"),
        ("a = 1\n", push("a", "x"), "a"),
        ("[a]\n", push_table("a", "p", true), "a"),
        ("a = 'x'\n", cut("a", 0), "a"),
    ] {
        assert_eq!(apply(old, &edit), shape(what), "{edit:?} in {old}");
    }
    // A table with a header cannot take a plain value, and a dotted key cannot make it a list.
    assert!(apply("[[a]]\n", &push("a", "x")).is_err());
}

#[test]
fn bar_23_broken_files_are_refused_with_their_line() {
    let edit = [set("", "k", Value::Flag(true))];
    let refused = |bytes: &[u8]| super::super::apply(Format::Toml, bytes, &edit).unwrap_err();
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    for (bytes, at) in [
        (&b"a = 1\nb = \n"[..], (2, 5)),
        (b"a = 1\na = 2\n", (2, 1)),
        (b"[t]\n\n[t]\n", (3, 2)),
        (b"[[t]]\n[t]\n", (2, 2)),
        (b"x = 1\ny = [1, 2\n", (2, 10)),
        (b"\xef\xbb\xbfs = \"\xc3\xa9\xc3\xa9\" x\n", (1, 10)),
        (b"a = 1\0\n", (1, 5)),
        (b"{\"json\": 1}", (1, 1)),
        (b"a = \"half-writ", (1, 15)),
    ] {
        let EditError::Syntax { line, column, .. } = refused(bytes) else { panic!("{bytes:?}: {:?}", refused(bytes)) };
        found.push((line, column));
        wanted.push(at);
    }
    assert_eq!(found, wanted);
    assert_eq!(refused(b"a = 1\nb = \"\xff\"\n"), EditError::NotUtf8 { line: 2 });
    assert_eq!(refused(b"\xff\xfea\0"), EditError::NotUtf8 { line: 1 });
    assert_eq!(refused(&b"# long\n".repeat(10 << 20 >> 3)), EditError::TooLarge);
    assert_eq!(refused(&b"# long\n".repeat(MAX_BYTES / 7)), EditError::TooLarge, "it would become too large");
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(matches!(refused(deep.as_bytes()), EditError::Syntax { line: 1, .. }));
    let wide = format!("{}k = 1", "a.".repeat(100_000));
    assert!(matches!(refused(wide.as_bytes()), EditError::Syntax { line: 1, .. }));
}

/// One file of the kind people write: odd order, comments, tabs, either line end, perhaps a mark, perhaps no last
/// line end; `skills.config` as headers, in brackets or not at all; `disabled` on one line, on many or not at all.
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
    let header = prop::sample::select(vec!["\n[model]\n", "[model] # c\n", "\n# of it\n[ model ]\n", ""]);
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
        let sections = if swap { format!("{header}{model}{config}") } else { format!("{config}{header}{model}") };
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
        set("dot", "three", Value::Integer(3)),
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
    fn bar_22_only_the_bytes_of_the_key_differ_and_a_second_run_writes_nothing(old in file()) {
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
                // What is added: one piece, but for the comma after the element before it and the blanks in `[ ]`.
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
            let before = super::super::read(Format::Toml, old.as_bytes()).unwrap();
            let before = before.at(&array.split('.').collect::<Vec<_>>()).map_or(0, |list| list.items().len());
            let back = apply(&new, &cut(array, before)).unwrap();
            if before == 0 {
                // A list that came new goes empty, or whole.
                continue;
            }
            if array == "disabled" {
                prop_assert_eq!(&back, &old, "through\n{}", new);
            }
            // Between sections that stood close together one blank line may stay.
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
