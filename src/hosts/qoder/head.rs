//! What Qoder makes of a `SKILL.md` (1.1.52). It takes any text: a frontmatter that `js-yaml`
//! refuses is tried once more with quotes, then its lines are read one by one, nearly as Gemini CLI
//! does. Without a description the first line of the body is one. A file
//! with a blank body is refused if its frontmatter can be parsed neither at first nor with quotes,
//! and has no line `description`.

use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::claude::head::{described, in_quotes};
use crate::hosts::gemini::head::{FENCE, continued, frontmatter, value};
use crate::hosts::javascript::{field, is_blank, trim};
use crate::hosts::js_yaml::{self, Version};
use std::borrow::Cow;

pub(super) static READER: HeadReader = HeadReader { id: "qoder", read, real_folder: false };

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    if trim(&text).is_empty() {
        return HostHead::Refused;
    }
    let (yaml, body) = match frontmatter(&text) {
        Some(yaml) => (yaml, body(&text)),
        None => ("", Some(&*text)),
    };
    let filled = |key| of_field(yaml, key).filter(|text| !text.is_empty());
    let description = filled("description");
    let has_no_body = body.is_some_and(|body| trim(body).is_empty());
    if has_no_body && description.is_none() && !is_parsed(yaml) {
        return HostHead::Refused;
    }
    HostHead::Read {
        name: filled("name").unwrap_or_else(|| directory.to_owned()),
        description: description.unwrap_or_else(|| described(body.unwrap_or_default())),
    }
}

/// Whether it can be parsed, if need be with quotes, and is a map or a list.
fn is_parsed(yaml: &str) -> bool {
    let is = |yaml: &str| {
        js_yaml::fields(yaml, Version::Four).is_some() || js_yaml::is_list(yaml, Version::Four)
    };
    is(yaml) || is(&with_quotes(yaml))
}

/// What is parsed if the frontmatter itself cannot be: each value that begins with a sign of YAML
/// or has one in it gets quotes, if it has none. A tab becomes two blanks.
fn with_quotes(yaml: &str) -> String {
    let yaml = without_blocks(&yaml.replace('\t', "  "));
    let lines = yaml.split('\n').map(|line| quoted(line).map_or(Cow::from(line), Cow::from));
    lines.collect::<Vec<_>>().join("\n")
}

fn quoted(line: &str) -> Option<String> {
    let (key, value) = line.split_once(": ").filter(|(key, _)| !key.is_empty())?;
    let value = value.trim_matches(is_blank);
    let is_within = |sign: char| value.starts_with(sign) && value.ends_with(sign);
    let begins_oddly = value.starts_with(|sign| "[{&*!|>%@`\"'#?".contains(sign));
    let has_sign = value.contains(": ") || value.contains(" #") || value.ends_with(':');
    let needs_quotes = (begins_oddly || has_sign) && !is_within('"') && !is_within('\'');
    needs_quotes.then(|| format!("{key}: {}", in_quotes(value)))
}

/// The text below the frontmatter. It is empty if more follows in the line that ends the
/// frontmatter, and `None` if it was not kept.
fn body(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('\n').unwrap_or_default();
    let (_, rest) = rest.split_once(FENCE).unwrap_or_default();
    let rest = rest.strip_prefix('\r').unwrap_or(rest);
    match rest.strip_prefix('\n') {
        Some(body) => Some(body).filter(|body| !body.is_empty()),
        None => Some("").filter(|_| !rest.is_empty()),
    }
}

/// The text of a field.
fn of_field(yaml: &str, key: &str) -> Option<String> {
    let fields = |yaml: &str| js_yaml::fields(yaml, Version::Four);
    let Some(fields) = fields(yaml).or_else(|| fields(&with_quotes(yaml))) else {
        return by_lines(yaml, &format!("{key}:"));
    };
    js_yaml::text(field(&fields, key)?, Version::Four).map(str::to_owned)
}

