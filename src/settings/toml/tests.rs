mod minimal;

use super::super::{Edit, EditError, Format, MAX_BYTES, Value};

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
    let entries =
        vec![("path".to_owned(), text(name)), ("enabled".to_owned(), Value::Flag(enabled))];
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
        ("", set("t", "a", Value::from(-3)), "[t]\na = -3\n"),
        ("a = 'x' # why\nb = 2\n", set("", "a", text("y")), "a = \"y\" # why\nb = 2\n"),
        ("a = 'x' # why\n", set("", "a", text("x")), "a = 'x' # why\n"),
        (
            "a = 'x' # why\nb = 2\n",
            Edit::replace(&[], "a", Value::Table(vec![("k".to_owned(), text("y"))])),
            "a = { k = \"y\" } # why\nb = 2\n",
        ),
        ("[t]\na = 1 # c\n", Edit::rename(&["t"], "a", "b c"), "[t]\n\"b c\" = 1 # c\n"),
        ("t = { x.a = 1 }\n", Edit::rename(&["t", "x"], "a", "b"), "t = { x.b = 1 }\n"),
        ("a   =\t1\r\n", set("", "a", Value::from(2)), "a   =\t2\r\n"),
        ("\u{feff}a = 1\r\n", set("", "b", text("q")), "\u{feff}a = 1\r\nb = \"q\"\r\n"),
        ("a = 1", set("", "b", Value::from(2)), "a = 1\nb = 2"),
        ("a = 1 # c\n\n# d\n[t]\n", set("", "b", Value::from(2)), "a = 1 # c\nb = 2\n\n# d\n[t]\n"),
        (
            "[t]\n\tx = 1 # c\n\n# of u\n[u]\n",
            set("t", "y", Value::from(2)),
            "[t]\n\tx = 1 # c\n\ty = 2\n\n# of u\n[u]\n",
        ),
        ("[t] # head\n[u]\n", set("t", "y", Value::from(2)), "[t] # head\ny = 2\n[u]\n"),
        ("[t]", set("t", "y", Value::from(2)), "[t]\ny = 2"),
        (
            "[t]\nm = \"\"\"\na = [\n\"\"\"\n[u]\n",
            set("t", "y", Value::from(2)),
            "[t]\nm = \"\"\"\na = [\n\"\"\"\ny = 2\n[u]\n",
        ),
        // Only a table below it has a header, so it gets its own at the end of the file.
        ("[t.u]\nx = 1\n", set("t", "y", Value::from(2)), "[t.u]\nx = 1\n\n[t]\ny = 2\n"),
        ("t.u = 1\nz = 1\n", set("t", "y", Value::from(2)), "t.u = 1\nt.y = 2\nz = 1\n"),
        ("[s]\nt.u = 1\n", set("s.t.v", "y", Value::from(2)), "[s]\nt.u = 1\nt.v.y = 2\n"),
        ("t = { u = 1 }\n", set("t", "y", Value::from(2)), "t = { u = 1, y = 2 }\n"),
        ("t = {} # c\n", set("t", "y", Value::from(2)), "t = { y = 2 } # c\n"),
        ("t = {u = 1}\n", set("t.v", "y", Value::from(2)), "t = {u = 1, v.y = 2}\n"),
        ("t = { u.v = 1 }\n", set("t.u", "y", Value::from(2)), "t = { u.v = 1, u.y = 2 }\n"),
        ("# license\n\n[t]\n", set("", "a", Value::from(1)), "# license\n\na = 1\n\n[t]\n"),
        ("# of t\n[t]\n", set("", "a", Value::from(1)), "a = 1\n\n# of t\n[t]\n"),
        ("# only", set("", "a", Value::from(1)), "# only\na = 1"),
        (
            "[t]\n",
            set("t", "a b.c\"", text("q\"\\\n\u{1}\u{202e}é")),
            "[t]\n\"a b.c\\\"\" = \"q\\\"\\\\\\n\\u0001\\u202Eé\"\n",
        ),
        (
            "l = [1]\n",
            set("", "l", Value::List(vec![text("a"), text("b")])),
            "l = [\"a\", \"b\"]\n",
        ),
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
        (
            "[s]\nx = 1\n\n[z]\n",
            p(),
            "[s]\nx = 1\n\n[z]\n\n[[s.c]]\npath = \"p\"\nenabled = false\n",
        ),
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
        (
            "s = { c = [{ path = 'o' }] }\n",
            p(),
            "s = { c = [{ path = 'o' }, { path = \"p\", enabled = false }] }\n",
        ),
        ("s = { x = 1 }\n", p(), "s = { x = 1, c = [{ path = \"p\", enabled = false }] }\n"),
        ("s.x = 1\n", p(), "s.x = 1\ns.c = [{ path = \"p\", enabled = false }]\n"),
        ("[s]\nc = []\n", p(), "[s]\nc = [{ path = \"p\", enabled = false }]\n"),
        ("[[s.c]]\nenabled = false\npath = 'p'\n", p(), "[[s.c]]\nenabled = false\npath = 'p'\n"),
        ("[[s.c]]\na = 1\n", cut("s.c", 0), ""),
        ("x = 1\n\n[[s.c]]\na = 1\n", cut("s.c", 0), "x = 1\n"),
        ("x = 1\n\n[[s.c]]\na = 1", cut("s.c", 0), "x = 1"),
        ("[[s.c]]\na = 1\n\n[z]\n", cut("s.c", 0), "[z]\n"),
        (
            "[[s.c]]\na = 1 # x\n# stays\n\n[[s.c]]\na = 2\n\n[z]\n",
            cut("s.c", 0),
            "# x\n# stays\n\n[[s.c]]\na = 2\n\n[z]\n",
        ),
        (
            "# of c\n\t[[s.c]] # h\n# in\n\ta = '#' # x\n[s.c.d]\n# y\nb = 1\n[z]\n",
            cut("s.c", 0),
            "# of c\n\t# h\n\t# in\n\t# x\n# y\n\n[z]\n",
        ),
        ("# of c\n[[s.c]]\na = 1\n[z]\n", cut("s.c", 0), "# of c\n\n[z]\n"),
        ("x = 1\n[[s.c]]\na = 1 # x", cut("s.c", 0), "x = 1\n# x"),
        (
            "[s]\nc = [\n  { a = 1 }, # x\n  { b = 2 },\n]\n",
            cut("s.c", 0),
            "[s]\nc = [\n  # x\n  { b = 2 },\n]\n",
        ),
        ("[s]\nc = [\n  { a = 1 } # x\n]\n", cut("s.c", 0), "[s]\nc = [\n  # x\n]\n"),
        ("[[s.c]]\na = 1\n\n[[s.c]]\na = 2\n\n[z]\n", cut("s.c", 1), "[[s.c]]\na = 1\n\n[z]\n"),
        (
            "[[s.c]]\na = 1\n[s.c.sub]\nb = 1\n[z]\ny = 1\n[s.c.two]\n[[s.c]]\n",
            cut("s.c", 0),
            "[z]\ny = 1\n[[s.c]]\n",
        ),
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
        (
            "[[s.c]]\npath = 'p' # c\nenabled = false\n",
            on(0),
            "[[s.c]]\npath = 'p' # c\nenabled = true\n",
        ),
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
        (
            many,
            push("d", "x"),
            "d = [\n  # web\n  \"a\", # of a\n  \"b\", # of b\n  \"x\"\n  # end\n] # tail\n",
        ),
        (
            "d = [\r\n\t\"a\", # of a\r\n]",
            push("d", "x"),
            "d = [\r\n\t\"a\", # of a\r\n\t\"x\",\r\n]",
        ),
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
        (
            "d = ['p', 'q', 'p']\n",
            Edit::RemoveValue { array: path("d"), value: text("p") },
            "d = ['q']\n",
        ),
        ("d = ['q']\n", Edit::RemoveValue { array: path("x.d"), value: text("p") }, "d = ['q']\n"),
    ]);
}

