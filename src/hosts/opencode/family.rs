//! The programs of this family: where they have their folders and settings files. How they differ
//! is data.

use super::super::{Context, Folder, Reading, SettingsPath, shapes};
use super::flags::Flags;
use super::{FURTHER, MAIN};
use crate::policy::{Layer, Policy};
use crate::settings::{Edit, Format};
use std::path::{Path, PathBuf};

pub(super) struct Family {
    /// The variable with settings.
    pub(super) content: &'static str,
    /// The variable with permissions.
    pub(super) permission: &'static str,
    /// The names of the agent that works where none is named.
    pub(super) agents: &'static [&'static str],
    /// Whether `null` in the place of a rule takes away what earlier files say there.
    pub(super) nulls: bool,
    pub(super) rulings: fn(&Reading, &mut Policy),
    pub(super) flags: Flags,
    pub(super) folders: Folders,
    pub(super) files: Files,
}

pub(super) struct Folders {
    /// The person's folder, within that of all settings (`~/.config`).
    pub(super) own: &'static str,
    /// The folders with settings and skills in a directory, in the program's order.
    pub(super) names: &'static [&'static str],
    /// The variable that names one more folder.
    pub(super) variable: &'static str,
    /// The administrator's folder.
    pub(super) managed: &'static str,
    /// The directory of the project's main file.
    pub(super) project: fn(&Context) -> &Path,
    /// In a linked working tree, the directories of the main one that the program reads.
    pub(super) main_tree: fn(&Context) -> Vec<PathBuf>,
}

/// The names of settings files, each list in the order in which they are read.
#[derive(Clone, Copy)]
pub(super) struct Files {
    /// The file that a first change creates.
    pub(super) main: &'static str,
    /// The address that the program writes as `$schema` into a file without one.
    pub(super) schema: &'static str,
    pub(super) in_own: &'static [&'static str],
    /// In the other folders.
    pub(super) in_others: &'static [&'static str],
    /// In the working directory and those above it, which are read once for each group of names.
    pub(super) above: &'static [&'static [&'static str]],
    /// An agent's own files in a folder, with their roles.
    pub(super) of_agent: &'static [(&'static str, &'static str)],
    /// The variable that names one more file.
    pub(super) variable: &'static str,
    /// The variable by which a project's files do not count, and what is said then.
    pub(super) closed: (&'static str, &'static str),
}

