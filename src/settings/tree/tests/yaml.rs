use super::*;
use Format::Yaml;

#[test]
fn keys_are_set_where_they_belong() {
    check(
        Yaml,
        &[
            ("", set("", "a", Value::Flag(true)), "a: true\n"),
            ("# c", set("", "a", Value::from(1)), "# c\na: 1"),
            ("---\n", set("", "a", Value::from(1)), "---\na: 1\n"),
            ("", set("b/c", "a", Value::from(1)), "b:\n  c:\n    a: 1\n"),
            ("", push("s/d", "x"), "s:\n  d:\n    - x\n"),
            ("a: 1 # one\n# end\n", set("", "b", text("x")), "a: 1 # one\nb: x\n# end\n"),
            ("a: 1 # one\n", set("", "a", Value::from(2)), "a: 2 # one\n"),
            ("a: 'x'\r\nb: \"y\"", set("", "a", text("z")), "a: 'z'\r\nb: \"y\""),
            ("a: 1\r\nb: 2", set("", "c", text("z")), "a: 1\r\nb: 2\r\nc: z"),
            ("s:\n    a: 1\nt: 2\n", set("s", "b", text("x")), "s:\n    a: 1\n    b: x\nt: 2\n"),
            (
                "s:\n    a: 1\nt: 2\n",
                set("u", "b", text("x")),
                "s:\n    a: 1\nt: 2\nu:\n    b: x\n",
            ),
            ("s: {a: 1}\n", set("s", "b", text("x")), "s: {a: 1, b: x}\n"),
            ("s: {}\n", set("s", "b", text("x")), "s: {b: x}\n"),
            ("s: # c\nt: 1\n", set("s", "b", text("x")), "s: # c\n  b: x\nt: 1\n"),
            ("s:\nt: 1\n", set("", "s", text("x")), "s: x\nt: 1\n"),
            ("s: # why\n  a: 1\n", Edit::rename(&["s"], "a", "b*"), "s: # why\n  b*: 1\n"),
            (
                "s: y # why\nt: 1\n",
                replace("", "s", Value::Table(table(&[("a", text("x"))]))),
                "s: {a: x} # why\nt: 1\n",
            ),
            ("s: ~\n", set("", "s", text("x")), "s: x\n"),
            ("s: {a, b: }\n", set("s", "a", text("x")), "s: {a: x, b: }\n"),
            ("a: |\n  one\n  two\n\nb: 1\n", set("", "a", text("x")), "a: x\n\nb: 1\n"),
            (
                "b: 1\na: |\n  one\n  two\n\n",
                set("", "c", text("x")),
                "b: 1\na: |\n  one\n  two\nc: x\n\n",
            ),
            ("a: plain\n  more\n", set("", "a", text("x")), "a: x\n"),
            ("b: &b {x: 1}\nc: *b\n", set("", "d", text("x")), "b: &b {x: 1}\nc: *b\nd: x\n"),
        ],
    );
}

#[test]
fn texts_are_quoted_where_a_reader_would_see_something_else() {
    for (value, written) in [
        ("plain", "plain"),
        ("two words", "two words"),
        ("internal-*", "internal-*"),
        ("jingkaihe/skills/kubernetes", "jingkaihe/skills/kubernetes"),
        ("Skill(deploy *)", "Skill(deploy *)"),
        ("yes", "\"yes\""),
        ("No", "\"No\""),
        ("null", "\"null\""),
        ("~", "\"~\""),
        ("1", "\"1\""),
        ("1.5e3", "\"1.5e3\""),
        ("2001-01-01", "\"2001-01-01\""),
        ("#x", "\"#x\""),
        ("a #b", "\"a #b\""),
        ("a: b", "\"a: b\""),
        ("a:", "\"a:\""),
        ("*x", "\"*x\""),
        ("&x", "\"&x\""),
        ("!x", "\"!x\""),
        ("-x", "\"-x\""),
        ("a, b", "\"a, b\""),
        (" x", "\" x\""),
        ("x ", "\"x \""),
        ("", "\"\""),
        ("it's", "\"it's\""),
        ("a\nb", "\"a\\nb\""),
        ("é", "\"é\""),
    ] {
        assert_eq!(run(Yaml, "", &set("", "k", text(value))).unwrap(), format!("k: {written}\n"));
        assert_eq!(
            run(Yaml, "l: [a]\n", &push("l", value)).unwrap(),
            format!("l: [a, {written}]\n")
        );
        assert_eq!(run(Yaml, "", &set("", value, text("v"))).unwrap(), format!("{written}: v\n"));
    }
}

