//! The edits. Each function returns the new bytes of the file, or `None` where it has no edit; its
//! comment says how they differ from the old ones. They need not be right: a proof decides.

use super::page::{Page, Piece, joined, scalar, unclosed};
use crate::catalog::frontmatter::yaml::{self, Origin, Shape};
use crate::catalog::frontmatter::{self, Value, is_content, lines, looks_like_field};
use crate::catalog::validate::{fields, name as names, refused_name};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::collections::BTreeMap;

/// So many lines at the beginning of a text are looked at for fields; blank ones do not count.
const FIRST_LINES: usize = 10;

/// Words that make a paragraph a sentence, and not a badge or a list of languages.
const SENTENCE: usize = 5;

/// Without the byte order mark.
pub(super) fn without_mark(page: &Page<'_>) -> Option<Vec<u8>> {
    (page.mark > 0).then(|| page.text.as_bytes()[page.mark..].to_vec())
}

/// With frontmatter. If it is there below blank lines, or lacks only its first line, that is
/// mended.
pub(super) fn frontmatter(page: &Page<'_>) -> Option<Vec<u8>> {
    let rest = &page.text[page.mark..];
    let below = rest.trim_start();
    let is_closed = |text: &str| {
        let reading = frontmatter::read(text.as_bytes());
        reading.body > 0 && reading.findings.is_empty() && reading.field("description").is_some()
    };
    if is_closed(below) {
        return Some(page.with(&[(page.mark..page.text.len() - below.len(), String::new())]));
    }
    let opener = format!("---{}", page.end);
    if is_closed(&format!("{opener}{rest}")) {
        return Some(page.with(&[(page.mark..page.mark, opener)]));
    }
    // Something that was meant as frontmatter must not become a part of the body.
    if below.starts_with("--") {
        return None;
    }
    let new = format!("{opener}{}{opener}", fresh(page)?);
    Some(page.with(&[(page.mark..page.mark, new)]))
}

/// With fields in an empty frontmatter.
pub(super) fn filled(page: &Page<'_>) -> Option<Vec<u8>> {
    let yaml = page.yaml.clone()?;
    let blank = page.text[yaml.clone()].trim().is_empty();
    blank.then_some(())?;
    Some(page.with(&[(yaml.start..yaml.start, fresh(page)?)]))
}

/// The two fields that a skill must have.
fn fresh(page: &Page<'_>) -> Option<String> {
    let name =
        valid(page.directory).map_or_else(|| names::suggest_name(page.directory), str::to_owned);
    let (name, description) = (scalar(&name)?, scalar(&described(page.body())?)?);
    let end = page.end;
    Some(format!("name: {name}{end}description: {description}{end}"))
}

/// Whether a field cannot be read by itself.
fn is_broken(page: &Page<'_>, piece: &Piece<'_>) -> bool {
    let text = &page.text[piece.range.clone()];
    let parsed = yaml::parse(text, Origin { line: 1, column: 0 });
    let one = matches!(parsed.root.map(|node| node.shape), Some(Shape::Mapping(pairs)) if pairs.len() == 1);
    !one || parsed.broken.is_some()
}

/// With quotes around every value that cannot be read, or with all fields indented alike. A quote
/// that is not closed is closed.
pub(super) fn readable(page: &Page<'_>) -> Option<Vec<u8>> {
    if page.reading.torn { aligned(page) } else { quoted(page) }
}

