use super::*;
#[test]
fn a_word_is_quoted_where_a_shell_would_read_something_else() {
    for (text, expected) in [
        ("pdf-forms", "pdf-forms"),
        ("", "''"),
        ("two words", "'two words'"),
        ("it's", "'it'\\''s'"),
        ("$(rm -r x);`y`", "'$(rm -r x);`y`'"),
        ("~/a", "'~/a'"),
        ("=ls", "'=ls'"),
        ("a=b", "a=b"),
        (r"b\\z", r"'b'\\''\\'z'"),
    ] {
        assert_eq!(word(text).unwrap().as_str(), expected, "{text}");
    }
}

#[test]
fn what_cannot_be_shown_exactly_is_no_word() {
    for text in ["a\tb", "a\nb", "\u{1b}[31m", "a\u{200b}b", "a\u{202e}b", "\u{e0041}"] {
        assert_eq!(word(text), None, "{text:?}");
    }
    for text in ["a^Ib", "a<U+200B>b", "two  blanks ", "日本語", "👩‍👩‍👧", "e\u{301}'\u{301}"]
    {
        assert!(word(text).is_some(), "{text:?}");
    }
    assert_eq!(value("a\tb").as_str(), UNSHOWN);
    #[cfg(unix)]
    assert_eq!(word(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"a\xff")), None);
}

#[test]
fn a_word_that_looks_like_an_option_stands_behind_all_options() {
    let told = SafeText::fixed(" --host codex");
    for (word, expected) in [
        ("pdf", "skillpick show pdf --host codex"),
        ("-r.md", "skillpick show --host codex -- -r.md"),
        ("-r x", "skillpick show --host codex -- '-r x'"),
    ] {
        assert_eq!(command("skillpick show", [value(word)], &told).as_str(), expected);
    }
}

#[test]
fn only_a_plain_name_stands_in_a_composed_line() {
    for name in ["pdf-forms", "plugin:name", "日本語", "a.b_c"] {
        assert!(is_plain(name), "{name}");
    }
    for name in
        ["", "-x", "it's", "a\"b", "a\\b", "a b", "$HOME", "a\nb", "`x`", "a;b", "a\u{1b}b", "a*"]
    {
        assert!(!is_plain(name), "{name:?}");
    }
}

/// Where `|` stands in the line is the cursor.
fn at(line: &str, shell: Shell) -> (String, usize, Command) {
    let cursor = line.find('|').unwrap();
    let line = line.replacen('|', "", 1);
    let command = command_at(&line, cursor, shell);
    (line, cursor, command)
}

fn words(command: &Command) -> Vec<&str> {
    command.words.iter().map(|word| word.text.as_str()).collect()
}

