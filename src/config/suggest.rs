//! Finds the known word that a misspelt one was most likely meant to be.

use strsim::osa_distance;

/// The known word nearest to `word`, if at most two letters are wrong, missing, too many or
/// swapped. In words of up to five letters it may be one letter, since with two almost any of them
/// would do, unless it is the beginning of the known one.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.to_lowercase().chars().take(64).collect();
    let allowed = (word.chars().count() / 3).clamp(1, 2);
    let near = known.into_iter().map(|other| (osa_distance(&word, &other.to_lowercase()), other));
    let is_cut = |other: &str| other.to_lowercase().starts_with(&word) && !word.is_empty();
    near.filter(|(distance, other)| *distance <= if is_cut(other) { 2 } else { allowed })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_nearest_word_is_meant_and_a_far_one_is_not() {
        let known = ["enabled", "allowed", "config", "initial", "search", "year", "kode"];
        for (word, meant) in [
            ("enable", Some("enabled")),
            ("Enabled", Some("enabled")),
            ("alowde", Some("allowed")),
            ("confgi", Some("config")),
            ("banana", None),
            ("yaer", Some("year")),
            ("nope", None),
            ("conf", Some("config")),
            ("", None),
        ] {
            assert_eq!(did_you_mean(word, known), meant, "{word}");
        }
        assert_eq!(did_you_mean("pi", ["amp", "pip"]), Some("pip"));
        assert_eq!(did_you_mean("xy", ["amp"]), None);
    }
}
