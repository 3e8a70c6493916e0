//! Values and keys as text, in the style of the file.

use super::{Pair, Shape, Style, Tree};
use crate::settings::commas::{self, Comments};
use crate::settings::quote::quoted;
use crate::settings::yaml::scalar;
use crate::settings::{Format, Value, lines};

/// The style of a file, as far as the file shows it.
pub(super) struct FileStyle {
    format: Format,
    /// Between a key and its value in brackets.
    colon: String,
    /// One step of indentation.
    unit: String,
    /// YAML: the indentation of a list's dashes from its key.
    dash: usize,
}

impl FileStyle {
    pub(super) fn of(format: Format, text: &str, root: &Tree) -> Self {
        let mut file_style =
            Self { format, colon: ": ".to_owned(), unit: "  ".to_owned(), dash: 2 };
        if format == Format::Yaml {
            let (map, list) = steps(text, root);
            file_style.unit = " ".repeat(map.unwrap_or(2));
            file_style.dash = list.unwrap_or(2);
        } else if let Some(first) = root.entries().first() {
            file_style.colon = colon(text, first).unwrap_or(": ").to_owned();
            let indent = lines::indent(text, first.name.start);
            let own_line = lines::start(text, first.name.start) > root.span.start;
            if own_line && !indent.is_empty() {
                file_style.unit = indent
                    .strip_prefix(lines::indent(text, root.span.start))
                    .unwrap_or(indent)
                    .to_owned();
            }
        }
        file_style
    }

    pub(super) fn is_yaml(&self) -> bool {
        self.format == Format::Yaml
    }

    /// The style of brackets.
    pub(super) fn brackets(&self) -> commas::Style<'_> {
        commas::Style {
            comments: self.comments(),
            trailing: false,
            gap: self.gap(),
            unit: &self.unit,
        }
    }

    pub(super) fn comments(&self) -> Comments {
        if self.is_yaml() { Comments::Hash } else { Comments::Slashes }
    }

    fn gap(&self) -> &str {
        if self.colon == ":" { "" } else { " " }
    }

    /// The blanks inside braces with a single entry.
    pub(super) fn pad(&self) -> &str {
        if self.is_yaml() { "" } else { self.gap() }
    }

    pub(super) fn text(&self, text: &str) -> String {
        if self.is_yaml() { scalar::written(text) } else { quoted(text, self.format) }
    }

    /// A key with its colon, which is written as the neighbor's.
    pub(super) fn key(&self, key: &str, beside: Option<&str>) -> String {
        format!("{}{}", self.text(key), beside.unwrap_or(&self.colon))
    }

    pub(super) fn inline(&self, value: &Value) -> String {
        let comma = format!(",{}", self.gap());
        match value {
            Value::Text(text) => self.text(text),
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) => number.clone(),
            Value::Null => "null".to_owned(),
            Value::List(values) => {
                let values: Vec<String> = values.iter().map(|value| self.inline(value)).collect();
                format!("[{}]", values.join(&comma))
            }
            Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
            Value::Table(entries) => {
                let entry = |(key, value): &(String, Value)| {
                    format!("{}{}", self.key(key, None), self.inline(value))
                };
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("{{{0}{1}{0}}}", self.pad(), entries.join(&comma))
            }
        }
    }

    /// In brackets, with a line for each value. The lines after the first are indented deeper than
    /// `indent`.
    pub(super) fn spread(&self, value: &Value, indent: &str, ending: &str) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let (open, inside, close) = match value {
            Value::List(values) if !values.is_empty() => {
                let value =
                    |value| format!("{ending}{deeper}{}", self.spread(value, &deeper, ending));
                ('[', values.iter().map(value).collect::<Vec<_>>(), ']')
            }
            Value::Table(entries) if !entries.is_empty() => {
                let entry = |(key, value): &(String, Value)| {
                    format!(
                        "{ending}{deeper}{}{}",
                        self.key(key, None),
                        self.spread(value, &deeper, ending)
                    )
                };
                ('{', entries.iter().map(entry).collect(), '}')
            }
            _ => return self.inline(value),
        };
        format!("{open}{}{ending}{indent}{close}", inside.join(","))
    }

    /// YAML: the lines of a key with its value, without outer indentation.
    pub(super) fn entry_lines(&self, key: &str, value: &Value) -> Vec<String> {
        let key = self.text(key);
        match (is_full(value), value) {
            (false, _) => vec![format!("{key}: {}", self.inline(value))],
            (true, _) => std::iter::once(format!("{key}:")).chain(self.below(value)).collect(),
        }
    }

    /// YAML: the lines of a list or table below its key.
    pub(super) fn below(&self, value: &Value) -> Vec<String> {
        let indent =
            if matches!(value, Value::List(_)) { " ".repeat(self.dash) } else { self.unit.clone() };
        self.block(value).into_iter().map(|line| format!("{indent}{line}")).collect()
    }

    /// YAML: a value as lines.
    pub(super) fn block(&self, value: &Value) -> Vec<String> {
        match value {
            Value::List(values) if !values.is_empty() => {
                values.iter().flat_map(|value| self.item_lines(value)).collect()
            }
            Value::Table(entries) if !entries.is_empty() => {
                entries.iter().flat_map(|(key, value)| self.entry_lines(key, value)).collect()
            }
            _ => vec![self.inline(value)],
        }
    }

    /// YAML: the lines of a value after a dash.
    pub(super) fn item_lines(&self, value: &Value) -> Vec<String> {
        let lines = self.block(value).into_iter().enumerate();
        lines
            .map(|(index, line)| format!("{}{line}", if index == 0 { "- " } else { "  " }))
            .collect()
    }
}

/// Whether it is a list or table with something in it.
pub(super) fn is_full(value: &Value) -> bool {
    match value {
        Value::List(values) => !values.is_empty(),
        Value::Table(entries) => !entries.is_empty(),
        _ => false,
    }
}

/// The text between a key and its value, if it is a colon with blanks.
pub(super) fn colon<'t>(text: &'t str, entry: &Pair) -> Option<&'t str> {
    let between = text.get(entry.name.end..entry.tree.span.start)?;
    matches!(between, ":" | ": " | " : " | " :").then_some(between)
}

/// How many characters stand before an offset on its line.
pub(super) fn column(text: &str, offset: usize) -> usize {
    text[lines::start(text, offset)..offset].chars().count()
}

/// YAML: the indentation of the first table and of the first list in a table.
fn steps(text: &str, tree: &Tree) -> (Option<usize>, Option<usize>) {
    let mut found = (None, None);
    for entry in tree.entries().iter().filter(|_| tree.style == Style::Block) {
        let step = |to: usize| column(text, to).checked_sub(column(text, entry.name.start));
        match (&entry.tree.shape, entry.tree.style) {
            (Shape::Table(_), Style::Block) => {
                found.0 = found.0.or(step(entry.tree.span.start).filter(|step| *step > 0))
            }
            (Shape::List(_), Style::Block) => found.1 = found.1.or(step(entry.tree.span.start)),
            _ => {}
        }
        let (map, list) = steps(text, &entry.tree);
        found = (found.0.or(map), found.1.or(list));
    }
    found
}
