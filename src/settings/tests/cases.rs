//! Limits at their edges, and layouts that few files have.

use crate::files::write::WriteError;
use crate::settings::store::CommitError;
use crate::settings::tree::DEEP;
use crate::settings::{Edit, EditError, Format, Kind, MAX_BYTES, Value, apply, entry, keys, read};

const ALL: [Format; 5] =
    [Format::Toml, Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml];

fn list(values: &[&str]) -> Value {
    Value::List(values.iter().map(|value| Value::from(*value)).collect())
}

/// A file of a key, with blanks up to this length.
fn long(format: Format, length: usize) -> Vec<u8> {
    let start = match format {
        Format::Toml => "a = 1",
        Format::Yaml => "a: 1",
        _ => "{\"a\":1}",
    };
    format!("{start}{}", "\n".repeat(length - start.len())).into_bytes()
}

#[test]
fn a_file_has_a_mebibyte_at_most_before_and_after() {
    let longer = [Edit::set(&[], "a", 10)];
    for format in ALL {
        assert!(read(format, &long(format, MAX_BYTES)).is_ok(), "{format:?}");
        assert_eq!(read(format, &long(format, MAX_BYTES + 1)), Err(EditError::TooLarge));
        let edited = apply(format, &long(format, MAX_BYTES - 1), &longer);
        assert_eq!(edited.map(|bytes| bytes.len()), Ok(MAX_BYTES), "{format:?}");
        let edited = apply(format, &long(format, MAX_BYTES), &longer);
        assert_eq!(edited, Err(EditError::TooLarge), "{format:?}");
    }
}

#[test]
fn values_are_nested_a_hundred_deep_at_most() {
    let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let tables = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let is_deep = |format, text: &str| match read(format, text.as_bytes()) {
        Ok(_) => false,
        Err(EditError::Syntax { message, .. }) if message == DEEP => true,
        Err(error) => panic!("{format:?} {error:?}"),
    };
    for format in [Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml] {
        for depth in [98, 103] {
            let text = format!("{{\"a\": {}}}", lists(depth));
            assert_eq!(is_deep(format, &text), depth > 100, "{format:?} {depth}");
            assert_eq!(is_deep(format, &tables(depth)), depth > 100, "{format:?} {depth}");
        }
    }
}

#[test]
fn a_fault_is_named_by_line_and_column_in_characters() {
    let place = |format, text: &str| match read(format, text.as_bytes()) {
        Err(EditError::Syntax { line, column, .. }) => (line, column),
        other => panic!("{other:?}"),
    };
    for (format, text, wanted) in [
        (Format::Json, "{\n  \"é\": 1,\n  \"b\": 01\n}", (3, 9)),
        (Format::JsonComments, "// é\n{\"é\": 01}", (2, 8)),
        (Format::Yaml, "a: 1\nb: [\n", (2, 4)),
    ] {
        assert_eq!(place(format, text), wanted, "{text}");
    }
}

#[test]
fn yaml_edits_of_rare_layouts_touch_nothing_else() {
    let element = |value| Edit::SetElement {
        array: keys(&["s"]),
        index: 0,
        entries: vec![entry("a", value)],
    };
    for (old, edit, new) in [
        // A list or table takes the place of one in block style.
        ("s:\n  - a\n  - b\n", Edit::set(&[], "s", list(&["x"])), "s:\n  - x\n"),
        ("s:\n  - a\n", Edit::set(&[], "s", list(&[])), "s: []\n"),
        ("# c\ns:\n  - a\nt: 2\n", Edit::set(&[], "s", list(&[])), "# c\ns: []\nt: 2\n"),
        // Properties stand before the first line of a value.
        ("s: !!seq\n  - a\n", Edit::push_text(&["s"], "b"), "s: !!seq\n  - a\n  - b\n"),
        ("s: &l\n  - a\n", Edit::push_text(&["s"], "b"), "s: &l\n  - a\n  - b\n"),
        // A key in brackets or after a question mark has no lines below it.
        ("s: {a: }\n", Edit::push_text(&["s", "a"], "x"), "s: {a: [x] }\n"),
        ("? s\n: - x\n", Edit::remove_element(&["s"], 0), "? s\n: []\n"),
        ("s:\n  - a:\n    b: 1\n", element(list(&["x"])), "s:\n  - a:\n      - x\n    b: 1\n"),
        // Two blanks before a text in lines.
        ("a:  |\n  one\nb: 1\n", Edit::set(&[], "a", "x"), "a:  x\nb: 1\n"),
        // Single quotes stay if the text needs no escape and is not empty.
        ("a: 'x'\n", Edit::set(&[], "a", "y z"), "a: 'y z'\n"),
        ("a: 'x'\n", Edit::set(&[], "a", ""), "a: \"\"\n"),
        ("a: 'x'\n", Edit::set(&[], "a", "y\\n"), "a: \"y\\\\n\"\n"),
        ("a: 'x'\n", Edit::set(&[], "a", "y\nz"), "a: \"y\\nz\"\n"),
        (
            "s:\n  - a\n",
            Edit::PushElement { array: keys(&["s"]), value: list(&[]) },
            "s:\n  - a\n  - []\n",
        ),
    ] {
        let edited = apply(Format::Yaml, old.as_bytes(), std::slice::from_ref(&edit));
        let edited = edited.map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(edited.as_deref(), Ok(new), "{edit:?} in\n{old}");
    }
}