#[test]
fn the_command_around_the_cursor_is_read_as_the_shell_reads_it() {
    for (line, quote, expected) in [
        ("codex |", Quote::None, &["codex"][..]),
        ("cd x && codex \"a b|", Quote::Double, &["codex", "a b"]),
        ("cd x; codex 'it'\\''s |' -m y; ls", Quote::Single, &["codex", "it's ", "-m", "y"]),
        ("p=\"$(codex \"re|view\")\" ls", Quote::Double, &["codex", "review"]),
        ("echo `codex 'x|'` y", Quote::Unsure, &[]),
        ("codex $'a\\'b|'", Quote::DollarSingle, &["codex", "a'b"]),
        ("codex \"say \\\"hi\\\" |\"", Quote::Double, &["codex", "say \"hi\" "]),
        ("codex 'a' >out 2>&1 |", Quote::None, &["codex", "a"]),
        ("(cd x\ncodex 'ü|')", Quote::Single, &["codex", "ü"]),
        ("codex \"x\"| | cat", Quote::None, &["codex", "x"]),
        ("|", Quote::None, &[]),
    ] {
        for shell in [Shell::Bash, Shell::Zsh] {
            let (_, _, command) = at(line, shell);
            assert_eq!((command.quote, words(&command)), (quote, expected.to_vec()), "{line}");
        }
    }
    for (shell, line, quote, expected) in [
        (Shell::Fish, "codex 'it\\'s|'", Quote::Single, &["codex", "it's"][..]),
        (Shell::Fish, "echo (codex \"a|\")", Quote::Double, &["codex", "a"]),
        (Shell::Nu, "codex 'a\\' `b|`", Quote::Backtick, &["codex", "a\\", "b"]),
        (Shell::Nu, "codex r##'it's '# \\|'##", Quote::Raw(2), &["codex", "it's '# \\"]),
        (Shell::Nu, "codex r#'a'# b|", Quote::None, &["codex", "a", "b"]),
        (Shell::Nu, "codex $\"(date) |\"", Quote::DollarDouble, &["codex", " "]),
        (Shell::Powershell, "codex 'it''s' \"`\"|\"", Quote::Double, &["codex", "it's", "\""]),
        (Shell::Powershell, "if (1) { codex '|", Quote::Single, &["codex", ""]),
    ] {
        let (_, _, command) = at(line, shell);
        assert_eq!((command.quote, words(&command)), (quote, expected.to_vec()), "{line}");
    }
}

#[test]
fn a_comment_is_no_argument_and_ends_with_its_line() {
    for (line, quote, expected) in [
        ("codex |# it's a note", Quote::None, &["codex"][..]),
        ("codex # it's| a note", Quote::Comment, &["codex"]),
        ("codex # a note|", Quote::Comment, &["codex"]),
        ("# it's|\ncodex", Quote::Comment, &[]),
        ("# it's late\necho 'x' |", Quote::None, &["echo", "x"]),
        ("cd x;# it's\ncodex b |", Quote::None, &["codex", "b"]),
        ("codex a#b '#'#c |", Quote::None, &["codex", "a#b", "##c"]),
    ] {
        for shell in [Shell::Bash, Shell::Fish, Shell::Nu, Shell::Powershell] {
            let (_, _, command) = at(line, shell);
            assert_eq!((command.quote, words(&command)), (quote, expected.to_vec()), "{line}");
        }
    }
    let (_, _, command) = at("codex \\# a |", Shell::Bash);
    assert_eq!(words(&command), ["codex", "#", "a"]);
    let (_, _, command) = at("codex `ls # it's` |", Shell::Bash);
    assert_eq!((command.quote, command.words.len()), (Quote::None, 2));
    let (_, _, command) = at("codex # it|'s", Shell::Zsh);
    assert_eq!(command.quote, Quote::Comment);
    let (_, _, command) = at("codex # it's\ncodex '|'", Shell::Zsh);
    assert_eq!(command.quote, Quote::Unsure, "where no comments are set, a quote is open");
    let edited = replace("codex # note", None, 6, "a", Shell::Bash);
    assert_eq!((edited.before.as_str(), edited.after.as_str()), ("codex 'a'", " # note"));
}

#[test]
fn a_word_that_the_shell_works_out_is_not_plain() {
    for (line, plain) in [
        ("codex \"a $ b\"|", true),
        ("codex 'a $b'|", true),
        ("codex \"a $b\"|", false),
        ("codex \"$(ls)\"|", false),
        ("codex \"`ls`\"|", false),
        ("codex *.rs|", false),
        ("codex \"\\$b\"|", true),
        ("codex ~/x|", false),
        ("codex a~b|", true),
        ("codex '~/x'|", true),
        ("codex {a,b}|", false),
        ("codex [a-z]|", false),
        ("codex \"[a-z] {a,b} ~\"|", true),
        ("codex \"!!\"|", false),
        ("codex it!x|", false),
        ("codex \"so! it is!\"|", true),
        ("codex '!!'|", true),
    ] {
        for shell in [Shell::Bash, Shell::Zsh] {
            let (_, _, command) = at(line, shell);
            assert_eq!(command.words[1].plain, plain, "{line}");
        }
    }
    for (shell, line, plain) in [
        (Shell::Zsh, "codex =ls|", false),
        (Shell::Bash, "codex =ls|", true),
        (Shell::Fish, "codex \"!!\"|", true),
        (Shell::Fish, "codex ~/x|", false),
        (Shell::Fish, "codex a{b,c}|", false),
        (Shell::Nu, "codex ~/x|", false),
        (Shell::Nu, "codex r#'$a (b) ~'#|", true),
        (Shell::Powershell, "codex @a|", false),
    ] {
        let (_, _, command) = at(line, shell);
        assert_eq!(command.words[1].plain, plain, "{line}");
    }
}

