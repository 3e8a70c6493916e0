//! YAML that is meant to hang us or to fill the memory: each is a row with a reason, at once.

use super::*;

/// Reads a skill with this between name and description, which are recovered whatever it is.
fn hostile(yaml: &str) -> Vec<&'static str> {
    let reading = read(
        format!("---\nname: pdf\ndescription: d\nx: y\n{yaml}\nlast: z\n---\nbody").as_bytes(),
    );
    let text = |key: &str| reading.field(key).and_then(|field| field.value.text());
    assert_eq!((text("name"), text("description")), (Some("pdf"), Some("d")));
    assert!(reading.fields.len() <= repair::FIELD_LIMIT);
    reading.findings.iter().map(Diagnostic::code).collect()
}

#[test]
fn aliases_are_never_expanded_beyond_the_budget() {
    let level =
        |i: usize| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(", "));
    let bomb =
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned() + &(1..9).map(level).collect::<String>();
    assert_eq!(hostile(&bomb), ["yaml-budget"]);
    let quadratic = format!("a: &a \"{}\"\nb: [{}]", "x".repeat(30_000), vec!["*a"; 90].join(", "));
    assert_eq!(hostile(&quadratic), ["yaml-budget"]);
    let many: String = (0..200).map(|i| format!("k{i}: &a{i} v\n")).collect();
    assert_eq!(hostile(&many), ["yaml-budget"]);
    assert_eq!(hostile("a: &a [*a]"), ["yaml-repaired"]);
}

#[test]
fn aliases_cannot_nest_deeper_than_the_budget() {
    let chain: String = (1..60).map(|i| format!("a{i}: &a{i} [*a{}]\n", i - 1)).collect();
    assert_eq!(hostile(&format!("a0: &a0 []\n{chain}")), ["yaml-budget"]);
}

#[test]
fn depth_is_limited() {
    assert_eq!(hostile(&format!("a: {}", "[".repeat(60_000))), ["yaml-budget"]);
    assert_eq!(hostile(&format!("a: {}", "{".repeat(60_000))), ["yaml-budget"]);
    assert_eq!(hostile(&format!("a:\n{}", "- ".repeat(30_000))), ["yaml-budget"]);
    let keys: String = (0..100).map(|i| format!("{}k:\n", " ".repeat(i))).collect();
    assert_eq!(hostile(&format!("a:\n {}", keys.replace('\n', "\n "))), ["yaml-budget"]);
}

#[test]
fn size_is_limited() {
    for huge in
        ["[".repeat(100_000), "- ".repeat(100_000), "k: v\n".repeat(40_000), "#".repeat(70_000)]
    {
        let codes = hostile(&huge);
        assert_eq!(codes[0], "frontmatter-size", "{}", &huge[..4]);
    }
    let keys: String = (0..6_000).map(|i| format!("k{i}: v\n")).collect();
    assert_eq!(hostile(&keys), ["yaml-budget", "yaml-budget"]);
    assert_eq!(hostile(&format!("{}: v", "k".repeat(64_000))), ["yaml-repaired"]);
}

#[test]
fn duplicate_and_merge_keys_are_rows() {
    assert_eq!(hostile("x: z"), ["yaml:duplicate-key"]);
    assert_eq!(hostile(&"dup: z\n".repeat(1_000)), vec!["yaml:duplicate-key"; 999]);
    let merges: String = (0..1_500).map(|i| format!("{{k{i}: v}}, ")).collect();
    assert_eq!(hostile(&format!("<<: [{merges}]")), Vec::<&str>::new());
}

#[test]
fn control_bytes_tabs_and_open_quotes_do_not_hide_a_skill() {
    assert_eq!(hostile(&format!("a: {}", "\0".repeat(1_000))), ["yaml-repaired"]);
    assert_eq!(hostile("a: \"b"), ["yaml-repaired"]);
    assert_eq!(hostile("a: 'b\nc"), ["yaml-repaired"]);
    assert_eq!(hostile("\ta: b"), ["yaml-repaired"]);
    assert_eq!(hostile("a:\tb"), Vec::<&str>::new());
    assert_eq!(hostile("a: b\x1b[31m"), ["yaml-repaired"]);
    assert_eq!(hostile("a: --- b"), ["frontmatter-cut"]);
}

#[test]
fn quoted_text_of_very_many_lines_is_read_or_repaired() {
    assert_eq!(hostile(&format!("a: \"{}\"", "x\n".repeat(1_000))), Vec::<&str>::new());
    assert_eq!(hostile(&format!("a: \"{}\"", "x\n".repeat(30_000))), ["yaml-repaired"]);
    assert_eq!(hostile(&format!("a: '{}", "x''\n".repeat(10_000))), ["yaml-repaired"]);
}
