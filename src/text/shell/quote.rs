//! Text put into a command line so that the shell hands it on unchanged.

use super::line::{Quote, Shell};

/// The text as it stands in quotes of this kind that are open already. `None` if such quotes cannot
/// hold it.
pub(super) fn within(text: &str, quote: Quote, shell: Shell) -> Option<String> {
    let escaped = |special: &str, sign: char| Some(escape(text, special, sign));
    match (shell, quote) {
        (_, Quote::None) => None,
        (Shell::Bash | Shell::Zsh, Quote::Single) => Some(text.replace('\'', r"'\''")),
        // Between double quotes a backslash before `!` would stay, and `!` alone calls the history.
        (Shell::Bash | Shell::Zsh, Quote::Double) => {
            Some(escape(text, "$`\"\\", '\\').replace('!', r#""'!'""#))
        }
        (Shell::Bash | Shell::Zsh, Quote::DollarSingle) => escaped("'\\", '\\'),
        (Shell::Fish, Quote::Single) => escaped("'\\", '\\'),
        (Shell::Fish, Quote::Double) => escaped("$\"\\", '\\'),
        (Shell::Nu, Quote::Single) => free_of(text, "'"),
        (Shell::Nu, Quote::Backtick) => free_of(text, "`"),
        (Shell::Nu, Quote::Raw(signs)) => {
            // A quote before it and a sign that it begins with could end the quotes.
            let ends = text.contains(&format!("'{}", "#".repeat(signs))) || text.starts_with('#');
            (!ends).then(|| text.to_owned())
        }
        (Shell::Nu, Quote::DollarSingle) => free_of(text, "'()"),
        (Shell::Nu, Quote::Double) => escaped("\"\\", '\\'),
        (Shell::Nu, Quote::DollarDouble) => escaped("\"\\()", '\\'),
        // PowerShell takes typographic quotes for quotes.
        (Shell::Powershell, Quote::Single) => {
            let quotes = |sign: char| matches!(sign, '\'' | '\u{2018}'..='\u{201b}');
            let twice = |sign| std::iter::repeat_n(sign, if quotes(sign) { 2 } else { 1 });
            Some(text.chars().flat_map(twice).collect())
        }
        (Shell::Powershell, Quote::Double) => escaped("$`\"\u{201c}\u{201d}\u{201e}", '`'),
        _ => None,
    }
}

/// The text as an argument: the opening quote and the text, then the closing quote.
pub fn apart(text: &str, shell: Shell) -> (String, char) {
    match within(text, Quote::Single, shell) {
        Some(inside) => (format!("'{inside}"), '\''),
        None => (format!("\"{}", escape(text, "\"\\", '\\')), '"'),
    }
}

fn escape(text: &str, special: &str, sign: char) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if special.contains(letter) {
            escaped.push(sign);
        }
        escaped.push(letter);
    }
    escaped
}

fn free_of(text: &str, signs: &str) -> Option<String> {
    (!text.contains(|letter| signs.contains(letter))).then(|| text.to_owned())
}

/// The text for bash as the rest of a word: within the quotes that are open, else with a backslash
/// before every sign that could mean something. Nothing in it acts, also as a part.
pub fn escaped(text: &str, quote: Quote) -> Option<String> {
    if quote != Quote::None {
        return within(text, quote, Shell::Bash);
    }
    let plain = |letter: char| letter.is_alphanumeric() || "_-./:@+,=%".contains(letter);
    let parts = text.chars().map(|letter| match plain(letter) {
        true => letter.to_string(),
        false => format!("\\{letter}"),
    });
    Some(parts.collect())
}
