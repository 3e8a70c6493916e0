//! The YAML of a frontmatter, with places in the skill's file. Its limits hold for any text.

mod javascript;
mod libyaml;
mod nodes;
mod source;
mod tabs;

use super::{Field, Value};
use crate::catalog::{self, Place};
use crate::yaml::{self, Cause, Limits};

pub(in crate::catalog) use crate::yaml::Oddity;
pub use javascript::Library;
pub(super) use source::Source;
pub(in crate::catalog) use source::lines;

const LIMITS: Limits = Limits { depth: 32, values: 5_000, bytes: 256 * 1024, aliases: 100 };
/// Bytes that are read again because a line inside quotes had to be indented.
const REREAD_LIMIT: usize = 256 * 1024;

/// Where a piece of YAML begins in its file.
#[derive(Clone, Copy, Debug)]
pub(in crate::catalog) struct Origin {
    /// The file's line of the YAML's first line, from 1.
    pub(in crate::catalog) line: u32,
    /// How many characters stand before it on that line.
    pub(in crate::catalog) column: u32,
}

/// The origin of a text that is not part of a file.
pub(super) const START: Origin = Origin { line: 1, column: 0 };

/// A scalar, list or map with the place of its token; a block list or map is placed at its first
/// entry.
#[derive(Clone, Debug)]
pub(in crate::catalog) struct Node {
    pub(in crate::catalog) place: Place,
    pub(in crate::catalog) shape: Shape,
}

