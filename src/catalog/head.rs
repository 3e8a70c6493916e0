//! The beginning of a skill's file, kept where parsers may read it differently: each host has its
//! own, and what that one makes of it decides what the host shows.

use std::sync::{Mutex, PoisonError};

/// What a host's own parser makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostHead {
    /// The host does not show the skill.
    Refused,
    /// Refused too, but it still shadows later skills of its name (Droid).
    BlocksName { name: String },
    /// Its name and description in the host.
    Read { name: String, description: String },
}

/// The same beside what we make of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    Refused,
    BlocksName {
        name: String,
    },
    /// Name and description are those that we read.
    Same,
    Other {
        name: String,
        description: String,
    },
}

/// How a host reads a file. Two hosts with the same parser share one.
#[derive(Debug)]
pub struct HeadReader {
    pub id: &'static str,
    /// From the file's beginning and the name of its directory. Of a single file, that is the name
    /// of the folder it lies in, `/`, and its own without `.md`; see [`single_file`].
    pub read: fn(&Head, &str) -> HostHead,
    /// Whether the directory is the one to which links lead, and not the one that was found.
    pub real_folder: bool,
}

impl PartialEq for HeadReader {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for HeadReader {}

/// The folder and the name of a single file, from what a [`HeadReader`] is given.
pub fn single_file(directory: &str) -> Option<(&str, &str)> {
    directory.split_once('/')
}

/// Who may call a skill, by its own fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    pub by_model: bool,
    pub by_person: bool,
    /// Nobody, until the agent touches a file that the skill's `paths` match.
    pub later: bool,
}

/// How a host reads who may call a skill, where it reads it otherwise than we do.
#[derive(Debug)]
pub struct CallReader {
    pub id: &'static str,
    pub read: fn(&Head) -> Calls,
}

impl PartialEq for CallReader {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for CallReader {}

/// What is kept of a body, in bytes: some agents take their description from there, if the
/// frontmatter has none.
const BODY: usize = 2_048;

/// The beginning of a file, with what each reader has made of it.
#[derive(Debug)]
pub struct Head {
    /// To the end of the frontmatter, and [`BODY`] bytes more if that has no description, or the
    /// skill is a single file; everything that was read if blanks follow the closing `---`. If nothing but blanks follows, there are two line ends more, so that
    /// a reader sees that.
    pub bytes: Box<[u8]>,
    read: Mutex<Vec<Opinion>>,
    calls: Mutex<Vec<(&'static str, Calls)>>,
}

/// What a reader has made of a head in a directory.
#[derive(Debug)]
struct Opinion {
    reader: &'static str,
    directory: Box<str>,
    compared: Compared,
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Head {}

impl Head {
    pub fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), read: Mutex::default(), calls: Mutex::default() }
    }

    /// The head of a single file whose body begins at this byte: some agents take it without a
    /// frontmatter.
    pub fn of_single_file(bytes: &[u8], body: usize) -> Self {
        Self::new(&bytes[..body.saturating_add(BODY).min(bytes.len())])
    }

    /// The head of a file whose body begins at this byte; `None` if every parser reads it alike.
    /// `is_whole` says that these bytes are the whole file and not its beginning.
    pub fn of(bytes: &[u8], body: usize, is_whole: bool) -> Option<Self> {
        let (head, rest) = bytes.split_at(body.min(bytes.len()));
        let is_blank =
            |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| text.trim().is_empty());
        if is_whole && !head.is_empty() && is_blank(rest) {
            return Some(Self::new(&[head, b"\n\n"].concat()));
        }
        if is_plain(bytes) {
            return None;
        }
        let is_closed = head.ends_with(b"\n---\n") || head.ends_with(b"\n---\r\n");
        let more = match is_closed {
            // Some readers want no blanks behind the closing line, and look for a later one.
            false => rest.len(),
            true if has_description(head) => 0,
            true => BODY,
        };
        let more = &rest[..more.min(rest.len())];
        // Blanks alone would say that nothing follows.
        let more = if is_blank(more) { &[][..] } else { more };
        Some(Self::new(&[head, more].concat()))
    }

    /// What this reader makes of it, in a directory of this name. We read `name` and `description`.
    pub fn read(
        &self,
        reader: &'static HeadReader,
        directory: &str,
        (name, description): (&str, &str),
    ) -> Compared {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |known: &&Opinion| known.reader == reader.id && *known.directory == *directory;
        if let Some(known) = read.iter().find(is_it) {
            return known.compared.clone();
        }
        let compared = match (reader.read)(self, directory) {
            HostHead::Refused => Compared::Refused,
            HostHead::BlocksName { name } => Compared::BlocksName { name },
            HostHead::Read { name: other, description: text } => {
                match other == name && text == description {
                    true => Compared::Same,
                    false => Compared::Other { name: other, description: text },
                }
            }
        };
        // There are many heads, and few readers.
        read.reserve_exact(1);
        let (reader, directory) = (reader.id, directory.into());
        read.push(Opinion { reader, directory, compared: compared.clone() });
        compared
    }

    /// Who may call the skill, by this reader.
    pub fn calls(&self, reader: &'static CallReader) -> Calls {
        let mut known = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, calls)) = known.iter().find(|(id, _)| *id == reader.id) {
            return *calls;
        }
        let calls = (reader.read)(self);
        known.reserve_exact(1);
        known.push((reader.id, calls));
        calls
    }
}

