//! The marks, in the order in which they were set.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The marked skills. They are told by path, so they outlive a new scan and a filter that hides them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    order: Vec<Arc<Path>>,
    set: HashSet<Arc<Path>>,
}

impl Marks {
    /// Whether a skill is marked.
    pub fn has(&self, path: &Path) -> bool {
        self.set.contains(path)
    }

    /// How many are marked.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The marked skills, first marked first.
    pub fn in_order(&self) -> &[Arc<Path>] {
        &self.order
    }

    /// Marks a skill, or takes its mark away.
    pub fn toggle(&mut self, path: &Arc<Path>) {
        if self.set.remove(path) {
            self.order.retain(|marked| marked != path);
        } else {
            self.add(path);
        }
    }

    /// Marks a skill that may be marked already.
    pub fn add(&mut self, path: &Arc<Path>) {
        if self.set.insert(Arc::clone(path)) {
            self.order.push(Arc::clone(path));
        }
    }

    /// Takes every mark away.
    pub fn clear(&mut self) {
        self.order.clear();
        self.set.clear();
    }

    /// Keeps only the marks of skills that are still there.
    pub fn keep(&mut self, exists: impl Fn(&Path) -> bool) {
        self.order.retain(|path| exists(path));
        self.set.retain(|path| exists(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_keep_the_order_in_which_they_were_set() {
        let path = |name: &str| Arc::<Path>::from(Path::new(name));
        let mut marks = Marks::default();
        for name in ["/c", "/a", "/b", "/a"] {
            marks.toggle(&path(name));
        }
        marks.add(&path("/c"));
        marks.add(&path("/a"));
        assert_eq!(marks.in_order(), [path("/c"), path("/b"), path("/a")]);
        marks.keep(|path| path != Path::new("/b"));
        assert_eq!(marks.count(), 2);
        assert!(!marks.has(Path::new("/b")));
    }
}
