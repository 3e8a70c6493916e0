//! What a person without skills begins with: a new one, links to those of a folder, or the examples
//! that the program brings.

use super::Workspace;
use super::mend::{MendPlan, MendedSkill, Move};
use crate::catalog::validate::{FILE_NAME, refused_name};
use crate::catalog::{Root, Scope};
use crate::files::access::real;
use crate::text::diff::FileChange;
use crate::text::reason;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most skills that are linked at once.
const MOST: usize = 200;

/// The text of a new skill. Each line says what belongs there.
const TEMPLATE: &str = "---\nname: NAME\ndescription: What it does, and when to use it, in one or two sentences.\n---\n\n# NAME\n\nThe steps, as you would tell them to somebody new.\n";

/// The examples: their paths, and their bytes.
const EXAMPLES: &[(&str, &[u8])] = &[
    ("csv-report/SKILL.md", include_bytes!("../../assets/examples/csv-report/SKILL.md")),
    (
        "csv-report/scripts/describe.py",
        include_bytes!("../../assets/examples/csv-report/scripts/describe.py"),
    ),
    ("meeting-notes/SKILL.md", include_bytes!("../../assets/examples/meeting-notes/SKILL.md")),
    (
        "meeting-notes/references/template.md",
        include_bytes!("../../assets/examples/meeting-notes/references/template.md"),
    ),
];

impl Workspace {
    /// The root where a new skill goes: of the first of these scopes that has a root, an existing
    /// one before others. Browsed folders do not count.
    fn root_for(&self, scopes: &[Scope]) -> Option<Root> {
        let own = Self { instead: Vec::new(), ..self.clone() };
        let is_open = |root: &Root| root.closed.is_none() && root.takes_folders();
        let roots: Vec<Root> = own.roots().into_iter().filter(is_open).collect();
        let of = |scope: &Scope| {
            let all = || roots.iter().filter(|root| root.scope == *scope);
            all().find(|root| root.path.is_dir()).or_else(|| all().next())
        };
        scopes.iter().find_map(of).cloned()
    }

    /// Works out how a new skill is made here: in the repository's folder of skills, outside one in
    /// the person's own. Nothing is written.
    ///
    /// # Errors
    /// Why it cannot have this name, or has no place.
    pub fn plan_new(&self, name: &str) -> Result<MendPlan, String> {
        if let Some(why) = refused_name(name) {
            return Err(why);
        }
        // Outside a repository a folder of skills of the working directory, or one above it, may be
        // anybody's.
        let repo = self.context.repo_root.is_some().then_some(Scope::Repo);
        let scopes: Vec<Scope> = repo.into_iter().chain([Scope::User]).collect();
        let root = self.root_for(&scopes);
        let root = root.ok_or("no agent here has a folder for skills")?;
        // The author of a repository must not decide what we write outside it.
        if root.scope == Scope::Repo && !self.is_in_repository(&known_part(&root.path)) {
            return Err(format!("{} leads out of the repository", root.path.display()));
        }
        let place = root.path.join(name);
        let is_empty = fs::read_dir(&place).is_ok_and(|mut entries| entries.next().is_none());
        if place.is_symlink() || (place.symlink_metadata().is_ok() && !is_empty) {
            return Err(format!("there is a {} already", place.display()));
        }
        let path = place.join(FILE_NAME);
        let after = TEMPLATE.replace("NAME", name).into_bytes();
        let change = Some(FileChange { path: path.clone(), before: None, after });
        let new = MendedSkill { name: name.to_owned(), path, change, ..MendedSkill::default() };
        let label = Some(format!("{name} created"));
        Ok(MendPlan { label, skills: vec![new], ..MendPlan::default() })
    }

