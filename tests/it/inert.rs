//! Hostile texts at every place of some command lines, which the real shells then run: nothing of
//! the text acts, and where it must arrive, it arrives whole.

use crate::support::skipped;
use skillpick::text::shell::{Shell, command_at, insert, replace, word};
use std::fs;
use std::process::{Command, Stdio};

/// Each would make the file `acted` if a shell read it.
const TEXTS: &[&str] = &[
    "$(echo x >acted) `echo x >acted` (echo x >acted)",
    "it's '; echo x >acted; '",
    "a \"; echo x >acted; \" \\\" $(echo x >acted) \\",
    "(echo x >acted)",
    "a[$(echo x >acted)]",
    "a\necho x >acted\nEOF\necho x >acted\n}; echo x >acted",
    "\\`echo x >acted\\` \\\\`echo x >acted\\\\` \\$(echo x >acted)",
    "\\'; echo x >acted #",
    "[$n](`echo x >acted`)",
];

/// Lines that call `codex`, which gets the text wherever behind its name that is put.
const CALLS: &[&str] = &[
    "codex a b",
    "codex 'a b' c",
    r#"codex "a b" c"#,
    r#"codex "abc\"def" 'x'"#,
    r#"codex "a\b\\c\$d" x\'y\"z\ w"#,
    r#"codex "$x$ y" "$?" $ z "${x}" ${x}"#,
];

/// Lines for bash and zsh in which the text may be refused.
const POSIX: &[&str] = &[
    r#"codex "$(echo "a" 'b')" c"#,
    r"p=`codex a` ; echo $p",
    r#"p=`codex "a" 'b'` ; codex "$p""#,
    r#"codex "`echo "a \" b" 'c'`" d"#,
    r#"p=`echo \`codex "a"\` 'b'` ; codex 'x'"#,
    r#"p="`echo \`echo \\"a\\"\``" ; codex "x""#,
    "codex <<EOF\na b\nEOF\ncodex 'x'",
    "codex <<-'EOF' 'c' | cat\na 'b'\n\tEOF\ncodex \"x\"",
    "codex <<A <<\\B; codex c\na\nA\nb\nB\ncodex x",
    "codex <<<'a b' \"c\"\ncodex x",
    "codex $((1 + 2)) $(( (1 << 2) * 3 )) 'a'",
    "codex $((1 << 2)) \"$[1 + 2]\" 'a'\ncodex b",
    "((a = 1 << 2))\ncodex 'a'",
    r#"codex ${x:-"a b"} "c" 'd'"#,
    r#"codex "${x:-"a 'b' c"}" 'd'"#,
    r#"codex "${x:-it's}" 'd' "e's""#,
    r#"codex "${x#'}'}" 'd' ${y:-a} "${y:-b c}""#,
    r"codex $'a\'b\\c\x41d\u00e9\n' 'x'",
    "codex a # it's \"b\ncodex 'c'",
    "codex a#b '#' \\# c\\\n d",
    "(codex 'a'; codex \"b\") && { codex c; }",
    r#"codex "$(case x in x) echo 'a';; (y) echo "b";; esac)" 'c'"#,
    r#"codex "$(echo a # it's )
)" 'b'"#,
    "a[1]=2; codex \"${a[1]}\" 'b'",
    "codex <(echo 'a') >out 2>&1 'b'",
    r#"codex "$x[1]" "$@" "$#" "$*b" 'c'"#,
    "if true; then codex 'a'; fi; for i in 1 '2'; do codex \"$i\"; done",
];

const FISH: &[&str] = &[
    r"codex 'abc\\def' 'it\'s' x",
    r#"codex "a\"b\\c\$d\e" $x "$x" y"#,
    r"codex a\x41b \u00e9 \'x\ y\n 'c'",
    r#"codex (echo 'a' "b") "c$(echo 'd')" e"#,
    "codex a # it's\ncodex 'b' {a,'b'}",
    "begin; codex 'a'; end; and codex \"b\" | cat",
];

