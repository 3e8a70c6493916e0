//! Options that take one of a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Words with their help and what they stand for.
pub(super) type Choices<T> = &'static [(&'static str, &'static str, T)];

pub(super) fn one_of<T: Clone + Send + Sync>(
    choices: Choices<T>,
) -> impl TypedValueParser<Value = T> {
    let words = choices.iter().map(|(word, help, _)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(words).try_map(move |word| {
        let chosen = choices.iter().find(|(known, ..)| *known == word);
        chosen.map(|(.., value)| value.clone()).ok_or("there is no such word")
    })
}
