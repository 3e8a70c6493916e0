//! The lenient reader on good, odd and broken frontmatter, and against serde_yaml as an oracle.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn codes(reading: &Reading) -> Vec<&'static str> {
    reading.findings.iter().map(Diagnostic::code).collect()
}

fn text<'a>(reading: &'a Reading, key: &str) -> &'a str {
    reading
        .field(key)
        .and_then(|field| field.value.text())
        .unwrap_or_else(|| panic!("no {key}: {reading:?}"))
}

/// Reads frontmatter that must be fine.
fn fine(yaml: &str) -> Reading {
    let reading = read(format!("---\n{yaml}\n---\nbody\n").as_bytes());
    assert_eq!(codes(&reading), Vec::<&str>::new(), "{yaml}");
    reading
}

#[test]
fn scalars_stay_as_they_are_written() {
    let reading =
        fine("a: 1.10\nb: yes\nc: 010\nd: ~\ne:\nf: 2024-01-01\ng: '~'\nh: 1_000\ni: .inf\nj: 1e3");
    let texts: Vec<_> = reading.fields.iter().map(|field| field.value.text().unwrap()).collect();
    assert_eq!(texts, ["1.10", "yes", "010", "~", "", "2024-01-01", "~", "1_000", ".inf", "1e3"]);
}

#[test]
fn aab_5_a_description_may_be_a_block_scalar_of_several_lines() {
    assert_eq!(
        text(&fine("description: |\n  one\n  two: three\n\n  four"), "description"),
        "one\ntwo: three\n\nfour\n"
    );
    assert_eq!(
        text(&fine("description: >-\n  one\n  two\n\n  # four"), "description"),
        "one two\n# four"
    );
    assert_eq!(text(&fine("description: one\n  two"), "description"), "one two");
    assert_eq!(text(&fine("description: \"one\n  two\\n\\u00fc\""), "description"), "one two\nü");
}

#[test]
fn flow_style_anchors_and_tags_are_read() {
    let reading =
        fine("metadata: {a: 1, b: [x, 'y, z']}\nbase: &base {c: 2}\nlicense: *base\nname: !x pdf");
    assert_eq!(reading.field("metadata").unwrap().value.flow_text(), "{a: 1, b: [x, \"y, z\"]}");
    assert_eq!(reading.field("license").unwrap().value.flow_text(), "{c: 2}");
    assert_eq!(text(&reading, "name"), "pdf");
}

#[test]
fn merge_keys_fill_what_is_not_there() {
    let reading = fine("base: &base {name: base, license: MIT}\n<<: *base\nname: own");
    assert_eq!(text(&reading, "name"), "own");
    assert_eq!(text(&reading, "license"), "MIT");
    assert!(reading.field("<<").is_none());
    assert_eq!(text(&fine("<<: x"), "<<"), "x");
}

#[test]
fn of_a_duplicate_key_the_last_one_counts_and_is_marked() {
    let reading = read(b"---\nname: a\nname: b\n---\n");
    assert_eq!(text(&reading, "name"), "b");
    assert_eq!(codes(&reading), ["yaml:duplicate-key"]);
    assert_eq!(reading.findings[0].place, Place { line: 3, column: 1, width: 4 });
}

#[test]
fn kod_4b_the_body_is_what_follows_the_second_marker_else_everything() {
    let body = |bytes: &[u8]| {
        let reading = read(bytes);
        (String::from_utf8(bytes[reading.body..].to_vec()).unwrap(), reading.body_line)
    };
    assert_eq!(body(b"---\na: b\n---\n\nbody\n---\n"), ("\nbody\n---\n".into(), 4));
    assert_eq!(body(b"---\r\na: b\r\n---\r\nbody"), ("body".into(), 4));
    assert_eq!(body(b"---\na: b: c\n---\nbody"), ("body".into(), 4));
    for whole in ["# Title\n", "---\na: b\n", "---\na: b\n--- \u{2014}\n", ""] {
        assert_eq!(body(whole.as_bytes()), (whole.into(), 1));
    }
}

