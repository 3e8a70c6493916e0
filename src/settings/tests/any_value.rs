//! Arbitrary values and texts.

use super::super::{Edit, Format, Kind, Node, Value, apply, read};
use proptest::prelude::*;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Flag),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::Text),
        "[\"'\\\\#:,\\[\\]{}&*!|>%@`? \n\t\u{0}\u{85}\u{2028}\u{feff}yesno0-9~.-]{0,6}"
            .prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let keys = prop::collection::hash_map("[a-z\"#: \n]{0,3}", inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::List),
            keys.prop_map(|entries| Value::Table(entries.into_iter().collect())),
        ]
    })
}

/// Whether a file says a value; the order of keys counts.
fn says(node: &Node, value: &Value) -> bool {
    match (&node.kind, value) {
        (Kind::Flag(said), Value::Flag(flag)) => said == flag,
        (Kind::Number(said), Value::Number(number)) => said == number,
        (Kind::Text(said), Value::Text(text)) => said == text,
        (Kind::List(items), Value::List(values)) => {
            items.len() == values.len()
                && items.iter().zip(values).all(|(item, value)| says(item, value))
        }
        (Kind::Table(fields), Value::Table(entries)) => {
            let same = |(field, (key, value)): (&super::super::Field, &(String, Value))| {
                field.key == *key && says(&field.node, value)
            };
            fields.len() == entries.len() && fields.iter().zip(entries).all(same)
        }
        _ => false,
    }
}

fn olds(format: Format) -> &'static [&'static str] {
    match format {
        Format::Toml => &["", "a = 1", "[t]\r\nb = [\r\n  1,\r\n]\r\n", "t = { b = [] }\n"],
        Format::Yaml => {
            &["", "a: 1", "t:\r\n  b:\r\n  - 1\r\n", "t: {b: []}\n", "t:\n- b:\n", "t:\n"]
        }
        _ => &[
            "",
            "{}",
            "{\"t\":{\"b\":[]}}",
            "{\r\n\t\"t\": {\r\n\t\t\"b\": [1]\r\n\t}\r\n}",
            "{\"t\": null}",
        ],
    }
}

const ALL: [Format; 5] =
    [Format::Toml, Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_what_is_read(value in value(), key in "\\PC{0,4}", format in prop::sample::select(&ALL[..])) {
        for old in olds(format) {
            let set = Edit::Set { table: vec!["new".to_owned(), "deep".to_owned()], key: key.clone(), value: value.clone() };
            let push = Edit::PushElement { array: vec!["new".to_owned(), "list".to_owned()], value: value.clone() };
            let last = Edit::SetLast { table: Vec::new(), key: "last".to_owned(), value: value.clone() };
            let edits = [set, push, last];
            let new = apply(format, old.as_bytes(), &edits).map_err(|error| TestCaseError::fail(format!("{error:?} {old}")))?;
            let shown = String::from_utf8_lossy(&new);
            let node = read(format, &new).unwrap();
            prop_assert!(node.at(&["new", "deep", &key]).is_some_and(|node| says(node, &value)), "{}", shown);
            prop_assert!(says(&node.at(&["new", "list"]).unwrap().items()[0], &value), "{}", shown);
            prop_assert!(node.get("last").is_some_and(|node| says(node, &value)), "{}", shown);
            prop_assert_eq!(apply(format, &new, &edits).unwrap(), new.clone());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_text_makes_it_panic(
        json in "[\\[\\]{}a1:,\"/*\n\r \té]{0,30}",
        yaml in "[\\[\\]{}a1:,\"'#&*!|>?\n\r \t-é]{0,30}",
        index in 0..6_usize,
    ) {
        let (table, key) = (vec!["a".to_owned()], "a".to_owned());
        let value = Value::Text("x".to_owned());
        let edits = [
            Edit::Set { table: Vec::new(), key: key.clone(), value: value.clone() },
            Edit::SetLast { table: table.clone(), key: key.clone(), value: value.clone() },
            Edit::Remove { table: Vec::new(), key: key.clone() },
            Edit::PushElement { array: table.clone(), value: value.clone() },
            Edit::InsertTable { array: table.clone(), index: 0, entries: vec![(key, value.clone())] },
            Edit::RemoveValue { array: table, value },
        ];
        for (format, old) in [(Format::Jsonc, &json), (Format::Jsonc, &format!("{{\"a\":{json}}}")), (Format::Yaml, &yaml), (Format::Yaml, &format!("a: {yaml}"))] {
            if let Ok(new) = apply(format, old.as_bytes(), &edits[index..=index]) {
                prop_assert_eq!(apply(format, &new, &edits[index..=index]).unwrap(), new);
            }
        }
    }
}
