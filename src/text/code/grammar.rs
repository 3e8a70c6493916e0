//! The grammars: which one belongs to a language or file, and how it divides a line.

use super::super::Role;
use super::scopes::role_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// Characters of a file's first line that may tell its language.
const FIRST_LINE: usize = 200;

/// Labels that people put on code fences, and the file extension of the same language.
const ALIASES: &[(&str, &str)] = &[
    ("shell", "sh"),
    ("console", "sh"),
    ("shell-session", "sh"),
    ("shellsession", "sh"),
    ("terminal", "sh"),
    ("javascript", "js"),
    ("jsx", "js"),
    ("typescript", "ts"),
    ("jsonc", "json"),
    ("json5", "json"),
    ("jsonl", "json"),
    ("golang", "go"),
    ("csharp", "cs"),
    ("objective-c", "m"),
    ("py3", "py"),
    ("python3", "py"),
    ("docker", "Dockerfile"),
    ("make", "Makefile"),
    ("markdown", "md"),
    ("mdx", "md"),
    ("patch", "diff"),
];

/// Loaded when it is first needed: about 3 ms.
fn grammars() -> &'static SyntaxSet {
    static GRAMMARS: OnceLock<SyntaxSet> = OnceLock::new();
    GRAMMARS.get_or_init(two_face::syntax::extra_newlines)
}

/// The grammar of a language, by its name, a file extension or a usual alias.
fn grammar(language: &str) -> Option<&'static SyntaxReference> {
    let alias = ALIASES.iter().find(|(name, _)| name.eq_ignore_ascii_case(language));
    known(grammars().find_syntax_by_token(alias.map_or(language, |(_, extension)| extension)))
}

/// `None` for plain text, which has nothing to highlight.
fn known(grammar: Option<&'static SyntaxReference>) -> Option<&'static SyntaxReference> {
    grammar.filter(|grammar| grammar.name != "Plain Text")
}

/// The language of a file by its name, or else by its first line (`#!`), for [`super::highlight`];
/// `None` where no grammar is known.
pub fn language_of(file_name: &str, first_line: &str) -> Option<String> {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let by_name = [name, extension].into_iter().filter(|token| !token.is_empty());
    let mut found = by_name.filter_map(|token| known(grammars().find_syntax_by_extension(token)));
    let first_line: String = first_line.chars().take(FIRST_LINE).collect();
    let by_first_line = || {
        let tells = first_line.starts_with("#!") || first_line.starts_with("<?");
        let find = AssertUnwindSafe(|| grammars().find_syntax_by_first_line(&first_line));
        tells.then(|| known(catch_unwind(find).ok().flatten())).flatten()
    };
    found.next().or_else(by_first_line).map(|grammar| grammar.name.clone())
}

/// Highlights a source line by line.
pub(super) struct Highlighter {
    state: ParseState,
    stack: ScopeStack,
}

impl Highlighter {
    /// Begins a source in this language; `None` if no grammar is known.
    pub(super) fn new(language: &str) -> Option<Self> {
        let grammar = if language.is_empty() { None } else { grammar(language) }?;
        Some(Self { state: ParseState::new(grammar), stack: ScopeStack::new() })
    }

    /// Divides the next line into pieces: the byte at which each ends, and its role. They cover the
    /// line. `None` if the grammar failed or panicked; do not use this highlighter afterwards.
    pub(super) fn line(&mut self, line: &str) -> Option<Vec<(usize, Role)>> {
        let with_break = format!("{line}\n");
        let parse = AssertUnwindSafe(|| self.state.parse_line(&with_break, grammars()));
        let operations = catch_unwind(parse).ok()?.ok()?;
        let mut pieces = Vec::new();
        let mut start = 0;
        for (at, operation) in &operations {
            let end = (*at).min(line.len());
            if end > start {
                add(&mut pieces, end, role_of(&self.stack));
                start = end;
            }
            self.stack.apply(operation).ok()?;
        }
        if line.len() > start {
            add(&mut pieces, line.len(), role_of(&self.stack));
        }
        pieces.iter().all(|&(end, _)| line.is_char_boundary(end)).then_some(pieces)
    }
}

/// Adds a piece. It extends the last one if the role is the same.
fn add(pieces: &mut Vec<(usize, Role)>, end: usize, role: Role) {
    match pieces.last_mut() {
        Some((last, before)) if *before == role => *last = end,
        _ => pieces.push((end, role)),
    }
}