/// With the first field that was read as a part of the value above it, and what follows it there,
/// indented as the other fields. Where it is indented less than they are, they are indented as it
/// is.
fn aligned(page: &Page<'_>) -> Option<Vec<u8>> {
    let outer = page.indent();
    let (mut edits, mut least) = (Vec::new(), outer.as_str());
    let pieces = page.pieces()?;
    for piece in pieces.iter().filter(|piece| is_broken(page, piece)) {
        let mut indent = None;
        for (number, (at, line)) in
            offsets(&page.text[piece.range.clone()], piece.range.start).enumerate()
        {
            let depth = line.len() - line.trim_start().len();
            if number > 0 && indent.is_none() && looks_like_field(line) {
                indent = Some(&line[..depth]);
            }
            let fits = |indent: &&str| line.starts_with(indent) && !line.trim().is_empty();
            if let Some(indent) = indent.filter(fits) {
                edits.push((at..at + indent.len(), outer.clone()));
                least = if indent.len() < least.len() { indent } else { least };
            }
        }
    }
    if least.len() < outer.len() {
        let whole = page.yaml.clone()?;
        edits = offsets(&page.text[whole.clone()], whole.start)
            .filter(|(_, line)| line.starts_with(&outer))
            .map(|(at, _)| (at..at + outer.len(), least.to_owned()))
            .collect();
    }
    Some(page.with(&edits))
}

/// The lines of a text, each with where it begins in the file.
fn offsets(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    lines(text).scan(start, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    })
}

fn quoted(page: &Page<'_>) -> Option<Vec<u8>> {
    let edit = |piece: &Piece<'_>| {
        let text = piece.field.value.text()?;
        let value = match (unclosed(text), scalar(text)?) {
            (Some((quote, text)), _) => format!("{quote}{text}{quote}"),
            (None, plain) if plain == text => format!("\"{text}\""),
            (None, quoted) => quoted,
        };
        page.replaced(piece, &value)
    };
    let pieces = page.pieces()?;
    let edits: Vec<_> =
        pieces.iter().filter(|piece| is_broken(page, piece)).map(edit).collect::<Option<_>>()?;
    Some(page.with(&edits))
}

/// Without the earlier of two fields that say the same, unless a comment explains it.
pub(super) fn once(page: &Page<'_>) -> Option<Vec<u8>> {
    let pieces = page.pieces()?;
    let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for Piece { field, .. } in &pieces {
        values.entry(&field.key).or_default().push(&field.value);
    }
    let is_last =
        |at: usize| pieces[at + 1..].iter().all(|later| later.field.key != pieces[at].field.key);
    let agree = |key: &str| values[key].windows(2).all(|two| two[0] == two[1]);
    let is_bare = |at: usize| page.comments(&pieces[at]).is_empty();
    let is_gone = |&at: &usize| !is_last(at) && agree(&pieces[at].field.key) && is_bare(at);
    let gone = (0..pieces.len()).filter(is_gone);
    let edits: Vec<_> = gone.map(|at| (pieces[at].range.clone(), String::new())).collect();
    Some(page.with(&edits))
}

/// With the name of the folder, if it is a valid one.
pub(super) fn name(page: &Page<'_>) -> Option<Vec<u8>> {
    let name = valid(page.directory)?;
    match page.reading.field("name").map(|field| field.value.text()) {
        Some(text) => text.and_then(|_| page.with_value("name", name)),
        None if page.has_other_spelling("name") => None,
        None => {
            let at = page.yaml.as_ref()?.start;
            let line = format!("{}name: {}{}", page.indent(), scalar(name)?, page.end);
            Some(page.with(&[(at..at, line)]))
        }
    }
}

/// The name of a folder, if it passes every rule for names.
fn valid(directory: &str) -> Option<&str> {
    refused_name(directory).is_none().then_some(directory)
}

/// With the first paragraph of the body as description.
pub(super) fn description(page: &Page<'_>) -> Option<Vec<u8>> {
    let text = described(page.body())?;
    match page.reading.field("description").map(|field| field.value.text()) {
        Some(old) => old.and_then(|_| page.with_value("description", &text)),
        None if page.has_other_spelling("description") => None,
        None => {
            let after = page.piece("name").map(|piece| piece.range.end);
            let at = after.or(page.yaml.as_ref().map(|yaml| yaml.start))?;
            let line = format!("{}description: {}{}", page.indent(), scalar(&text)?, page.end);
            Some(page.with(&[(at..at, line)]))
        }
    }
}

