//! The tools by which a model uses skills, and their names: our own, or those that another skills
//! system has.

use crate::runtime::prompt::Format;
use crate::words;

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
pub enum Job {
    Search,
    Load,
    Unload,
    Read,
    List,
    Inspect,
    Script,
}

words!(
    Dialect,
    Codelia = "codelia",
    Kodelet = "kodelet",
    Spec0027 = "spec0027",
    Remcochat = "remcochat",
    Run = "run"
);

impl Dialect {
    /// The host of the system that speaks so. Ours is every host's.
    pub fn host(self) -> Option<&'static str> {
        match self {
            Self::Codelia => Some("codelia"),
            Self::Kodelet => Some("kodelet"),
            Self::Spec0027 => Some("spec0027"),
            Self::Remcochat => Some("remcochat"),
            Self::Run => None,
        }
    }

    /// What a model has that uses this host: our own tools, unless its system has others.
    pub fn of_host(host: &str) -> Self {
        Self::ALL.into_iter().find(|dialect| dialect.host() == Some(host)).unwrap_or_default()
    }

    /// How its system writes a catalog.
    pub fn format(self) -> Format {
        match self {
            Self::Codelia => Format::Codelia,
            Self::Kodelet => Format::Markdown,
            // Names and descriptions only (AAB-1, REM-5.1).
            Self::Spec0027 | Self::Remcochat => Format::Json,
            Self::Run => Format::Agentskills,
        }
    }

    /// The name of its tool for this job, if it has one.
    pub fn tool(self, job: Job) -> Option<&'static str> {
        self.tools().iter().find(|(_, known)| *known == job).map(|(name, _)| *name)
    }

    /// Its tools, by name. The tool for scripts is there only where a setting allows scripts.
    pub fn tools(self) -> &'static [(&'static str, Job)] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_dialect_is_found_by_its_word() {
        for (word, dialect) in Dialect::ALL.map(|dialect| (dialect.word(), dialect)) {
            assert_eq!(Dialect::from_word(word), Some(dialect));
        }
        assert_eq!(Dialect::from_word("Codelia"), None);
    }

    #[test]
    fn each_name_means_one_tool_and_each_dialect_loads() {
        for (word, dialect) in Dialect::ALL.map(|dialect| (dialect.word(), dialect)) {
            let names: HashSet<&str> = dialect.tools().iter().map(|(name, _)| *name).collect();
            assert_eq!(names.len(), dialect.tools().len(), "{word}");
            for (name, job) in dialect.tools() {
                assert_eq!(dialect.tool(*job), Some(*name), "{word}");
            }
            assert!(dialect.tool(Job::Load).is_some(), "{word}");
        }
        assert_eq!(Dialect::Kodelet.tool(Job::Unload), None);
    }
}
