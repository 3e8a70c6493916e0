//! How much of its skills a host shows or gives a model.

/// The limits of a host: its own, or what its settings say. `None` where it has no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most skills that it finds: its search ends with the last of them.
    pub discovered: Option<usize>,
    /// The most skills of the catalog.
    pub entries: Option<usize>,
    /// The most bytes of all entries.
    pub bytes: Option<usize>,
    /// The most characters of one description.
    pub description: Option<usize>,
    /// How many skills a search gives if nobody says how many.
    pub found: Option<usize>,
    /// The most skills that a search gives.
    pub most_found: Option<usize>,
    /// The most bytes of a `SKILL.md` that a load gives.
    pub skill_md: Option<usize>,
    /// The most bytes of another file that a read gives.
    pub resource: Option<usize>,
}

impl Limits {
    pub const NONE: Self = Self {
        discovered: None,
        entries: None,
        bytes: None,
        description: None,
        found: None,
        most_found: None,
        skill_md: None,
        resource: None,
    };

    /// These limits, or those of `other` where these have none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            discovered: self.discovered.or(other.discovered),
            entries: self.entries.or(other.entries),
            bytes: self.bytes.or(other.bytes),
            description: self.description.or(other.description),
            found: self.found.or(other.found),
            most_found: self.most_found.or(other.most_found),
            skill_md: self.skill_md.or(other.skill_md),
            resource: self.resource.or(other.resource),
        }
    }
}