/// What begins like a text and is none, or an empty one.
const NO_TEXTS: [&[u8]; 5] = [b"null", b"true", b"false", b"''", b"\"\""];

/// Whether a frontmatter has a description that is text for every parser.
fn has_description(head: &[u8]) -> bool {
    let is_text = |rest: &[u8]| {
        let rest = rest.trim_ascii();
        let is = |other: &&[u8]| rest.eq_ignore_ascii_case(other);
        rest.first().is_some_and(|first| first.is_ascii_alphabetic() || b"\"'|>".contains(first))
            && !rest.contains(&b'\r')
            && !NO_TEXTS.iter().any(is)
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    lines.any(|line| line.strip_prefix(b"description: ").is_some_and(is_text))
}

/// Fields of which every agent takes any text.
const PLAIN_KEYS: [&str; 7] =
    ["name", "description", "license", "version", "author", "compatibility", "allowed-tools"];

/// Fields that may hold a list of texts, or a map of texts.
const PLAIN_LIST: &str = "allowed-tools";
const PLAIN_MAP: &str = "metadata";

/// In bytes. Some agents refuse longer values.
const PLAIN_NAME: usize = 64;
const PLAIN_VALUE: usize = 500;
const PLAIN_DESCRIPTION: usize = 1_000;

/// Whether every parser reads this file alike: `---`, lines `key: text` each once with a name and a
/// description, a list or a map in two columns below its key, `---`.
fn is_plain(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes).or_else(|error| match error.error_len() {
        None => std::str::from_utf8(&bytes[..error.valid_up_to()]),
        Some(_) => Err(error),
    }) else {
        return false;
    };
    let Some((head, _)) = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n"))
    else {
        return false;
    };
    let mut keys: Vec<&str> = Vec::new();
    // The key under which lines may follow, and those of the lines that did.
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in head.lines() {
        if let Some(below) = line.strip_prefix("  ") {
            let Some((key, inner)) = &mut open else { return false };
            let name = if *key == PLAIN_LIST { plain_item(below) } else { plain_pair(below) };
            match name.filter(|name| *key == PLAIN_LIST || !inner.contains(name)) {
                Some(name) => inner.push(name),
                None => return false,
            }
            continue;
        }
        let (key, value) = match line.split_once(": ") {
            Some((key, value)) => (key, Some(value)),
            None => (line.strip_suffix(':').unwrap_or_default(), None),
        };
        let is_plain = match (key, value) {
            ("name", Some(name)) => is_plain_name(name),
            ("description", Some(text)) => is_plain_text(text, PLAIN_DESCRIPTION),
            (key, Some(text)) => PLAIN_KEYS.contains(&key) && is_plain_text(text, PLAIN_VALUE),
            (key, None) => key == PLAIN_LIST || key == PLAIN_MAP,
        };
        if !is_plain || keys.contains(&key) || is_null(open.as_ref()) {
            return false;
        }
        open = value.is_none().then(|| (key, Vec::new()));
        keys.push(key);
    }
    let has_both = keys.contains(&"name") && keys.contains(&"description");
    has_both && !is_null(open.as_ref()) && !head.contains("---")
}

/// Whether nothing stands below a key, which is no text.
fn is_null(open: Option<&(&str, Vec<&str>)>) -> bool {
    open.is_some_and(|(_, inner)| inner.is_empty())
}

/// The text of `- text` in a list.
fn plain_item(line: &str) -> Option<&str> {
    line.strip_prefix("- ").filter(|text| is_plain_text(text, PLAIN_VALUE))
}

/// The key of `key: text` in a map.
fn plain_pair(line: &str) -> Option<&str> {
    let (key, text) = line.split_once(": ")?;
    (is_plain_name(key) && is_plain_text(text, PLAIN_VALUE)).then_some(key)
}

fn is_plain_name(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    value.bytes().all(is_plain)
        && needs_no_quotes(value)
        && value.len() <= PLAIN_NAME
        && !value.ends_with('-')
}

/// Whether a text needs no quotes, or has them and nothing in it is escaped.
fn is_plain_text(value: &str, most: usize) -> bool {
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let is_free = |text: &str| {
        !text.is_empty()
            && !text.contains(['"', '\\'])
            && !text.starts_with(' ')
            && !text.ends_with(' ')
            && has_plain_signs(text)
    };
    let is_plain = quoted.map_or_else(|| needs_no_quotes(value), is_free);
    is_plain && value.len() <= most
}

/// Whether a text begins with a letter, is no word for something else, and has no sign that YAML
/// reads.
fn needs_no_quotes(value: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with([':', ' '])
        && has_plain_signs(value)
}

/// Whether nothing in a text is a control character, an odd blank, or markup.
fn has_plain_signs(value: &str) -> bool {
    let is_odd = |c: char| {
        c.is_control() || (c.is_whitespace() && c != ' ') || matches!(c, '\u{feff}' | '<')
    };
    !value.contains(is_odd) && !value.contains("  ")
}

#[cfg(test)]
mod tests {
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
}
