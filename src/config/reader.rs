//! Reads values of a TOML document, each with its line. A value of the wrong type is a problem.

use super::origin::{Problem, Spot, Written};
use super::suggest::did_you_mean;
use crate::text::secret::{shown_as_written, unless_address};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use toml_edit::{Item, TableLike, Value};

/// One entry of a list of tables, in either notation.
pub(super) struct Listed<'d> {
    /// `None` if the entry is not a table.
    pub(super) table: Option<&'d dyn TableLike>,
    pub(super) span: Option<Range<usize>>,
}

/// A key that is not known where it stands.
pub(super) struct Unknown {
    /// The known key that the person may have meant.
    pub(super) meant: Option<&'static str>,
    /// Whether a rule or switch may be hidden below it.
    pub(super) holds_rules: bool,
    /// From 1.
    pub(super) line: u32,
}

/// Reads one document and collects what is wrong with it.
pub(super) struct Reader {
    file: Arc<Path>,
    /// The byte offset at which each line begins.
    starts: Vec<usize>,
    text: String,
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    /// `file` is only named in problems.
    pub(super) fn new(file: &Arc<Path>, text: &str) -> Self {
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(offset, _)| offset + 1))
            .collect();
        Self { file: Arc::clone(file), starts, text: text.to_owned(), problems: Vec::new() }
    }

    /// The line, from 1, in which `span` begins; 1 if there is no span.
    pub(super) fn line(&self, span: Option<&Range<usize>>) -> u32 {
        let offset = span.map_or(0, |span| span.start);
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Whether there is a `#` on an entry's lines, or a comment right above it. A `#` within a text
    /// counts too: the entry is then kept although it has no comment, which loses nothing.
    pub(super) fn has_comment(&self, entry: &Listed<'_>) -> bool {
        let Some(span) = &entry.span else { return false };
        let values = entry.table.into_iter().flat_map(|table| table.iter());
        let ends = values.filter_map(|(_, item)| item.span()).map(|span| span.end);
        let end = ends.fold(span.end, usize::max);
        let (before, rest) = self.text.split_at(self.starts[self.line(Some(span)) as usize - 1]);
        let above = before.lines().next_back().is_some_and(|line| line.trim().starts_with('#'));
        let (own, after) = rest.split_at(end - before.len());
        above || own.contains('#') || after.lines().next().is_some_and(|line| line.contains('#'))
    }

    fn spot(&self, span: Option<&Range<usize>>) -> Spot {
        let line = self.line(span);
        let start = self.starts.get(line as usize - 1).copied().unwrap_or(0);
        let offset = span.map_or(0, |span| span.start);
        let column =
            self.text.get(start..offset).map_or(0, |before| before.chars().count()) as u32 + 1;
        Spot { file: Arc::clone(&self.file), line, column }
    }

    /// Adds a grave problem at `span`.
    pub(super) fn grave(
        &mut self,
        span: Option<&Range<usize>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let spot = Some(self.spot(span));
        self.problems.push(Problem {
            spot,
            message: message.into(),
            help: help.into(),
            grave: true,
        });
    }

    /// Adds a grave problem in a line.
    pub(super) fn grave_at(
        &mut self,
        line: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let start = self.starts.get((line as usize).saturating_sub(1)).copied().unwrap_or(0);
        self.grave(Some(&(start..start)), message, help);
    }

    /// Reports every key that is not `known`, and returns them. `within` is the table's name with a
    /// dot, or empty.
    pub(super) fn keys(
        &mut self,
        table: &dyn TableLike,
        known: &[&'static str],
        within: &str,
    ) -> Vec<Unknown> {
        let strange = |key: &&str| !known.contains(key);
        let mut unknown = Vec::new();
        for key in table.iter().map(|(key, _)| key).filter(strange) {
            let meant = did_you_mean(key, known.iter().copied());
            let help = meant.map_or_else(
                || format!("known here: {}", known.join(", ")),
                |word| format!("did you mean `{word}`?"),
            );
            let span = table.get_key_value(key).and_then(|(key, _)| key.span());
            // Somebody may have written an address with its password.
            let shown =
                if within == "store." { shown_as_written(key) } else { unless_address(key) };
            self.grave(span.as_ref(), format!("unknown key `{within}{shown}`"), help);
            let holds_rules = rule_word(key) || table.get(key).is_some_and(holds_rules);
            unknown.push(Unknown { meant, holds_rules, line: self.line(span.as_ref()) });
        }
        unknown
    }

    /// The value of `key`, if `get` accepts it; `kind` says in words what it must be.
    pub(super) fn value<T>(
        &mut self,
        table: &dyn TableLike,
        key: &str,
        kind: &str,
        get: impl Fn(&Item) -> Option<T>,
    ) -> Option<Written<T>> {
        let item = table.get(key).filter(|item| !item.is_none())?;
        let span = table.get_key_value(key).and_then(|(key, _)| key.span());
        let line = self.line(span.as_ref());
        if let Some(value) = get(item) {
            return Some(Written { value, line });
        }
        self.grave(item.span().or(span).as_ref(), format!("`{key}` must be {kind}"), "");
        None
    }

    pub(super) fn string(&mut self, table: &dyn TableLike, key: &str) -> Option<Written<String>> {
        self.value(table, key, "a text in quotes", |item| item.as_str().map(str::to_owned))
    }

    pub(super) fn boolean(&mut self, table: &dyn TableLike, key: &str) -> Option<Written<bool>> {
        self.value(table, key, "true or false", Item::as_bool)
    }

    /// A whole number within these limits.
    pub(super) fn number(
        &mut self,
        table: &dyn TableLike,
        key: &str,
        limits: RangeInclusive<usize>,
    ) -> Option<Written<usize>> {
        let kind = format!("a whole number from {} to {}", limits.start(), limits.end());
        self.value(table, key, &kind, |item| {
            usize::try_from(item.as_integer()?).ok().filter(|number| limits.contains(number))
        })
    }

    /// One of these words.
    pub(super) fn word(
        &mut self,
        table: &dyn TableLike,
        key: &str,
        words: &[&'static str],
    ) -> Option<Written<&'static str>> {
        let find = |item: &Item| words.iter().copied().find(|word| Some(*word) == item.as_str());
        self.value(table, key, &format!("one of {}", words.join(", ")), find)
    }

    /// A list of texts, each with its line. Entries of another type are reported and left out.
    pub(super) fn strings(
        &mut self,
        table: &dyn TableLike,
        key: &str,
    ) -> Option<Written<Vec<Written<String>>>> {
        let array = self.value(table, key, "a list of texts", |item| item.as_array().cloned())?;
        let mut texts = Vec::new();
        for value in &array.value {
            let span = value.span();
            match value.as_str().map(str::trim) {
                Some(text) if !text.is_empty() => {
                    texts.push(Written { value: text.to_owned(), line: self.line(span.as_ref()) });
                }
                Some(_) => {
                    self.grave(span.as_ref(), format!("`{key}` holds an empty text"), "remove it")
                }
                None => self.grave(span.as_ref(), format!("`{key}` must be a list of texts"), ""),
            }
        }
        Some(Written { value: texts, line: array.line })
    }

    /// The table of this name; anything else is reported.
    pub(super) fn table<'d>(
        &mut self,
        table: &'d dyn TableLike,
        key: &str,
    ) -> Option<&'d dyn TableLike> {
        let item = table.get(key).filter(|item| !item.is_none())?;
        if item.is_table_like() {
            return item.as_table_like();
        }
        let span = item.span();
        self.grave(span.as_ref(), format!("`{key}` must be a table"), format!("write [{key}]"));
        None
    }

    /// A list of tables, written as `[[key]]` or in line. Entries that are not tables are reported
    /// and kept.
    pub(super) fn tables<'d>(&mut self, table: &'d dyn TableLike, key: &str) -> Vec<Listed<'d>> {
        let listed: Vec<Listed<'d>> = match table.get(key) {
            None | Some(Item::None) => Vec::new(),
            Some(Item::ArrayOfTables(tables)) => tables
                .iter()
                .map(|table| Listed { table: Some(table as &dyn TableLike), span: table.span() })
                .collect(),
            Some(Item::Value(Value::Array(array))) => array.iter().map(inline).collect(),
            Some(other) => vec![Listed { table: None, span: other.span() }],
        };
        for entry in listed.iter().filter(|entry| entry.table.is_none()) {
            self.grave(
                entry.span.as_ref(),
                format!("`{key}` must be a list of tables"),
                format!("write each as a table: {key} = [{{ … }}]"),
            );
        }
        listed
    }
}

/// Keys of rules and switches.
pub(super) const RULE_WORDS: [&str; 8] =
    ["permissions", "deny", "ask", "tool", "skill_name", "skills", "config", "enabled"];

/// Whether a key of this name belongs to permission rules or switches.
fn rule_word(key: &str) -> bool {
    RULE_WORDS.contains(&key)
}

/// Whether there is such a key anywhere below. The parser limits the depth.
fn holds_rules(item: &Item) -> bool {
    let table =
        |table: &dyn TableLike| table.iter().any(|(key, item)| rule_word(key) || holds_rules(item));
    match item {
        Item::ArrayOfTables(tables) => tables.iter().any(|entry| table(entry)),
        Item::Value(Value::Array(array)) => {
            array.iter().filter_map(Value::as_inline_table).any(|entry| table(entry))
        }
        other => other.as_table_like().is_some_and(table),
    }
}

fn inline(value: &Value) -> Listed<'_> {
    Listed {
        table: value.as_inline_table().map(|table| table as &dyn TableLike),
        span: value.span(),
    }
}