/// Each text in a block becomes a quoted one, on the line of its key.
fn without_blocks(yaml: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut lines = yaml.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(key) = key_of_block(line) else {
            out.push(line.to_owned());
            continue;
        };
        let mut parts = Vec::new();
        while let Some(more) =
            lines.next_if(|line| line.starts_with([' ', '\t']) || line.is_empty())
        {
            parts.push(trim(more));
        }
        out.push(format!("{key} {}", in_quotes(&parts.join(" "))));
    }
    out.join("\n")
}

/// The key of a line that begins a block, with its colon. One sign or digit may stand behind that
/// of the block.
fn key_of_block(line: &str) -> Option<&str> {
    let line = line.trim_end_matches(is_blank);
    let key = line.strip_suffix(['|', '>']).or_else(|| {
        let shorter =
            line.strip_suffix(|sign: char| "-+".contains(sign) || sign.is_ascii_digit())?;
        shorter.strip_suffix(['|', '>'])
    })?;
    let colon = key.trim_end_matches(is_blank);
    (colon.len() < key.len() && colon.ends_with(':')).then_some(colon)
}

/// What stands after the key in the last line that begins with it, and in those that continue it.
fn by_lines(yaml: &str, key: &str) -> Option<String> {
    let mut found = None;
    let mut lines = yaml.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        if let Some(value) = value(line, key) {
            found = Some(continued(value, &mut lines));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the program says of each.
    #[test]
    fn it_describes_as_qoder_does() {
        for (yaml, described) in [
            ("description: d", "d"),
            ("description: \" d \"", " d "),
            ("description: '  '", "  "),
            ("description: |\n  one\n  two", "one\ntwo\n"),
            ("description: !bang first", "!bang first"),
            ("description: 'it's quoted'", "'it's quoted'"),
            ("description: \"a: b\" c", "\"a: b\" c"),
            ("description: a: b\n  more\n  again", "a: b more again"),
            ("description: a: b\ndescription: c", "c"),
            ("description: - a\n- b", "- a"),
            ("description: plain\nat the edge", "plain"),
            ("- x\ndescription: d", "d"),
            ("name:x\ndescription:d", "d"),
            ("name: x\n description: wrong", "wrong"),
            ("\tname: x\n\tdescription: d", "d"),
            ("---\nname: x\ndescription: d", "d"),
            ("<<: {description: d}", "d"),
            ("name: [x\ndescription: [a, b]", "[a, b]"),
            ("name: [x\ndescription: d # c", "d # c"),
            ("name: [x\ndescription: |\n  one\n  two", "one two"),
            ("name: [x\ndescription: >-\n  one\n\n  two\nfoo: x", "one  two"),
            ("name: [x\nfoo: |\n  description: d", "First line"),
            ("name: [x\n  description: d", "d"),
            ("name: [x\ndescription: |", "First line"),
            ("name: [x\ndescription: 'quoted'", "quoted"),
            ("name: [x\ndescription: 5", "First line"),
            ("description: # comment", "First line"),
            ("description: 5", "First line"),
            ("description: 2024-01-01", "First line"),
            ("description: [a, b]", "First line"),
            ("description: ''", "First line"),
            ("description: a\rb", "First line"),
            ("name: a:\ndescription: \"b: c\"", "b: c"),
            ("foo: a:\ndescription: 5", "First line"),
            ("foo: - a\ndescription: 5", "5"),
            ("foo: ]\ndescription: 5", "5"),
            ("foo: - a: x\ndescription: 5", "First line"),
            ("foo: - a #b\ndescription: 5", "First line"),
            ("foo: \"a\" b\ndescription: 5", "First line"),
            ("foo: \"a\ndescription: 5", "First line"),
            ("foo: ? a\ndescription: 5", "First line"),
            ("f.o: a:\ndescription: 5", "First line"),
            ("foo:bar: [a\ndescription: 5", "First line"),
            ("foo: a:\ndescription: 5 # b", "5 # b"),
            ("foo: a:\ndescription: \"x\" # c", "\"x\" # c"),
            ("foo: a:\n\"description\": [a, b]", "[a, b]"),
            ("foo: a:\ndescription : [a, b]", "[a, b]"),
            ("foo: a:\ndescription: x\ty", "x  y"),
            ("foo: ]\ndescription: a\tb", "a\tb"),
            ("foo: a:\ndescription: a\\\"b: c", "a\\\"b: c"),
            ("foo: a:\ndescription: |2\n  x", "x"),
            ("foo: a:\ndescription:  |\n  y", "y"),
            ("foo: a:\ndescription: |+2\n  x", "|+2 x"),
            ("foo: a:\ndescription: |2-\n  x", "|2- x"),
            ("foo: a:\ndescription: | # c\n  x", "| # c x"),
            ("foo: a:\ndescription:|\n  y", "| y"),
            ("foo: - a\ndescription: |2\n  q", "|2 q"),
            ("foo: a:\ndescription: \"a\n  b\"", "\"a b\""),
            ("foo: a:\ndescription: ''", "First line"),
            ("foo: a:\nfoo: b:\ndescription: 5", "5"),
            ("Description: d", "First line"),
            ("name: x", "First line"),
            ("text alone", "First line"),
        ] {
            let file = format!("---\n{yaml}\n---\n\n  First line  \nsecond\n");
            assert_eq!(of(&file).as_deref(), Some(described), "{yaml:?}");
        }
    }

    fn of(file: &str) -> Option<String> {
        match read(&Head::new(file.as_bytes()), "folder") {
            HostHead::Refused | HostHead::BlocksName { .. } => None,
            HostHead::Read { description, .. } => Some(description),
        }
    }

    #[test]
    fn a_blank_body_is_not_enough_where_the_frontmatter_cannot_be_parsed() {
        for (yaml, is_taken) in [
            ("text", false),
            ("5", false),
            ("null", false),
            ("# c", false),
            (" ", false),
            ("\"text\"", false),
            ("name: x\ndescription: a\rb", false),
            ("name: x: y\n  z: d\nfoo", false),
            ("- {a: 1, a: 2}", false),
            ("[a, b]", true),
            ("{}", true),
            ("name: [x", true),
            ("name: [x\ndescription: |", true),
            ("description: d", true),
        ] {
            let head = |body: &str| format!("---\n{yaml}\n---\n{body}");
            let kept = |body: &str| {
                let file = head(body);
                let head = Head::of(file.as_bytes(), head("").len(), true).unwrap();
                of(std::str::from_utf8(&head.bytes).unwrap()).is_some()
            };
            assert_eq!((kept(""), kept("\n \n")), (is_taken, is_taken), "{yaml:?}");
            assert!(kept("Body\n"), "{yaml:?}");
            let goes_on = of(&format!("---\n{yaml}\n--- \nBody\n"));
            assert_eq!(goes_on.is_some(), is_taken, "{yaml:?}");
        }
    }

    #[test]
    fn a_file_with_something_in_it_is_described_by_its_first_line() {
        for (file, described) in [
            ("Body\n", "Body"),
            ("## Two ##\nB\n", "Two ##"),
            ("#Title\n", "#Title"),
            ("\u{feff}---\ndescription: d\n---\n", "\u{feff}---"),
            ("--- \ndescription: d\n---\n", "---"),
            ("---\ndescription: d\n  ---\n", "---"),
            ("---\n---\n", "---"),
            ("---\ndescription: d\n---Body\n", "d"),
            ("---\nname: x\n---Body\n", "Skill"),
            ("---\nname: x\n---\n", "Skill"),
            ("---\r\ndescription: d\r\n---\r\n", "d"),
        ] {
            let found = of(file);
            let found = found.as_deref().map(|text| text.trim_start_matches('\u{feff}'));
            assert_eq!(found, Some(described.trim_start_matches('\u{feff}')), "{file:?}");
        }
        assert_eq!((of(""), of(" \n")), (None, None));
    }
}
