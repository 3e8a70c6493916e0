//! How a person switches on what is refused because it is off: a command that does it, or why none
//! does.

use super::edit::{ChangeError, ChangeRequest};
use super::{View, Workspace, forms, resolve_any};
use crate::catalog::{Enablement, HostId};
use crate::config::{Flags, Origin};
use crate::inert;
use crate::policy::change::Refusal as Obstacle;
use crate::policy::{self, Cure, Entry, Refusal};
use crate::text::{SafeText, shell};
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

impl View {
    /// What has switched all skills off, if they are: then none was looked for.
    pub fn all_off(&self) -> Option<&policy::Origin> {
        let switch = &self.policy.skills_enabled;
        (!switch.value && self.roots.is_empty()).then_some(&switch.origin)
    }

    /// This skill as a word of a command: the name by which the host calls it if that means no
    /// other skill, otherwise its path or id.
    pub fn argument(&self, entry: &Entry) -> SafeText {
        let is_it = |name: &String| {
            // A plain name is looked up nowhere in the file system.
            let meant = resolve_any(self, name, None, Path::new("")).ok();
            let meant = meant.and_then(|index| self.rows.entry(index));
            meant.is_some_and(|meant| meant.skill.path == entry.skill.path)
        };
        let name = self.plain_name(entry).filter(is_it);
        name.and_then(shell::word).unwrap_or_else(|| entry.skill.shell_word())
    }

    /// This skill as a word that a shell reads as it is: the name by which the host calls it if no
    /// other skill has that, otherwise its path or id.
    pub fn shell_word(&self, entry: &Entry) -> SafeText {
        let name = self.plain_name(entry).filter(|_| entry.same_name == 1);
        name.and_then(shell::word).unwrap_or_else(|| entry.skill.shell_word())
    }

    /// The name by which the host calls this skill, if a command reads that as a name.
    fn plain_name(&self, entry: &Entry) -> Option<String> {
        let name = self.policy.order.name_of(&entry.skill);
        let is_plain = SafeText::line(&name).as_str() == name
            && !name.starts_with('-')
            && forms(&name) == (Some(name.clone().into_owned()), None);
        is_plain.then(|| name.into_owned())
    }
}

impl Workspace {
    /// The working directory, the settings file and the store as options of a further command, if
    /// options named them; begins with a space. A password is left out, since commands are printed
    /// and logged.
    pub fn place_options(&self) -> SafeText {
        let Flags { directory, config, .. } = &self.inputs.flags;
        let is_told = matches!(self.config.values.store.origin, Origin::Flag(_));
        // With whole paths, so that they mean the same in another folder.
        let directory = directory.as_ref().map(|_| (" -C", shell::value(&self.context.cwd)));
        let whole = |file: &PathBuf| path::absolute(file).unwrap_or_else(|_| file.clone());
        let config = config.as_ref().map(|file| (" --config", shell::value(whole(file))));
        let store = self.store_address().ok().filter(|_| is_told);
        let store = store.map(|address| (" --store", shell::value(address.argument())));
        let options = [directory, config, store].into_iter().flatten();
        let options = options.map(|(name, value)| inert!("{} {}", name, value));
        SafeText::join(options.collect::<Vec<_>>(), "")
    }

    /// These and the project, if an option named it. Without them a further command would look into
    /// another project, and change that.
    pub fn told_options(&self) -> SafeText {
        let project = &self.config.values.project;
        let project = match project.origin {
            Origin::Flag(_) => inert!(" --project {}", shell::value(&project.value)),
            _ => SafeText::default(),
        };
        inert!("{}{}", self.place_options(), project)
    }

    /// The host as an option of a further command, if an option or a variable named it; begins with
    /// a space.
    pub fn host_option(&self) -> SafeText {
        let option = |host| inert!(" --host {}", shell::value(host));
        self.told_host().map(option).unwrap_or_default()
    }

    /// Everything by which a further command sees the skills that this one sees.
    pub fn view_options(&self) -> SafeText {
        let whole = |folder: &PathBuf| self.context.cwd.join(folder);
        let roots =
            self.instead.iter().map(|folder| inert!(" --root {}", shell::value(whole(folder))));
        let roots = SafeText::join(roots.collect::<Vec<_>>(), "");
        inert!("{}{}{}", self.host_option(), roots, self.told_options())
    }

    /// Why a person cannot pick, call or switch this skill, with a command that helps; `None` if
    /// they can.
    pub fn refusal(&self, view: &View, entry: &Entry) -> Option<Refusal> {
        Some(self.cured(view, entry, entry.refusal(view.host_label())?))
    }

    /// The refusal with a command that really switches the skill on, if that is what helps. The
    /// change is planned first, but nothing is written.
    pub fn cured(&self, view: &View, entry: &Entry, refusal: Refusal) -> Refusal {
        match refusal.cure {
            Some(Cure::Enable(_)) => refusal.cure(self.enabling(view, entry)),
            _ => refusal,
        }
    }

    fn enabling(&self, view: &View, entry: &Entry) -> Cure {
        let planned = |entries: &[&Entry]| {
            let paths = entries.iter().map(|entry| Arc::from(entry.skill.path.as_path()));
            let request = ChangeRequest::Switch { paths: paths.collect(), to: Enablement::On };
            let error = self.plan(view, &request, None).err()?;
            Some((self.way_out(view, &request, &error), error))
        };
        let mut entries = vec![entry];
        let mut error = planned(&entries);
        if let Some(id) = error.as_ref().and_then(|(_, error)| whole_plugin(error)) {
            let is_its = |other: &&Entry| {
                other.taken() && other.skill.plugin().is_some_and(|plugin| plugin.id == id)
            };
            entries = view.rows.own().filter(is_its).collect();
            error = planned(&entries);
        }
        let file = match error {
            None => SafeText::default(),
            Some((Some(layer), _)) => inert!(" --in {}", layer.word()),
            Some((None, error)) => return Cure::Stays(error.shown()),
        };
        let is_told = view.host.id != HostId::AGENTS || self.told_host().is_some();
        let host = match is_told {
            true => inert!(" --host {}", view.host.id.word()),
            false => SafeText::default(),
        };
        let skills = entries.iter().map(|entry| view.argument(entry));
        let options = inert!("{}{}{}", host, file, self.told_options());
        Cure::Enable(shell::command("skillpick enable", skills, &options))
    }
}

/// The plugin that is switched only as a whole, if that is the obstacle.
fn whole_plugin(error: &ChangeError) -> Option<&str> {
    match error {
        ChangeError::Refused { refusal: Obstacle::Others { plugin, .. }, .. } => plugin.as_deref(),
        _ => None,
    }
}
