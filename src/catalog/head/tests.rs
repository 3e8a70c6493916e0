use super::*;

#[test]
fn only_a_whole_file_says_that_nothing_follows() {
    let head = "---\nname: s\ndescription: d\n---\n";
    let kept = |rest: &str, is_whole| {
        let file = format!("{head}{rest}");
        let head_of = Head::of(file.as_bytes(), head.len(), is_whole);
        head_of.map(|kept| String::from_utf8(kept.bytes.to_vec()).unwrap())
    };
    for rest in ["", "\n", " \n\n"] {
        assert_eq!(kept(rest, true), Some(format!("{head}\n\n")), "{rest:?}");
        assert_eq!(kept(rest, false), None, "{rest:?}");
    }
    // So many blanks hide the text behind them, but do not say that there is none.
    let head = "---\nname: s\n---\n";
    let file = format!("{head}{}text", "\n".repeat(BODY));
    let kept = Head::of(file.as_bytes(), head.len(), true).unwrap();
    assert_eq!(&*kept.bytes, head.as_bytes());
}

/// Some readers go on to the next line that is `---` and nothing else (Qwen Code).
#[test]
fn what_follows_a_closing_line_with_blanks_is_kept() {
    let text = format!("{}\n---\nmore\n", "x".repeat(BODY));
    for (end, is_kept) in
        [("---\n", false), ("---\r\n", false), ("--- \n", true), ("---\t\n", true)]
    {
        let head = format!("---\nname: s\ndescription: d\nx: y\n{end}");
        let file = [&*head, &text].concat();
        let kept = Head::of(file.as_bytes(), head.len(), true).unwrap();
        let wanted = if is_kept { &file } else { &head };
        assert_eq!(*kept.bytes, *wanted.as_bytes(), "{end:?}");
    }
}

#[test]
fn a_plain_file_needs_no_reader() {
    let body = |text: &str| text.find("Body").unwrap_or(text.len());
    let of = |text: &str| Head::of(text.as_bytes(), body(text), true);
    let plain = "---\nname: pdf\ndescription: Reads PDF forms (and fills them), it's \"fine\"\nlicense: MIT\n---\nBody\n";
    for (from, to) in [
        ("", ""),
        ("MIT", "\"MIT\""),
        ("license: MIT", "metadata:\n  version: \"1.0\"\n  x: \"a: b #c\""),
        ("license", "allowed-tools"),
        ("license: MIT", "metadata:\n  author: me\n  by: \"you\""),
        ("license: MIT", "allowed-tools:\n  - Read\n  - Bash(git:*)\nmetadata:\n  x: z"),
    ] {
        assert!(of(&plain.replacen(from, to, 1)).is_none(), "{to}");
    }
    for (from, to) in [
        ("name: pdf", "name: 5"),
        ("name: pdf", "name: pdf\nname: docx"),
        ("name: pdf", "name: null"),
        ("Reads", "* Reads"),
        ("forms", "forms: all"),
        ("forms", "forms\u{a0}"),
        ("forms", "<b>forms</b>"),
        ("MIT", "\"M\\nT\""),
        ("license: MIT", "paths: a"),
        ("license: MIT", "license:"),
        ("license: MIT", "license:\n  text"),
        ("license: MIT", "license: MIT\n  text"),
        ("license: MIT", "allowed-tools: a\n  - b"),
        ("license: MIT", "allowed-tools:\n  - - b"),
        ("license: MIT", "allowed-tools:"),
        ("license: MIT", "metadata:\n"),
        ("license: MIT", "metadata:\n  version: 1.0"),
        ("license: MIT", "metadata:\n  a: b\n  a: c"),
        ("license: MIT", "metadata:\n  a: b\n    c: d"),
        ("license: MIT", "metadata: a\n  b: c"),
        ("license: MIT", "license: MIT\r"),
        ("---\nname", "--- \nname"),
        ("---\nname", "\u{feff}---\nname"),
        ("MIT\n---", "MIT\n---x"),
        ("---\nBody\n", "---"),
        ("Body\n", " \n"),
    ] {
        assert!(of(&plain.replacen(from, to, 1)).is_some(), "{to}");
    }
}

#[test]
fn a_reader_sees_that_there_is_no_body() {
    for end in ["", "\n", "\n \n\t\n"] {
        let head = "---\nname: x\ndescription: d\n---";
        let file = format!("{head}{end}");
        let kept = Head::of(file.as_bytes(), (head.len() + 1).min(file.len()), true).unwrap();
        let below = kept.bytes.strip_prefix(head.as_bytes()).unwrap();
        assert!(below.len() >= 2 && below.trim_ascii().is_empty(), "{end:?}");
    }
}

#[test]
fn each_reader_is_asked_once_for_each_directory() {
    static READER: HeadReader = HeadReader {
        id: "shouts",
        read: |head, directory| HostHead::Read {
            name: directory.to_uppercase(),
            description: String::from_utf8_lossy(&head.bytes).into_owned(),
        },
        real_folder: false,
    };
    let head = Head::new(b"x");
    let read = |directory| head.read(&READER, directory, ("B", "x"));
    let said = |name: &str| Compared::Other { name: name.into(), description: "x".into() };
    assert_eq!((read("a"), read("b"), read("a")), (said("A"), Compared::Same, said("A")));
}

#[test]
fn the_body_is_kept_where_the_description_is_no_text() {
    for (value, is_kept) in [
        ("d", false),
        ("'quoted'", false),
        ("|", false),
        ("", true),
        ("''", true),
        ("\"\"", true),
        ("Null", true),
        ("true", true),
        ("5", true),
        ("[a]", true),
    ] {
        let head = format!("---\nname: x\npaths: a\ndescription: {value}\n---\n");
        let file = format!("{head}Body\n");
        let kept = Head::of(file.as_bytes(), head.len(), true).unwrap();
        assert_eq!(kept.bytes.len() > head.len(), is_kept, "{value}");
    }
}
