//! What settings files of all agents have in common: ways in which a file is odd or broken.

use super::places::Laid;
use crate::env::random::Random;

/// Values of the wrong type, as JSON.
pub(crate) const WRONG: &[&str] =
    &["null", "true", "5", "\"text\"", "[]", "{}", "[5]", "[null]", "{\"a\":1}", "[[\"a\"]]"];

/// A text as JSON and TOML write it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A list of up to three names of skills, patterns now and then.
pub(crate) fn names(random: &mut Random, laid: &Laid, patterns: usize) -> String {
    let mut names = Vec::new();
    for _ in 0..random.between(0, 3) {
        let pattern = random.chance(patterns);
        names.push(if pattern { laid.pattern(random) } else { laid.name(random) });
    }
    list(&names)
}

/// An object with up to this many of the pairs that are made.
pub(crate) fn pairs(
    random: &mut Random,
    most: usize,
    mut make: impl FnMut(&mut Random) -> String,
) -> String {
    let pairs: Vec<String> = (0..random.between(0, most)).map(|_| make(random)).collect();
    object(&pairs)
}

/// A list of texts, one on each line.
pub(crate) fn list(texts: &[String]) -> String {
    let lines: Vec<String> = texts.iter().map(|text| format!("  {}", quoted(text))).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}

/// An object of these `"key": value` pairs, one on each line.
pub(crate) fn object(pairs: &[String]) -> String {
    format!("{{\n{}\n}}", pairs.join(",\n"))
}

/// `"key": value`, or sometimes a value of a wrong type.
pub(crate) fn pair(random: &mut Random, key: &str, value: &str) -> String {
    let value = if random.chance(3) { random.word(WRONG) } else { value };
    format!("{}: {value}", quoted(key))
}

/// The bytes of a settings file; a few files are odd, and some of those cannot be read.
pub(crate) fn odd(random: &mut Random, text: String) -> Vec<u8> {
    match random.below(150) {
        0 => format!("\u{feff}{text}").into_bytes(),
        1 => format!("// a comment\n{text}").into_bytes(),
        2 => format!("# a comment\n{text}").into_bytes(),
        3 => format!("{text}\n/* the end */\n").into_bytes(),
        4 => text.replacen("\n}", ",\n}", 1).into_bytes(),
        5 => text.replacen("\n]", ",\n]", 1).into_bytes(),
        6 => Vec::new(),
        7 => b" \n".into(),
        8 => text.as_bytes()[..text.floor_char_boundary(text.len() / 2)].to_vec(),
        9 => [text.as_bytes(), b"\xff"].concat(),
        10 => text.replace('\n', "\r\n").into_bytes(),
        11 => random.word(WRONG).into(),
        12 => format!("{text}\n}}\n").into_bytes(),
        _ => text.into_bytes(),
    }
}