/// Whether a text begins with what may be its frontmatter in another form: lines with a name or a
/// description, TOML, JSON, or a block of code that has a fence.
pub(super) fn begins_with_fields(body: &str) -> bool {
    let first = lines(body).map(str::trim).filter(|line| !line.is_empty());
    let first: Vec<&str> = first.take(FIRST_LINES).collect();
    let is_block = |line: &&str| line.starts_with("```") || line.starts_with("~~~");
    let is_fence = |line: &&str| line.starts_with("---") || line.starts_with("+++");
    let object = body.trim_start().strip_prefix('{').map(str::trim_start);
    let begins_oddly = match first.as_slice() {
        [block, below, ..] if is_block(block) => is_fence(below) || is_said(below),
        [first, ..] => first.starts_with("+++"),
        [] => false,
    };
    begins_oddly
        || object.is_some_and(|object| object.starts_with('"'))
        || first.into_iter().take_while(|line| !is_block(line)).any(is_said)
}

/// Whether a line says a name or a description, whatever signs are around the key.
fn is_said(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    ["name", "description"].iter().any(|key| {
        let is_key = line.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key));
        let signs = ['*', '_', '`', '"', '\'', ' '];
        is_key && line[key.len()..].trim_start_matches(signs).starts_with([':', '='])
    })
}

/// The first paragraph that is a sentence, else the first one or the first heading that has words,
/// on one line and within the limit.
fn described(body: &str) -> Option<String> {
    if begins_with_fields(body) {
        return None;
    }
    let (mut depth, mut text) = (0_usize, String::new());
    let (mut first, mut heading) = (None, None);
    for event in Parser::new(body) {
        match event {
            Event::Start(Tag::Paragraph | Tag::Heading { .. }) if depth == 0 => text.clear(),
            Event::Start(
                Tag::List(_) | Tag::BlockQuote(_) | Tag::CodeBlock(_) | Tag::Image { .. },
            ) => depth += 1,
            Event::End(
                TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::CodeBlock | TagEnd::Image,
            ) => depth = depth.saturating_sub(1),
            Event::Text(part) | Event::Code(part) if depth == 0 => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak if depth == 0 => text.push(' '),
            Event::End(TagEnd::Heading(_)) if depth == 0 => {
                heading = heading.or_else(|| line_of(&text));
            }
            Event::End(TagEnd::Paragraph) if depth == 0 => {
                let line = line_of(&text);
                if text.split_whitespace().count() >= SENTENCE && line.is_some() {
                    return line;
                }
                first = first.or(line);
            }
            _ => {}
        }
    }
    first.or(heading)
}

/// The words on one line, without what would end the frontmatter; long texts end at a word.
fn line_of(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ").replace("---", "–");
    line.chars().any(char::is_alphabetic).then_some(())?;
    if line.chars().count() <= fields::DESCRIPTION_LIMIT {
        return Some(line);
    }
    // One character is for the sign that something was cut.
    let (cut, _) = line.char_indices().nth(fields::DESCRIPTION_LIMIT - 1)?;
    let end = line[..cut].rfind(' ').unwrap_or(cut);
    Some(format!("{}…", &line[..end]))
}

/// With a list of texts on one line.
pub(super) fn compatibility(page: &Page<'_>) -> Option<Vec<u8>> {
    let piece = page.piece("compatibility")?;
    let text = scalar(&joined(&piece.field.value)?)?;
    Some(page.with(&[page.replaced(&piece, &text)?]))
}