#[test]
fn rem_4_2_a_prefix_that_holds_the_frontmatter_is_enough() {
    let file = b"---\nname: a\ndescription: b\n---\nbody\n".to_vec();
    let whole = read(&file);
    let marker = file.len() - "body\n".len();
    for length in 0..=file.len() {
        let reading = read(&file[..length]);
        assert_eq!(reading.unclosed(), length < marker, "{length}");
        if length >= marker {
            assert_eq!(reading, whole);
        }
    }
}

#[test]
fn marks_and_line_ends_do_not_hide_fields() {
    let reading = read(b"\xef\xbb\xbf---\r\nname: a\r\ndescription: >\r\n  x\r\n  y\r\n---\r\n");
    assert_eq!((text(&reading, "name"), text(&reading, "description")), ("a", "x y\n"));
    assert_eq!(codes(&reading), ["bom"]);
    let reading = read(b"---\rname: a\r---\rbody");
    assert_eq!((text(&reading, "name"), reading.body_line), ("a", 4));
    assert_eq!(text(&fine("name: a\u{feff}b"), "name"), "a\u{feff}b");
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced_and_marked_in_place() {
    let reading = read(b"---\nname: a\ndescription: \xc3\xbcb\xffc\n---\n");
    assert_eq!(text(&reading, "description"), "üb\u{fffd}c");
    assert_eq!(codes(&reading), ["encoding"]);
    assert_eq!(reading.findings[0].place, Place { line: 3, column: 16, width: 1 });
}

#[test]
fn a_file_in_utf_16_is_told_to_be_one() {
    let wide = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        let text = "---\nname: a\ndescription: b\n---\n".encode_utf16().flat_map(bytes);
        read(&mark.into_iter().chain(text).collect::<Vec<u8>>())
    };
    for reading in [wide([0xff, 0xfe], u16::to_le_bytes), wide([0xfe, 0xff], u16::to_be_bytes)] {
        let finding = &reading.findings[0];
        assert_eq!((finding.code(), finding.help()), ("no-frontmatter", "save the file as UTF-8"));
        assert!(crate::catalog::fix::of_finding(finding).is_none());
    }
}

#[test]
fn lines_within_quotes_may_begin_anywhere() {
    let reading = fine("description: \"one\ntwo's\n\tthree\"\nname:  'a'");
    assert_eq!(text(&reading, "description"), "one two's three");
    assert_eq!(reading.field("name").unwrap().value_place, Place { line: 5, column: 8, width: 3 });
}

#[test]
fn broken_yaml_is_repaired_and_says_where() {
    let reading = read(b"---\nname: a\ndescription: Use this: when\n---\n");
    assert_eq!((text(&reading, "name"), text(&reading, "description")), ("a", "Use this: when"));
    assert_eq!(codes(&reading), ["yaml-repaired"]);
    assert_eq!(reading.findings[0].place, Place { line: 3, column: 22, width: 1 });
    assert_eq!(codes(&read(b"---\n\"\n---\n")), ["yaml:syntax"]);
}

#[test]
fn a_quote_that_is_not_closed_is_named_where_it_begins() {
    for (yaml, line, column) in [
        ("name: a\ndescription: \"Sheets: make\n", 3, 14),
        ("name: a\r\ndescription: \"Sheets: make\r\n", 3, 14),
        ("name: 'x\ndescription: d\nlicense: MIT\n", 2, 7),
        ("description: \"it's\nname: a\n", 2, 14),
        ("name: 'a'\ndescription: 'x\n  more, \"y\n", 3, 14),
        ("metadata:\n  größe:   \"x\n", 3, 12),
        ("allowed-tools: [a, 'b]\n", 2, 20),
        ("\"\n", 2, 1),
    ] {
        let reading = read(format!("---\n{yaml}---\nBody \"\n").as_bytes());
        let finding = reading.findings.last().unwrap();
        assert!(finding.message.ends_with("the quote that begins here is not closed"), "{yaml}");
        assert_eq!(finding.place, Place { line, column, width: 1 }, "{yaml}");
        assert_eq!(finding.help(), "close the quote, or take it away");
    }
    let closed = read(b"---\nname: 'a' b\n---\n");
    assert!(closed.findings[0].message.ends_with("text follows the closing quote"));
}