#[test]
fn another_kind_of_value_is_refused() {
    for (old, edit, said) in [
        ("a = 1\n", set("", "a", text("x")), "`a` is a number, where a text must be"),
        ("[a]\n", set("", "a", text("x")), "`a` is a table, where a text must be"),
        ("a = 1\n", set("a", "b", text("x")), "`a` is a number, where a table must be"),
        ("[[a]]\n", set("a", "b", text("x")), "`a` is a list, where a table must be"),
        ("[a]\n", remove("", "a"), "`a` is a table, where a plain value must be"),
        ("a = 1\n", push("a", "x"), "`a` is a number, where a list must be"),
        ("[a]\n", push_table("a", "p", true), "`a` is a table, where a list must be"),
        ("a = 'x'\n", cut("a", 0), "`a` is a text, where a list must be"),
    ] {
        let error = apply(&format!("\n{old}"), &edit).unwrap_err().to_string();
        assert_eq!(error, format!("line 2: {said}"), "{edit:?} in {old}");
    }
    // A table with a header cannot take a plain value, and a dotted key cannot make it a list.
    assert!(apply("[[a]]\n", &push("a", "x")).is_err());
}

#[test]
fn broken_files_are_refused_with_their_line() {
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
        let EditError::Syntax { line, column, .. } = refused(bytes) else {
            panic!("{bytes:?}: {:?}", refused(bytes))
        };
        found.push((line, column));
        wanted.push(at);
    }
    assert_eq!(found, wanted);
    assert_eq!(refused(b"a = 1\nb = \"\xff\"\n"), EditError::NotUtf8 { line: 2 });
    assert_eq!(refused(b"\xff\xfea\0"), EditError::NotUtf8 { line: 1 });
    assert_eq!(refused(&b"# long\n".repeat(10 << 20 >> 3)), EditError::TooLarge);
    assert_eq!(
        refused(&b"# long\n".repeat(MAX_BYTES / 7)),
        EditError::TooLarge,
        "it would become too large"
    );
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(matches!(refused(deep.as_bytes()), EditError::Syntax { line: 1, .. }));
    let wide = format!("{}k = 1", "a.".repeat(100_000));
    assert!(matches!(refused(wide.as_bytes()), EditError::Syntax { line: 1, .. }));
}

