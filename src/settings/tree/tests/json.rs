use super::*;
use Format::{Json, JsonComments, Jsonc};

#[test]
fn keys_are_set_where_they_belong() {
    check(
        Json,
        &[
            ("", set("", "a", Value::Flag(true)), "{\n  \"a\": true\n}\n"),
            (
                "",
                set("b/c", "a", Value::from(1)),
                "{\n  \"b\": {\n    \"c\": {\n      \"a\": 1\n    }\n  }\n}\n",
            ),
            ("", push("s/d", "x"), "{\n  \"s\": {\n    \"d\": [\n      \"x\"\n    ]\n  }\n}\n"),
            ("\u{feff}", set("", "a", Value::from(1)), "\u{feff}{\n  \"a\": 1\n}\n"),
            ("{}", set("", "a", Value::from(1)), "{\n  \"a\": 1\n}"),
            ("{}\r\n", set("", "a", Value::from(1)), "{\r\n  \"a\": 1\r\n}\r\n"),
            (
                "{ }\n",
                set("", "a", text("\"\\\n\u{1}\u{202e}é")),
                "{\n  \"a\": \"\\\"\\\\\\n\\u0001\\u202Eé\"\n}\n",
            ),
            ("{\"a\":1}", set("", "b", text("x")), "{\"a\":1,\"b\":\"x\"}"),
            ("{\"a\":1}", set("b", "c", text("x")), "{\"a\":1,\"b\":{\"c\":\"x\"}}"),
            ("{\"a\":{}}", set("a", "c", text("x")), "{\"a\":{\"c\":\"x\"}}"),
            ("{ \"a\": 1 }\n", set("", "b", text("x")), "{ \"a\": 1, \"b\": \"x\" }\n"),
            ("{ \"a\": {} }\n", set("a", "b", text("x")), "{ \"a\": { \"b\": \"x\" } }\n"),
            ("{\n\t\"a\": 1\n}", set("", "b", text("x")), "{\n\t\"a\": 1,\n\t\"b\": \"x\"\n}"),
            (
                "{\n\t\"a\": 1\n}",
                set("s", "b", text("x")),
                "{\n\t\"a\": 1,\n\t\"s\": {\n\t\t\"b\": \"x\"\n\t}\n}",
            ),
            (
                "{\r\n    \"a\": {}\r\n}\r\n",
                set("a", "b", text("x")),
                "{\r\n    \"a\": {\r\n        \"b\": \"x\"\r\n    }\r\n}\r\n",
            ),
            (
                "{\n  \"a\" : \"x\",\n  \"b\": 1\n}",
                set("", "a", text("y")),
                "{\n  \"a\" : \"y\",\n  \"b\": 1\n}",
            ),
            (
                "{\"a\": null, \"b\": 1}",
                set("a", "c", text("x")),
                "{\"a\": { \"c\": \"x\" }, \"b\": 1}",
            ),
            ("{\n  \"a\": null\n}", push("a", "x"), "{\n  \"a\": [\n    \"x\"\n  ]\n}"),
            ("{\"a\": [1, 2]}", set("", "a", Value::List(vec![])), "{\"a\": []}"),
            (
                "{\"a\": 1, \"a.b\": {\"c\": 1}}",
                set("a.b", "c", Value::from(2)),
                "{\"a\": 1, \"a.b\": {\"c\": 2}}",
            ),
        ],
    );
    check(
        Jsonc,
        &[
            ("// c\n", set("", "a", Value::from(1)), "// c\n{\n  \"a\": 1\n}\n"),
            (
                "{\n  \"a\": 1, // one\n}\n",
                set("", "b", text("x")),
                "{\n  \"a\": 1, // one\n  \"b\": \"x\",\n}\n",
            ),
            (
                "{\n  \"a\": 1 // one\n}\n",
                set("", "b", text("x")),
                "{\n  \"a\": 1, // one\n  \"b\": \"x\"\n}\n",
            ),
            (
                "{\n  \"a\": 1 /* one\n  more */\n  // end\n}\n",
                set("", "b", text("x")),
                "{\n  \"a\": 1, /* one\n  more */\n  \"b\": \"x\"\n  // end\n}\n",
            ),
            ("{\n  // none\n}\n", set("", "b", text("x")), "{\n  // none\n  \"b\": \"x\"\n}\n"),
            ("{ /* none */ }", set("", "b", text("x")), "{ /* none */ \"b\": \"x\" }"),
            ("{\"a\": 1,}", set("", "b", text("x")), "{\"a\": 1, \"b\": \"x\",}"),
        ],
    );
}

