//! Skill files: mostly sound ones as people write them, with every fault that a parser could take
//! otherwise.

use crate::env::random::Random;

/// Names that people give; several folders get the same one.
pub(crate) const NAMES: &[&str] = &[
    "pdf",
    "docx",
    "code-review",
    "release-notes",
    "deploy",
    "testing",
    "git-helper",
    "sql",
    "api",
    "frontend",
    "changelog",
    "debug",
    "data-science",
    "mcp-builder",
    "brand",
];

/// Folder names that people give less often.
pub(crate) const ODD_NAMES: &[&str] = &[
    "-dash",
    "UPPER",
    "with space",
    "größe",
    "party-🎉",
    "it's",
    "say \"hi\"",
    "v1.2",
    "under_score",
    "123",
    "true",
    "null",
    "nb\u{a0}sp",
    "Mixed-Case",
    "a--b",
    "trailing-",
    "日本語",
    "semi;colon",
    "star*",
    "[list]",
    "~",
    "dollar$",
    "@at",
    "comma,",
    "back`tick",
    "#hash",
    "percent%20",
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
];

/// Descriptions as people write them.
const SOUND: &[&str] = &[
    "Fill in and read PDF forms. Use when a PDF is mentioned.",
    "Reviews code for bugs, style and security",
    "\"Quoted: with a colon, and a comma.\"",
    "'It''s quoted once'",
    ">-\n  Folded over\n  two lines",
    "|\n  Kept on\n  two lines",
    "Writes release notes (what's new, what broke) & more",
    "Deploys to production - carefully - with a plan",
    "Use this skill when the user asks to\n  write tests or to run them",
    "Handles C# and F# code; 100% of it",
    "Größe, naïve café, 日本語, 🎉",
    "a",
];

/// Values of `description` that parsers take otherwise than people do.
const DESCRIPTIONS: &[&str] = &[
    "* first item",
    "*emphasis* first",
    "**bold** first",
    "@mention first",
    "`code` first",
    "[link] first",
    "[a, b]",
    "[unclosed",
    "{a: b}",
    "{unclosed",
    "{{template}} first",
    "%percent first",
    "? question first",
    "?question first",
    "| pipe first",
    "> greater first",
    "!bang first",
    "&anchor first",
    "- dash first",
    "-dash first",
    ", comma first",
    "# comment only",
    "#hash first",
    "text # comment",
    "text #hash",
    "\"quoted\" first",
    "'quoted' first",
    "\"unclosed",
    "'unclosed",
    "'it's quoted'",
    "\"bad \\escape\"",
    "\"esc \\u00e9 \\n \\t \\x41\"",
    "\"nul \\0 inside\"",
    "Use when: asked for it",
    "Two: colons: here",
    "ends with a colon:",
    "key:value without blank",
    "http://example.com/x",
    "~",
    "null",
    "Null",
    "",
    "''",
    "\"\"",
    "'   '",
    "true",
    "yes",
    "42",
    "1.5",
    "0x1f",
    "1e3",
    ".inf",
    "2024-01-01",
    "- a\n- b",
    "\n  - a\n  - b",
    "\n  a: b",
    "\n  only on the next line",
    "<b>markup</b> & <script>x</script>",
    "a\u{0}nul",
    "a\u{7}bell",
    "a\u{1b}[31mred",
    "a\u{8}back",
    "a\u{7f}delete",
    "a\ttab",
    "\ttab first",
    "tab last\t",
    "a\u{85}next line",
    "a\u{2028}line separator",
    "a\u{2029}paragraph",
    "\u{a0}",
    "\u{a0}no-break edges\u{a0}",
    "\u{3000}wide blank",
    "zero\u{200b}width",
    "a\u{feff}mark",
    "a\u{9f}c1",
    "🎉 party first",
    "|\n\ttab as indentation",
    "|\n  one\n\n  three\n",
    "|-\n  a --- b",
    ">\n  folded\n\n  paragraph: two",
    "|2\n    deep",
    "|+\n  keep\n\n",
    "plain\n  continued: with colon",
    "plain\ncontinued at the edge",
    "\"quoted\n  over lines\"",
    "\"quoted\nat the edge\"",
    "a --- b",
    "!!str tagged",
    "!!int tagged",
    "!custom tagged",
    "=",
    "<<",
    "*",
    "*alias",
    "&a",
    "&a text",
    "text\r",
    "a\rb",
    "$ARGUMENTS and $1",
    "a \\ backslash \\n",
];

