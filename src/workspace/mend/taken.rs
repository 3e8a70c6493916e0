//! The names that a skill must not get: another one would stand in its place, or be taken for it.

use crate::catalog::{Skill, skeleton};
use crate::workspace::{View, Workspace};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;

/// The names of a view, those that this run gives, and, where only a folder is looked through,
/// those that the host finds beside its skills.
pub(super) struct Taken<'a> {
    workspace: &'a Workspace,
    view: &'a View,
    there: OnceCell<Looks>,
    beside: OnceCell<(View, Looks)>,
    given: RefCell<Looks>,
}

/// Skills by how their names are drawn.
type Looks = HashMap<String, Vec<Other>>;

/// A skill that has a name, or gets it.
struct Other {
    path: PathBuf,
    name: String,
    /// The name that it had before it gets this one.
    before: Option<String>,
}

impl<'a> Taken<'a> {
    pub(super) fn new(workspace: &'a Workspace, view: &'a View) -> Self {
        let (there, beside) = (OnceCell::new(), OnceCell::new());
        Self { workspace, view, there, beside, given: RefCell::default() }
    }

    /// Whether another skill has the name that this one would get, or a different one that is drawn
    /// like it and was not drawn like its old one. Copies, which have one name, may get a new one
    /// together.
    pub(super) fn has(&self, name: &str, of: &Skill) -> bool {
        let look = skeleton(name);
        let was_alike = skeleton(&of.name) == look;
        let is_other = |other: &Other| {
            other.path != of.path
                && other.before.as_ref() != Some(&of.name)
                && (!was_alike || other.name == name)
        };
        let is_in = |looks: &Looks| looks.get(&look).is_some_and(|all| all.iter().any(is_other));
        let given: &Looks = &self.given.borrow();
        is_in(self.there.get_or_init(|| looks(self.view)))
            || is_in(given)
            || self.beside(of).is_some_and(is_in)
    }

    /// Notes that a skill gets a name.
    pub(super) fn give(&self, name: &str, to: &Skill) {
        let (path, before) = (to.path.clone(), Some(to.name.clone()));
        let other = Other { path, name: name.to_owned(), before };
        self.given.borrow_mut().entry(skeleton(name)).or_default().push(other);
    }

    /// What the host finds by itself, if folders were named and the skill is among it.
    fn beside(&self, skill: &Skill) -> Option<&Looks> {
        if !self.workspace.is_browsing() {
            return None;
        }
        let (view, looks) = self.beside.get_or_init(|| {
            let view = Workspace { instead: Vec::new(), ..self.workspace.clone() }.view();
            let looks = looks(&view);
            (view, looks)
        });
        view.rows.at(&skill.path).map(|_| looks)
    }
}

fn looks(view: &View) -> Looks {
    let mut looks = Looks::new();
    for skill in view.rows.entries().map(|entry| &entry.skill) {
        let other = Other { path: skill.path.clone(), name: skill.name.clone(), before: None };
        looks.entry(skeleton(&skill.name)).or_default().push(other);
    }
    looks
}