#[test]
fn last_keys_move_to_the_end() {
    let old = "{\n  \"permission\": {\n    \"skill\": {\n      \"a\": \"deny\", // why\n      // all\n      \"*\": \"allow\"\n    }\n  }\n}\n";
    check(
        Jsonc,
        &[
            (
                old,
                last("permission/skill", "a", "deny"),
                "{\n  \"permission\": {\n    \"skill\": {\n      // all\n      \"*\": \"allow\",\n      \"a\": \"deny\" // why\n    }\n  }\n}\n",
            ),
            (
                "{\n  \"a\": \"1\" /* one */,\n  \"b\": 2,\n}\n",
                last("", "a", "3"),
                "{\n  \"b\": 2,\n  \"a\": \"3\", /* one */\n}\n",
            ),
            (
                "{\n  \"a\": \"1\", /* one */\n  \"b\": 2,\n}\n",
                last("", "a", "3"),
                "{\n  \"b\": 2,\n  \"a\": \"3\", /* one */\n}\n",
            ),
            // It stays where the entry alone goes.
            (
                "{\"a\": \"1\", // one\n\"b\": \"2\"\n}",
                last("", "a", "3"),
                "{ // one\n\"b\": \"2\",\n\"a\": \"3\"\n}",
            ),
            (old, last("permission/skill", "*", "allow"), old),
            (
                old,
                last("permission/skill", "b", "ask"),
                "{\n  \"permission\": {\n    \"skill\": {\n      \"a\": \"deny\", // why\n      // all\n      \"*\": \"allow\",\n      \"b\": \"ask\"\n    }\n  }\n}\n",
            ),
            ("{\"a\":\"1\",\"b\":\"2\"}", last("", "a", "3"), "{\"b\":\"2\",\"a\":\"3\"}"),
            ("{\"b\":\"2\",\"a\":\"1\"}", last("", "a", "3"), "{\"b\":\"2\",\"a\":\"3\"}"),
            ("", last("p", "a", "3"), "{\n  \"p\": {\n    \"a\": \"3\"\n  }\n}\n"),
            // A word for all skills becomes a table only if it is removed or replaced first.
            ("{\"p\": {}}", last("p", "a", "3"), "{\"p\": { \"a\": \"3\" }}"),
        ],
    );
    assert!(
        matches!(run(Jsonc, "{\"p\": \"ask\"}", &last("p", "a", "deny")), Err(EditError::Shape { what, .. }) if what == "p")
    );
    let both = [remove("", "p"), last("p", "a", "deny")];
    assert_eq!(
        apply(Jsonc, b"{\"p\": \"ask\"}", &both).unwrap(),
        b"{\n  \"p\": {\n    \"a\": \"deny\"\n  }\n}"
    );
}