#[test]
fn a_text_is_put_at_the_cursor_in_the_quotes_that_are_there() {
    let put = |shell, line: &str, text: &str| {
        let (line, _, command) = at(line, shell);
        let edited = insert(&line, &command, text, shell)?;
        Some(format!("{}|{}", edited.before, edited.after))
    };
    for (shell, line, text, expected) in [
        (Shell::Bash, "|", "$pdf", Some("'$pdf |'")),
        (Shell::Bash, "codex |", "$pdf", Some("codex '$pdf |'")),
        (Shell::Bash, "codex| -m x", "$pdf", Some("codex '$pdf |' -m x")),
        (Shell::Bash, "codex 'use | now'", "$pdf", Some("codex 'use $pdf| now'")),
        (Shell::Bash, "codex \"|\"", "$pdf", Some("codex \"\\$pdf |\"")),
        (Shell::Zsh, "codex \"a|", "!x`", Some("codex \"a \"'!'\"x\\` |")),
        (Shell::Bash, "codex '|'", "it's", Some("codex 'it'\\''s |'")),
        (Shell::Bash, "codex $'|'", "a'\\", Some("codex $'a\\'\\\\ |'")),
        (Shell::Fish, "codex |", "it's \\", Some("codex 'it\\'s \\\\ |'")),
        (Shell::Fish, "codex \"|\"", "$a", Some("codex \"\\$a |\"")),
        (Shell::Nu, "codex |", "it's", Some("codex \"it's |\"")),
        (Shell::Nu, "codex '|'", "it's", None),
        (Shell::Nu, "codex r#'|'#", "it's", Some("codex r#'it's |'#")),
        (Shell::Nu, "codex r#'|'#", "a'#b", None),
        (Shell::Nu, "codex $\"|\"", "$a(b)", Some("codex $\"$a\\(b\\) |\"")),
        (Shell::Nu, "codex r##'a'#|b'##", "#c", None),
        (Shell::Bash, "codex \"$|\"", "(ls)", Some("codex \"$ (ls) |\"")),
        (Shell::Powershell, "codex “|”", "$a", Some("codex “`$a |”")),
        (Shell::Powershell, "codex |", "it's ’", Some("codex 'it''s ’’ |'")),
        (Shell::Powershell, "codex \"|\"", "$a\"", Some("codex \"`$a`\" |\"")),
    ] {
        assert_eq!(put(shell, line, text).as_deref(), expected, "{line}");
    }
}

#[test]
fn an_argument_takes_the_place_of_another() {
    let edited = replace("codex 'a' -m x", Some(6..9), 0, "it's\n$x", Shell::Bash);
    assert_eq!((edited.before.as_str(), edited.after.as_str()), ("codex 'it'\\''s\n$x'", " -m x"));
    let edited = replace("codex; ls", None, 5, "a", Shell::Bash);
    assert_eq!((edited.before.as_str(), edited.after.as_str()), ("codex 'a'", "; ls"));
}

