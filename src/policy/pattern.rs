//! Patterns over the names of skills.

use super::PatternKind;
use regex_lite::Regex;

/// The names a rule covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every skill: the rule is about the whole tool.
    Any,
    /// One name, compared exactly: `pdf` does not cover `PDF`.
    Exact(String),
    /// Every name with this beginning: `internal-*`.
    Prefix(String),
    /// A glob with `*` and `?`, as opencode has it.
    Glob(String),
    /// An expression over the arguments of the call, as Gemini has it.
    Arguments(Expression),
}

/// Why a pattern cannot be read; the sentence quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("a skill name is empty")]
    Empty,
    /// A `*` that is not at the end, or a character of another glob syntax. As a plain name it
    /// would match nothing, so a deny rule would silently deny nothing.
    #[error("only one `*`, at the end, is understood in a skill name")]
    Glob,
    /// A glob, though the host's rules name one skill or all.
    #[error("this agent's rules name one skill, or all of them by `*`")]
    Exact,
    /// A name that the host would read as none.
    #[error("this agent's rules name skills in lower case, with single hyphens between the words")]
    Kebab,
    #[error("a rule names a skill; a path belongs in [[skills.config]]")]
    Path,
}

impl Pattern {
    /// Reads a settings text: a name, or a beginning and `*`.
    ///
    /// Names that break the naming rules of the standard are accepted: skills with such names are
    /// offered with a warning, and a person must be able to deny them. Those with signs of paths or
    /// globs are not, since they could mean something else; such a skill is switched off, or
    /// covered by a beginning of its name.
    ///
    /// # Errors
    /// [`PatternError`] if the text could mean something else. Then the caller fails closed.
    pub fn read(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let (name, prefix) = text.strip_suffix('*').map_or((text, false), |name| (name, true));
        match name {
            "" if prefix => Ok(Self::Any),
            "" => Err(PatternError::Empty),
            _ if name.contains(['/', '\\']) => Err(PatternError::Path),
            _ if name.contains(['*', '?', '[', ']', '{', '}', '!']) => Err(PatternError::Glob),
            _ if prefix => Ok(Self::Prefix(name.to_owned())),
            _ => Ok(Self::Exact(name.to_owned())),
        }
    }

    pub fn kind(&self) -> PatternKind {
        match self {
            Self::Any => PatternKind::Any,
            Self::Exact(_) => PatternKind::Exact,
            Self::Prefix(_) => PatternKind::Prefix,
            Self::Glob(_) => PatternKind::Glob,
            Self::Arguments(_) => PatternKind::Arguments,
        }
    }

    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(exact) => exact.trim() == name.trim(),
            Self::Prefix(prefix) => name.trim().starts_with(prefix),
            Self::Glob(pattern) => glob(pattern, name.trim()),
            Self::Arguments(expression) => expression.matches(name.trim()),
        }
    }

    /// The same for names in another form. Only rules of our own settings are held against those,
    /// which have no globs and no expressions.
    #[must_use]
    pub fn in_form(&self, form: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Exact(name) => Self::Exact(form(name)),
            Self::Prefix(prefix) => Self::Prefix(form(prefix)),
            other => other.clone(),
        }
    }

    /// Whether all its letters are ASCII, which have one form.
    pub(super) fn is_ascii(&self) -> bool {
        match self {
            Self::Exact(text) | Self::Prefix(text) => text.is_ascii(),
            Self::Any | Self::Glob(_) | Self::Arguments(_) => true,
        }
    }

    /// A name that the pattern covers and that a narrower rule most likely does not, to try a rule
    /// with. For an expression it is its text, since nothing tells what it covers.
    pub fn sample(&self) -> String {
        const LAST: &str = "\u{10ffff}";
        match self {
            Self::Any => LAST.to_owned(),
            Self::Exact(name) => name.clone(),
            Self::Prefix(prefix) => format!("{prefix}{LAST}"),
            Self::Glob(glob) => glob.replace(['*', '?'], LAST),
            Self::Arguments(expression) => expression.text().to_owned(),
        }
    }

    /// The text in settings; `None` for a rule about the whole tool.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Any => None,
            Self::Exact(name) => Some(name.clone()),
            Self::Prefix(prefix) => Some(format!("{prefix}*")),
            Self::Glob(pattern) => Some(pattern.clone()),
            Self::Arguments(expression) => Some(expression.text().to_owned()),
        }
    }
}

/// A regular expression: over the arguments of a call (Gemini's `argsPattern`), or over a name.
#[derive(Clone, Debug)]
pub struct Expression(Regex);

impl Expression {
    /// Reads an expression; `None` if its syntax is not supported. Then the caller fails closed.
    pub fn read(text: &str) -> Option<Self> {
        Regex::new(text).ok().map(Self)
    }

    pub fn text(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is found in a text.
    pub fn finds(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Whether it is found in `{"name":"pdf"}`, with a NUL before and after the pair, as Gemini's
    /// `stableStringify` writes top-level pairs.
    fn matches(&self, name: &str) -> bool {
        let quoted = serde_json::Value::from(name);
        self.finds(&format!("{{\0\"name\":{quoted}\0}}"))
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Expression {}

/// Whether `name` matches a glob in which `*` stands for any characters and `?` for one. There is
/// no other syntax.
pub fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut on) = (0, 0);
    // The position of the last `*`, and how far the name had been read there.
    let mut star: Option<(usize, usize)> = None;
    while on < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, on));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[on] => {
                at += 1;
                on += 1;
            }
            _ => {
                let Some((before, read)) = star else { return false };
                star = Some((before, read + 1));
                at = before + 1;
                on = read + 1;
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_a_star_and_a_question_mark() {
        for (pattern, name, fits) in [
            ("*", "", true),
            ("*", "pdf", true),
            ("internal-*", "internal-x", true),
            ("internal-*", "internal", false),
            ("*-x", "a-x-x", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b", false),
            ("p?f", "pdf", true),
            ("p?f", "pf", false),
            ("[p]df", "pdf", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(glob(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn an_expression_is_held_against_the_arguments() {
        let expression = Expression::read("\"name\":\"pdf\"").unwrap();
        assert!(Pattern::Arguments(expression.clone()).matches("pdf"));
        assert!(!Pattern::Arguments(expression).matches("pdf-forms"));
        let whole = Expression::read("^\\{.\"name\":\"p.*\".\\}$").unwrap();
        assert!(Pattern::Arguments(whole).matches("pdf"), "a pair stands between NULs");
        assert_eq!(Expression::read("("), None);
    }
}