/// Values of `name`; `{}` is the folder's name.
const NAME_VALUES: &[&str] = &[
    "\"{}\"",
    "'{}'",
    "  {}  ",
    "''",
    "\"\"",
    "'  '",
    "",
    "~",
    "null",
    "123",
    "1.0",
    "1e3",
    "0x1f",
    "true",
    "2024-01-01",
    "[a]",
    "{a: b}",
    "\n  - a",
    "\u{a0}",
    "'\u{a0}'",
    "{}\u{a0}x",
    "\u{a0}{}",
    "{} two",
    "{}🎉",
    "<b>{}</b>",
    "<{}>",
    "-{}",
    "UPPER",
    "{}_under",
    "a/b",
    "../x",
    "a:b",
    "a: b",
    "a:",
    "{}\u{0}",
    "{}\u{7}",
    "{}\u{200b}",
    "{}\tx",
    "{}\u{85}x",
    "{}\u{2028}x",
    "Größe",
    "it's",
    "say \"hi\"",
    "*",
    "*x",
    "@x",
    "`x`",
    "%x",
    "!x",
    "&a x",
    "[x",
    "{}, {}",
    "{} # comment",
    "{}#x",
    "|\n  {}",
    ">-\n  {}",
    "\"a\\tb\"",
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
    "日本語",
    "{}/",
    "./{}",
    "{}.md",
];

/// Further lines, of the standard and of nobody.
const KEYS: &[&str] = &[
    "license: MIT",
    "license: {a: b}",
    "license: [a]",
    "license:",
    "compatibility: Needs git",
    "compatibility: 5",
    "compatibility: [a]",
    "metadata:\n  author: me\n  version: \"1.0\"",
    "metadata:\n  version: 1.0",
    "metadata:\n  short-description: Short",
    "metadata:\n  short-description: 5",
    "metadata:\n  short-description: [a]",
    "metadata: text",
    "metadata: [a]",
    "metadata: {a: {b: c}}",
    "metadata:",
    "metadata: 5",
    "allowed-tools: Read, Write",
    "allowed-tools: Bash(git:*)",
    "allowed-tools: *",
    "allowed-tools: [Read, Write]",
    "allowed-tools: [Bash(git:*), Read]",
    "allowed-tools:\n  - Read\n  - Write",
    "allowed-tools: {a: b}",
    "allowed-tools: 5",
    "allowed-tools:",
    "version: 1.2.0",
    "version: 1",
    "tags: [a, b]",
    "author: @me",
    "foo: bar",
    "foo: \"unclosed",
    "foo: [unclosed",
    "foo: *star",
    "foo: @at",
    "foo: a: b",
    "foo: !tag x",
    "foo: 'it's'",
    "globs: *.ts",
    "paths: *.ts",
    "paths: src/**/*.ts",
    "paths: [\"*.ts\"]",
    "hooks: {}",
    "# a comment",
    "not a pair",
    "",
    "  indented: key",
    "\ttab: key",
    "\t",
    " \t",
    "\t# a comment",
    "  \t# a comment",
    "tabs:\tvalue\t",
    "tools:\n  -\tRead",
    "tools:\n  - \tRead\n  - Write\t",
    "metadata:\n\t\n  author: me",
    "metadata:\n  author: me\n  \t\n  version: \"1.0\"",
    "metadata:\n  author: \"me\"\t# a comment\n\t\n  version: \"1.0\"",
    "?\tcomplex\n: value",
    "? complex\n:\tvalue",
    "block: |\n  \ttext",
    "\"quoted\": key",
    "? complex\n: value",
    "- item",
    "<<: {a: b}",
    "...",
    "Name: other",
    "DESCRIPTION: other",
    "title: X",
    "short-description: y",
    "description-long: z",
];

