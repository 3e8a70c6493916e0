//! Settings files as people and agents write them, from a seed.

use super::super::{Format, Value};

/// A small generator of numbers, the same for the same seed.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    /// True in one of `sides` throws.
    pub(super) fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn texts(list: &[&str]) -> Value {
    Value::List(list.iter().map(|item| text(item)).collect())
}

pub(super) fn table(entries: &[(&str, Value)]) -> Value {
    Value::Table(entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

/// What all agents' files hold, in one table in random order; some of it missing, some empty.
pub(super) fn contents(dice: &mut Dice) -> Value {
    let rule = |name: &str| {
        table(&[
            ("tool", text("skill")),
            ("matches", table(&[("name", text(name))])),
            ("action", text("ask")),
        ])
    };
    let deny = |name: &str| table(&[("tool", text("skill_load")), ("skill_name", text(name))]);
    let names = [texts(&[]), texts(&["a-root"]), texts(&["a-root", "it's // not # one", "dup"])];
    let overrides = [
        table(&[]),
        table(&[("c-root", text("off"))]),
        table(&[("c-root", text("off")), ("*", text("user-invocable-only")), ("dup", text("on"))]),
    ];
    let rules =
        [vec![], vec![rule("x")], vec![rule("x"), table(&[("tool", text("Bash"))]), rule("y")]];
    let mut all = vec![
        ("skillOverrides", dice.pick(&overrides)),
        (
            "permissions",
            table(&[
                ("allow", texts(&["Bash(npm run *)"])),
                ("deny", dice.pick(&[texts(&[]), texts(&["Skill(deploy)", "Skill(deploy *)"])])),
            ]),
        ),
        ("permission", table(&[("bash", text("ask")), ("skill", dice.pick(&overrides))])),
        ("skills", table(&[("enabled", Value::Flag(true)), ("disabled", dice.pick(&names))])),
        ("disabledSkills", dice.pick(&names)),
        ("amp.permissions", Value::List(dice.pick(&rules))),
        ("denied", Value::List(dice.pick(&[vec![], vec![deny("x")], vec![deny("x"), deny("y")]]))),
    ];
    dice.shuffle(&mut all);
    all.truncate(4 + dice.below(4));
    let mut others = vec![
        ("$schema", text("https://opencode.ai/config.json")),
        (
            "env",
            table(&[
                ("TOKEN", text("$VAR")),
                ("KEY", text("${ENV:-x}")),
                ("c", text("/* no */ } ],")),
            ]),
        ),
        ("version", Value::from(1)),
        ("theme", text("dark \"é\" \\ \u{1f980}")),
        ("empty", table(&[])),
        (
            "matrix",
            Value::List(vec![Value::List(vec![Value::from(-1), Value::Flag(false)]), texts(&[])]),
        ),
    ];
    dice.shuffle(&mut others);
    for other in others.into_iter().take(dice.below(5)) {
        let at = dice.below(all.len() + 1);
        all.insert(at, other);
    }
    table(&all)
}

/// A file with these contents. The same dice write the same file.
pub(super) fn file(format: Format, contents: &Value, dice: &mut Dice) -> String {
    let minified = format != Format::Yaml && dice.one_in(8);
    let unit = if format == Format::Yaml {
        dice.pick(&["  ", "    "])
    } else {
        dice.pick(&["  ", "    ", "\t"])
    };
    let mut writer = Writer {
        format,
        unit,
        colon: if minified { ":" } else { dice.pick(&[": ", ": ", " : "]) },
        gap: if minified { "" } else { " " },
        minified,
        indentless: dice.one_in(2),
        comments: 0,
        dice,
    };
    let mut text =
        if format == Format::Yaml { writer.yaml(contents) } else { writer.json_file(contents) };
    let dice = writer.dice;
    if dice.one_in(4) {
        text.truncate(text.trim_end_matches('\n').len());
    }
    if dice.one_in(4) {
        text = text.replace('\n', "\r\n");
    }
    if dice.one_in(6) { format!("\u{feff}{text}") } else { text }
}

struct Writer<'d> {
    format: Format,
    unit: &'static str,
    colon: &'static str,
    gap: &'static str,
    minified: bool,
    indentless: bool,
    comments: usize,
    dice: &'d mut Dice,
}

impl Writer<'_> {
    /// Sometimes a comment with a unique number.
    fn comment(&mut self, sides: usize) -> Option<String> {
        if self.minified || self.format == Format::Json || !self.dice.one_in(sides) {
            return None;
        }
        self.comments += 1;
        let number = self.comments;
        Some(match self.format {
            Format::Yaml => format!("# c{number}. [x]: 'y"),
            _ if self.dice.one_in(3) => format!("/* c{number}. \"x\": [ */"),
            _ => format!("// c{number}. \"x\": [ */ ,"),
        })
    }

    fn json_file(&mut self, contents: &Value) -> String {
        let mut text = self.comment(5).map(|comment| format!("{comment}\n")).unwrap_or_default();
        let one_line = self.minified || self.dice.one_in(8);
        text += &if one_line { self.inline(contents) } else { self.lines(contents, "") };
        if !self.minified {
            text.push('\n');
        }
        text + &self.comment(6).map(|comment| format!("{comment}\n")).unwrap_or_default()
    }

    fn scalar(&mut self, value: &Value) -> String {
        match value {
            Value::Text(text) if self.format == Format::Yaml => self.yaml_text(text),
            Value::Text(text) => serde_json::to_string(text).unwrap(),
            Value::Number(number) => number.clone(),
            Value::Flag(flag) => flag.to_string(),
            Value::Null | Value::List(_) | Value::Table(_) => unreachable!(),
        }
    }

    fn key(&mut self, key: &str) -> String {
        if self.format == Format::Yaml {
            let key = self.yaml_text(key);
            format!("{key}: ")
        } else {
            format!("{}{}", serde_json::to_string(key).unwrap(), self.colon)
        }
    }

    /// The elements of a list or table, each with its key.
    fn parts(
        &mut self,
        value: &Value,
        mut write: impl FnMut(&mut Self, &Value) -> String,
    ) -> Vec<String> {
        match value {
            Value::List(values) => values.iter().map(|value| write(self, value)).collect(),
            Value::Table(entries) => {
                let entry = |(key, value): &(String, Value)| {
                    format!("{}{}", self.key(key), write(self, value))
                };
                entries.iter().map(entry).collect()
            }
            scalar => vec![self.scalar(scalar)],
        }
    }

    fn inline(&mut self, value: &Value) -> String {
        let (open, close, pad) = match value {
            Value::List(_) => ('[', ']', ""),
            Value::Table(_) => ('{', '}', self.gap),
            _ => return self.scalar(value),
        };
        let parts = self.parts(value, |writer, value| writer.inline(value));
        let trailing = self.format == Format::Jsonc && !parts.is_empty() && self.dice.one_in(6);
        let pad = if parts.is_empty() || self.format == Format::Yaml { "" } else { pad };
        let comma = if trailing { "," } else { "" };
        format!("{open}{pad}{}{comma}{pad}{close}", parts.join(&format!(",{}", self.gap)))
    }

    /// A list or table with comments, on several lines or sometimes on one.
    fn lines(&mut self, value: &Value, indent: &str) -> String {
        let (open, close) = match value {
            Value::List(_) => ('[', ']'),
            Value::Table(_) => ('{', '}'),
            _ => return self.scalar(value),
        };
        if !indent.is_empty() && self.dice.one_in(4) {
            return self.inline(value);
        }
        let deeper = format!("{indent}{}", self.unit);
        let parts = self.parts(value, |writer, value| writer.lines(value, &deeper));
        let mut out = format!("{open}");
        if parts.is_empty() {
            let Some(comment) = self.comment(3) else { return format!("{open}{close}") };
            return format!("{open}\n{deeper}{comment}\n{indent}{close}");
        }
        if let Some(comment) = self.comment(10) {
            out += &format!(" {comment}");
        }
        let count = parts.len();
        for (index, part) in parts.into_iter().enumerate() {
            if self.dice.one_in(10) {
                out.push('\n');
            }
            if let Some(comment) = self.comment(6) {
                out += &format!("\n{deeper}{comment}");
            }
            let comma = index + 1 < count || self.format == Format::Jsonc && self.dice.one_in(3);
            out += &format!("\n{deeper}{part}{}", if comma { "," } else { "" });
            if let Some(comment) = self.comment(6) {
                out += &format!(" {comment}");
            }
        }
        if let Some(comment) = self.comment(10) {
            out += &format!("\n{deeper}{comment}");
        }
        format!("{out}\n{indent}{close}")
    }

    fn yaml_text(&mut self, text: &str) -> String {
        let plain =
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
        let plain = plain && !matches!(text, "on" | "off");
        let single = text.is_ascii();
        match self.dice.below(3) {
            0 if plain => text.to_owned(),
            1 if single => format!("'{}'", text.replace('\'', "''")),
            _ => serde_json::to_string(text).unwrap(),
        }
    }

    fn yaml(&mut self, contents: &Value) -> String {
        let mut lines: Vec<String> = self.comment(4).into_iter().collect();
        if self.dice.one_in(5) {
            lines.push("---".to_owned());
        }
        lines.extend(self.block(contents));
        lines.extend(self.comment(4));
        if self.dice.one_in(5) {
            lines.push("anchored: &a {x: [1, 2]}\nalias: *a\nfolded: >-\n  one\n  two".to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// A full list or table as lines, without indentation around them.
    fn block(&mut self, value: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        let put = |writer: &mut Self, lines: &mut Vec<String>, mut new: Vec<String>| {
            if writer.dice.one_in(12) {
                lines.push(String::new());
            }
            lines.extend(writer.comment(7));
            if let Some(comment) = writer.comment(7) {
                new[0] += &format!(" {comment}");
            }
            lines.extend(new);
        };
        match value {
            Value::List(values) => {
                for value in values {
                    let inner = self.value_lines(value, false).unwrap_or_else(|line| vec![line]);
                    let line = |(index, line): (usize, &String)| match (index, line.is_empty()) {
                        (0, _) => format!("- {line}"),
                        (_, true) => String::new(),
                        _ => format!("  {line}"),
                    };
                    let new = inner.iter().enumerate().map(line).collect();
                    put(self, &mut lines, new);
                }
            }
            Value::Table(entries) => {
                for (key, value) in entries {
                    let key = self.key(key);
                    let new = match self.value_lines(value, true) {
                        Err(line) => vec![format!("{key}{line}")],
                        Ok(inner) => {
                            let list = matches!(value, Value::List(_)) && self.indentless;
                            let indent = if list { "" } else { self.unit };
                            let inner = inner.into_iter().map(|line| {
                                if line.is_empty() { line } else { format!("{indent}{line}") }
                            });
                            std::iter::once(key.trim_end().to_owned()).chain(inner).collect()
                        }
                    };
                    put(self, &mut lines, new);
                }
            }
            _ => {}
        }
        lines
    }

    /// The lines of a list or table that is not empty. Anything else, and sometimes these too, are
    /// one line.
    fn value_lines(&mut self, value: &Value, comments: bool) -> Result<Vec<String>, String> {
        let full = match value {
            Value::List(values) => !values.is_empty(),
            Value::Table(entries) => !entries.is_empty(),
            _ => false,
        };
        if !full || self.dice.one_in(3) {
            return Err(self.inline(value));
        }
        let mut lines = self.block(value);
        // Only the value can follow a dash.
        while !comments
            && lines.first().is_some_and(|line| line.is_empty() || line.starts_with('#'))
        {
            lines.remove(0);
        }
        Ok(lines)
    }
}