#[test]
fn usual_mistakes_are_told_in_our_words() {
    for (value, told) in [
        ("@mention", "a value that begins with @ needs quotes"),
        ("`code`", "a value that begins with ` needs quotes"),
        (">- text", "the text of a block begins below its > or |, and not beside it"),
        ("\"a\\d\"", "a backslash within double quotes begins an escape that YAML does not have"),
        ("a: b", "a colon and a blank stand within an unquoted value"),
        ("*.ts", "a value that begins with * is an alias, and there is no such anchor"),
        ("x\n- y", "a line is neither `key: value` nor indented"),
    ] {
        let reading = read(format!("---\nname: a\ndescription: {value}\n---\n").as_bytes());
        let finding = &reading.findings[0];
        assert_eq!(finding.message, format!("the frontmatter is not valid YAML: {told}"));
    }
}

#[test]
fn a_frontmatter_that_is_no_map_is_one_error() {
    for (yaml, what) in
        [("", "empty"), ("# x\n", "empty"), ("- a\n", "a list"), ("name:a\n", "plain text")]
    {
        let reading = read(format!("---\n{yaml}---\n").as_bytes());
        assert_eq!(codes(&reading), ["not-mapping"]);
        assert!(reading.findings[0].message.contains(what), "{}", reading.findings[0].message);
    }
}

#[test]
fn three_hyphens_within_a_value_do_not_end_the_frontmatter() {
    let reading = read("---\nname: ä --- b\n---\n".as_bytes());
    assert_eq!(text(&reading, "name"), "ä --- b");
    assert_eq!(codes(&reading), ["frontmatter-cut"]);
    assert_eq!(reading.findings[0].place, Place { line: 2, column: 9, width: 3 });
}

#[test]
fn places_count_characters_of_the_file() {
    let reading = fine("\n\"näme\":   'ü x'\nmetadata:\n  a: b\nlist: [a,\n  b]");
    let places: Vec<_> =
        reading.fields.iter().map(|field| (field.key_place, field.value_place)).collect();
    let place = |line, column, width| Place { line, column, width };
    assert_eq!(places[0], (place(3, 1, 6), place(3, 11, 5)));
    assert_eq!(places[1].1.line, 5);
    assert_eq!(places[1].1.column, 3);
    assert_eq!((places[2].0, places[2].1.line, places[2].1.column), (place(6, 1, 4), 6, 7));
}

