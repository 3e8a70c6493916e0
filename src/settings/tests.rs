mod any_value;
mod cases;
mod files;
mod minimal;

use super::{Edit, EditError, Format, Kind, MAX_BYTES, Node, Reader, apply, entry, read, read_as};

/// A node as a line of text, each value with its line.
fn say(node: &Node) -> String {
    let what = match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Flag(flag) => flag.to_string(),
        Kind::Number(number) => number.clone(),
        Kind::Text(text) => format!("{text:?}"),
        Kind::List(items) => format!("[{}]", items.iter().map(say).collect::<Vec<_>>().join(" ")),
        Kind::Table(fields) => {
            let field =
                |field: &super::Field| format!("{}@{}={}", field.key, field.line, say(&field.node));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(" "))
        }
    };
    format!("{what}@{}", node.line)
}

#[track_caller]
fn says(format: Format, text: &str, wanted: &str) {
    assert_eq!(
        read(format, text.as_bytes()).map(|node| say(&node)),
        Ok(wanted.to_owned()),
        "{text}"
    );
}

#[test]
fn every_format_says_the_same_with_lines() {
    let same = "{a@1={b@2=[\"x\"@3 1@4]@2}@1}@1";
    says(Format::Json, "{\"a\": {\n\"b\": [\n\"x\",\n1]}}", same);
    says(Format::Jsonc, "{\"a\": {\n\"b\": [\n\"x\", // c\n1,],},}", same);
    says(Format::Toml, "a = {\n b = [\n'x', # c\n1 ] }\n", same);
    says(Format::Yaml, "a: {\n b: [\n'x', # c\n1 ] }\n", same);
    says(Format::Yaml, "a:\n  b:\n  - x # c\n  - 1\n", "{a@1={b@2=[\"x\"@3 1@4]@3}@2}@1");
    says(
        Format::Toml,
        "[a]\nb=1\n[[a.c]]\n[[a.c]]\nx=1.5\n[d.e]\n",
        "{a@1={b@2=1@2 c@3=[{}@3 {x@5=1.5@5}@4]@3}@1 d@6={e@6={}@6}@6}@1",
    );
}

#[test]
fn nothing_is_an_empty_table() {
    let all = [Format::Toml, Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml];
    for format in all {
        for text in ["", "\n", "  \r\n\n", "\u{feff}", "\u{feff}\n"] {
            says(format, text, "{}@1");
        }
    }
    for (format, text) in [
        (Format::Toml, "# c\n"),
        (Format::JsonComments, "// c\n/* d */"),
        (Format::Jsonc, "// c"),
        (Format::Yaml, "# c\n"),
        (Format::Yaml, "---\n"),
        (Format::Yaml, "---\n# c\n...\n"),
    ] {
        says(format, text, "{}@1");
    }
}

#[test]
fn yaml_scalars_are_read_by_the_core_schema() {
    says(
        Format::Yaml,
        "a: yes\nb: 'true'\nc: True\nd:\ne: ~\nf: 0x1F\ng: 1e3\nh: 1.2.3\ni: -\"\nj: !!str 1\nk: [a, b: , ]\n? q\n: r\nl: |\n  x\n  y\nm: \"\\u00e9\"\nn:\n- - 1\n-\n",
        "{a@1=\"yes\"@1 b@2=\"true\"@2 c@3=true@3 d@4=null@4 e@5=null@5 f@6=0x1F@6 g@7=1e3@7 h@8=\"1.2.3\"@8 i@9=\"-\\\"\"@9 \
         j@10=\"1\"@10 k@11=[\"a\"@11 {b@11=null@11}@11]@11 q@12=\"r\"@13 l@14=\"x\\ny\\n\"@14 m@17=\"é\"@17 n@18=[[1@19]@19 null@20]@19}@1",
    );
    says(
        Format::Yaml,
        "a: &x {b: 1}\nc: *x\n<<: *x\n",
        "{a@1={b@1=1@1}@1 c@2={b@1=1@1}@2 <<@3={b@1=1@1}@3}@1",
    );
}

