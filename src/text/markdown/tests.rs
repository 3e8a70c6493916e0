use super::super::Syntax;
use super::*;
use crate::test_env::bar;
use crate::text::safe::tests::hostile;
use proptest::prelude::*;
use std::time::Duration;

/// A picture is wanted within 100 ms. Without optimisation the processor needs many times as long;
/// what is quadratic needs minutes.
const AT_ONCE: Duration = Duration::from_secs(3);

fn shown(source: &str, columns: usize) -> String {
    render(source, columns, Paint::Plain).text()
}

fn role_of(doc: &Doc, text: &str) -> Role {
    let mut spans = doc.lines.iter().flat_map(|line| &line.spans);
    spans.find(|span| span.text.as_str().contains(text)).map(|span| span.role).unwrap()
}

#[test]
fn blocks_stand_apart_and_text_wraps() {
    let source = "# Title\nSome text that\nwraps here.\n\n---\n## Next\nMore\\\nlines";
    assert_eq!(
        shown(source, 16),
        "Title\n\nSome text that\nwraps here.\n\n────────────────\n\nNext\n\nMore\nlines\n"
    );
}

#[test]
fn a_mark_of_the_encoding_hides_no_heading() {
    assert_eq!(shown("\u{feff}# Head\n\n**bold**", 20), "Head\n\nbold\n");
}

#[test]
fn inline_roles() {
    let doc =
        render("a **b1** *c1* ***d1*** ~~e1~~ `f1` <i> <!-- g1 -->\n\n## h1", 80, Paint::Plain);
    let table = [
        ("b1", Role::Strong),
        ("c1", Role::Emphasis),
        ("d1", Role::StrongEmphasis),
        ("e1", Role::Strike),
        ("f1", Role::Code),
        ("<i>", Role::Html),
        ("g1", Role::Html),
        ("h1", Role::Heading(2)),
    ];
    for (text, role) in table {
        assert_eq!(role_of(&doc, text), role, "{text}");
    }
}

#[test]
fn cells_that_gfm_drops_are_shown() {
    let source = "| a | b |\n|---|---|\n| c | d | e **f** | g |\n| h |\n| i | j || |\n\nk";
    assert_eq!(
        shown(source, 60),
        "a │ b\n──┼──────────────────\nc │ d | e **f** | g |\nh │ \ni │ j\n\nk\n"
    );
    assert!(shown("|a|\n|-|\n||hidden\n", 8).contains("hidden"));
    assert_eq!(
        shown("> |a|b|\n> |-|-|\n> |c|d|\n\nnext", 60),
        "│ a │ b\n│ ──┼──\n│ c │ d\n\nnext\n"
    );
}

#[test]
fn lists_nest_hang_and_count() {
    let source = "- one two three\n  - nested words here\n\n    para\n- two\n\n9. nine\n10. ten\n    - [x] done\n    - [ ] open";
    let expected = "\
• one two
  three
  ◦ nested
    words
    here

    para

• two

9. nine
10. ten
    ☑ done
    ☐ open
";
    assert_eq!(shown(source, 12), expected);
    assert_eq!(role_of(&render(source, 40, Paint::Plain), "☑"), Role::TaskDone);
}

#[test]
fn quotes_keep_their_bar() {
    assert_eq!(
        shown("> one two three\n>\n> - item\n\nout", 11),
        "│ one two\n│ three\n│\n│ • item\n\nout\n"
    );
}

