//! Nested skills. Their files are given with the outer skill only if the caller could load the
//! inner one.

use super::call_context::CallContext;
use super::judge::Asker;
use crate::catalog::Skill;
use crate::policy::Entry;
use std::path::{Path, PathBuf};

/// The skills nested in one skill, and whether each of them may be loaded.
#[derive(Debug, Default)]
pub struct NestedSkills(Vec<NestedSkill>);

#[derive(Debug)]
struct NestedSkill {
    dir: PathBuf,
    loadable: bool,
}

impl NestedSkills {
    /// The skills nested in this one, each judged for its asker.
    pub fn of(caller: &CallContext<'_>, skill: &Skill, asker: impl Fn(&Entry) -> Asker) -> Self {
        let nested = caller
            .view
            .rows
            .entries()
            .filter(|entry| lies_in(entry, skill) && entry.skill.dir() != skill.dir());
        let judged = nested.map(|entry| NestedSkill {
            dir: entry.skill.dir().to_owned(),
            loadable: caller
                .judge_files(entry, asker(entry), || caller.files(&entry.skill, None))
                .is_ok(),
        });
        Self(judged.collect())
    }

    /// Whether this file or folder of the outer skill, an absolute path, is given with it.
    pub fn gives(&self, path: &Path) -> bool {
        if self.0.iter().all(|nested| nested.loadable) {
            return true;
        }
        let Ok(real) = std::fs::canonicalize(path) else { return false };
        let around = self.0.iter().filter(|nested| real.starts_with(&nested.dir));
        let innermost = around.max_by_key(|nested| nested.dir.as_os_str().len());
        innermost.is_none_or(|nested| nested.loadable)
    }
}

/// Whether an entry that can be loaded is this skill, or lies in its directory.
pub(super) fn lies_in(entry: &Entry, skill: &Skill) -> bool {
    // Comparing paths part by part is slow, and nearly none begins with the same bytes.
    let [inner, outer] = [&entry.skill.path, skill.dir()].map(|path| path.as_os_str());
    inner.as_encoded_bytes().starts_with(outer.as_encoded_bytes())
        && entry.skill.path.starts_with(skill.dir())
        && entry.taken()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    const A: &str = "home/.agents/skills/a";

    /// A skill with others in it, of which the host refuses one, since it has no description.
    /// Loading `closed` and `ab` needs a person's consent.
    fn test() -> TestWorkspace {
        let mut test = TestWorkspace::with(&[
            (A, "a"),
            ("home/.agents/skills/a/closed", "closed"),
            ("home/.agents/skills/a/closed/open", "open"),
            ("home/.agents/skills/ab", "ab"),
        ]);
        let rule = |name: &str| {
            format!("[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
        };
        let settings = format!("version = 1\n{}{}", rule("closed"), rule("ab"));
        test.write("home/.config/skillpick/config.toml", &settings);
        for file in ["closed/f", "closed/open/f", "refused/f", "refused/SKILL.md"] {
            test.write(&format!("{A}/{file}"), "text");
        }
        test
    }

    fn of(test: &TestWorkspace, asker: Asker) -> NestedSkills {
        let (view, session, scope) = (test.view(), None, None);
        let workspace = &test.workspace;
        let caller = CallContext { workspace, view: &view, client: "test", session, scope };
        let outer = view.rows.entries().find(|entry| entry.skill.name == "a").unwrap();
        NestedSkills::of(&caller, &outer.skill, |_| asker)
    }

    #[test]
    fn nested_skills_are_those_in_its_folder_that_the_host_takes_and_no_others() {
        let test = test();
        let nested = of(&test, Asker::MODEL);
        let mut rows: Vec<(&Path, bool)> =
            nested.0.iter().map(|one| (&*one.dir, one.loadable)).collect();
        rows.sort();
        let (closed, open) = (test.env.at(A).join("closed"), test.env.at(A).join("closed/open"));
        assert_eq!(rows, [(&*closed, false), (&*open, true)]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_given_if_the_innermost_skill_around_it_may_be_loaded() {
        let test = test();
        test.env.link(&format!("{A}/closed/f"), &format!("{A}/link"));
        let path = |file: &str| test.env.at(A).join(file);
        for (file, given) in [
            ("SKILL.md", true),
            ("refused/f", true),
            ("closed", false),
            ("closed/f", false),
            ("closed/open/f", true),
            ("link", false),
            ("gone", false),
        ] {
            assert_eq!(of(&test, Asker::MODEL).gives(&path(file)), given, "{file}");
            // Nothing is kept back once a person has consented.
            assert!(of(&test, Asker::ASKED).gives(&path(file)), "{file}");
        }
    }
}
