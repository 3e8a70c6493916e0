//! The verdict of the reference validator (skills-ref with strictyaml): the same skills pass.
//!
//! Its quirks that decide a verdict are kept: the frontmatter ends at the first `---` anywhere,
//! flow style, anchors, tags and duplicate keys are refused, and a YAML error is the only finding.
//! The corpus test lists the differences: a byte order mark is a finding of its own, `skill.md`
//! fails, and if the reference crashes, we report a finding.

mod dialect;

use super::{fields, misnamed, name};
use crate::catalog::frontmatter::yaml::{self, Broken, Node, Oddity, Origin, Shape};
use crate::catalog::frontmatter::{FRONTMATTER_LIMIT, Field, OPENER, Value, not_utf8};
use crate::catalog::{Cause, Check, Diagnostic, Place, checks};

/// The strict verdict: a skill is valid if there are no diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strict {
    /// What is wrong, in the reference's order.
    pub diagnostics: Vec<Diagnostic>,
    /// For each diagnostic the reference's own message if it has a fixed one, otherwise ours.
    pub messages: Vec<String>,
}

impl Strict {
    /// Whether the reference validator passes it.
    pub fn valid(&self) -> bool {
        self.diagnostics.is_empty()
    }

    fn add(
        &mut self,
        check: &'static Check,
        place: Place,
        message: impl Into<String>,
        reference: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::new(check, place, message));
        self.messages.push(reference.into());
    }

    fn add_diagnostic(&mut self, diagnostic: Diagnostic, reference: impl Into<String>) {
        self.messages.push(reference.into());
        self.diagnostics.push(diagnostic);
    }
}

/// Judges a whole skill file as the reference validator does.
pub fn strict(bytes: &[u8], directory: &str, file_name: &str) -> Strict {
    let mut verdict = Strict::default();
    if let Some(found) = misnamed(file_name) {
        let message = found.message.clone();
        verdict.add_diagnostic(found, message);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let diagnostic = not_utf8(&String::from_utf8_lossy(&bytes[..error.valid_up_to()]), 1);
            let message = diagnostic.message.clone();
            verdict.add_diagnostic(diagnostic, message);
            return verdict;
        }
    };
    let text = match text.strip_prefix('\u{feff}') {
        None => text,
        Some(rest) => {
            let message = "the file begins with a byte order mark";
            verdict.add(&checks::BOM, Place::START, message, message);
            rest
        }
    };
    if let Some(mut pairs) = frontmatter(text, &mut verdict) {
        // The reference does not add the fields of a merge key.
        pairs.retain(|(key, _)| !matches!(&key.shape, Shape::Scalar(key) if key == "<<"));
        judge_fields(yaml::into_fields(pairs), directory, &mut verdict);
    }
    verdict
}

/// The pairs between the first two `---`, wherever they are.
fn frontmatter(text: &str, verdict: &mut Strict) -> Option<Vec<(Node, Node)>> {
    let Some(rest) = text.strip_prefix("---") else {
        let message = "the file does not begin with ---";
        verdict.add(
            &checks::NO_FRONTMATTER,
            Place::START,
            message,
            "SKILL.md must start with YAML frontmatter (---)",
        );
        return None;
    };
    let Some((source, _)) = rest.split_once("---") else {
        let message = "there is no second ---, so the frontmatter never ends";
        verdict.add(
            &checks::UNCLOSED,
            OPENER,
            message,
            "SKILL.md frontmatter not properly closed with ---",
        );
        return None;
    };
    if source.len() > FRONTMATTER_LIMIT {
        let message = format!("the frontmatter has more than {} KiB", FRONTMATTER_LIMIT / 1024);
        verdict.add(&checks::FRONTMATTER_SIZE, OPENER, message.clone(), message);
        return None;
    }
    let origin = Origin { line: 1, column: 3 };
    let source = dialect::as_reference(source);
    let refusal = dialect::refused(&source, origin);
    let parsed = yaml::parse(&source, origin);
    if let Some((check, place, message)) = refusal.or_else(|| refused(&parsed)) {
        let reference = format!("Invalid YAML in frontmatter: {message}");
        let tab = parsed.oddities.contains(&(Oddity::Tab, place)) && check == &checks::YAML_SYNTAX;
        let tab = tab
            || parsed.broken.as_ref().is_some_and(|it| it.cause == Cause::Tab && it.place == place);
        let cause = if tab { Cause::Tab } else { Cause::Usual };
        verdict.add_diagnostic(Diagnostic::new(check, place, message).of_cause(cause), reference);
        return None;
    }
    match parsed.root.map(|node| node.shape) {
        Some(Shape::Mapping(pairs)) => Some(pairs),
        _ => {
            let message = "the frontmatter is not made of `key: value` pairs";
            verdict.add(
                &checks::NOT_MAPPING,
                OPENER,
                message,
                "SKILL.md frontmatter must be a YAML mapping",
            );
            None
        }
    }
}