#[test]
fn links_show_where_they_lead() {
    let source = "[text](https://a.b/c \"title\") <https://d.e> [https://f.g](https://f.g) ![alt](pic.png) [r] [^1]\n\n[r]: ref.md\n[//]: # (secret)\n\n[^1]: note";
    let expected = "\
text (https://a.b/c \"title\") https://d.e https://f.g [image: alt] (pic.png) r (ref.md) [^1]

[^1]: note

[//]: # (secret)
";
    assert_eq!(shown(source, 200), expected);
}

#[test]
fn code_has_its_label_and_is_not_hidden() {
    let source = "- item\n\n  ```py t=x\n  def f(abcdefgh):\n  \treturn 1\n  ```\n\n      indented";
    let expected = "\
• item

    py t=x
    def f(ab
      cdefgh
      ):
        retu
      rn 1

    indented
";
    assert_eq!(shown(source, 12), expected);
    let doc = render("```py\ndef\n```", 40, Paint::Syntax);
    assert_eq!(doc.lines.iter().map(|line| line.source).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(role_of(&doc, "py"), Role::CodeLabel);
    assert_eq!(role_of(&doc, "def"), Role::Syntax(Syntax::Keyword));
}

#[test]
fn html_is_text() {
    assert_eq!(
        shown("<details>\n<!-- do this -->\n</details>\n\nx", 40),
        "<details>\n<!-- do this -->\n</details>\n\nx\n"
    );
}

#[test]
fn tables_shrink_then_stack() {
    let source = "| name | what it does |\n|---|--:|\n| pdf | reads and writes |\n| `x` | y |";
    let wide = "name │     what it does\n─────┼─────────────────\npdf  │ reads and writes\nx    │                y\n";
    assert_eq!(shown(source, 40), wide);
    let shrunk = "name │    what it\n     │       does\n─────┼───────────\npdf  │  reads and\n     │     writes\nx    │          y\n";
    assert_eq!(shown(source, 17), shrunk);
    assert_eq!(
        shown(source, 9),
        "name: pdf\nwhat it\n  does:\n  reads\n  and\n  writes\n\nname: x\nwhat it\n  does: y\n"
    );
}

#[test]
fn narrow_tables_break_no_word_while_they_need_not() {
    let source = "|a|b|\n|-|-|\n|extraordinary|one two three four five six seven|\n";
    assert!(shown(source, 24).contains("extraordinary │ one two\n"), "{}", shown(source, 24));
    assert!(shown(source, 18).contains("extrao"), "{}", shown(source, 18));
}

#[test]
fn every_line_knows_its_source() {
    let source = "# a\n\nb\nc c\n\n- d\n- e\n\n> f\n\n```\ng\nh\n```\n\n| i |\n|---|\n| j |\n";
    let doc = render(source, 2, Paint::Plain);
    for line in &doc.lines {
        let text = line.plain();
        if let Some(letter) = text.chars().find(char::is_ascii_lowercase) {
            let wanted = source.lines().position(|line| line.contains(letter)).unwrap() + 1;
            assert_eq!(line.source as usize, wanted, "{text}");
        }
    }
}

#[test]
fn hostile_markdown_is_cut_or_flat() {
    for (name, source) in crate::test_env::hostile::markdown() {
        let mut doc = Doc::default();
        let spent = bar::spent(|| doc = render(&source, 80, Paint::Plain));
        assert!(spent < AT_ONCE, "{name}: {spent:?}");
        assert!(doc.lines.iter().all(|line| line.width() <= 80), "{name}");
        assert!(!doc.lines.is_empty(), "{name}");
        bar::tried(1);
    }
    let doc = render(&"a\n\n".repeat(20_000), 80, Paint::Plain);
    assert_eq!(doc.cut, Some(Cutoff { limit: Limit::Blocks, source: 20_001 }));
    assert_eq!(doc.lines.last().unwrap().plain(), "… cut at line 20001: too much markdown");
}

/// The parser would keep a hundred bytes for each of its signs.
#[test]
fn more_signs_than_anyone_writes_are_not_parsed() {
    let cut = |lines: usize| render(&"[[[[[[[[[[\n".repeat(lines), 80, Paint::Plain).cut;
    let most = u32::try_from(MAX_SIGNS / 10).unwrap();
    assert_eq!(cut(MAX_SIGNS / 10), None);
    let at = Cutoff { limit: Limit::Blocks, source: most + 1 };
    assert_eq!(cut(MAX_SIGNS / 10 + 1), Some(at));
}

#[test]
fn controls_reach_no_document() {
    let controls: Vec<char> = ('\u{0}'..' ')
        .chain('\u{7f}'..='\u{9f}')
        .chain(['\u{202e}', '\u{2028}', '\u{e0041}'])
        .collect();
    for c in controls {
        let source = format!(
            "# h{c}h\n\np{c}p *e{c}e* `c{c}c` [l{c}l](<t{c}t> \"t{c}t\") ![a{c}a](b) <i t=\"{c}\">\n\n- i{c}i\n\n> q{c}q\n\n\
             ```py l{c}l\nx = '{c}'\n```\n\n    d{c}d\n\n|t{c}t|\n|-|\n|u{c}u|\n\n<!-- {c} -->\n\n[^f]: n{c}n\n\n[u{c}]: v{c}\n"
        );
        let docs = [
            render(&source, 60, Paint::Plain),
            render(&source, 60, Paint::Syntax),
            Doc::plain(&source, 60, true),
            code::highlight(&source, "md", 60, false),
        ];
        for doc in docs {
            let bad = |shown: char| {
                shown.is_control() || matches!(shown, '\u{202e}' | '\u{2028}' | '\u{e0041}')
            };
            assert!(!doc.lines.iter().any(|line| line.plain().contains(bad)), "{c:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_markdown_fits_and_is_inert(
        parts in prop::collection::vec(prop_oneof![hostile(), "[ -~]{0,12}".prop_map(String::from), syntax()], 0..30),
        columns in 0_usize..24,
    ) {
        let doc = render(&parts.concat(), columns, Paint::Syntax);
        for line in &doc.lines {
            prop_assert!(line.width() <= columns.max(1), "{:?}", line);
            prop_assert!(!line.plain().contains(char::is_control), "{:?}", line);
        }
    }

    #[test]
    fn no_word_is_lost(words in prop::collection::vec("[a-z]{1,6}", 1..20), marks in prop::collection::vec(syntax(), 20)) {
        let source: String = words.iter().zip(&marks).map(|(word, mark)| format!("{mark}x{word}x ")).collect();
        let text = shown(&source, 400);
        let targets = text.replace(char::is_whitespace, "");
        // The end of a fence drops what follows on its line, and a table moves cells beyond its
        // head.
        prop_assume!(!source.contains("|-") && !source.contains("```") && !source.contains("]:"));
        for word in &words {
            prop_assert!(targets.contains(&format!("x{word}x")), "{} not in {:?} from {:?}", word, text, source);
        }
    }
}

/// Pieces of markdown's syntax.
fn syntax() -> impl Strategy<Value = String> {
    let pieces = [
        "\n",
        "\n\n",
        "# ",
        "> ",
        "- ",
        "1. ",
        "  ",
        "    ",
        "\t",
        "* [ ] ",
        "```\n",
        "```rust\n",
        "|",
        "|-|-|\n",
        "**",
        "*",
        "_",
        "`",
        "~~",
        "[",
        "](",
        ")",
        "![",
        "<b>",
        "<!--",
        "-->",
        "---\n",
        "[^1]",
        "\n[^1]: ",
        "\n[r]: ",
        "&amp;",
        "\\",
        "<http://x>",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(String::from)
}