/// Whole frontmatter; `{}` is the folder's name.
const WHOLE: &[&str] = &[
    "",
    "\n",
    "name: {}",
    "description: no name",
    "- list",
    "text alone",
    "name: {}\ndescription: d\ndescription: twice",
    "name: {}\nname: twice\ndescription: d",
    "name:{}\ndescription:d",
    "name : {}\ndescription : d",
    "  name: {}\n  description: indented",
    "name: {}\n description: wrong indentation",
    "\tname: {}\n\tdescription: d",
    "name: {}\ndescription:\td",
    "description: {d: *d}\nname: {}",
    "name: &n {}\ndescription: *n",
    "name: {}\ndescription: &d\n  a: b\nfoo: *d",
    "{name: \"{}\", description: flow}",
    "{\"name\": \"json\", \"description\": \"json\"}",
    "name: {}\ndescription: d\n---\nmore: x",
    "--- # inner\nname: {}\ndescription: d",
    "# only a comment",
    "name: {}\ndescription: d\n%bad",
    "%YAML 1.2\nname: {}\ndescription: d",
    "\"name\": {}\n'description': d",
    "? name\n: {}\n? description\n: d",
    "name: {}\ndescription: d\n1: number\ntrue: flag\nnull: nothing",
    "null",
    "42",
    "name: {}\r\ndescription: half\nfoo: bar\r\n",
];

