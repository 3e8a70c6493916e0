use super::*;
use proptest::prelude::*;
use std::path::PathBuf;

fn printed(text: &str) -> Vec<String> {
    mentions(text).into_iter().map(|found| found.mention.to_string()).collect()
}

#[test]
fn cod_1_3_what_is_printed_is_found_as_the_same_one() {
    let path = Path::new("/home/me/my skills/pdf/SKILL.md");
    let link =
        |name: &str| Mention::Link { name: name.into(), path: path.to_str().unwrap().into() };
    let rows = [
        ("pdf", true, Mention::Name("pdf".into())),
        ("3d-model", true, Mention::Name("3d-model".into())),
        ("pdf", false, link("pdf")),
        ("PDF", true, link("PDF")),
        ("5", true, link("5")),
        ("5k", true, link("5k")),
        ("pdf-", true, link("pdf-")),
        ("a:b c", true, link("a:b c")),
        ("日本語 🦘", true, link("日本語 🦘")),
        ("a]b", true, link("pdf")),
        ("a\u{1b}[2J", true, link("pdf")),
        ("pdf\u{ad}", true, link("pdf")),
        ("pdf\u{3164}", true, link("pdf")),
        ("p\u{34f}df", true, link("pdf")),
        ("❤\u{fe0f} pdf", true, link("❤\u{fe0f} pdf")),
        ("", true, link("pdf")),
    ];
    for (name, unique, expected) in rows {
        let mention = Mention::for_pick(name, path, unique).unwrap();
        assert_eq!(mention, expected, "{name:?}");
        let text = format!("use {mention} now");
        let found = mentions(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].mention, expected);
        assert_eq!(text[found[0].range.clone()], mention.to_string());
    }
}

#[test]
fn cod_1_3_what_cannot_be_carried_is_refused_with_the_cure() {
    for path in ["/a(b)/SKILL.md", "/a\nb/SKILL.md", "/a\u{1b}b/SKILL.md", "/a\u{202e}b/SKILL.md"] {
        let refusal = Mention::for_pick("pdf", Path::new(path), false).unwrap_err();
        assert_eq!(refusal, MentionRefusal::Path, "{path:?}");
        assert!(refusal.to_string().contains("pick it with --format path --print0"));
        assert!(
            Mention::for_pick("pdf", Path::new(path), true).is_ok(),
            "a unique name needs no path"
        );
    }
    let long = PathBuf::from("/").join("x".repeat(PATH_LIMIT)).join("SKILL.md");
    assert_eq!(Mention::for_pick("pdf", &long, false), Err(MentionRefusal::Path));
    assert_eq!(
        Mention::for_pick("a]b", Path::new("/x[y]/SKILL.md"), true),
        Err(MentionRefusal::Name)
    );
}

#[cfg(unix)]
#[test]
fn cod_1_3_a_path_that_is_not_utf_8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff/SKILL.md"));
    assert_eq!(Mention::for_pick("pdf", path, false), Err(MentionRefusal::Path));
}

#[test]
fn rem_6_2_a_slash_only_at_the_very_start() {
    let slash = |name: &str, args: &str| Mention::Slash { name: name.into(), args: args.into() };
    assert_eq!(mentions("/pdf")[0].mention, slash("pdf", ""));
    let found = mentions("/pdf  fill\n$docx");
    assert_eq!(found[0], Found { range: 0..4, mention: slash("pdf", "fill\n$docx") });
    assert_eq!(found[1].mention, Mention::Name("docx".into()));
    for text in [" /pdf", "use /pdf", "/", "/ pdf", "/home/me", "//pdf", "/pdf,", "\n/pdf"] {
        assert!(mentions(text).is_empty(), "{text:?}");
    }
    assert_eq!(Mention::slash("pdf", true).unwrap().to_string(), "/pdf");
    assert_eq!(Mention::slash("pdf", false), Err(MentionRefusal::NotUnique));
    assert_eq!(Mention::slash("fill form", true), Err(MentionRefusal::Name));
}