#[test]
fn a_value_is_replaced_by_one_of_another_type_where_it_stands() {
    let all = || Value::Table(table(&[("*", text("ask"))]));
    check(
        Jsonc,
        &[
            (
                "{\n  \"p\": \"ask\", // why\n  \"q\": 1\n}\n",
                replace("", "p", all()),
                "{\n  \"p\": {\n    \"*\": \"ask\"\n  }, // why\n  \"q\": 1\n}\n",
            ),
            ("{\"p\":\"ask\"}", replace("", "p", all()), "{\"p\":{\"*\":\"ask\"}}"),
            (
                "{ \"p\": { \"s\": \"ask\", \"t\": 1 } }",
                replace("p", "s", all()),
                "{ \"p\": { \"s\": { \"*\": \"ask\" }, \"t\": 1 } }",
            ),
            (
                "{\n  \"p\" : 1, // why\n  \"q\": 1\n}\n",
                Edit::rename(&[], "p", "a\"b"),
                "{\n  \"a\\\"b\" : 1, // why\n  \"q\": 1\n}\n",
            ),
            ("{ \"p\": [1], \"q\": 1 }", replace("", "p", text("x")), "{ \"p\": \"x\", \"q\": 1 }"),
        ],
    );
    let both = "{\"a\": 1, \"b\": 2}";
    let renamed = |key| run(Jsonc, both, &Edit::rename(&[], key, "b"));
    assert_eq!(renamed("a"), Err(EditError::NoSuchElement), "a key that is there is kept");
    assert_eq!(renamed("b").as_deref(), Ok(both));
    for (old, edit) in
        [("{\"a\": 1}", replace("", "p", all())), ("{\"a\": 1}", replace("a", "p", all()))]
    {
        assert!(matches!(run(Jsonc, old, &edit), Err(EditError::Shape { .. })), "{edit:?}");
    }
}

#[test]
fn keys_are_removed_and_comments_of_other_lines_stay() {
    check(
        Jsonc,
        &[
            ("{\"a\": 1}", remove("", "a"), "{}"),
            ("{\"a\":1,\"b\":2}", remove("", "a"), "{\"b\":2}"),
            ("{\"a\":1,\"b\":2}", remove("", "b"), "{\"a\":1}"),
            ("{ \"a\": 1, /* of b */ \"b\": 2 }", remove("", "a"), "{ /* of b */ \"b\": 2 }"),
            (
                "{\n  // c\n  \"a\": {\n    \"x\": 1\n  }, // gone\n  \"b\": 2\n}",
                remove("", "a"),
                "{\n  // c\n  \"b\": 2\n}",
            ),
            ("{\n  \"a\": 1, // of a\n  \"b\": 2\n}", remove("", "b"), "{\n  \"a\": 1 // of a\n}"),
            ("{\r\n  \"a\": 1,\r\n  \"b\": 2,\r\n}", remove("", "b"), "{\r\n  \"a\": 1,\r\n}"),
            ("{\n  \"s\": {\n    \"a\": \"off\"\n  }\n}", remove("s", "a"), "{\n  \"s\": {}\n}"),
            ("{\"a\": 1}", remove("", "b"), "{\"a\": 1}"),
            ("{\"a\": null}", remove("a", "b"), "{\"a\": null}"),
        ],
    );
}

