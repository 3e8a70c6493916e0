//! Which rules a host can have: the kinds of patterns for each effect. Editors offer these and no
//! others, and planners write them.

use super::{Pattern, PatternError};
use crate::catalog::Permission;

/// What a host lacks whose rules cannot have a name.
pub const SUCH_NAMES: &str = "rules for such names";

/// The kinds of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternKind {
    Any,
    Exact,
    Prefix,
    Glob,
    /// Nobody writes it here.
    Arguments,
}

/// Which names a host's rules can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// As [`Pattern::read`]: no signs of a path or of a glob, which would match nothing.
    Plain,
    Any,
    /// Lower-case words with single hyphens between them; another name is read as none.
    Kebab,
}

/// Which rules about one skill or several a host can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleForms {
    /// The patterns of a rule that allows; empty if there is no such rule.
    pub allow: &'static [PatternKind],
    pub ask: &'static [PatternKind],
    pub deny: &'static [PatternKind],
    /// The letters of a glob that stand for others.
    pub wildcards: &'static [char],
    pub names: Names,
}

impl RuleForms {
    /// No rules for skills.
    pub const NONE: Self = Self::each(&[]);

    /// A name, or a beginning and `*`.
    pub const STANDARD: Self =
        Self::each(&[PatternKind::Any, PatternKind::Exact, PatternKind::Prefix]);

    /// The same patterns with every effect.
    pub const fn each(kinds: &'static [PatternKind]) -> Self {
        Self { allow: kinds, ask: kinds, deny: kinds, wildcards: &['*'], names: Names::Plain }
    }

    fn kinds(&self, effect: Permission) -> &'static [PatternKind] {
        match effect {
            Permission::Allow => self.allow,
            Permission::Ask => self.ask,
            Permission::Deny => self.deny,
        }
    }

    /// The effects that rules can have.
    pub fn effects(&self) -> Vec<Permission> {
        let all = [Permission::Allow, Permission::Ask, Permission::Deny];
        all.into_iter().filter(|effect| !self.kinds(*effect).is_empty()).collect()
    }

    /// The effects that a rule with this pattern can have.
    pub fn effects_of(&self, pattern: &Pattern) -> Vec<Permission> {
        let mut effects = self.effects();
        effects.retain(|effect| self.lack(*effect, pattern).is_none());
        effects
    }

    /// What the host does not have, if it cannot have such a rule.
    pub fn lack(&self, effect: Permission, pattern: &Pattern) -> Option<&'static str> {
        let kinds = self.kinds(effect);
        match pattern.kind() {
            _ if kinds.is_empty() => Some("rules with this effect"),
            kind if kinds.contains(&kind) => {
                let text = pattern.text();
                let same = text.is_none_or(|text| self.read(&text).as_ref() == Ok(pattern));
                (!same).then_some(SUCH_NAMES)
            }
            _ if kinds == [PatternKind::Any] && effect == Permission::Ask => {
                Some("a question about one skill: it asks about every skill (`*`) or none")
            }
            _ => Some("rules with this effect for such a pattern"),
        }
    }

    fn takes(&self, kind: PatternKind) -> bool {
        [self.allow, self.ask, self.deny].iter().any(|kinds| kinds.contains(&kind))
    }

    /// Reads what a person writes as the pattern of a rule; `*` alone means the whole tool.
    ///
    /// # Errors
    /// [`PatternError`] if the host's rules cannot express it.
    pub fn read(&self, text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        match text {
            _ if self.effects().is_empty() => Pattern::read(text),
            "*" => Ok(Pattern::Any),
            "" => Err(PatternError::Empty),
            _ if text.contains('*') || text.contains(self.wildcards) => self.several(text),
            _ => match self.names {
                Names::Plain => Pattern::read(text),
                Names::Kebab if !is_kebab(text) => Err(PatternError::Kebab),
                Names::Any | Names::Kebab => Ok(Pattern::Exact(text.to_owned())),
            },
        }
    }

    /// Reads a pattern with wildcards.
    fn several(&self, text: &str) -> Result<Pattern, PatternError> {
        let start = text.strip_suffix('*');
        let begins = start.is_some_and(|start| !start.contains(['*', '?']));
        if self.takes(PatternKind::Prefix) && (begins || !self.takes(PatternKind::Glob)) {
            return Pattern::read(text);
        }
        if !self.takes(PatternKind::Glob) {
            return Err(PatternError::Exact);
        }
        // What is left without the wildcards must be a name.
        let rest = text.replace(self.wildcards, "x");
        if self.names == Names::Plain {
            Pattern::read(&rest)?;
        }
        Ok(Pattern::Glob(text.to_owned()))
    }
}

/// Lower-case words and single hyphens.
pub fn is_kebab(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.split('-').all(word)
}