/// A settings file: its path, its layer, and whether an agent's file has it ([`FURTHER`] if not).
type Declared = (PathBuf, Layer, &'static str);

impl Family {
    pub(super) fn is_agent(&self, name: &str) -> bool {
        self.agents.contains(&name)
    }

    /// The folder of a person's settings.
    pub(super) fn own(&self, context: &Context) -> Option<PathBuf> {
        let settings = Folder { variable: "XDG_CONFIG_HOME", default: ".config", tilde: false };
        context.folder(settings).map(|folder| folder.join(self.folders.own))
    }

    /// The folder that the environment names.
    pub(super) fn named(&self, context: &Context) -> Option<PathBuf> {
        context.variable(self.folders.variable).map(|folder| context.cwd.join(folder))
    }

    /// Why the project's files do not count, if so.
    pub(super) fn closed(&self, context: &Context) -> Option<&'static str> {
        let (variable, why) = self.files.closed;
        let value = context.variable(variable)?;
        (value == "1" || value.eq_ignore_ascii_case("true")).then_some(why)
    }

    /// The folders with settings and skills, in the program's order: the person's, those of the
    /// main working tree, those of each directory from the working directory up, the home
    /// directory's, and the one that the environment names.
    pub(super) fn directories(&self, context: &Context) -> Vec<(PathBuf, Layer)> {
        let in_each = |folder: PathBuf| self.folders.names.iter().map(move |it| folder.join(it));
        let at_home: Vec<PathBuf> = context.home.clone().into_iter().flat_map(in_each).collect();
        let above = folders_above(context).into_iter().map(Path::to_owned);
        let above = (self.folders.main_tree)(context).into_iter().chain(above).flat_map(in_each);
        let mut found: Vec<(PathBuf, Layer)> = Vec::new();
        found.extend(self.own(context).map(|folder| (folder, Layer::User)));
        let of_project = above.filter(|folder| !at_home.contains(folder));
        found.extend(of_project.map(|folder| (folder, Layer::Project)));
        found.extend(at_home.into_iter().map(|folder| (folder, Layer::User)));
        found.extend(self.named(context).map(|folder| (folder, Layer::User)));
        found
    }

    /// The settings files, in the order in which the program merges them
    /// (`Config.loadInstanceState`).
    pub(super) fn settings_paths(&self, context: &Context) -> Vec<SettingsPath> {
        let own = self.own(context);
        let Files { in_own, in_others, above, of_agent, variable, .. } = self.files;
        let plain = |folder: &Path, names: &[&str], layer| -> Vec<Declared> {
            names.iter().map(|name| (folder.join(name), layer, FURTHER)).collect()
        };
        let mut files: Vec<Declared> = Vec::new();
        files.extend(own.iter().flat_map(|folder| plain(folder, in_own, Layer::User)));
        let named = context.variable(variable).map(|file| context.cwd.join(file));
        files.extend(named.map(|file| (file, Layer::User, FURTHER)));
        for names in above {
            let folders = folders_above(context).into_iter().rev();
            files.extend(folders.flat_map(|folder| plain(folder, names, Layer::Project)));
        }
        for (folder, layer) in self.directories(context) {
            if own.as_ref() != Some(&folder) {
                files.extend(plain(&folder, in_others, layer));
            }
            let of_agent = of_agent.iter().map(|(name, role)| (folder.join(name), layer, *role));
            files.extend(of_agent.filter(|(path, ..)| path.exists()));
        }
        files.extend(plain(Path::new(self.folders.managed), in_others, Layer::Managed));
        self.declared(context, files)
    }

    /// These settings files, each once. The main file of a layer is the one into which a first
    /// change goes, and begins with the schema.
    fn declared(&self, context: &Context, files: Vec<Declared>) -> Vec<SettingsPath> {
        let folders = [self.own(context), Some((self.folders.project)(context).to_owned())];
        let mains = folders.map(|folder| folder.map(|folder| folder.join(self.files.main)));
        let mut settings_paths: Vec<SettingsPath> = Vec::new();
        for (path, layer, role) in files {
            if settings_paths.iter().any(|other| other.path == path) {
                continue;
            }
            let ignored = self.closed(context).filter(|_| layer == Layer::Project);
            if role != FURTHER {
                let file = shapes::file(path, layer, Format::Frontmatter);
                settings_paths.push(SettingsPath { role, ignored, ..file });
                continue;
            }
            let role = if mains.contains(&Some(path.clone())) { MAIN } else { FURTHER };
            let file = shapes::file(path, layer, Format::Jsonc);
            let fresh = vec![Edit::set(&[], "$schema", self.files.schema)];
            settings_paths.push(SettingsPath { role, ignored, fresh, ..file });
        }
        settings_paths
    }
}

/// From the working directory up to the one with `.git`, nearest first; without one, up to the file
/// system's root.
pub(super) fn folders_above(context: &Context) -> Vec<&Path> {
    let mut folders: Vec<&Path> = context.cwd.ancestors().collect();
    if let Some(top) = folders.iter().position(|folder| folder.join(".git").exists()) {
        folders.truncate(top + 1);
    }
    folders
}

/// Whether a text has a reference that is expanded when settings are read: `{env:NAME}`, or
/// `{file:path}`, without whose file the program does not start.
pub(super) fn has_reference(text: &str) -> bool {
    let names = |sign: &str| {
        text.split(sign).skip(1).any(|after| after.find('}').is_some_and(|end| end > 0))
    };
    names("{env:") || names("{file:")
}