#[test]
fn elements_are_pushed_inserted_and_removed() {
    let many = "{\n  \"d\": [\n    // web\n    \"a\", // of a\n    \"b\"\n  ]\n}\n";
    let rules = "{\n  \"amp.permissions\": [\n    // first\n    { \"tool\": \"Bash\", \"action\": \"ask\" },\n    { \"tool\": \"*\" }\n  ]\n}\n";
    check(
        JsonComments,
        &[
            (
                many,
                push("d", "x"),
                "{\n  \"d\": [\n    // web\n    \"a\", // of a\n    \"b\",\n    \"x\"\n  ]\n}\n",
            ),
            (many, push("d", "b"), many),
            (many, cut("d", 0), "{\n  \"d\": [\n    // web\n    \"b\"\n  ]\n}\n"),
            (many, cut("d", 1), "{\n  \"d\": [\n    // web\n    \"a\" // of a\n  ]\n}\n"),
            ("{\"d\":[\"a\"]}", push("d", "x"), "{\"d\":[\"a\",\"x\"]}"),
            ("{\"d\": [\"a\", \"b\"]}", push("d", "x"), "{\"d\": [\"a\", \"b\", \"x\"]}"),
            ("{\n  \"d\": []\n}", push("d", "x"), "{\n  \"d\": [\n    \"x\"\n  ]\n}"),
            ("{\n  \"d\": [\n    \"x\"\n  ]\n}", cut("d", 0), "{\n  \"d\": []\n}"),
            ("{\"d\":[]}", push("d", "x"), "{\"d\":[\"x\"]}"),
            (
                rules,
                amp(Some(0), "s"),
                "{\n  \"amp.permissions\": [\n    { \"tool\": \"skill\", \"matches\": { \"name\": \"s\" }, \"action\": \"reject\" },\n    // first\n    { \"tool\": \"Bash\", \"action\": \"ask\" },\n    { \"tool\": \"*\" }\n  ]\n}\n",
            ),
            (
                rules,
                insert("amp.permissions", 1, "x"),
                "{\n  \"amp.permissions\": [\n    // first\n    { \"tool\": \"Bash\", \"action\": \"ask\" },\n    { \"tool\": \"x\" },\n    { \"tool\": \"*\" }\n  ]\n}\n",
            ),
            (
                "{\"d\":[{\"tool\":\"a\"}]}",
                insert("d", 0, "x"),
                "{\"d\":[{\"tool\":\"x\"},{\"tool\":\"a\"}]}",
            ),
            (
                "{\"d\":[{\"tool\":\"a\"}]}",
                insert("d", 1, "x"),
                "{\"d\":[{\"tool\":\"a\"},{\"tool\":\"x\"}]}",
            ),
            (
                "",
                amp(Some(0), "s"),
                "{\n  \"amp.permissions\": [\n    {\n      \"tool\": \"skill\",\n      \"matches\": {\n        \"name\": \"s\"\n      },\n      \"action\": \"reject\"\n    }\n  ]\n}\n",
            ),
            (
                "{\"d\": [1, \"p\", 2, \"p\"]}",
                Edit::RemoveValue { array: path("d"), value: text("p") },
                "{\"d\": [1, 2]}",
            ),
            (
                "{\"d\": [{\"tool\": \"a\", \"z\": 1}, 2]}",
                Edit::SetElement {
                    array: path("d"),
                    index: 0,
                    entries: table(&[("tool", text("b")), ("y", text("c"))]),
                },
                "{\"d\": [{\"tool\": \"b\", \"z\": 1, \"y\": \"c\"}, 2]}",
            ),
            (
                "{\"d\": [{\"tool\": \"a\", \"z\": 1}]}",
                Edit::PushTable {
                    array: path("d"),
                    entries: table(&[("z", Value::from(1)), ("tool", text("a"))]),
                },
                "{\"d\": [{\"tool\": \"a\", \"z\": 1}]}",
            ),
        ],
    );
    assert_eq!(run(Json, "{\"d\": []}", &insert("d", 1, "x")), Err(EditError::NoSuchElement));
    assert_eq!(run(Json, "{\"d\": []}", &cut("d", 0)), Err(EditError::NoSuchElement));
    for (old, edit) in [
        ("{\"a\": 1}", push("a", "x")),
        ("{\"a\": {}}", push("a", "x")),
        ("{\"a\": {}}", insert("a", 0, "x")),
        ("{\"a\": \"x\"}", cut("a", 0)),
        ("{\"a\": 1}", set("a", "b", text("x"))),
        ("{\"a\": 1}", set("", "a", text("x"))),
        ("{\"a\": {}}", set("", "a", text("x"))),
        ("{\"a\": [1]}", remove("a", "b")),
    ] {
        let refused = run(Json, old, &edit);
        assert!(
            matches!(&refused, Err(EditError::Shape { what, .. }) if what == "a"),
            "{edit:?}: {refused:?}"
        );
    }
}