/// Why a frontmatter is refused as a whole.
type Refusal = (&'static Check, Place, String);

/// Why strictyaml would refuse it: the first refused token, otherwise a syntax error, otherwise a
/// value that it cannot build.
fn refused(parsed: &yaml::Parsed) -> Option<Refusal> {
    let tokens = parsed.oddities.iter().filter_map(|(oddity, place)| match oddity {
        Oddity::Flow => {
            Some((&checks::YAML_FLOW_MAPPING, *place, "flow style is refused".to_owned()))
        }
        Oddity::Anchor => {
            Some((&checks::YAML_ANCHOR, *place, "anchors and aliases are refused".to_owned()))
        }
        Oddity::Tag => Some((&checks::YAML_TAG, *place, "tags are refused".to_owned())),
        Oddity::Tab => Some((
            &checks::YAML_SYNTAX,
            *place,
            "a tab stands outside quotes; use blanks".to_owned(),
        )),
        Oddity::Duplicate(_) => None,
    });
    if let Some(first) = tokens.min_by_key(|token| token.1) {
        return Some(first);
    }
    if let Some(Broken { place, message, over_limit, .. }) = &parsed.broken {
        let check = if *over_limit { &checks::YAML_BUDGET } else { &checks::YAML_SYNTAX };
        return Some((check, *place, message.clone()));
    }
    let duplicate = parsed.oddities.iter().find_map(|(oddity, place)| match oddity {
        Oddity::Duplicate(key) => {
            Some((&checks::YAML_DUPLICATE_KEY, *place, format!("the key '{key}' is there twice")))
        }
        _ => None,
    });
    duplicate.or_else(|| misbuilt(parsed.root.as_ref()?))
}

/// The first map that cannot become a Python dictionary: one with a key that is no text, with a
/// merge key without a map, or with a value that is a map in another column than an earlier map
/// among its values.
fn misbuilt(node: &Node) -> Option<Refusal> {
    let pairs = match &node.shape {
        Shape::Scalar(_) => return None,
        Shape::Sequence(items) => return items.iter().find_map(misbuilt),
        Shape::Mapping(pairs) => pairs,
    };
    let is_map = |node: &&Node| matches!(node.shape, Shape::Mapping(_));
    for (key, value) in pairs {
        let message = match (&key.shape, &value.shape) {
            (Shape::Scalar(key), Shape::Scalar(_)) if key == "<<" => {
                "the merge key << does not hold a map"
            }
            (Shape::Scalar(_), _) => continue,
            _ => "a key is a list or a map, not text",
        };
        return Some((&checks::YAML_SYNTAX, key.place, message.to_owned()));
    }
    let mut maps = pairs.iter().map(|(_, value)| value).filter(is_map);
    let column = maps.next().map(|map| map.place.column);
    if let Some(map) = maps.find(|map| Some(map.place.column) != column) {
        let message = "this map is not indented like the one before it";
        return Some((&checks::YAML_INDENTATION, map.place, message.to_owned()));
    }
    pairs.iter().find_map(|(_, value)| misbuilt(value))
}

/// The reference's checks of the fields, in its order.
fn judge_fields(fields: Vec<Field>, directory: &str, verdict: &mut Strict) {
    unexpected(&fields, verdict);
    let field = |key: &str| fields.iter().find(|field| field.key == key);
    let text = |field: &Field| {
        field.value.text().filter(|text| !name::strip(text).is_empty()).map(str::to_owned)
    };
    match field("name").map(|field| (field, text(field))) {
        None => {
            let reference = "Missing required field in frontmatter: name";
            verdict.add(&checks::NAME_MISSING, OPENER, "there is no name", reference);
        }
        Some((field, None)) => {
            let reference = "Field 'name' must be a non-empty string";
            verdict.add(
                &checks::NAME_EMPTY,
                field.value_place,
                "the name is empty or not text",
                reference,
            );
        }
        Some((field, Some(name))) => {
            for (check, message, reference) in name::findings(&name, directory) {
                verdict.add(check, field.value_place, message, reference);
            }
        }
    }
    let Some(description) = field("description") else {
        let reference = "Missing required field in frontmatter: description";
        verdict.add(&checks::DESC_MISSING, OPENER, "there is no description", reference);
        return judge_compatibility(field("compatibility"), verdict);
    };
    if let Some(diagnostic) = fields::description(description) {
        let reference = match text(description) {
            None => "Field 'description' must be a non-empty string".to_owned(),
            Some(text) => exceeds("Description", fields::DESCRIPTION_LIMIT, &text),
        };
        verdict.add_diagnostic(diagnostic, reference);
    }
    judge_compatibility(field("compatibility"), verdict);
}

fn judge_compatibility(field: Option<&Field>, verdict: &mut Strict) {
    let Some(field) = field else { return };
    if let Some(diagnostic) = fields::compatibility(field) {
        let reference = match &field.value {
            Value::Scalar(text) => exceeds("Compatibility", fields::COMPATIBILITY_LIMIT, text),
            _ => "Field 'compatibility' must be a string".to_owned(),
        };
        verdict.add_diagnostic(diagnostic, reference);
    }
}

fn exceeds(what: &str, limit: usize, text: &str) -> String {
    format!("{what} exceeds {limit} character limit ({} chars)", text.chars().count())
}

/// One finding for all keys that the specification does not define, at the first of them.
fn unexpected(fields: &[Field], verdict: &mut Strict) {
    let unknown =
        fields.iter().filter(|field| !fields::STANDARD_KEYS.contains(&field.key.as_str()));
    let mut keys: Vec<&str> = unknown.clone().map(|field| field.key.as_str()).collect();
    let Some(first) = unknown.min_by_key(|field| field.key_place) else { return };
    keys.sort_unstable();
    let keys = keys.join(", ");
    let allowed = fields::STANDARD_KEYS.map(|key| format!("'{key}'")).join(", ");
    let reference =
        format!("Unexpected fields in frontmatter: {keys}. Only [{allowed}] are allowed.");
    verdict.add(
        &checks::UNEXPECTED_FIELDS,
        first.key_place,
        format!("the specification does not define: {keys}"),
        reference,
    );
}