/// The lines as they stand after the text was put at each place, also while they are unfinished;
/// and whether the text must arrive.
fn edited(shell: Shell, line: &str, calls: bool) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for text in TEXTS {
        for (cursor, _) in line.char_indices().chain([(line.len(), ' ')]) {
            for whole in [line, &line[..cursor]] {
                let command = command_at(whole, cursor, shell);
                let due = calls && whole == line && cursor > "codex".len();
                let due = if due { *text } else { "" };
                if let Some(edited) = insert(whole, &command, text, shell) {
                    all.push((format!("{}{}", edited.before, edited.after), due.to_owned()));
                }
            }
            let command = command_at(line, cursor, shell);
            for word in command.words.iter().filter(|word| word.plain) {
                let edited = replace(line, Some(word.range.clone()), 0, text, shell);
                all.push((format!("{}{}", edited.before, edited.after), String::new()));
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Runs each line, and prints those in which something acted or that lost their text.
const POSIX_LOOP: &str = r#"
codex() { for got; do case $got in *"$due"*) arrived=1;; esac; done; }
command_not_found_handle() { :; }; command_not_found_handler() { :; }
while [ $# -gt 0 ]; do
    line=$1 due=$2; shift 2
    ( x='v w' y=; arrived=; set --; eval "$line"
      [ -z "$due" ] || [ -n "$arrived" ] || : >lost ) >/dev/null 2>&1 </dev/null
    [ -e acted ] && printf 'acted: %s\n' "$line"
    [ -e lost ] && printf 'lost: %s\n' "$line"
    [ -e acted ] || [ -e lost ] && rm -f acted lost
done
:
"#;

const FISH_LOOP: &str = r"
function codex
    for got in $argv
        string length -q -- $due
        and set -l rest (string replace -- $due '' $got | string collect -N)
        and test $rest != (printf '%s\n' $got | string collect -N)
        and set -g arrived 1
    end
end
function fish_command_not_found; end
set -g x 'v w'
set -l rest $argv
while set -q rest[1]
    set -l line $rest[1]; set -g due $rest[2]; set -e rest[1..2]
    set -g arrived
    eval $line >/dev/null 2>/dev/null </dev/null
    test -e acted; and echo acted: $line
    test -n $due; and not set -q arrived[1]; and echo lost: $line
    rm -f acted
end
true
";

#[track_caller]
fn try_in(shell: Shell, arguments: &[&str], script: &str, lines: &[&str]) {
    let known = Command::new(shell.word()).arg("--version").stdout(Stdio::null()).status();
    if known.is_err() {
        return skipped(&format!("{} is not here (`just ci` installs it)", shell.word()));
    }
    let folder = tempfile::tempdir().unwrap();
    let tried: Vec<_> = CALLS
        .iter()
        .filter(|line| shell != Shell::Fish || !line.contains("$?") && !line.contains("\\b"))
        .flat_map(|line| edited(shell, line, true))
        .chain(lines.iter().flat_map(|line| edited(shell, line, false)))
        .collect();
    assert!(tried.len() > 1000, "most are refused: {}", tried.len());
    fs::create_dir(folder.path().join("home")).unwrap();
    let mut said = String::new();
    for some in tried.chunks(500) {
        let done = Command::new(shell.word())
            .args(arguments)
            .args(["-c", script])
            .args((shell != Shell::Fish).then_some("shell"))
            .args(some.iter().flat_map(|(line, due)| [line, due]))
            .current_dir(folder.path())
            .env("HOME", folder.path().join("home"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        said += &String::from_utf8_lossy(&done.stdout);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{shell:?}\n{errors}");
    }
    assert!(said.is_empty(), "{shell:?}\n{said}");
}

#[test]
fn no_text_acts_in_bash() {
    try_in(Shell::Bash, &["--norc", "--noprofile"], POSIX_LOOP, POSIX);
}

#[test]
fn no_text_acts_in_zsh() {
    try_in(Shell::Zsh, &["-f"], POSIX_LOOP, POSIX);
    try_in(Shell::Zsh, &["-f", "-o", "interactivecomments"], POSIX_LOOP, POSIX);
}

#[test]
fn no_text_acts_in_fish() {
    try_in(Shell::Fish, &["--no-config"], FISH_LOOP, FISH);
}

#[test]
fn a_printed_word_is_the_same_in_every_shell() {
    let more =
        [r"b\\z", r"\", r"a\'b", r"'\\'", "=ls", "-n", "{a,b}", "~", "!!", "a  b ", "*", "^a"];
    let texts: Vec<&str> = TEXTS.iter().chain(&more).copied().collect();
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.contains('\n')).collect();
    let words: Vec<_> = texts.iter().map(|text| word(text).unwrap().to_string()).collect();
    let line = format!("printf '<%s>\\n' {}", words.join(" "));
    let expected: String = texts.iter().map(|text| format!("<{text}>\n")).collect();
    for shell in [
        &["bash", "--norc", "--noprofile"][..],
        &["zsh", "-f"],
        &["zsh", "-f", "-o", "rcquotes"],
        &["fish", "--no-config"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", &line]).current_dir(folder.path());
        match command.env("HOME", folder.path()).stdin(Stdio::null()).output() {
            Err(_) => skipped(&format!("{} is not here (`just ci` installs it)", shell[0])),
            Ok(done) => assert_eq!(String::from_utf8_lossy(&done.stdout), expected, "{shell:?}"),
        }
    }
}
