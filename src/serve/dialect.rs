//! Which tools there are, by which names: our own, or those that an agent of the seeds expects.

/// The names and shapes of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `skill_search`, `skill_load` ….
    #[default]
    Codelia,
    /// One tool `skill` with the catalog in its description.
    Kodelet,
    /// `skills.load`, `skills.readFile`.
    Spec0027,
    /// `skills.activate`, `skills.readResource`.
    Remcochat,
    /// `skills.load`, `skills.unload`, `skills.read`, `skills.run_script`.
    Run,
}

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    Search,
    Load,
    Unload,
    Read,
    List,
    Inspect,
    Script,
}

impl Dialect {
    /// Every dialect with its word.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("codelia", Self::Codelia),
        ("kodelet", Self::Kodelet),
        ("spec0027", Self::Spec0027),
        ("remcochat", Self::Remcochat),
        ("run", Self::Run),
    ];

    /// The dialect of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, dialect)| *dialect)
    }

    /// Whether it has a tool for this.
    pub(super) fn can(self, job: Job) -> bool {
        self.tools().iter().any(|(_, known)| *known == job)
    }

    pub(super) fn tools(self) -> &'static [(&'static str, Job)] {
        match self {
            Self::Codelia => &[
                ("skill_search", Job::Search),
                ("skill_load", Job::Load),
                ("skill_unload", Job::Unload),
                ("skill_read", Job::Read),
                ("skills_list", Job::List),
                ("context_inspect", Job::Inspect),
                ("skill_run_script", Job::Script),
            ],
            Self::Kodelet => &[("skill", Job::Load)],
            Self::Spec0027 => &[("skills.load", Job::Load), ("skills.readFile", Job::Read)],
            Self::Remcochat => {
                &[("skills.activate", Job::Load), ("skills.readResource", Job::Read)]
            }
            Self::Run => &[
                ("skills.load", Job::Load),
                ("skills.unload", Job::Unload),
                ("skills.read", Job::Read),
                ("skills.run_script", Job::Script),
            ],
        }
    }
}