#[test]
fn what_cannot_be_read_is_refused_with_its_line() {
    use Format::{Json, JsonComments, Jsonc, Yaml};
    let deep = |open: &str| open.repeat(100_000);
    let half = format!("{{\"a\": {}", deep("["));
    let rows: Vec<(Format, &[u8], (usize, usize))> = vec![
        (Json, b"{\n \"a\": 1, // c\n}", (2, 10)),
        (Json, b"{\n \"a\": 1,\n}", (2, 8)),
        (Json, b"{\"a\": [1,]}", (1, 9)),
        (JsonComments, b"{ // c\n \"a\": 1,\n}", (2, 8)),
        (Json, b"{\"a\": 1}\n{\"b\": 2}", (2, 1)),
        (Jsonc, b"{\n\"a\": 1\n\"b\": 2}", (2, 7)),
        (Jsonc, b"{a: 1}", (1, 2)),
        (Jsonc, b"{'a': 1}", (1, 2)),
        (Json, b"{\"a\": 1,\n \"a\": 1}", (2, 2)),
        (Json, b"{\n\"a\": \"x\ty\"}", (2, 8)),
        (Json, b"{\"a\":\x0c1}", (1, 6)),
        (Json, b"{\"a\": 01}", (1, 8)),
        (Json, b"{\"a\": \"half", (1, 7)),
        (Json, b"{\n\"a\": {\"b\": [\n1", (2, 12)),
        (Json, b"[1]", (1, 1)),
        (Json, b"\n\"x\"", (2, 1)),
        (Jsonc, b"null", (1, 1)),
        (Jsonc, b"{\"a\": 1} /* open", (1, 10)),
        (Json, b"a = 1\n", (1, 1)),
        (Json, b"\xef\xbb\xbf{\n\"\xc3\xa9\": x}", (2, 6)),
        (Json, half.as_bytes(), (1, 517)),
        (Yaml, b"a: 1\na: 2\n", (2, 1)),
        (Yaml, b"a: {b: 1, b: 2}\n", (1, 11)),
        (Yaml, b"a: 1\n---\nb: 2\n", (2, 1)),
        (Yaml, b"- a\n", (1, 1)),
        (Yaml, b"text\n", (1, 1)),
        (Yaml, b"a: [1\nb: 2\n", (2, 2)),
        (Yaml, b"a: \"half\n", (2, 1)),
        (Yaml, b"a: 1\n\tb: 2\n", (1, 4)),
        (Yaml, b"a: *x\n", (1, 4)),
        (Yaml, b"a: &x [*x]\n", (1, 8)),
        (Yaml, b"[a, b]: 1\n", (1, 1)),
    ];
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    for (index, (format, bytes, at)) in rows.iter().enumerate() {
        match read(*format, bytes) {
            Err(EditError::Syntax { line, column, message }) => {
                found.push((index, (line, column), message))
            }
            other => panic!("{:?}: {other:?}", String::from_utf8_lossy(bytes)),
        }
        wanted.push((index, *at, found[index].2.clone()));
    }
    assert_eq!(found, wanted);
    crate::test_env::bar::tried(wanted.len());
    for format in [Json, Jsonc, Yaml] {
        assert_eq!(read(format, b"{\n\"a\": \"\xff\"}"), Err(EditError::NotUtf8 { line: 2 }));
        assert_eq!(read(format, &b" ".repeat(MAX_BYTES + 1)), Err(EditError::TooLarge));
        for open in ["{\"a\":", "[", "- ", "a:\n "] {
            assert!(read(format, deep(open).as_bytes()).is_err());
        }
    }
    let nested = |depth: usize| format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(Json, nested(95).as_bytes()).is_ok());
    assert!(read(Json, nested(101).as_bytes()).is_err());
    let laughs: String = (1..30)
        .map(|index| format!("a{index}: &a{index} [{}]\n", format!("*a{}, ", index - 1).repeat(9)))
        .collect();
    assert!(read(Yaml, format!("a0: &a0 x\n{laughs}").as_bytes()).is_err());
}

#[test]
fn json_is_read_as_javascript_reads_it_where_that_is_asked_for() {
    let read = |bytes: &[u8]| {
        let strict = read(Format::Json, bytes).map(|node| say(&node)).unwrap_err().to_string();
        let lenient = read_as(Format::Json, bytes, Reader::JavaScript);
        (strict, lenient.map(|node| say(&node)).map_err(|error| error.to_string()))
    };
    let (strict, lenient) = read(b"{\n\"a\": \"caf\xe9\"}");
    assert_eq!(strict, "line 2 is not UTF-8");
    assert_eq!(lenient.as_deref(), Ok("{a@2=\"caf\u{fffd}\"@2}@1"));
    let (strict, lenient) = read(b"{\"a\": 1,\n\"a\": 2}");
    assert!(strict.ends_with("the key stands twice"), "{strict}");
    assert_eq!(lenient.as_deref(), Ok("{a@2=2@2}@1"));
    let deep =
        |inner: &str| format!("{{\"a\": {}{inner}{}, \"b\": 1}}", "[".repeat(300), "]".repeat(300));
    let (strict, lenient) = read(deep("{\"c\": 1}").as_bytes());
    assert!(strict.ends_with("the values are nested too deep"), "{strict}");
    assert!(lenient.unwrap().ends_with("b@1=1@1}@1"));
    assert!(read(deep("{").as_bytes()).1.is_err(), "brackets must match at any depth");
    let deeper = |inner: &str| deep(&format!("{}{inner}{}", "[".repeat(3_000), "]".repeat(3_000)));
    let (strict, lenient) = read(deeper("\n\"é]\"").as_bytes());
    assert!(strict.ends_with("the values are nested too deep"), "{strict}");
    assert!(lenient.unwrap().ends_with("b@2=1@2}@1"));
    assert!(read(deeper("{").as_bytes()).1.is_err(), "brackets must match at any depth");
    // Any other error stays one.
    assert!(read(b"{\"a\": \xe9}").1.is_err());
}

