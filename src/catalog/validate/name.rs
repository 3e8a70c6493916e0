//! The reference's rules for names, which the lenient and the strict check share, and a suggestion
//! for a valid name.

use crate::catalog::{Check, Diagnostic, Place, checks};
use std::borrow::Cow;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

/// The longest name that the specification allows, in characters.
const LENGTH_LIMIT: usize = 64;

/// A name's finding: the check, our message and the reference's.
pub(in crate::catalog) type Finding = (&'static Check, String, String);

/// What is wrong with a `name` that is not blank, in the order of the reference validator.
pub(in crate::catalog) fn findings(raw: &str, directory: &str) -> Vec<Finding> {
    let name = nfkc(strip(raw));
    let folder = nfkc(directory);
    let length = name.chars().count();
    let mut found: Vec<Finding> = Vec::new();
    if length > LENGTH_LIMIT {
        let message = format!("the name has {length} characters, more than {LENGTH_LIMIT}");
        let reference =
            format!("Skill name '{name}' exceeds {LENGTH_LIMIT} character limit ({length} chars)");
        found.push((&checks::NAME_LENGTH, message, reference));
    }
    if has_upper_case(&name) {
        let message = format!("the name '{name}' has capital letters");
        found.push((&checks::NAME_CASE, message, format!("Skill name '{name}' must be lowercase")));
    }
    if name.starts_with('-') || name.ends_with('-') {
        let message = format!("the name '{name}' begins or ends with a hyphen");
        found.push((
            &checks::NAME_HYPHEN_EDGE,
            message,
            "Skill name cannot start or end with a hyphen".into(),
        ));
    }
    if name.contains("--") {
        let message = format!("the name '{name}' has two hyphens in a row");
        found.push((
            &checks::NAME_DOUBLE_HYPHEN,
            message,
            "Skill name cannot contain consecutive hyphens".into(),
        ));
    }
    if let Some(other) = name.chars().find(|&c| c != '-' && !is_alphanumeric(c)) {
        let message = format!(
            "the name '{name}' has a character that is no letter, digit or hyphen: '{other}'"
        );
        let reference = format!(
            "Skill name '{name}' contains invalid characters. Only letters, digits, and hyphens are allowed."
        );
        found.push((&checks::NAME_CHARS, message, reference));
    }
    if !found.is_empty()
        && let suggestion = suggest_name(raw)
        && !suggestion.is_empty()
    {
        found
            .iter_mut()
            .for_each(|(_, message, _)| message.push_str(&format!("; '{suggestion}' would do")));
    }
    if folder != name {
        let message = format!("the name '{name}' is not the directory's, '{directory}'");
        let reference = format!("Directory name '{directory}' must match skill name '{name}'");
        found.push((&checks::NAME_DIR_MISMATCH, message, reference));
    }
    found
}

/// The findings of the lenient check: the reference's, and letters beyond a–z, which some hosts
/// refuse.
pub(super) fn diagnostics(raw: &str, directory: &str, place: Place) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = findings(raw, directory)
        .into_iter()
        .map(|(check, message, _)| Diagnostic::new(check, place, message))
        .collect();
    let chars = found.iter().any(|diagnostic| diagnostic.check == &checks::NAME_CHARS);
    if let Some(other) = strip(raw).chars().find(|c| !c.is_ascii() && !chars) {
        let message = format!("the name has a letter beyond a–z: '{other}'");
        found.push(Diagnostic::new(&checks::NAME_ASCII, place, message));
    }
    found
}

/// A valid name that is close to `name`: `PDF_Old` gives `pdf-old`. Empty if none of it is valid.
pub(in crate::catalog) fn suggest_name(name: &str) -> String {
    let mut suggestion = String::new();
    let mut length = 0;
    for c in nfkc(strip(name)).chars().flat_map(char::to_lowercase) {
        if length == LENGTH_LIMIT {
            break;
        }
        if is_alphanumeric(c) {
            suggestion.push(c);
        } else if !matches!(c, '\'' | '’') && !suggestion.is_empty() && !suggestion.ends_with('-')
        {
            suggestion.push('-');
        } else {
            continue;
        }
        length += 1;
    }
    suggestion.truncate(suggestion.trim_end_matches('-').len());
    suggestion
}

/// Python's `str.strip`: Unicode's white space and the four information separators.
pub(in crate::catalog) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
}

fn nfkc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

fn has_upper_case(name: &str) -> bool {
    if name.is_ascii() {
        name.bytes().any(|byte| byte.is_ascii_uppercase())
    } else {
        name.to_lowercase() != name
    }
}

/// Python's `str.isalnum` for one character: letters, and everything with a numeric value.
fn is_alphanumeric(c: char) -> bool {
    use GeneralCategory as G;
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(c),
        G::UppercaseLetter
            | G::LowercaseLetter
            | G::TitlecaseLetter
            | G::ModifierLetter
            | G::OtherLetter
            | G::DecimalNumber
            | G::LetterNumber
            | G::OtherNumber
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(name: &str, directory: &str) -> Vec<&'static str> {
        findings(name, directory).into_iter().map(|(check, ..)| check.code).collect()
    }

    #[test]
    fn letters_and_digits_of_every_script_pass_but_marks_and_signs_do_not() {
        for name in ["技能", "мой-навык", "a2", "ⅷ", "ªº", "①"] {
            assert!(!codes(name, name).contains(&"name-chars"), "{name}");
        }
        for name in ["हिन्दी", "ไทยที่", "a_b", "a b", "🚀"] {
            assert!(codes(name, name).contains(&"name-chars"), "{name}");
        }
        assert_eq!(codes("Навык", "Навык"), ["name-case"]);
    }

    #[test]
    fn names_are_compared_after_compatibility_normalization() {
        assert_eq!(codes("cafe\u{301}", "café"), Vec::<&str>::new());
        assert_eq!(codes(" a² ", "a2"), Vec::<&str>::new());
        assert_eq!(codes("ｐｄｆ", "pdf"), Vec::<&str>::new());
        assert_eq!(codes("pdf", ""), ["name-dir-mismatch"]);
    }

    #[test]
    fn suggestions_are_what_one_would_type() {
        for (name, suggestion) in [
            ("PDF_Old", "pdf-old"),
            (" Contentful  Automation! ", "contentful-automation"),
            ("Don't -- stop", "dont-stop"),
            ("Ünïcode", "ünïcode"),
            ("🚀", ""),
        ] {
            assert_eq!(suggest_name(name), suggestion);
            let (_, message, _) = &findings(name, name)[0];
            let told = message.contains(&format!("; '{suggestion}' would do"));
            assert_eq!(told, !suggestion.is_empty(), "{message}");
        }
        let (_, mismatch, _) = &findings("pdf", "other")[0];
        assert!(!mismatch.contains("would do"), "{mismatch}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn a_suggestion_passes_every_rule(name in "[ -~àÉßſﬁİ½技\u{301}🚀]{0,90}") {
            let suggestion = suggest_name(&name);
            if !suggestion.is_empty() {
                prop_assert_eq!(codes(&suggestion, &suggestion), Vec::<&str>::new());
            }
        }
    }
}
