//! The roles of the scopes of TextMate grammars.

use super::super::{Role, Syntax};
use std::sync::OnceLock;
use syntect::parsing::{Scope, ScopeStack};

/// Prefixes of scopes; the first row that fits the innermost scope decides, then the next scope
/// outwards.
const TABLE: &[(&str, Syntax)] = &[
    ("punctuation.definition.comment", Syntax::Comment),
    ("punctuation.definition.string", Syntax::String),
    ("punctuation.definition.heading", Syntax::Heading),
    ("punctuation.definition.inserted", Syntax::Inserted),
    ("punctuation.definition.deleted", Syntax::Deleted),
    ("punctuation.definition.variable", Syntax::Variable),
    ("punctuation", Syntax::Punctuation),
    ("comment", Syntax::Comment),
    ("constant.numeric", Syntax::Number),
    ("constant.character.escape", Syntax::Escape),
    ("constant.other.placeholder", Syntax::Escape),
    ("constant", Syntax::Constant),
    ("string", Syntax::String),
    ("keyword.operator.word", Syntax::Keyword),
    ("keyword.operator", Syntax::Operator),
    ("keyword.other.unit", Syntax::Number),
    ("keyword", Syntax::Keyword),
    ("storage", Syntax::Keyword),
    ("entity.name.tag", Syntax::Tag),
    ("entity.name.section", Syntax::Heading),
    ("entity.name.function", Syntax::Function),
    ("entity.name.constant", Syntax::Constant),
    ("entity.name.label", Syntax::Constant),
    ("entity.name", Syntax::Type),
    ("entity.other.attribute-name", Syntax::Attribute),
    ("entity.other.inherited-class", Syntax::Type),
    ("support.function", Syntax::Function),
    ("support.macro", Syntax::Function),
    ("support.constant", Syntax::Constant),
    ("support.type.property-name", Syntax::Attribute),
    ("support", Syntax::Type),
    ("variable.function", Syntax::Function),
    ("variable.annotation", Syntax::Attribute),
    ("variable.parameter.option", Syntax::Attribute),
    ("variable.language", Syntax::Constant),
    ("variable", Syntax::Variable),
    ("meta.annotation", Syntax::Attribute),
    ("markup.heading", Syntax::Heading),
    ("markup.inserted", Syntax::Inserted),
    ("markup.deleted", Syntax::Deleted),
    ("markup.raw", Syntax::String),
    ("markup.underline.link", Syntax::String),
    ("markup.list", Syntax::Punctuation),
    ("invalid.deprecated", Syntax::Comment),
];

fn table() -> &'static [(Scope, Syntax)] {
    static PARSED: OnceLock<Vec<(Scope, Syntax)>> = OnceLock::new();
    PARSED.get_or_init(|| {
        TABLE
            .iter()
            .filter_map(|&(prefix, syntax)| Some((Scope::new(prefix).ok()?, syntax)))
            .collect()
    })
}

/// The role of text in these scopes.
pub(super) fn role_of(stack: &ScopeStack) -> Role {
    let meaning = |scope: &Scope| {
        table()
            .iter()
            .find(|(prefix, _)| prefix.is_prefix_of(*scope))
            .map(|&(_, syntax)| Role::Syntax(syntax))
    };
    stack.as_slice().iter().rev().find_map(meaning).unwrap_or(Role::CodeBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_scope_and_can_be_reached() {
        assert_eq!(table().len(), TABLE.len());
        for (index, (scope, _)) in table().iter().enumerate() {
            let earlier =
                table()[..index].iter().position(|(prefix, _)| prefix.is_prefix_of(*scope));
            assert_eq!(earlier, None, "row {index} is hidden");
        }
    }
}
