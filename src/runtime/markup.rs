//! Other people's text inside our own tags: escaped in attributes and fields, and unable to end our
//! tags in bodies.

use std::borrow::Cow;
use std::fmt::Write as _;

/// For an attribute: one line, and nothing that could end it or hide in it.
pub(super) fn attribute(text: &str) -> String {
    escaped(text, |_| false)
}

/// For an element's text, like Python's `html.escape`. Characters that no reader could see become
/// numbers. Line breaks and tabs stay.
pub(super) fn content(text: &str) -> String {
    escaped(text, |letter| matches!(letter, '\n' | '\t'))
}

/// Characters that are never shown as themselves become numbers, except the layout that stays.
fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    crate::text::each_letter(text, |letter, shown| match letter {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#x27;"),
        letter if shown || stays(letter) => out.push(letter),
        letter => {
            let _ = write!(out, "&#x{:x};", u32::from(letter));
        }
    });
    out
}

/// A body between our own tags, unchanged except for tags with these names, whose `<` becomes
/// `&lt;`: a body with `</skill_context>` cannot end its block and speak for us. Also returns the
/// number of changed tags.
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

/// Whether `<` and this text begin or end a tag of that name, in any case, with blanks before the
/// name and unseen characters anywhere.
fn is_tag(after: &str, name: &str) -> bool {
    let seen = |letter: &char| letter.is_whitespace() || !crate::text::is_hidden(*letter);
    let mut letters =
        after.chars().filter(seen).skip_while(|letter| letter.is_whitespace() || *letter == '/');
    let same = name
        .chars()
        .all(|wanted| letters.next().is_some_and(|letter| letter.eq_ignore_ascii_case(&wanted)));
    // `<skills>` is not `<skill>`.
    same && !letters
        .next()
        .is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-'))
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
        assert_eq!(attribute("we ird\u{200b} p\u{200d}df"), "we ird&#x200b; p&#x200d;df");
        assert_eq!(
            content("a\u{200b}\u{200c}b\u{feff}\r\nc"),
            "a&#x200b;&#x200c;b&#xfeff;&#xd;\nc"
        );
        let spelling = "\u{0645}\u{06cc}\u{200c}\u{062e}\u{0648} \u{2764}\u{fe0f} e\u{301} \
                        \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
        assert_eq!(
            (content(spelling), attribute(spelling)),
            (spelling.to_owned(), spelling.to_owned())
        );
    }
}