#[test]
fn tables_are_inserted_before_others() {
    let insert = |index| Edit::InsertTable {
        array: path("s.c"),
        index,
        entries: vec![("m".to_owned(), Value::Table(vec![("n".to_owned(), text("x"))]))],
    };
    check(&[
        ("", insert(0), "[[s.c]]\nm = { n = \"x\" }\n"),
        (
            "z = 1\n\n# one\n[[s.c]]\n  a = 1\n\n[[s.c]]\na = 2\n",
            insert(0),
            "z = 1\n\n[[s.c]]\n  m = { n = \"x\" }\n\n# one\n[[s.c]]\n  a = 1\n\n[[s.c]]\na = 2\n",
        ),
        (
            "[[s.c]]\r\na = 1\r\n",
            insert(1),
            "[[s.c]]\r\na = 1\r\n\r\n[[s.c]]\r\nm = { n = \"x\" }\r\n",
        ),
        (
            "s = { c = [{ a = 1 }] }\n",
            insert(0),
            "s = { c = [{ m = { n = \"x\" } }, { a = 1 }] }\n",
        ),
        (
            "s.c = [\n  { a = 1 }, # c\n]\n",
            insert(0),
            "s.c = [\n  { m = { n = \"x\" } },\n  { a = 1 }, # c\n]\n",
        ),
    ]);
    assert_eq!(apply("[[s.c]]\n", &insert(2)), Err(EditError::NoSuchElement));
    // The order in a TOML table has no meaning.
    let last = Edit::SetLast { table: Vec::new(), key: "a".to_owned(), value: text("y") };
    check(&[("a = 'x'\nb = 1\n", last, "a = \"y\"\nb = 1\n")]);
}