#[test]
fn a_list_is_not_looked_for_in_another_value() {
    let refused = |format, text: &str, edit| apply(format, text.as_bytes(), &[edit]).unwrap_err();
    for (format, text) in [(Format::Yaml, "s: x\n"), (Format::Json, "{\"s\": {}}")] {
        let error = refused(format, text, Edit::push_text(&["s"], "y")).to_string();
        assert!(
            error.starts_with("line 1: `s` is a t") && error.ends_with("list must be"),
            "{text}"
        );
    }
    let shared = "b: &b {x: 1}\nc: *b\n";
    let error = refused(Format::Yaml, shared, Edit::set(&["c"], "x", 2));
    assert_eq!(error, EditError::SideEffect);
}

#[test]
fn json_tables_and_lists_without_values_stay_on_one_line() {
    let inner = Value::Table(vec![entry("x", list(&[])), entry("y", Value::Table(Vec::new()))]);
    let edited = apply(Format::Json, b"{\n  \"b\": 1\n}\n", &[Edit::set(&[], "a", inner)]);
    let new = "{\n  \"b\": 1,\n  \"a\": {\n    \"x\": [],\n    \"y\": {}\n  }\n}\n";
    assert_eq!(edited.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(), Ok(new));
}

#[test]
fn a_toml_table_goes_with_all_that_is_below_it() {
    let old = "[[a]]\nx = 1\n[[a.b]]\ny = 2\n[[a]]\nx = 3\n";
    let edited = apply(Format::Toml, old.as_bytes(), &[Edit::remove_element(&["a"], 0)]);
    assert_eq!(edited.as_deref(), Ok(&b"[[a]]\nx = 3\n"[..]));
}

#[test]
fn yaml_scalars_mean_what_the_core_schema_says() {
    for (text, number) in [
        ("0x1F", true),
        ("0x", false),
        ("0xg", false),
        ("0o17", true),
        ("0o", false),
        ("0o8", false),
        (".5", true),
        ("5.", true),
        (".", false),
        ("1e5", true),
        ("1e", false),
        ("1e-5", true),
        ("1e5x", false),
        ("-.inf", true),
        ("-.nan", false),
        (".nan", true),
        ("1.x", false),
        ("x.1", false),
        ("1x", false),
    ] {
        let node = read(Format::Yaml, format!("a: {text}\n").as_bytes()).unwrap();
        let kind = &node.at(&["a"]).unwrap().kind;
        assert_eq!(matches!(kind, Kind::Number(_)), number, "{text}: {kind:?}");
    }
    for (value, wanted) in [("!!str 1", "1"), ("!other 1", "!other 1")] {
        let node = read(Format::Yaml, format!("a: {value}\n").as_bytes()).unwrap();
        assert!(node.text_of("a").unwrap().ends_with(wanted), "{node:?}");
        assert_eq!(node.text_of("a").unwrap() == "1", value.starts_with("!!"), "{node:?}");
    }
    let node = read(Format::Yaml, b"true: 1\n~: 2\n").unwrap();
    assert!(node.get("true").is_some() && node.get("~").is_some(), "{node:?}");
    for text in ["? [a]\n: 1\n", "b: &x true\n*x : 1\n"] {
        assert!(matches!(read(Format::Yaml, text.as_bytes()), Err(EditError::Syntax { .. })));
    }
}

#[test]
fn a_commit_was_overtaken_if_another_program_wrote_and_nothing_is_lost() {
    for (error, stranded, wanted) in [
        (WriteError::Changed, vec![], true),
        (WriteError::Changed, vec!["/f".into()], false),
        (WriteError::NotRegular, vec![], false),
    ] {
        let error = CommitError { path: "/f".into(), error, stranded };
        assert_eq!(error.overtaken(), wanted, "{error:?}");
    }
}