    /// Works out how the skills of a folder are linked into the person's own: the folder itself, if
    /// it is a skill, else each of the folders directly in it. `~` means home. Nothing is written.
    ///
    /// # Errors
    /// Why none is linked.
    pub fn plan_links(&self, folder: &str) -> Result<MendPlan, String> {
        if folder.trim().is_empty() {
            return Err("no folder is named".to_owned());
        }
        let folder = self.folder_called(folder);
        let found = skills_of(&folder)
            .map_err(|error| format!("{} cannot be read: {}", folder.display(), reason(&error)))?;
        if found.is_empty() {
            let folder = folder.display();
            return Err(format!("there is no SKILL.md in {folder}, nor in a folder of it"));
        }
        let root = self.root_for(&[Scope::User]);
        let root = root.ok_or("no agent here has a folder for skills")?;
        if !root.walk.links {
            return Err("the agent does not follow links".to_owned());
        }
        let mut plan = MendPlan::default();
        let mut beyond = 0;
        for target in found {
            let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let place = root.path.join(&name);
            let path = target.join(FILE_NAME);
            if place.symlink_metadata().is_ok() {
                let why = format!("there is a {} already", place.display()).into();
                plan.left.push(super::mend::LeftAlone { path, why });
                continue;
            }
            if plan.skills.len() == MOST {
                beyond += 1;
                continue;
            }
            let moved = Some(Move::Linked { place, target });
            plan.skills.push(MendedSkill { name, path, moved, ..MendedSkill::default() });
        }
        if beyond > 0 {
            let why = format!("{beyond} more can be linked after these {MOST}").into();
            plan.left.push(super::mend::LeftAlone { path: folder, why });
        }
        plan.label = Some(match plan.skills.as_slice() {
            [one] => format!("{} linked", one.name),
            several => format!("{} skills linked", several.len()),
        });
        Ok(plan)
    }

    /// The folder that a person typed.
    fn folder_called(&self, typed: &str) -> PathBuf {
        real(&self.context.from_here(typed))
    }

    /// The folder of the examples, which are written there if they are not there yet.
    ///
    /// # Errors
    /// There is no place for them, or they cannot be written.
    pub fn examples(&self) -> io::Result<PathBuf> {
        let cache = self.cache_dir.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let folder = cache.join("examples");
        for (path, bytes) in EXAMPLES {
            let path = folder.join(path);
            // What a person has changed there is theirs.
            if path.symlink_metadata().is_ok() {
                continue;
            }
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, bytes)?;
        }
        Ok(folder)
    }

    /// Whether a file lies among the examples.
    pub fn is_example(&self, path: &Path) -> bool {
        let folder = self.cache_dir.as_ref().map(|cache| real(&cache.join("examples")));
        folder.is_some_and(|folder| path.starts_with(folder))
    }

    /// The same place, browsing this folder instead of the host's own.
    #[must_use]
    pub fn browse(&self, folder: PathBuf) -> Self {
        Self { instead: vec![folder], ..self.clone() }
    }
}

/// The real path of a folder, or of the nearest one above it that exists.
fn known_part(folder: &Path) -> PathBuf {
    folder.ancestors().find(|above| above.exists()).map(real).unwrap_or_default()
}

