//! "Did you mean": names that are similar to an unknown one.

use super::typo::distance;
use crate::text::fold::fold;
use std::cmp::Reverse;

/// The most names that are suggested.
const MOST: usize = 3;

/// The names most similar to `name`, best first, at most three, each once: equal but for case or
/// accents, then with a typing error, then if one begins with the other, then if one contains the
/// other.
pub fn suggest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let sought = fold(name);
    if sought.is_empty() {
        return Vec::new();
    }
    let rated = names
        .into_iter()
        .filter(|other| *other != name)
        .filter_map(|other| Some((rate(&sought, other)?, other)));
    let mut near: Vec<_> = rated.collect();
    near.sort_unstable();
    near.dedup_by_key(|(_, other)| *other);
    near.into_iter().take(MOST).map(|(_, other)| other).collect()
}

/// The kind of similarity, and the order within it; `None` if the names are not similar.
fn rate(sought: &str, name: &str) -> Option<(u8, usize, Reverse<usize>)> {
    let name = fold(name);
    let letters = sought.chars().count();
    let bound = (letters / 3).clamp(usize::from(letters > 1), 3);
    if name.is_empty() {
        return None;
    }
    if let Some(errors) = distance(sought, &name, bound) {
        return Some((0, errors, Reverse(0)));
    }
    let shared = name.len().min(sought.len());
    if shared < 2 {
        return None;
    }
    let apart = name.len().abs_diff(sought.len());
    if name.starts_with(sought) || sought.starts_with(&name) {
        Some((1, apart, Reverse(shared)))
    } else if name.contains(sought) || sought.contains(&name) {
        Some((2, apart, Reverse(shared)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_best_first() {
        let names = ["pdf", "pdf-tools", "docx", "my-pdf", "pptx", "pdfs", "pdf"];
        assert_eq!(suggest("PDF", names), ["pdf", "pdfs", "pdf-tools"]);
        assert_eq!(suggest("pfd", names), ["pdf"]);
        assert_eq!(suggest("my-pdf-skill", names), ["my-pdf", "pdf"]);
        assert_eq!(suggest("dcox", names), ["docx"]);
        assert!(suggest("quokka", names).is_empty());
        assert!(suggest("", names).is_empty());
        assert!(suggest("x", names).is_empty());
        assert_eq!(suggest("cafe", ["Café", "cafe"]), ["Café"], "the name itself is no suggestion");
    }

    #[test]
    fn kubernetes() {
        assert_eq!(suggest("kuberentes", ["kubernetes", "kube"]), ["kubernetes", "kube"]);
    }
}
