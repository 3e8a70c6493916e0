//! Finds the known word that a misspelt one was most likely meant to be.

/// The known word nearest to `word`, if at most two letters are wrong, missing, too many or
/// swapped. In words of up to three letters it may be one letter, since with two almost any of them
/// would do.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(64).collect();
    let allowed = if word.len() <= 3 { 1 } else { 2 };
    let near = known
        .into_iter()
        .map(|other| (distance(&word, &other.to_lowercase().chars().collect::<Vec<_>>()), other));
    near.filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// How many letters must be changed, added, left out or swapped with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (row, letter) in one.iter().enumerate() {
        let above = &rows[row];
        let mut next = vec![row + 1];
        for (column, target) in other.iter().enumerate() {
            let mut least = (above[column + 1] + 1)
                .min(next[column] + 1)
                .min(above[column] + usize::from(letter != target));
            if row > 0 && column > 0 && one[row - 1] == *target && *letter == other[column - 1] {
                least = least.min(rows[row - 1][column - 1] + 1);
            }
            next.push(least);
        }
        rows.push(next);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_nearest_word_is_meant_and_a_far_one_is_not() {
        let known = ["enabled", "allowed", "config", "initial", "search"];
        for (word, meant) in [
            ("enable", Some("enabled")),
            ("Enabled", Some("enabled")),
            ("alowde", Some("allowed")),
            ("confgi", Some("config")),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(did_you_mean(word, known), meant, "{word}");
        }
        assert_eq!(did_you_mean("pi", ["amp", "pip"]), Some("pip"));
        assert_eq!(did_you_mean("xy", ["amp"]), None);
    }
}