/// What the programs make of each.
#[test]
fn what_single_agents_read_beyond_that() {
    use Reader::{JavaScript, JavaScriptOrUtf16, JsoncParser, Strict, StripJsonComments};
    let is_read =
        |format, text: &str, how| read_as(format, text.as_bytes(), how).map(|node| say(&node)).ok();
    // Copilot CLI.
    let plain = is_read(Format::Jsonc, "{\"a\": 1}", Strict);
    for blank in ["\u{a0}", "\u{b}", "\u{c}", "\u{2003}", "\u{2028}", "\u{85}", "\u{a0}/* x */"] {
        let text = format!("{{{blank}\"a\": 1}}");
        for (how, expected) in [(JsoncParser, &plain), (JavaScript, &None), (Strict, &None)] {
            let is_hidden = blank.contains('/');
            let expected = if is_hidden { &plain } else { expected };
            assert_eq!(&is_read(Format::Jsonc, &text, how), expected, "{text:?}");
        }
    }
    for (text, expected) in [
        ("{\"a\": \"x\ty\"}", true),
        ("{\"a\": 1 \"b\": 2}", true),
        ("{\"a\": 1, // x\r\"b\": 2}", true),
        ("{\u{200b}\"a\": 1}", false),
        ("{\u{feff}\"a\": 1}", false),
        ("{\"a\": 1} x", false),
        ("{\"a\": \"\\ud800\"}", false),
        ("{\"a\": 1", false),
    ] {
        assert_eq!(is_read(Format::Jsonc, text, JsoncParser).is_some(), expected, "{text:?}");
    }
    // Gemini CLI, Qwen Code and Qoder; then Droid; then what all read alike, which we edit.
    for (text, expected) in [
        ("{\r// x\r\"a\": 1}", [false, true, false]),
        ("{\r// x\ry\n\"a\": 1}", [true, false, false]),
        ("{// x\r\n\"a\": 1}", [true; 3]),
        ("{\"a\": 1} // x\r", [true; 3]),
        ("{\r\"a\": \"//\\\"\", /* \r */ \"b\": 2}", [true; 3]),
        ("{// \u{a0}\n\"a\": 1}", [false, true, true]),
        ("{/* \u{2028} */\"a\": 1}", [false, true, true]),
        ("{/* \u{85}\u{200b} */\"a\": \"\u{a0}//\u{c}\"}", [false; 3]),
        ("{/* \u{85}\u{200b} */\"a\": \"\u{a0}//\u{3000}\"}", [true; 3]),
    ] {
        for (how, expected) in [StripJsonComments, JavaScript, Strict].into_iter().zip(expected) {
            let is_read = is_read(Format::JsonComments, text, how).is_some();
            assert_eq!(is_read, expected, "{text:?} {how:?}");
        }
    }
    for (text, value) in [
        (r#"{"a": "\ud800"}"#, Some("\u{fffd}")),
        (r#"{"a": "\uDC00\ud83d\ude00\ud83d"}"#, Some("\u{fffd}\u{1f600}\u{fffd}")),
        (r#"{"a": "\\ud800"}"#, Some("\\ud800")),
        (r#"{"a": "\ud80"}"#, None),
    ] {
        for how in [JavaScript, JavaScriptOrUtf16] {
            let node = read_as(Format::Json, text.as_bytes(), how).ok();
            assert_eq!(node.as_ref().and_then(|node| node.text_of("a")), value, "{text}");
        }
    }
    assert_eq!(is_read(Format::Json, r#"{"a": "\ud800"}"#, Strict), None);
}

#[test]
fn many_edits_make_the_bytes_that_they_make_one_by_one() {
    let edits: Vec<Edit> = (0..30)
        .map(|number| match number % 4 {
            0 => Edit::set(&["own"], &format!("k{number}"), true),
            1 => Edit::push_text(&["list"], &format!("v{}", number % 8)),
            2 => Edit::push_table(&["tables"], vec![entry("name", format!("t{number}").as_str())]),
            _ => Edit::remove(&["own"], &format!("k{}", number - 3)),
        })
        .collect();
    for (format, text) in [
        (Format::Toml, "# mine\n[own] # its\nx = 1\n\n[[tables]]\nname = \"t2\" # kept\n"),
        (Format::Jsonc, "{\n  // mine\n  \"own\": { \"x\": 1 }, // its\n}\n"),
        (Format::Yaml, "# mine\nown:\n  x: 1 # its\n"),
    ] {
        let one_by_one = edits.iter().fold(text.as_bytes().to_vec(), |text, edit| {
            apply(format, &text, std::slice::from_ref(edit)).unwrap()
        });
        assert_eq!(apply(format, text.as_bytes(), &edits), Ok(one_by_one), "{format:?}");
    }
    let wrong = [edits, vec![Edit::set(&["list"], "a", true)]].concat();
    let error = apply(Format::Jsonc, b"{}", &wrong).unwrap_err();
    assert!(matches!(error, EditError::Shape { ref what, .. } if what == "list"), "{error:?}");
}
