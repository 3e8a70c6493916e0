//! Documents that are hard to read or to draw: what each is bad for, and its text.

/// So much of it as is shown of a file.
const SIZE: usize = 1 << 20;

fn fill(part: &str) -> String {
    part.repeat(SIZE / part.len())
}

/// Markdown.
pub(crate) fn markdown() -> Vec<(&'static str, String)> {
    let rows = |columns: usize| {
        format!("{}\n{}\n{}", "|a".repeat(columns), "|-".repeat(columns), fill("|x\n"))
    };
    vec![
        ("quotes", fill("> ")),
        ("quotes by line", (0..700).map(|depth| "> ".repeat(depth / 2) + "x\n").collect()),
        ("brackets", fill("[")),
        ("open links", fill("[a](")),
        ("nested links", fill("![a](b) [")),
        ("lists", fill("- ") + "x"),
        ("deep list", (0..500).map(|depth| "  ".repeat(depth) + "- x\n").collect()),
        ("emphasis", fill("*a **b _c ")),
        ("wide table", rows(2_000)),
        ("long table", rows(3)),
        ("backticks", (1..700).map(|count| "`".repeat(count) + " ").collect()),
        ("one word", fill("x")),
        ("one line", fill("word ")),
        ("html", fill("<!-- <a ")),
        ("references", fill("[a]: b\n[a] ")),
        ("footnotes", fill("[^a]: b\n\n[^a] ")),
        ("fences", fill("```\n~~~\n")),
        ("code block", format!("```js\n{}", fill("(((((((((({[\n"))),
        ("piled marks", fill("a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}")),
        ("entities", fill("&#x202e;&amp;")),
    ]
}

/// Programs and data, by the name of a file whose grammar reads them.
pub(crate) fn code() -> Vec<(&'static str, String)> {
    let wrapped = |before: &str, part: &str, after: &str| format!("{before}{}{after}", fill(part));
    let lines = |line: &str| format!("{line}\n").repeat((64 << 10) / line.len());
    vec![
        ("one-line.js", fill("var a=b(c[d],{e:1})||f;")),
        ("one-line.json", wrapped("[", "{\"a\":[1,2]},", "0]")),
        ("one-line.css", fill("a:not(.b)>c{d:url(e)}")),
        ("one-line.html", fill("<a b='c'>&amp;</a>")),
        ("parens.js", lines(&"(".repeat(1_900))),
        ("brackets.json", lines(&"[".repeat(1_900))),
        ("braces.rs", lines(&"{".repeat(1_900))),
        ("open-string.py", wrapped("x = \"\"\"", "a\\n", "")),
        ("open-comment.c", wrapped("/* ", "/* * /\n", "")),
        ("templates.ts", lines(&"`${".repeat(600))),
        ("heredocs.sh", lines("cat <<A; cat <<'B'; $(cat <<C")),
        ("regexes.rb", lines(&"/(a|".repeat(450))),
        ("tags.html", lines(&"<a <b ".repeat(300))),
        ("anchors.yaml", lines(&"- &a [*a, {".repeat(170))),
        ("back-slashes.py", lines(&"'\\".repeat(900))),
    ]
}