#[test]
fn mentions_stand_at_word_boundaries() {
    let rows: [(&str, &[&str]); 8] = [
        ("$pdf", &["$pdf"]),
        ("($pdf), \"$docx\"; $pptx. $xlsx- $a_b!", &["$pdf", "$docx", "$pptx", "$xlsx", "$a_b"]),
        ("请用$pdf处理", &["$pdf"]),
        ("[$pdf] and ($docx)", &["$pdf", "$docx"]),
        ("[$pdf](/a b/SKILL.md)[$docx](x)", &["[$pdf](/a b/SKILL.md)", "[$docx](x)"]),
        ("[$pdf]( and [$docx\n](x)", &["$pdf", "$docx"]),
        ("**$pdf** $pdf's", &["$pdf", "$pdf"]),
        ("[[$pdf](/a/SKILL.md)]", &["[$pdf](/a/SKILL.md)"]),
    ];
    for (text, expected) in rows {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn variables_money_and_code_are_never_mentions() {
    let texts = [
        "$HOME $PATH $_ $MY-VAR $5 $5k $20.50 $ $$ $-x $? ${x} $(cmd) $((1+1))",
        "a$pdf é$pdf _$pdf $$pdf \\$pdf x=$pdf /$pdf -$pdf",
        "$obj.field $dir/file $a:b $f(x) $a[0] $x$ $this->that $x=1 $café $pdf::new",
        "`$pdf` ``a ` $pdf`` `two\nlines $pdf`",
        "```sh\n$pdf\n```",
        "~~~\n$pdf\n```\n$pdf",
        "  ````\n```\n$pdf\n````",
        "`[$pdf](/a/SKILL.md)`",
        "* a\n    ```sh\n    cd x\n\n    echo $pdf\n    ```\n",
        "- ```sh\n  cd x\n\n  echo $pdf\n  ```",
        "1. a\n\n\t~~~\n\t$pdf\n\n\t$pdf\n\t~~~\n",
        "> ```\n> cd x\n>\n> $pdf\n> ```",
        "see:\n\n    echo $pdf\n",
        "see:\n\n\techo $pdf\n\n\techo $pdf\n",
        "- a\n\n      echo $pdf\n",
        "a ` b\n```\n$pdf `\n```",
        "[pdf](/a/SKILL.md) [$](x) [$PDF]()",
    ];
    for text in texts {
        assert_eq!(printed(text), [""; 0], "{text:?}");
    }
}

#[test]
fn code_ends_where_it_ends() {
    assert_eq!(printed("```\n$no\n```\n$yes"), ["$yes"]);
    assert_eq!(printed("a ` b\n\n$yes ` $too"), ["$yes", "$too"]);
    assert_eq!(printed("`$no` $yes"), ["$yes"]);
    assert_eq!(printed("``` $no ``` $yes"), ["$yes"]);
    assert_eq!(printed("* a\n    ```\n    $no\n\n    $no\n    ```\n    $yes\n"), ["$yes"]);
    assert_eq!(printed("- ```\n  a\n\n  $no\n  ```\n$yes"), ["$yes"]);
    assert_eq!(printed("see:\n\n    $no\n\n$yes"), ["$yes"]);
    assert_eq!(printed("a line\n    that goes on with $yes"), ["$yes"]);
    assert_eq!(printed("- a\n\n    its own text, $yes\n"), ["$yes"]);
    assert_eq!(printed("1. a\n   - b\n\n     $yes\n"), ["$yes"]);
    assert_eq!(printed("a ` b\n```\n$no `\n```\n$yes"), ["$yes"]);
    assert_eq!(printed("[$pdf](/a`b/SKILL.md) `$no` $yes"), ["[$pdf](/a`b/SKILL.md)", "$yes"]);
}

#[test]
fn hostile_texts_cost_no_more_than_their_length() {
    for piece in ["[$a](", "[$", "`", "$", "\\", "``` ` `` ", "$a[$a](b", "`\n\n", "~~~x\n"] {
        assert!(mentions(&piece.repeat(5_000)).len() <= 5_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_has_its_mentions_in_order(text in "[$\\[\\]()`~/\\\\\\n a-cA-Bé日5_:.-]{0,60}") {
        let mut end = 0;
        for found in mentions(&text) {
            prop_assert!(found.range.start >= end);
            end = found.range.end;
            let shown = &text[found.range.clone()];
            match &found.mention {
                Mention::Slash { name, .. } => prop_assert_eq!(shown, format!("/{name}")),
                mention => prop_assert_eq!(shown, mention.to_string()),
            }
        }
    }

    #[test]
    fn cod_1_3_any_name_and_path(name in "\\PC{0,12}", dir in "[\\PC\\n]{1,12}", unique in any::<bool>(), before in "[ (\"\\n]?") {
        let path = PathBuf::from(format!("/skills/{dir}/SKILL.md"));
        if let Ok(mention) = Mention::for_pick(&name, &path, unique) {
            let found = mentions(&format!("{before}{mention} $other"));
            prop_assert_eq!(found.len(), 2);
            prop_assert_eq!(&found[0].mention, &mention);
            if let Mention::Link { path: found, .. } = &mention {
                prop_assert_eq!(Path::new(found), path);
            }
        }
        if let Ok(mention) = Mention::slash(&name, unique) {
            prop_assert_eq!(&mentions(&mention.to_string())[0].mention, &mention);
        }
    }
}