#[test]
fn keys_are_removed_and_comments_of_other_lines_stay() {
    check(
        Yaml,
        &[
            ("a: 1\n", remove("", "a"), ""),
            ("# c\na: 1 # gone\nb: 2\n", remove("", "a"), "# c\nb: 2\n"),
            ("a: 1\nb:\n  - x # c\n  - y", remove("", "b"), "a: 1"),
            ("s:\n  a: 1\n  # of b\n  b: 2\n", remove("s", "a"), "s:\n  # of b\n  b: 2\n"),
            ("s: # c\n  # of a\n  a: 1\nt: 1\n", remove("s", "a"), "s: {} # c\n  # of a\nt: 1\n"),
            ("s: {a: 1, b: 2}\n", remove("s", "a"), "s: {b: 2}\n"),
            ("s:\n  a:\n  b: 2\n", remove("s", "a"), "s:\n  b: 2\n"),
            ("s:\n- a: 1\n  b: 2\n", cut("s", 0), "s: []\n"),
        ],
    );
    let first =
        Edit::SetElement { array: path("s"), index: 0, entries: table(&[("c", text("x"))]) };
    check(Yaml, &[("s:\n- a: 1\n  b: 2\n- d: 1\n", first, "s:\n- a: 1\n  b: 2\n  c: x\n- d: 1\n")]);
    check(Yaml, &[("a: '1' # c\nb: '2'\n", last("", "a", "1"), "b: '2'\na: \"1\"\n")]);
}

#[test]
fn elements_are_pushed_inserted_and_removed() {
    let many = "d:\n  # web\n  - a # of a\n\n  - \"b\"\n  # end\ne: 1\n";
    check(
        Yaml,
        &[
            (
                many,
                push("d", "x"),
                "d:\n  # web\n  - a # of a\n\n  - \"b\"\n  - x\n  # end\ne: 1\n",
            ),
            (many, push("d", "b"), many),
            (many, cut("d", 0), "d:\n  # web\n\n  - \"b\"\n  # end\ne: 1\n"),
            (many, cut("d", 1), "d:\n  # web\n  - a # of a\n\n  # end\ne: 1\n"),
            ("d:\n- a\nd2:\n", push("d", "x"), "d:\n- a\n- x\nd2:\n"),
            ("d:\n- a\n", push("e", "x"), "d:\n- a\ne:\n- x\n"),
            ("d: # c\ne: 1\n", push("d", "x"), "d: # c\n  - x\ne: 1\n"),
            ("d: [a] # c\n", push("d", "x"), "d: [a, x] # c\n"),
            ("d: []\n", push("d", "x"), "d: [x]\n"),
            ("d: [\n  a, # c\n  b\n]\n", push("d", "x"), "d: [\n  a, # c\n  b,\n  x\n]\n"),
            ("d: [a, b]\n", cut("d", 0), "d: [b]\n"),
            ("d: # c\n  - a # d\ne: 1\n", cut("d", 0), "d: [] # c\ne: 1\n"),
            ("d:\n  - a", cut("d", 0), "d: []"),
            (
                "d:\n  - tool: a\n    x: 1\n",
                insert("d", 0, "new"),
                "d:\n  - tool: new\n  - tool: a\n    x: 1\n",
            ),
            (
                "d:\n  - tool: a\n    x: 1\n",
                insert("d", 1, "new"),
                "d:\n  - tool: a\n    x: 1\n  - tool: new\n",
            ),
            (
                "p:\n",
                Edit::PushTable {
                    array: path("p"),
                    entries: table(&[
                        ("a", text("x")),
                        ("b", Value::List(vec![text("z")])),
                        ("c", Value::Table(vec![])),
                    ]),
                },
                "p:\n  - a: x\n    b:\n      - z\n    c: {}\n",
            ),
            (
                "d:\n  - - a\n    - b\n",
                Edit::RemoveElement { array: path("d"), index: 0 },
                "d: []\n",
            ),
            (
                "d: [p, q, p]\n",
                Edit::RemoveValue { array: path("d"), value: text("p") },
                "d: [q]\n",
            ),
            (
                "d:\n  - p\n  - q\n  - p\n",
                Edit::RemoveValue { array: path("d"), value: text("p") },
                "d:\n  - q\n",
            ),
        ],
    );
}

#[test]
fn what_stands_elsewhere_too_is_not_changed() {
    let old = "base: &base\n  allowed: [a]\nskills: *base\n";
    assert_eq!(run(Yaml, old, &push("skills/allowed", "x")), Err(EditError::SideEffect));
    assert_eq!(run(Yaml, old, &push("base/allowed", "x")), Err(EditError::SideEffect));
    assert_eq!(run(Yaml, old, &set("", "z", text("x"))).unwrap(), format!("{old}z: x\n"));
    assert_eq!(run(Yaml, old, &remove("", "base")), Err(EditError::SideEffect));
}