/// With each list of texts in metadata on one line.
pub(super) fn metadata(page: &Page<'_>) -> Option<Vec<u8>> {
    let piece = page.piece("metadata")?;
    let text = &page.text[piece.range.clone()];
    let mut starts = vec![piece.range.start];
    for line in lines(text) {
        starts.push(starts.last()? + line.len());
    }
    let root = yaml::parse(text, Origin { line: 1, column: 0 }).root?;
    let Shape::Mapping(outer) = root.shape else { return None };
    let Shape::Mapping(pairs) = outer.into_iter().next()?.1.shape else { return None };
    let row = |line: u32| usize::try_from(line).ok()?.checked_sub(1);
    let at: Vec<usize> = pairs.iter().map(|(key, _)| row(key.place.line)).collect::<Option<_>>()?;
    if at.first() == Some(&0) || at.windows(2).any(|two| two[0] >= two[1]) {
        return None;
    }
    let ends = at.iter().skip(1).copied().chain([starts.len() - 1]);
    let mut edits = Vec::new();
    for (((_, value), &from), to) in pairs.into_iter().zip(&at).zip(ends) {
        let range = starts[from]..starts[to];
        let Some(text) = joined(&value.into_value()) else { continue };
        let old = &page.text[range.clone()];
        if !old.contains('#') {
            let key = old.get(..old.find(':')?)?;
            edits.push((range, format!("{key}: {}{}", scalar(&text)?, page.end)));
        }
    }
    Some(page.with(&edits))
}

/// With unknown keys and their comments below `metadata:`, which is written if it is not there.
pub(super) fn moved(page: &Page<'_>) -> Option<Vec<u8>> {
    let pieces = page.pieces()?;
    let outer = page.indent();
    let known = page.reading.field("metadata").map(|field| &field.value);
    let taken = |key: &str| match known {
        Some(Value::Mapping(pairs)) => pairs.iter().any(|(old, _)| old == key),
        _ => false,
    };
    let once = |key: &str| pieces.iter().filter(|piece| piece.field.key == key).count() == 1;
    let target = pieces.iter().find(|piece| piece.field.key == "metadata");
    let inner = match target {
        Some(piece) => indent_below(&page.text[piece.range.clone()], &outer)?,
        None => format!("{outer}  "),
    };
    let movable = |piece: &&Piece<'_>| {
        let key = piece.field.key.as_str();
        fields::is_unknown(key) && fields::meant(key).is_none() && !taken(key) && once(key)
    };
    let mut block = String::new();
    let mut edits = Vec::new();
    for piece in pieces.iter().filter(movable) {
        let Some(text) = below(page, piece, &outer, &inner) else { continue };
        let comments = page.comments(piece);
        block.push_str(&indented(&page.text[comments.clone()], &outer, &inner));
        block.push_str(&text);
        edits.push((comments.start..piece.range.end, String::new()));
    }
    if block.is_empty() {
        return None;
    }
    let at = match target {
        Some(piece) => piece.range.end,
        None => {
            block.insert_str(0, &format!("{outer}metadata:{}", page.end));
            pieces.last()?.range.end
        }
    };
    edits.push((at..at, block));
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    Some(page.with(&edits))
}

/// How far what is below `metadata:` is indented; `None` if it is not written in lines.
fn indent_below(text: &str, outer: &str) -> Option<String> {
    let mut all = lines(text);
    let head = all.next()?.split_once(':')?.1.trim();
    if !head.is_empty() && !head.starts_with('#') {
        return None;
    }
    let Some(first) = all.find(|line| is_content(line)) else { return Some(format!("{outer}  ")) };
    let depth = first.len() - first.trim_start_matches(' ').len();
    (depth > outer.len()).then(|| " ".repeat(depth))
}

/// A field as it is written below metadata; `None` if it is a map or cannot become one text.
fn below(page: &Page<'_>, piece: &Piece<'_>, outer: &str, inner: &str) -> Option<String> {
    let text = &page.text[piece.range.clone()];
    if piece.field.value.text().is_some() {
        return Some(indented(text, outer, inner));
    }
    if text.contains('#') {
        return None;
    }
    let key = text.split_once(':')?.0.strip_prefix(outer)?;
    Some(format!("{inner}{key}: {}{}", scalar(&joined(&piece.field.value)?)?, page.end))
}

/// Lines with another indentation; blank ones stay.
fn indented(text: &str, outer: &str, inner: &str) -> String {
    let line = |line: &str| match line.strip_prefix(outer) {
        Some(rest) if !rest.trim().is_empty() => format!("{inner}{rest}"),
        _ => line.to_owned(),
    };
    lines(text).map(line).collect()
}