/// What is done to a whole file: fences, line ends, marks, encodings.
const FORMS: &[fn(&str, &str) -> Vec<u8>] = &[
    |head, body| format!("---\n{head}\n---\n{body}").replace('\n', "\r\n").into_bytes(),
    |head, body| format!("---\n{head}\n---\n{body}").replace('\n', "\r").into_bytes(),
    |head, body| format!("\u{feff}---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("\n---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!(" \n---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("--- \n{head}\n--- \n{body}").into_bytes(),
    |head, body| format!("---\t\n{head}\n---\t\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n--- \n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n---\t  \n{body}").into_bytes(),
    |head, body| format!("---\r\n{head}\r\n--- \r\n{body}").into_bytes(),
    |head, _| format!("---\n{head}\n--- \n\t\n").into_bytes(),
    |head, body| format!(" ---\n{head}\n ---\n{body}").into_bytes(),
    |head, body| format!("  ---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n  ---\n{body}").into_bytes(),
    |head, body| format!("----\n{head}\n----\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n----\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n...\n{body}").into_bytes(),
    |head, body| format!("--- yaml\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("---yaml\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("+++\n{head}\n+++\n{body}").into_bytes(),
    |head, body| format!("# Title\n---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("<!-- x -->\n---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n\n{body}").into_bytes(),
    |head, _| format!("---\n{head}\n---").into_bytes(),
    |head, _| format!("---\n{head}\n---\n").into_bytes(),
    |head, _| format!("---\n{head}\n---\n \n\t\n").into_bytes(),
    |head, body| format!("---\n{head}\n---{body}").into_bytes(),
    |head, body| format!("---\n\n{head}\n\n---\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n---\n---\n{body}").into_bytes(),
    |head, body| format!("---\n---\n{head}\n---\n{body}").into_bytes(),
    |head, body| format!("---\n{head}\n---\n{body}\0\u{1}").into_bytes(),
    |head, body| [format!("---\n{head}\n---\n{body}").as_bytes(), b"caf\xe9"].concat(),
    |head, body| [b"---\n# caf\xe9\n", format!("{head}\n---\n{body}").as_bytes()].concat(),
    |head, body| format!("---\n{head}\n---\n{body}").bytes().flat_map(|byte| [byte, 0]).collect(),
    |_, _| Vec::new(),
    |_, body| body.into(),
    |_, _| b"---".into(),
    |_, _| b"---\n---".into(),
    |_, _| b"---\n---\n".into(),
];

const BODIES: &[&str] = &[
    "# Title\n\nDo the thing.\n",
    "Body\n",
    "",
    "\n\n## Later heading\n\ntext --- text\n",
    "First paragraph.\n\n---\n\nAfter a rule.\n",
    "- item\n- item\n",
    "```yaml\n---\nname: x\n---\n```\n",
];

/// The file of a skill in a folder of this name; `keys` are lines of the agent's own. Half of them
/// have no fault.
pub(crate) fn skill_file(random: &mut Random, folder: &str, keys: &[&str]) -> Vec<u8> {
    let named = |text: &str| text.replace("{}", folder);
    let body = random.word(BODIES);
    let mut name = if random.chance(80) { plain(folder) } else { plain(random.word(NAMES)) };
    let mut description = random.word(SOUND).to_owned();
    let mut more: Vec<String> = Vec::new();
    let mut head = None;
    let mut form = None;
    for _ in 0..[0, 0, 0, 0, 1, 1, 1, 2][random.below(8)] {
        match random.below(10) {
            0..4 => description = random.word(DESCRIPTIONS).to_owned(),
            4..6 => name = named(random.word(NAME_VALUES)),
            6 | 7 => more.push(random.word(KEYS).to_owned()),
            8 => head = Some(named(random.word(WHOLE))),
            _ => form = Some(*random.pick(FORMS)),
        }
    }
    if !keys.is_empty() && random.chance(20) {
        more.push((*random.pick(keys)).to_owned());
    }
    let mut lines = vec![format!("name: {name}"), format!("description: {description}")];
    for line in more {
        let at = random.below(lines.len() + 1);
        lines.insert(at, line);
    }
    let head = head.unwrap_or_else(|| lines.join("\n"));
    match form {
        Some(form) => form(&head, body),
        None => format!("---\n{head}\n---\n{body}").into_bytes(),
    }
}

/// Every fault alone, and every key of the agent's own, each in a folder of its own.
pub(crate) fn each(keys: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut heads: Vec<(String, String)> = Vec::new();
    for (index, value) in DESCRIPTIONS.iter().enumerate() {
        let name = format!("description-{index}");
        heads.push((name.clone(), format!("name: {name}\ndescription: {value}")));
    }
    for (index, value) in NAME_VALUES.iter().enumerate() {
        let name = format!("name-{index}");
        let value = value.replace("{}", &name);
        heads.push((name, format!("name: {value}\ndescription: d")));
    }
    for (index, line) in KEYS.iter().chain(keys).enumerate() {
        let before = format!("key-{index}");
        heads.push((before.clone(), format!("{line}\nname: {before}\ndescription: d")));
        let after = format!("last-key-{index}");
        heads.push((after.clone(), format!("name: {after}\ndescription: d\n{line}")));
    }
    for (index, head) in WHOLE.iter().enumerate() {
        let name = format!("whole-{index}");
        let head = head.replace("{}", &name);
        heads.push((name, head));
    }
    let sound = |(name, head): (String, String)| (name, format!("---\n{head}\n---\nBody\n"));
    let mut files: Vec<(String, Vec<u8>)> =
        heads.into_iter().map(sound).map(|(name, file)| (name, file.into_bytes())).collect();
    for (index, form) in FORMS.iter().enumerate() {
        let name = format!("form-{index}");
        let head = format!("name: {name}\ndescription: d");
        files.push((name, form(&head, "Body\n")));
    }
    for (index, name) in ODD_NAMES.iter().enumerate() {
        let description = format!("folder-{index}");
        files.push((
            (*name).to_owned(),
            format!("---\ndescription: {description}\n---\nBody\n").into_bytes(),
        ));
    }
    files
}

/// A sound skill file of this name.
pub(crate) fn sound(random: &mut Random, name: &str) -> Vec<u8> {
    let (name, description) = (plain(name), random.word(SOUND));
    format!("---\nname: {name}\ndescription: {description}\n---\n{}", random.word(BODIES))
        .into_bytes()
}

/// A text as YAML writes it: in quotes where it must be.
fn plain(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '_' | '.'));
    let is_plain = is_word && !text.starts_with('-') && !["true", "null"].contains(&text);
    if is_plain { text.to_owned() } else { serde_json::to_string(text).unwrap() }
}
