//! Bytes that editors and other systems leave in a text: it stays laid out, what is wrong is marked,
//! and no file is dropped.

use crate::env::{TestEnv, bar};

/// What each text begins with. A few odd bytes alone would be no text.
const BEFORE: &str = "Words that everybody can read, before the text.\n";

/// A text, and what is shown of it; `None` where it is no text.
const TEXTS: [(&[u8], Option<&str>); 44] = [
    (b"\tone", Some("    one")),
    (b"\t\ttwo", Some("        two")),
    (b"a\tb", Some("a   b")),
    (b"abc\td", Some("abc d")),
    (b"abcd\te", Some("abcd    e")),
    (b"  \tx", Some("    x")),
    (b"\t x", Some("     x")),
    ("日\tx".as_bytes(), Some("日  x")),
    (b"if x:\n\ty\n        z", Some("if x:\n    y\n        z")),
    (b"a\t\tb\t", Some("a       b")),
    (b"a\r\nb", Some("a\nb")),
    (b"a\r\n\r\nb", Some("a\n\nb")),
    (b"a\r\n\tb\r\n", Some("a\n    b")),
    (b"a\rb", Some("a^Mb")),
    (b"a\r\rb", Some("a^M^Mb")),
    (b"a\n\rb", Some("a\n^Mb")),
    (b"a\nb\r\nc\rd", Some("a\nb\nc^Md")),
    (b"\xef\xbb\xbfa", Some("<U+FEFF>a")),
    (b"a\xef\xbb\xbfb", Some("a<U+FEFF>b")),
    (b"\xef\xbb\xbf\ta\r\nb", Some("<U+FEFF>    a\nb")),
    (b"\xff", Some("�")),
    (b"caf\xe9", Some("caf�")),
    (b"caf\xe9\tx", Some("caf�    x")),
    (b"\xe9t\xe9 \xe0", Some("�t� �")),
    (b"a\xc3", Some("a�")),
    (b"\xc3(", Some("�(")),
    (b"\xe2\x82", Some("�")),
    (b"\xe2\x28\xa1", Some("�(�")),
    (b"\xf0\x9f\x98", Some("�")),
    (b"\xf0\x28\x8c\x28", Some("�(�(")),
    (b"\x80a\xbf", Some("�a�")),
    (b"\xc0\xaf", Some("��")),
    (b"\xed\xa0\x80", Some("���")),
    (b"\xf4\x90\x80\x80", Some("����")),
    (b"\xfe\xff", Some("��")),
    (b"a\x0bb\x0cc", Some("a^Kb^Lc")),
    (b"a\x1b[1mb", Some("a^[[1mb")),
    (b"a\x07\x08\x7f", Some("a^G^H^?")),
    ("a\u{85}b\u{2028}c".as_bytes(), Some("a<U+0085>b<U+2028>c")),
    ("a\u{a0}b".as_bytes(), Some("a\u{a0}b")),
    (b"a\0b", None),
    (b"\0", None),
    (b"\xff\xfea\0b\0", None),
    (b"\0\0\xfe\xff", None),
];

#[test]
fn tabs_line_ends_and_bad_bytes_keep_their_place_and_no_file_is_dropped() {
    let env = TestEnv::new();
    for (number, (text, _)) in TEXTS.iter().enumerate() {
        let folder = format!("repo/.agents/skills/t{number}");
        let head = format!("---\nname: t{number}\ndescription: d\n---\n");
        env.write(format!("{folder}/SKILL.md"), [head.as_bytes(), text].concat());
        env.write(format!("{folder}/text.txt"), [BEFORE.as_bytes(), text].concat());
    }
    let list = env.json("list", &["list", "--json"]);
    assert_eq!(list["skills"].as_array().unwrap().len(), TEXTS.len(), "{}", list["errors"]);
    let mut wrong = Vec::new();
    for (number, (text, shown)) in TEXTS.iter().enumerate() {
        let ran = env.run(&["show", &format!("t{number}"), "text.txt"]);
        ran.is_inert();
        let is_right = match shown {
            Some(shown) => {
                ran.code == 0
                    && ran.out().strip_prefix(BEFORE).is_some_and(|text| text.trim_end() == *shown)
            }
            None => ran.code == 2 && ran.out().is_empty() && ran.err.contains("this is not text"),
        };
        if !is_right {
            wrong.push(format!(
                "{:?}: {:?} {}",
                text.escape_ascii().to_string(),
                ran.out(),
                ran.err
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    bar::tried(TEXTS.len());
}