/// The skills of a folder: itself, or the folders directly in it, by name.
fn skills_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if folder.join(FILE_NAME).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join(FILE_NAME).is_file())
        .collect();
    found.sort();
    Ok(found)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::workspace::fixture::TestWorkspace;

    #[test]
    fn a_new_skill_is_made_where_the_agent_looks_and_is_sound() {
        let test = TestWorkspace::with(&[]);
        let mut plan = test.workspace.plan_new("release-notes").unwrap();
        test.workspace.mend(&mut plan).unwrap();
        let view = test.view();
        let entry = view.rows.entry(0).unwrap();
        assert_eq!(entry.skill.name, "release-notes");
        assert!(entry.is_on() && entry.skill.diagnostics.is_empty(), "{:?}", entry.skill);
        assert_eq!(entry.skill.scope, Scope::Repo);
        assert!(test.workspace.plan_new("release-notes").unwrap_err().contains("already"));
        assert!(test.workspace.plan_new("Release Notes").unwrap_err().contains("capital"));
        assert!(test.workspace.plan_new("../x").is_err());
        assert_eq!(test.workspace.undo().unwrap().change.label, "release-notes created");
        assert!(test.view().rows.is_empty());
    }

    #[test]
    fn outside_a_repository_a_new_skill_is_the_persons_own() {
        let mut test = TestWorkspace::with(&[]);
        fs::create_dir_all(test.env.at("plain/.agents/skills")).unwrap();
        test.workspace = test.workspace.elsewhere(&test.env.at("plain")).unwrap();
        let mut plan = test.workspace.plan_new("notes").unwrap();
        test.workspace.mend(&mut plan).unwrap();
        assert!(test.env.at("home/.agents/skills/notes/SKILL.md").is_file());
    }

    #[test]
    fn a_repository_does_not_decide_what_is_written_outside_it() {
        let test = TestWorkspace::with(&[]);
        fs::create_dir_all(test.env.at("elsewhere")).unwrap();
        fs::remove_dir_all(test.env.at("repo/.agents")).ok();
        test.env.link("elsewhere", "repo/.agents/skills");
        assert!(test.workspace.plan_new("notes").unwrap_err().contains("leads out"));
        assert!(test.workspace.plan_links(" ").unwrap_err().contains("no folder"));
    }

    #[test]
    fn a_skill_or_all_of_a_folder_are_linked_and_unlinked() {
        let test = TestWorkspace::with(&[("home/mine/pdf", "pdf"), ("home/mine/zip", "zip")]);
        test.env.write("home/mine/notes.txt", "no skill");
        test.env.raw_skill("home/.agents/skills/zip", "name: zip\ndescription: d", "");
        let mut plan = test.workspace.plan_links("~/mine").unwrap();
        assert_eq!((plan.skills.len(), plan.left.len()), (1, 1), "zip is there already");
        test.workspace.mend(&mut plan).unwrap();
        assert!(test.view().rows.named("pdf").next().is_some());
        test.workspace.undo().unwrap();
        assert!(!test.env.at("home/.agents/skills/pdf").is_symlink());
        assert!(test.env.at("home/mine/pdf/SKILL.md").is_file());
        let one = test.workspace.plan_links("../home/mine/pdf").unwrap();
        assert_eq!(one.label.as_deref(), Some("pdf linked"));
        // Behind a link `..` is the folder above the one to which it leads.
        test.env.link("home/mine/zip", "repo/work");
        let one = test.workspace.plan_links("work/../pdf").unwrap();
        assert_eq!(one.label.as_deref(), Some("pdf linked"));
        assert!(test.workspace.plan_links("~/nothing").unwrap_err().contains("cannot be read"));
        assert!(test.workspace.plan_links("~").unwrap_err().contains("no SKILL.md"));
    }

    #[test]
    fn the_examples_are_all_there_and_sound() {
        let mut test = TestWorkspace::with(&[]);
        test.workspace.cache_dir = Some(test.env.at("cache"));
        let folder = test.workspace.examples().unwrap();
        let view = test.workspace.browse(folder.clone()).view();
        let mut names: Vec<&str> = view.rows.skills().map(|skill| &*skill.name).collect();
        names.sort_unstable();
        let mut own: Vec<String> = fs::read_dir("assets/examples")
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        own.sort();
        assert_eq!(names, own, "each example of the repository is brought");
        assert!(view.rows.skills().all(|skill| skill.diagnostics.is_empty()));
        assert!(view.rows.entries().all(|entry| !entry.looks.here()), "no agent looks there");
        // What a person changes there stays; what is gone comes back.
        fs::write(folder.join("csv-report/SKILL.md"), "mine").unwrap();
        fs::remove_file(folder.join("meeting-notes/SKILL.md")).unwrap();
        let there = test.workspace.browse(test.workspace.examples().unwrap());
        assert_eq!(fs::read(folder.join("csv-report/SKILL.md")).unwrap(), b"mine");
        assert!(folder.join("meeting-notes/SKILL.md").is_file());
        assert!(there.is_example(&real(&folder).join("csv-report/SKILL.md")));
        // A new skill goes where agents look, also from here.
        let plan = there.plan_new("notes").unwrap();
        assert!(plan.skills[0].path.starts_with(test.env.at("repo")), "{plan:?}");
    }
}
