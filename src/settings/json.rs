//! JSON in its dialects, read by `jsonc-parser` into a [`Tree`].
//!
//! The parser is lenient in small things (control characters in texts, odd blanks), but most agents'
//! own readers are not. So `serde_json` reads the text once more without comments and trailing
//! commas, and what either refuses is refused. What JavaScript reads otherwise than this parser is
//! changed before ([`javascript`]).

use super::javascript;
use super::source::{MAX_DEPTH, syntax};
use super::tree::{DEEP, Item, Pair, Shape, Style, Tree};
use super::{EditError, Format, Reader};
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use std::ops::Range;

/// Reads a text in one of the dialects. A text of blanks and comments is an empty document. Values
/// that are nested too deep are refused, or left out.
pub(super) fn parse(format: Format, text: &str, reader: Reader) -> Result<Tree, EditError> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: true };
    let is_loose = reader == Reader::JsoncParser;
    if format == Format::JsonComments && reader == Reader::Strict {
        javascript::ends_alike(text)?;
    }
    let changed = javascript::reads(text, reader);
    let text = changed.as_deref().unwrap_or(text);
    let parsed = match parse_to_ast(text, &collect, &options(format, is_loose)) {
        // The parser's own limit, which only that reader has.
        Err(error) if is_too_deep(&error) && !is_loose => match javascript::shallow(text) {
            Some(text) if reader != Reader::Strict => return parse(format, &text, reader),
            _ => return Err(syntax(text, error.range().start, DEEP)),
        },
        Err(error) => return Err(syntax(text, error.range().start, error.kind().to_string())),
        Ok(parsed) => parsed,
    };
    let Some(value) = parsed.value else { return Ok(Tree::empty(text.len())) };
    if !is_loose {
        plain(text, &parsed.tokens.unwrap_or_default(), reader)?;
    }
    tree(text, value, 0, reader)
}

fn is_too_deep(error: &ParseError) -> bool {
    matches!(error.kind(), ParseErrorKind::NestingDepthExceeded)
}

fn options(format: Format, is_loose: bool) -> ParseOptions {
    ParseOptions {
        allow_comments: format != Format::Json,
        allow_trailing_commas: format == Format::Jsonc,
        allow_loose_object_property_names: false,
        allow_missing_commas: is_loose,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Refuses a text whose tokens alone are not strict JSON, or that has blanks that JSON does not
/// allow. What is nested too deep for its reader is not examined.
fn plain(text: &str, tokens: &[TokenAndRange<'_>], reader: Reader) -> Result<(), EditError> {
    let mut bare: Vec<u8> =
        text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        depth -= usize::from(matches!(token.token, Token::CloseBrace | Token::CloseBracket));
        let next = tokens.get(index + 1).map(|next| &next.token);
        let trailing = token.token == Token::Comma
            && matches!(next, Some(Token::CloseBrace | Token::CloseBracket));
        if !trailing && depth <= MAX_DEPTH {
            let range = token.range.start..token.range.end;
            bare[range.clone()].copy_from_slice(&text.as_bytes()[range]);
        }
        depth += usize::from(matches!(token.token, Token::OpenBrace | Token::OpenBracket));
    }
    serde_json::from_slice::<serde::de::IgnoredAny>(&bare).map_err(|error| {
        let start = bare
            .split_inclusive(|byte| *byte == b'\n')
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len);
        let offset = start.sum::<usize>() + error.column();
        let message = error.to_string();
        syntax(text, offset, message.split(" at line").next().unwrap_or_default())
    })?;
    let gap = |(from, to): (usize, usize)| odd_blank(&text[from..to], reader).map(|at| from + at);
    let ends = tokens.iter().map(|token| token.range.end);
    let starts = tokens.iter().map(|token| token.range.start).chain([text.len()]);
    match std::iter::once(0).chain(ends).zip(starts).find_map(gap) {
        Some(at) => Err(syntax(text, at, "this kind of blank is not JSON")),
        None => Ok(()),
    }
}

/// Where a gap between tokens has a blank that JSON does not allow. A comment may contain any, so a
/// gap with a `/` is not examined, unless blanks in comments stay: those of JavaScript.
fn odd_blank(gap: &str, reader: Reader) -> Option<usize> {
    let stay = reader == Reader::StripJsonComments;
    let is_odd = |sign: char| match sign {
        ' ' | '\t' | '\r' | '\n' => false,
        '\u{85}' => !gap.contains('/'),
        '\u{feff}' => stay,
        _ => sign.is_whitespace(),
    };
    gap.find(is_odd).filter(|_| stay || !gap.contains('/'))
}

fn tree(text: &str, value: Value<'_>, depth: usize, reader: Reader) -> Result<Tree, EditError> {
    let span = range(&value);
    if depth > MAX_DEPTH {
        return match reader {
            Reader::Strict => Err(syntax(text, span.start, DEEP)),
            _ => Ok(Tree { span, style: Style::Flow, shape: Shape::Null }),
        };
    }
    let shape = match value {
        Value::NullKeyword(_) => Shape::Null,
        Value::BooleanLit(flag) => Shape::Flag(flag.value),
        Value::NumberLit(number) => Shape::Number(number.value.to_owned()),
        Value::StringLit(value) => Shape::Text(value.value.into_owned()),
        Value::Array(array) => {
            let item = |value| {
                let tree = tree(text, value, depth + 1, reader)?;
                Ok(Item { start: tree.span.start, tree })
            };
            Shape::List(array.elements.into_iter().map(item).collect::<Result<_, EditError>>()?)
        }
        Value::Object(object) => {
            let mut entries = Vec::with_capacity(object.properties.len());
            for property in object.properties {
                let name = match &property.name {
                    ObjectPropName::String(name) => range(name),
                    ObjectPropName::Word(name) => range(name),
                };
                let key = property.name.into_string();
                let tree = tree(text, property.value, depth + 1, reader)?;
                entries.push(Pair { key, name, tree });
            }
            Shape::Table(entries)
        }
    };
    Ok(Tree { span, style: Style::Flow, shape })
}

fn range(ranged: &impl Ranged) -> Range<usize> {
    let range = ranged.range();
    range.start..range.end
}
