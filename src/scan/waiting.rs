//! Folders and links that wait to be listed, first come first served.

use super::ignored::Ignored;
use super::names::Names;
use super::place::{Base, Place};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Room in the queue that is kept, however few wait.
const SPARE: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    parents: VecDeque<Siblings>,
    /// How many wait.
    count: usize,
}

impl Waiting {
    /// Adds these folders and links in a folder.
    pub(super) fn push(&mut self, above: &Place, names: Names) {
        self.count += names.len();
        self.parents.extend(Siblings::new(above, names));
    }

    pub(super) fn pop(&mut self) -> Option<Place> {
        let Self { parents, count } = self;
        let first = parents.front_mut()?;
        let place = first.next();
        *count = count.saturating_sub(1);
        if first.is_empty() {
            parents.pop_front();
            // The skills take the memory that the folders before them took.
            if parents.capacity() > SPARE && parents.len() < parents.capacity() / 4 {
                parents.shrink_to(parents.len() * 2);
            }
        }
        place
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Folders and links of one parent folder. Some parents hold very many, so each of them becomes a
/// [`Place`] only when its turn comes.
#[derive(Debug)]
struct Siblings {
    base: Arc<Base>,
    /// The parent's path below the base.
    above: Box<Path>,
    ignored: Option<Arc<Ignored>>,
    names: Names,
    /// The position of the next one.
    next: u32,
    /// The parent's.
    depth: u32,
    in_skill: bool,
}

impl Siblings {
    /// These children of a folder; `None` if there are none.
    fn new(above: &Place, names: Names) -> Option<Self> {
        (names.len() > 0).then(|| Self {
            base: Arc::clone(&above.base),
            above: above.below.as_path().into(),
            ignored: above.ignored.clone(),
            names,
            next: 0,
            depth: u32::try_from(above.depth).unwrap_or(u32::MAX),
            in_skill: above.in_skill,
        })
    }

    /// Whether none is left.
    fn is_empty(&self) -> bool {
        self.names.at(self.next as usize).is_none()
    }
}

impl Iterator for Siblings {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let (child, next) = self.names.at(self.next as usize)?;
        self.next = u32::try_from(next).unwrap_or(u32::MAX);
        let above = Place {
            base: Arc::clone(&self.base),
            below: self.above.to_path_buf(),
            depth: self.depth as usize,
            is_link: false,
            in_skill: self.in_skill,
            ignored: self.ignored.clone(),
        };
        Some(above.child(child))
    }
}