#[test]
fn a_cursor_within_an_escape_goes_behind_it() {
    for (shell, line, expected) in [
        (Shell::Bash, r#"echo "abc\|"def""#, Some(r#"echo "abc\"\$x |def""#)),
        (Shell::Zsh, r#"echo "abc\|adef""#, Some(r#"echo "abc\a \$x |def""#)),
        (Shell::Bash, r"echo abc\|'def", Some(r"echo abc\' '$x |' def")),
        (Shell::Bash, r"codex $'a\x|41b'", Some(r"codex $'a\x41b $x |'")),
        (Shell::Bash, r"codex $'a\|'b'", Some(r"codex $'a\'$x |b'")),
        (Shell::Fish, r"codex 'abc\|\def'", Some(r"codex 'abc\\$x |def'")),
        (Shell::Fish, r"codex a\x|41", Some(r"codex a\x41 '$x |'")),
        (Shell::Nu, r#"codex "a\|"b""#, Some(r#"codex "a\"$x |b""#)),
        (Shell::Nu, "codex r|##'a'##", Some("codex r##'$x |a'##")),
        (Shell::Nu, "codex r##'a'|##", Some("codex r##'a'## '$x |'")),
        (Shell::Powershell, r#"codex "a`|"b""#, Some(r#"codex "a`"`$x |b""#)),
        (Shell::Powershell, "codex 'a'|'b'", Some("codex 'a''$x |b'")),
        // There is nothing behind it yet.
        (Shell::Bash, "codex \"a\\|", None),
        (Shell::Fish, "codex 'a\\|", None),
        (Shell::Zsh, "codex a\\|", None),
    ] {
        let (line, _, command) = at(line, shell);
        let edited = insert(&line, &command, "$x", shell);
        let edited = edited.map(|edited| format!("{}|{}", edited.before, edited.after));
        assert_eq!(edited.as_deref(), expected, "{line}");
    }
}

#[test]
fn no_text_is_put_where_it_could_act_in_quotes() {
    for (line, sure) in [
        ("p=`codex |`", false),
        ("p=`codex '|'`", false),
        ("p=\"`codex \"|\"`\"", false),
        ("p=`a \\`codex |\\``", false),
        ("p=`a \\`b\\`` codex |", true),
        ("p=`it's` codex |", true),
        ("echo \"`a \"b`|\"", true),
        ("codex <<EOF\n|\nEOF", false),
        ("codex <<-'EOF' | cat\n|\nEOF", false),
        ("codex | <<EOF\na\nEOF", true),
        ("codex <<<EOF\ncodex |", true),
        ("codex <<< EOF; codex |", true),
        ("echo $((1 << 2))\ncodex |", true),
        ("((a = 1 << 2))\ncodex |", true),
        ("echo $((1 + |2))", false),
        ("echo $[1 + |2]", false),
        ("a[|1]=2", false),
        ("a[1]=2 codex |", true),
        ("echo \"${x:-|}\"", false),
        ("echo ${x:-\"a|\"}", false),
        ("echo ${x:-\"a\"} |", false),
        ("echo \"${x}|\"", true),
        ("echo \"$(case x in x) echo '|';; esac)\"", false),
        ("echo case; codex |", true),
    ] {
        for shell in [Shell::Bash, Shell::Zsh] {
            // The last one is the cursor; others are pipes.
            let cursor = line.rfind('|').unwrap();
            let line = format!("{}{}", &line[..cursor], &line[cursor + 1..]);
            let command = command_at(&line, cursor, shell);
            assert_eq!(insert(&line, &command, "x", shell).is_some(), sure, "{line}");
        }
    }
    for (line, sure) in [
        ("codex @\"\nsay \"hi\" |\n\"@", false),
        ("codex @'\n|\n'@", false),
        ("codex <# it's #> |", false),
        ("codex --% |", false),
        ("codex @a |", true),
        ("codex ${a b} |", true),
    ] {
        let (line, _, command) = at(line, Shell::Powershell);
        assert_eq!(insert(&line, &command, "x", Shell::Powershell).is_some(), sure, "{line}");
    }
}
