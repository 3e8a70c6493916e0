//! Lines of a text, by byte offsets.

/// The start of the line with this offset.
pub(super) fn start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// The end of the line with this offset, with its line end.
pub(super) fn end(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

/// The end of the line with this offset, without its line end.
pub(super) fn content_end(text: &str, offset: usize) -> usize {
    let end = end(text, offset);
    let line = &text[..end];
    line.strip_suffix('\n')
        .map_or(end, |line| line.strip_suffix('\r').unwrap_or(line).len())
        .max(offset)
}

/// The blanks at the start of the line with this offset.
pub(super) fn indent(text: &str, offset: usize) -> &str {
    let line = &text[start(text, offset)..offset];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The line end to use at an offset: that of its line, of the lines before, or of the text.
pub(super) fn ending(text: &str, offset: usize) -> &'static str {
    let here = &text[start(text, offset)..end(text, offset)];
    let before = &text[..start(text, offset)];
    let sample =
        [here, before, text].into_iter().find(|part| part.ends_with('\n')).unwrap_or_default();
    if sample.ends_with("\r\n") { "\r\n" } else { "\n" }
}

/// Inserts lines after the line with this offset. A text without a final line end stays so.
pub(super) fn insert_after(text: &str, offset: usize, new: &[String]) -> String {
    let ending = ending(text, offset);
    let at = end(text, offset);
    let mut out = text[..at].to_owned();
    let unfinished = !out.is_empty() && !out.ends_with('\n');
    for line in new {
        if unfinished {
            out.push_str(ending);
            out.push_str(line);
        } else {
            out.push_str(line);
            out.push_str(ending);
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Removes whole lines. A text without a final line end stays so.
pub(super) fn remove(text: &str, from: usize, to: usize) -> String {
    let mut before = &text[..start(text, from)];
    let removed_to = end(text, to);
    if !text[..removed_to].ends_with('\n') {
        before = before.trim_end_matches(['\n', '\r']);
    }
    format!("{before}{}", &text[removed_to..])
}

/// Whether the line that starts here is blank. The end of the text counts as blank.
pub(super) fn is_blank(text: &str, start: usize) -> bool {
    text[start..end(text, start)].trim().is_empty()
}