/// What libyaml 0.2.5 says of each.
#[test]
fn libyaml_takes_no_tab_where_a_key_may_begin() {
    let taken = |yaml: &&str| libyaml_tree(yaml).is_some();
    let good = [
        "a:\tb\t\nc: d",
        "a: b\n \t\nc: d",
        "a: b\n \t# e\nc: d",
        "a: b\n  \tc",
        "a:\t\n  b: c",
        "a: # b\tc\n  d: e",
        "? a\n: b\t\n",
        "a:\n  - b\t\n  - 'c'\t# d",
        "a:\n- b\n \t\n- c",
        "a: [b,\n\tc]",
        "a: 'b\n\tc'",
        "a: |\t# b\tc\n  d\te\n  \tf",
        "a: |1\n \tb",
        "a: &b\tc\nd: *b\t\ne: !!str\tf",
        "---\t\na: b",
    ];
    let bad = [
        "a: b\n\t\nc: d",
        "a: b\n\t# e\nc: d",
        "a: 'b'\n \t\nc: d",
        "a: b # e\n \t\nc: d",
        "a: b\n\tc",
        "\ta: b",
        " \t# c\na: b",
        "?\ta\n: b",
        "? a\n:\tb",
        "a:\n  -\tb",
        "a:\n  - \t- b",
        "a:\n  b: c\n  \t\n  d: e",
        "a: [b\n\t, c]",
        "a: |\n  \tb",
        "a: |\n  b\n\t\n  c",
        "a: |2\n \tb",
    ];
    for yaml in &good {
        assert!(taken(yaml), "{yaml:?}");
    }
    for yaml in &bad {
        assert!(!taken(yaml), "{yaml:?}");
    }
    // PyYAML looks for no tab before the text of a block.
    assert!(pyyaml_tree("a: |\n  \tb").is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let reading = read(&bytes);
        prop_assert!(reading.body <= bytes.len());
    }

    #[test]
    fn arbitrary_frontmatter_never_panics_and_ends_where_it_should(
        yaml in "([a-c]: |- |\\? |[\\[\\]{},&*!|>'\"%@`#:~-]|\n|\n  |\r|\t|\\.\\.\\.|\u{feff}|\u{2028}|\u{0}|ü){0,60}",
    ) {
        let file = format!("---\n{yaml}\n---\nbody");
        let reading = read(file.as_bytes());
        prop_assert!(file.is_char_boundary(reading.body));
        prop_assert!(!reading.fields.is_empty() || !reading.findings.is_empty());
        let lines = u32::try_from(file.replace("\r\n", "\n").matches(['\n', '\r']).count()).unwrap() + 1;
        for place in reading.fields.iter().flat_map(|field| [field.key_place, field.value_place])
            .chain(reading.findings.iter().map(|finding| finding.place))
        {
            prop_assert!((1..=lines).contains(&place.line) && place.column >= 1 && place.width >= 1, "{:?}", place);
        }
    }

    /// Any text in double quotes is read back.
    #[test]
    fn written_fields_are_read_back(values in prop::collection::btree_map("[a-z][a-z-]{0,9}", "[ -~äß技🚀\n\t]{0,40}", 1..8)) {
        let yaml: String = values.iter().map(|(key, value)| format!("{key}: {}\n", quoted(value))).collect();
        let reading = read(format!("---\n{yaml}---\n").as_bytes());
        let read: BTreeMap<_, _> = reading.fields.iter().map(|field| (field.key.clone(), field.value.flow_text())).collect();
        prop_assert_eq!(read, values);
    }

    /// Nested values survive their flow notation.
    #[test]
    fn flow_notation_is_yaml(value in value()) {
        let reading = read(format!("---\nkey: {}\n---\n", value.flow_text()).as_bytes());
        prop_assert_eq!(&reading.field("key").unwrap().value, &value, "{}", value.flow_text());
    }

    /// Plain name and description lines are recovered whatever is around them.
    #[test]
    fn the_fallback_recovers_plain_lines(
        before in "(x: y: z|\"x|key: \\[|- a)",
        name in "[a-z][a-z0-9]{0,20}",
        description in "[A-Za-z][A-Za-z ,.]{0,60}[a-z.]",
        after in "(x: 'y|tool: @a|more: a: b|z: \\{)",
    ) {
        let file = format!("---\n{before}\nname: {name}\ndescription: {description}\n{after}\n---\n");
        let reading = read(file.as_bytes());
        prop_assert_eq!(text(&reading, "name"), name);
        prop_assert_eq!(text(&reading, "description"), description);
        prop_assert_eq!(codes(&reading), ["yaml-repaired"]);
    }

    /// If serde_yaml reads names and descriptions, it reads the same.
    #[test]
    fn serde_yaml_agrees(
        name in "[ -~ü]{0,12}",
        description in "[ -~ü]{0,30}|[|>][-+]?\n  [ -~]{1,20}\n\n  [ -~]{1,20}|\"[a-zü\\\\n ]{0,9}\n  [a-z ]{0,9}\"|'[a-z'']{0,9}\n [a-z]{0,9}'",
    ) {
        let yaml = format!("name: {name}\ndescription: {description}\n");
        let oracle: Result<BTreeMap<String, String>, _> = serde_yaml::from_str(&yaml);
        prop_assume!(!yaml.contains("---"));
        let reading = read(format!("---\n{yaml}---\n").as_bytes());
        if let Ok(oracle) = oracle && reading.findings.is_empty() {
            prop_assert_eq!(text(&reading, "name"), &oracle["name"]);
            prop_assert_eq!(text(&reading, "description"), &oracle["description"]);
        }
    }
}

fn quoted(text: &str) -> String {
    let escaped =
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = "[ -~ü\n]{0,9}".prop_map(Value::Scalar);
    let nested = scalar.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Sequence),
            prop::collection::btree_map("[ -~]{0,6}", inner, 0..4)
                .prop_map(|pairs| Value::Mapping(pairs.into_iter().collect())),
        ]
    });
    nested.prop_filter("text is written as it is", |value| value.text().is_none())
}
