//! Words of English that say nothing of what a text is about, such as `the`. A model's request is
//! full of them: "I would like to make a …".

/// Whether a word in lower case is one.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Sorted. Articles, pronouns, prepositions, auxiliary verbs and the like; and `use`, `want` and
/// `skill`, which nearly every request or description has.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "between", "both", "but", "by", "can", "could", "did",
    "do", "does", "doing", "don", "each", "for", "from", "had", "has", "have", "having", "he",
    "help", "helps", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it",
    "its", "just", "let", "lets", "like", "ll", "m", "me", "more", "most", "my", "need", "needs",
    "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "out",
    "over", "own", "please", "re", "s", "same", "she", "should", "skill", "skills", "so", "some",
    "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "through", "to", "too", "under", "until", "up", "us", "use", "used", "user", "uses",
    "using", "ve", "very", "via", "want", "wants", "was", "we", "were", "what", "when", "where",
    "whether", "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_each_word_is_found() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        assert!(!is_stop_word("pdf"));
    }
}
