//! Other people's text inside a frame of ours: escaped in attributes and fields, kept from ending the frame in bodies.

use std::borrow::Cow;
use std::fmt::Write as _;

/// For an attribute: one line, nothing that could end it or hide in it.
pub(super) fn attribute(text: &str) -> String {
    escaped(text, char::is_control)
}

/// For an element's text, as Python's `html.escape` does it; besides, what no reader could see is written as a
/// number. Line breaks and tabs stay.
pub(super) fn content(text: &str) -> String {
    escaped(text, |letter| letter.is_control() && !matches!(letter, '\n' | '\t'))
}

fn escaped(text: &str, acts: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            letter if acts(letter) || super::hidden::deceives(letter) => {
                let _ = write!(out, "&#x{:x};", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// A body that stands between our own tags as it is, but for tags of these names, whose `<` becomes `&lt;`: a body
/// that holds `</skill_context>` cannot end its block and speak for us. With the number of tags that were changed.
pub(super) fn guarded<'t>(body: &'t str, names: &[&str]) -> (Cow<'t, str>, usize) {
    let mut out = String::new();
    let mut copied = 0;
    let mut changed = 0;
    for (at, _) in body.match_indices('<') {
        if names.iter().any(|name| is_tag(&body[at + 1..], name)) {
            out.push_str(&body[copied..at]);
            out.push_str("&lt;");
            copied = at + 1;
            changed += 1;
        }
    }
    if changed == 0 {
        return (Cow::Borrowed(body), 0);
    }
    out.push_str(&body[copied..]);
    (Cow::Owned(out), changed)
}

/// Whether `<` and this text begin or end a tag of that name, in any case, with blanks before the name and unseen
/// characters anywhere.
fn is_tag(after: &str, name: &str) -> bool {
    let seen = |letter: &char| letter.is_whitespace() || !crate::text::is_hidden(*letter);
    let mut letters = after.chars().filter(seen).skip_while(|letter| letter.is_whitespace() || *letter == '/');
    let same = name.chars().all(|wanted| letters.next().is_some_and(|letter| letter.eq_ignore_ascii_case(&wanted)));
    // `<skills>` is no `<skill>`.
    same && !letters.next().is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_cannot_end_its_frame() {
        let names = ["skill_context", "skill"];
        for (body, expected, count) in [
            ("a </skill_context> b", "a &lt;/skill_context> b", 1),
            ("</SKILL_context\n>", "&lt;/SKILL_context\n>", 1),
            ("< / skill_context>", "&lt; / skill_context>", 1),
            ("<\u{200b}/skill_context>", "&lt;\u{200b}/skill_context>", 1),
            ("</sk\u{200b}ill_context>", "&lt;/sk\u{200b}ill_context>", 1),
            ("<skill_context name=\"x\">", "&lt;skill_context name=\"x\">", 1),
            ("<skill name=\"x\"><skill>", "&lt;skill name=\"x\">&lt;skill>", 2),
            ("<skills> <skillet> a < b <p>", "<skills> <skillet> a < b <p>", 0),
            ("</skill_context", "&lt;/skill_context", 1),
        ] {
            let (text, changed) = guarded(body, &names);
            assert_eq!((text.as_ref(), changed), (expected, count), "{body:?}");
        }
    }

    #[test]
    fn attributes_are_one_line_and_nothing_hides() {
        assert_eq!(attribute("a\"\n<b>'&"), "a&quot;&#xa;&lt;b&gt;&#x27;&amp;");
        assert_eq!(
            content("a\n\t\u{1b}\u{202e}\u{e0041}\u{1f469}\u{200d}\u{1f4bb}"),
            "a\n\t&#x1b;&#x202e;&#xe0041;\u{1f469}\u{200d}\u{1f4bb}"
        );
    }
}