#[derive(Clone, Debug)]
pub(in crate::catalog) enum Shape {
    Scalar(String),
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

#[derive(Clone, Debug)]
pub(in crate::catalog) struct Broken {
    pub(in crate::catalog) place: Place,
    pub(in crate::catalog) message: String,
    /// A limit was reached; the text may be valid YAML.
    pub(in crate::catalog) over_limit: bool,
    pub(in crate::catalog) cause: catalog::Cause,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Parsed {
    /// The document; `None` if there is none, or if it is broken.
    pub(in crate::catalog) root: Option<Node>,
    /// In the order of the text.
    pub(in crate::catalog) oddities: Vec<(Oddity, Place)>,
    pub(in crate::catalog) broken: Option<Broken>,
}

/// Reads one YAML document within the limits.
///
/// Lines inside quotes may begin further left than YAML 1.2 allows: libyaml, PyYAML and the agents
/// read them. Such a line is indented, which does not change the value, and the text is read again.
pub(in crate::catalog) fn parse(text: &str, origin: Origin) -> Parsed {
    let mut source = Source::new(text, origin);
    let mut spent = 0;
    loop {
        let (parsed, line) = attempt(&source);
        spent += source.text.len();
        if !line.is_some_and(|line| spent < REREAD_LIMIT && source.indent(line)) {
            return parsed;
        }
    }
}

/// The document with its styles and tags; `None` if it is broken. Lines inside quotes may begin
/// further left than YAML 1.2 allows, and a comment may follow a quote or a bracket directly:
/// libyaml, PyYAML and `js-yaml` read both.
pub(super) fn whole(text: &str, origin: Origin) -> Option<(yaml::Node, Source<'_>)> {
    let mut source = Source::new(text, origin);
    let mut spent = 0;
    loop {
        let document = yaml::read(&source.text, LIMITS);
        spent += source.text.len();
        let Some(error) = document.error else { return Some((document.root?, source)) };
        let is_mended = match error.cause {
            Cause::QuotedIndent => source.indent(error.span.start.line()),
            Cause::LooseComment => source.separate(&error),
            _ => false,
        };
        if !(is_mended && spent < REREAD_LIMIT) {
            return None;
        }
    }
}

/// The document as a library of JavaScript reads it; `None` if it refuses it.
pub(super) fn by_javascript(text: &str, library: Library) -> Option<(yaml::Node, Source<'_>)> {
    let is_js_yaml = matches!(library, Library::JsYaml3 | Library::JsYaml4);
    let (root, mut source) = match library {
        Library::JsYaml3 | Library::JsYaml4 => whole(text, START)?,
        Library::Yaml => once(Source::new(text, START).replacing(javascript::is_text_for_yaml))?,
        Library::Bun => once(Source::new(text, START))?,
    };
    let nodes = nodes::all(&root);
    if !javascript::takes(&source.text, &nodes, library) {
        return None;
    }
    let kept = if is_js_yaml { javascript::kept_blanks(&source.text, &nodes) } else { Vec::new() };
    if kept.is_empty() {
        return Some((root, source));
    }
    source.keep(&kept);
    once(source)
}

/// The document as libyaml reads it; `None` if it refuses it. The line ends are those of YAML 1.2.
pub(super) fn by_libyaml(text: &str) -> Option<(yaml::Node, Source<'_>)> {
    by_yaml_1_1(text, |root, source| tabs::fit(&source.text, root))
}

/// The same for PyYAML. It takes a tab for a blank only inside quotes, block scalars and comments.
pub(super) fn by_pyyaml(text: &str) -> Option<(yaml::Node, Source<'_>)> {
    by_yaml_1_1(text, |root, _| {
        !libyaml::asks_in_brackets(&nodes::all(root)) && !has_loose_tab(text)
    })
}

/// The document as a reader of YAML 1.1 reads it that also asks `takes`.
fn by_yaml_1_1<'text>(
    text: &'text str,
    takes: impl Fn(&yaml::Node, &Source) -> bool,
) -> Option<(yaml::Node, Source<'text>)> {
    let (mut root, source) = whole(text, START)?;
    if !libyaml::take(&source.text, &nodes::all(&root)) || !takes(&root, &source) {
        return None;
    }
    libyaml::without_end(&source.text, &mut root);
    Some((root, source))
}

/// Whether a document that [`whole`] reads has a tab outside quotes, block scalars and comments.
fn has_loose_tab(text: &str) -> bool {
    let oddities = || parse(text, START).oddities;
    text.contains('\t') && oddities().iter().any(|(oddity, _)| *oddity == Oddity::Tab)
}

/// The document as YAML 1.2 has it; `None` if it is broken.
fn once(source: Source<'_>) -> Option<(yaml::Node, Source<'_>)> {
    let document = yaml::read(&source.text, LIMITS);
    let root = document.root.filter(|_| document.error.is_none())?;
    Some((root, source))
}

/// Reads once. Also returns the line that needs more indentation, if that is the error.
fn attempt(source: &Source<'_>) -> (Parsed, Option<usize>) {
    let document = yaml::read(&source.text, LIMITS);
    let error = document.error.as_ref().filter(|error| error.cause == Cause::QuotedIndent);
    let line = error.map(|error| error.span.start.line());
    let odd = |(oddity, span)| match oddity {
        Oddity::Duplicate(key) => (Oddity::Duplicate(source.restored(key)), source.place(&span)),
        other => (other, source.place(&span)),
    };
    let parsed = Parsed {
        root: document.root.map(|node| placed(node, source)),
        oddities: document.oddities.into_iter().map(odd).collect(),
        broken: document.error.map(|error| broken(error, source)),
    };
    (parsed, line)
}

fn broken(error: yaml::Error, source: &Source<'_>) -> Broken {
    let over_limit = matches!(error.cause, Cause::Depth | Cause::Size);
    // The parser's place is the end of the text; the fault is where the quote begins.
    if let Some(place) = source.unclosed_quote(&error) {
        let message = "the quote that begins here is not closed".to_owned();
        return Broken { place, message, over_limit, cause: catalog::Cause::Quote };
    }
    let cause = match error.cause {
        Cause::Tab => catalog::Cause::Tab,
        Cause::Control => catalog::Cause::Control,
        _ => catalog::Cause::Usual,
    };
    Broken { place: source.place(&error.span), message: error.message, over_limit, cause }
}

fn placed(node: yaml::Node, source: &Source<'_>) -> Node {
    let shape = match node.shape {
        yaml::Shape::Scalar(text, _) => Shape::Scalar(source.restored(text)),
        yaml::Shape::List(items) => Shape::Sequence(mapped(items, |item| placed(item, source))),
        yaml::Shape::Map(pairs) => Shape::Mapping(mapped(pairs, |(key, value)| {
            (placed(key, source), placed(value, source))
        })),
    };
    Node { place: source.place(&node.span), shape }
}

impl Node {
    /// The node without its places.
    pub(in crate::catalog) fn into_value(self) -> Value {
        match self.shape {
            Shape::Scalar(text) => Value::Scalar(text),
            Shape::Sequence(items) => Value::Sequence(mapped(items, Node::into_value)),
            Shape::Mapping(pairs) => {
                Value::Mapping(mapped(pairs, |(key, value)| (key.into_text(), value.into_value())))
            }
        }
    }

    /// The text of a key. A list or map is written in flow notation.
    pub(in crate::catalog) fn into_text(self) -> String {
        match self.shape {
            Shape::Scalar(text) => text,
            _ => self.into_value().flow_text(),
        }
    }
}

/// The pairs of a map as fields.
pub(in crate::catalog) fn into_fields(pairs: Vec<(Node, Node)>) -> Vec<Field> {
    let field = |(key, value): (Node, Node)| {
        let (key_place, value_place) = (key.place, value.place);
        Field { key: key.into_text(), key_place, value: value.into_value(), value_place }
    };
    mapped(pairs, field)
}

/// Like `collect`, but into an allocation of its own. `collect` would reuse that of the items and
/// shrink it. Texts that are kept would then fill the piece that is cut off, so that the next
/// skill's list does not fit into the rest: with very many skills a third of the memory was such
/// gaps.
fn mapped<T, U>(items: Vec<T>, map: impl FnMut(T) -> U) -> Vec<U> {
    let mut made = Vec::with_capacity(items.len());
    made.extend(items.into_iter().map(map));
    made
}
