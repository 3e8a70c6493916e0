//! A query: words, and filters on the state of a skill. Any text is a valid query.
//!
//! ```text
//! pdf form          each word must hit
//! 'exact  ^prefix  !not  "two words"
//! is:off  !is:on  scope:repo  host:codex  perm:ask  tool:Bash  path:work  path:~/work
//! ```

use super::suggest::suggest;
use crate::catalog::{HostId, Permission, Scope, below_home, plain_path, written_path};
use crate::listing::Row;
use crate::text::fold::fold;
use std::fmt;
use std::path::Path;

mod tokens;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// `word`: fuzzy over the name, as a part of the description, tags and body.
    Fuzzy,
    /// `'word` or `"two words"`: as a part, everywhere.
    Exact,
    /// `^word`: at the start of the name, nowhere else.
    Prefix,
}

/// One word of a query; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as typed, without its operators.
    pub raw: String,
    /// The folded word, which is compared.
    pub(super) text: String,
    /// How it is compared.
    pub kind: WordKind,
}

/// A value of `is:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsValue {
    /// Listed to the model.
    On,
    /// Switched off; of several hosts, in any.
    Off,
    Invalid,
    /// Marked in the picker.
    Marked,
    /// Behind another skill of the same name.
    Shadowed,
    /// Loaded or run before, as far back as the log goes.
    Used,
    /// Never loaded or run, as far back as the log goes.
    Unused,
}

impl IsValue {
    /// Every value with its word.
    const WORDS: [(&'static str, Self); 7] = [
        ("off", Self::Off),
        ("on", Self::On),
        ("invalid", Self::Invalid),
        ("marked", Self::Marked),
        ("shadowed", Self::Shadowed),
        ("used", Self::Used),
        ("unused", Self::Unused),
    ];
}

/// A filter on the state of a skill, not on its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// `is:`
    Is(IsValue),
    /// `scope:`
    Scope(Scope),
    /// `host:`, the host's word; [`Query::unknown_hosts`] tells whether there is such a host.
    Host(String),
    /// `perm:`
    Permission(Permission),
    /// `tool:`, folded: an allowed tool begins with it (`tool:bash` is true of `Bash(git:*)`).
    Tool(String),
    /// `path:`, folded: the path of the `SKILL.md` contains it.
    Path(String),
}

/// A filter with a known key and an unknown value. The query ignores the filter, so this must be
/// shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryProblem {
    /// The filter's key, without the colon.
    pub key: &'static str,
    /// The value as typed; show it only through [`crate::text::SafeText`].
    pub value: String,
    /// The valid values; empty if any text is valid.
    pub known: Vec<&'static str>,
    /// The one agent of the view, if the value is another: no skill of the view can have it.
    pub view: Option<HostId>,
}

impl fmt::Display for QueryProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, known, view } = self;
        if let Some(view) = view {
            return write!(out, "{key}:{value} finds nothing in the view of {}", view.word());
        }
        match (value.is_empty(), known.is_empty()) {
            (true, true) => write!(out, "{key}: needs a value"),
            (true, false) => write!(out, "{key}: needs one of {}", known.join(", ")),
            (false, _) => {
                let words = if known.len() == 1 { "did you mean" } else { "use one of" };
                write!(out, "{key}: has no value {value}; {words} {}", known.join(", "))
            }
        }
    }
}

/// What was typed, parsed by [`Query::parse`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The text as typed, trimmed.
    text: String,
    /// The path that the whole text is, if it begins with `~/` or `./`.
    whole: Option<String>,
    /// The words that must match, in order.
    pub words: Vec<Word>,
    /// The words of `!word`, which must not match.
    pub refused: Vec<Word>,
    /// The filters; `false` marks those that must not hold (`!is:off`).
    pub filters: Vec<(Filter, bool)>,
    /// The filters that could not be understood.
    pub problems: Vec<QueryProblem>,
}

impl Query {
    /// Reads any text as a query. A word with an unknown key (`foo:bar`) is plain text; a known key
    /// with an unknown value is a [`QueryProblem`] and has no other effect; an operator alone has
    /// none yet.
    pub fn parse(text: &str) -> Self {
        let mut query = Self { text: text.trim().to_owned(), ..Self::default() };
        for token in tokens::tokens(text) {
            match token.filter() {
                Some(Ok(filter)) => query.filters.push((filter, !token.negated)),
                Some(Err(problem)) => query.problems.push(problem),
                None => {
                    let word = Word { text: token.folded(), raw: token.text, kind: token.kind };
                    if !word.text.is_empty() {
                        if token.negated { &mut query.refused } else { &mut query.words }
                            .push(word);
                    }
                }
            }
        }
        query
    }

    /// The same query, in which paths may begin as we show them: with `~/` for the home directory
    /// and `./` for `here`. A whole path may also begin at `here` without that.
    #[must_use]
    pub fn with_folders(mut self, home: Option<&Path>, here: &Path) -> Self {
        let whole = |text: &str| {
            let path = match text.strip_prefix("./") {
                Some(rest) => here.join(rest),
                None => below_home(text).and_then(|_| written_path(text, home, here))?,
            };
            path.into_os_string().into_string().ok()
        };
        for (filter, _) in &mut self.filters {
            if let Filter::Path(part) = filter {
                *part = whole(part).map_or_else(|| std::mem::take(part), |path| fold(&path));
            }
        }
        let words = self.words.as_slice();
        let typed = if let [word] = words { &word.raw } else { &self.text };
        let relative = || here.join(typed).into_os_string().into_string().ok();
        let path = whole(typed).or_else(|| relative().filter(|_| self.maybe_path()));
        let plain = |path: String| plain_path(Path::new(&path)).into_os_string().into_string().ok();
        self.whole = path.and_then(plain);
        self
    }

