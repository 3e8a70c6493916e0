//! Makes a tree with a difference small: files go, then variables, then lines of files, as long as
//! the difference stays.

use super::agents::Fuzzed;
use super::compare::{Difference, compare};
use super::tree::{Item, Tree};

/// How often the agent is asked for one difference.
const ASKED: usize = 40;

/// The smallest tree that was found in which this difference is.
pub(crate) fn shrink(agent: &Fuzzed, tree: &Tree, difference: &Difference) -> Tree {
    let mut left = ASKED;
    let mut differs = |tree: &Tree| {
        left = left.saturating_sub(1);
        left > 0 && compare(agent, tree).differences.contains(difference)
    };
    let mut tree = tree.clone();
    let about = Tree { items: about(&tree, &difference.skill), ..tree.clone() };
    if differs(&about) {
        tree = about;
    }
    tree.items =
        smaller(&tree.items, &mut |items| differs(&Tree { items: items.to_vec(), ..tree.clone() }));
    tree.variables = smaller(&tree.variables, &mut |variables| {
        differs(&Tree { variables: variables.to_vec(), ..tree.clone() })
    });
    for index in 0..tree.items.len() {
        let Item::File(path, bytes) = &tree.items[index] else { continue };
        let path = path.clone();
        let lines: Vec<Vec<u8>> =
            bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let lines = smaller(&lines, &mut |lines| {
            let mut tree = tree.clone();
            tree.items[index] = Item::File(path.clone(), lines.concat());
            differs(&tree)
        });
        tree.items[index] = Item::File(path, lines.concat());
    }
    tree
}

/// What lies where the skill is, or leads there: mostly that is enough.
fn about(tree: &Tree, skill: &str) -> Vec<Item> {
    let folder = skill.rsplit_once('/').map_or(skill, |(folder, _)| folder);
    let is_near = |path: &str| skill.starts_with(path) || path.starts_with(folder);
    let is_about = |item: &&Item| match item {
        Item::File(path, _) | Item::Folder(path) | Item::Repository(path) => is_near(path),
        Item::Link(path, to) => is_near(path) || is_near(to),
    };
    tree.items.iter().filter(is_about).cloned().collect()
}

/// The parts without which it no longer holds: halves are left out first, then ever smaller parts.
fn smaller<T: Clone>(all: &[T], holds: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = all.to_vec();
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let rest = [&kept[..at], &kept[end..]].concat();
            if holds(&rest) { kept = rest } else { at = end }
        }
        size /= 2;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::smaller;

    #[test]
    fn what_is_needed_stays() {
        let all: Vec<u32> = (0..20).collect();
        let both = &mut |some: &[u32]| some.contains(&3) && some.contains(&17);
        assert_eq!(smaller(&all, both), [3, 17]);
        assert!(smaller(&all, &mut |_| true).is_empty());
    }
}