    /// The `host:` filters with an unknown host, or one of which the view of the agent `viewed`
    /// says nothing. They must be shown like [`Query::problems`].
    pub fn unknown_hosts(&self, known: &[HostId], viewed: HostId) -> Vec<QueryProblem> {
        let words: Vec<&'static str> = known.iter().map(|host| host.word()).collect();
        let one = (viewed != HostId::ALL).then_some(viewed);
        let problem = |host: &String| {
            let is_known = words.contains(&host.as_str());
            let view = one.filter(|viewed| is_known && viewed.word() != host);
            (view.is_some() || !is_known).then(|| QueryProblem {
                key: "host",
                value: host.clone(),
                known: near(host, &words),
                view,
            })
        };
        let hosts = self.filters.iter().filter_map(|(filter, _)| match filter {
            Filter::Host(host) => Some(host),
            _ => None,
        });
        hosts.filter_map(problem).collect()
    }

    /// Whether it has neither words nor filters.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.refused.is_empty() && self.filters.is_empty()
    }

    /// The text as typed, trimmed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text may be a path: a cheap check before [`Query::is_path_of`].
    pub(super) fn maybe_path(&self) -> bool {
        self.text.contains(['/', '\\'])
    }

    /// Whether what was typed, quoted or not, is the skill's own path.
    pub(super) fn is_path_of(&self, row: &Row) -> bool {
        row.is_at(&self.text)
            || matches!(self.words.as_slice(), [word] if row.is_at(&word.raw))
            || self.whole.as_deref().is_some_and(|path| row.is_at(path))
    }

    /// Several plain words as one folded text, to compare with a name that has spaces.
    pub(super) fn phrase(&self) -> Option<String> {
        if self.words.len() < 2 || self.words.iter().any(|word| word.kind == WordKind::Prefix) {
            return None;
        }
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        Some(texts.join(" "))
    }

    /// Whether this query can only find, or nearly find, skills that `before` found or nearly
    /// found. Then only those are examined again.
    pub(super) fn narrows(&self, before: &Self) -> bool {
        let marks = |query: &Self| {
            query.filters.iter().any(|(filter, _)| *filter == Filter::Is(IsValue::Marked))
        };
        // A path is compared as a whole, and marks change without a new generation.
        if self.maybe_path() || marks(self) || marks(before) {
            return false;
        }
        before.words.iter().all(|old| self.words.iter().any(|new| old.covers(new)))
            && before.refused.iter().all(|old| self.refused.contains(old))
            && before.filters.iter().all(|old| self.filters.contains(old))
    }
}

impl Word {
    /// Whether this word matches, or nearly matches, everything that `longer` does.
    fn covers(&self, longer: &Self) -> bool {
        match (self.kind, longer.kind) {
            (WordKind::Prefix, WordKind::Prefix) => longer.text.starts_with(&self.text),
            (WordKind::Prefix, _) | (WordKind::Exact, WordKind::Fuzzy) => false,
            _ => longer.text.contains(&self.text),
        }
    }
}

impl Filter {
    /// Whether the row passes the filter; `marked` says whether it is marked in the picker.
    pub(super) fn holds(&self, row: &Row, marked: bool) -> bool {
        match self {
            Self::Is(IsValue::On) => row.entry.is_on(),
            Self::Is(IsValue::Off) => row.entry.is_off(),
            Self::Is(IsValue::Invalid) => !row.entry.offered(),
            Self::Is(IsValue::Marked) => marked,
            Self::Is(IsValue::Shadowed) => row.shares_name(),
            Self::Is(IsValue::Used) => row.used,
            Self::Is(IsValue::Unused) => !row.used,
            Self::Scope(scope) => row.skill().scope == *scope,
            Self::Host(word) => row.entry.hosts.iter().any(|host| host.word() == word),
            Self::Permission(permission) => {
                let is_one = row.entry.verdict.model.value == *permission;
                is_one || row.entry.permissions.has(*permission)
            }
            Self::Tool(tool) => {
                row.skill().properties.allowed_tools().any(|own| fold(own).starts_with(tool))
            }
            Self::Path(part) => {
                let skill = row.skill();
                let has = |path: &Path| fold(&path.to_string_lossy()).contains(part);
                // Its real path, and those under which it was found by links.
                has(&skill.path) || skill.locations().any(|place| has(&place.join(skill.file())))
            }
        }
    }
}

/// The words to offer instead of this one: all, or if they are too many, the similar ones or the
/// first.
fn near(word: &str, words: &[&'static str]) -> Vec<&'static str> {
    /// Nobody reads a longer list.
    const MOST: usize = 20;
    if words.len() <= MOST {
        return words.to_vec();
    }
    match suggest(word, words.iter().copied()) {
        near if near.is_empty() => words.iter().copied().take(MOST).chain(["…"]).collect(),
        near => near,
    }
}

#[cfg(test)]
mod tests;
