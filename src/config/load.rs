//! Settings as a whole: both files, the environment and the flags.

use super::file::SettingsFile;
use super::inputs::Inputs;
use super::origin::{Origin, Problem, Setting};
use super::rulings;
use super::suggest::did_you_mean;
use super::values::{Overrides, Values};
use crate::catalog::Permission;
use crate::policy::{Alarm, Layer, Policy, Ruling};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Everything that our settings say.
#[derive(Clone, Debug)]
pub struct Config {
    pub values: Values,
    /// The rules, switches and allowlists. What cannot be read denies.
    pub policy: Policy,
    /// The person's file, even if it does not exist.
    pub user: SettingsFile,
    /// Whether there is a path for the person's file. There is none without a home directory and
    /// `--config`.
    pub user_place: bool,
    /// The project's file, even if it does not exist; `None` outside a repository.
    pub project: Option<SettingsFile>,
    /// What is wrong with the environment and the options.
    pub(super) remarks: Vec<Problem>,
    /// The switch for all skills, if an option or a variable sets it.
    pub(super) session: Option<Ruling<bool>>,
}

impl Config {
    /// Whether the person's own settings are broken: their file, the environment or the options.
    /// Then commands exit with 2, the picker is read-only, and every permission is deny.
    pub fn user_broken(&self) -> bool {
        self.user.broken() || self.remarks.iter().any(|problem| problem.grave)
    }

    /// Every fault, and everything that is ignored; those of the person's file first.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let project = self.project.iter().flat_map(|file| file.problems.iter());
        self.user.problems.iter().chain(project).chain(&self.remarks)
    }

    pub fn file(&self, layer: Layer) -> Option<&SettingsFile> {
        match layer {
            Layer::User => Some(&self.user).filter(|_| self.user_place),
            Layer::Project => self.project.as_ref(),
            Layer::Local | Layer::Managed => None,
        }
    }

    /// Marks the file whose `host` names no agent as broken.
    #[must_use]
    pub fn with_unknown_host(mut self, help: &str) -> Self {
        let Origin::File { file, line, .. } = &self.values.host.origin else { return self };
        let problem = Problem::at(file, *line, "`host` names no agent", help);
        match &mut self.project {
            Some(project) if project.path == *file => project.problems.push(problem),
            _ => self.user.problems.push(problem),
        }
        self.judged()
    }

    /// Marks each file, variable or option that names a store by what is no address as broken.
    /// `fault` says what is wrong with a value, without quoting it.
    #[must_use]
    pub fn with_checked_store(
        mut self,
        fault: impl Fn(&Setting<String>) -> Option<String>,
    ) -> Self {
        let written = self.user.plain.store.as_ref().map(|written| self.user.said(written));
        let session =
            Some(&self.values.store).filter(|it| !matches!(it.origin, Origin::File { .. }));
        let named: Vec<Setting<String>> = written.into_iter().chain(session.cloned()).collect();
        for setting in named {
            let Some(why) = fault(&setting) else { continue };
            match setting.origin {
                Origin::File { file, line, .. } => self.user.problems.push(Problem::at(
                    &file,
                    line,
                    format!("`store.url`: {why}"),
                    "",
                )),
                Origin::Environment(name) | Origin::Flag(name) => {
                    let message = format!("{name}: {why}");
                    let help = "change it, or leave it out".to_owned();
                    self.remarks.push(Problem { spot: None, message, help, grave: true });
                }
                Origin::Default => {}
            }
        }
        self.judged()
    }

    /// Leaves out the keys with these indices, which the keymap does not take, and says so. Each
    /// comes with what is wrong, the wrong word and the words that are known in its place.
    #[must_use]
    pub fn without_keys(mut self, wrong: &[(usize, String, String, Vec<&str>)]) -> Self {
        for (index, what, word, known) in wrong {
            let Some(Setting { value, origin: Origin::File { file, line, .. } }) =
                self.values.keys.get(*index)
            else {
                continue;
            };
            let message =
                format!("`{}` of `[keys.{}]` is left out: {what}", value.key, value.screen);
            let help = match did_you_mean(word, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if known.is_empty() => String::new(),
                None => format!("known here: {}", known.join(", ")),
            };
            let told = Problem { grave: false, ..Problem::at(file, *line, message, help) };
            self.user.problems.push(told);
        }
        let mut index = 0..;
        self.values.keys.retain(|_| {
            let at = index.next();
            wrong.iter().all(|(wrong, ..)| Some(*wrong) != at)
        });
        self
    }

    /// Computes the policy again after a file was changed in memory.
    pub(super) fn judged(mut self) -> Self {
        let grave = self.remarks.iter().find(|problem| problem.grave);
        let broken = grave.map(|problem| Alarm {
            file: Arc::clone(&self.user.path),
            line: 1,
            message: problem.message.clone(),
        });
        self.policy =
            rulings::policy(&self.user, self.project.as_ref(), self.session.as_ref(), broken);
        self
    }
}

/// Loads the settings. It never fails: faults are in the result, and deny.
pub fn load(inputs: &Inputs) -> Config {
    let place = inputs.user_file();
    let user_place = place.is_some();
    let mut user = match place {
        Some((path, named)) => read_user(path, named, inputs),
        None => SettingsFile::empty(PathBuf::from("config.toml"), Layer::User),
    };
    let mut project =
        inputs.project_file().map(|path| SettingsFile::read(path, Layer::Project, inputs));
    let session = Overrides::read(inputs);
    distrust(&mut user, inputs);
    if let Some(file) = &mut project {
        ignore(file, &user, inputs);
    }
    let mut values = Values::merge(&user, project.as_ref(), &session);
    let mut remarks = session.problems;
    if values.default_limit.value > values.max_limit.value {
        let message =
            "`skills.search.default_limit` is greater than `max_limit`, which holds".to_owned();
        remarks.push(Problem { spot: None, message, help: String::new(), grave: false });
        values.default_limit = values.max_limit.clone();
    }
    let policy = rulings::policy(&user, project.as_ref(), None, None);
    Config { values, policy, user, user_place, project, remarks, session: session.skills }.judged()
}

/// Reads the person's file. If an option or variable names it, it must exist: a misspelt path must
/// not drop the rules in it.
fn read_user(path: PathBuf, named: Option<&'static str>, inputs: &Inputs) -> SettingsFile {
    let mut file = SettingsFile::read(path, Layer::User, inputs);
    if let Some(by) = named.filter(|_| !file.exists) {
        let message = format!("{by} names a settings file that is not there");
        file.problems.push(Problem::at(&file.path, 1, message, "create it or name another"));
    }
    file
}

/// A settings file of the person's that lies in the repository is the repository's in truth:
/// whoever wrote that could have had a variable name it. It may only tighten.
fn distrust(user: &mut SettingsFile, inputs: &Inputs) {
    // The home directory may be a repository of the person's own.
    let repository = inputs.repo_root.as_ref().filter(|root| Some(*root) != inputs.home.as_ref());
    let Some(root) = repository.filter(|root| user.exists && beneath(root, &user.path)) else {
        return;
    };
    // Who keeps dotfiles in a repository links them from the home directory. No repository can make
    // such a link.
    let linked = |home: &PathBuf| user.path.starts_with(home) && !user.path.starts_with(root);
    if inputs.home.as_ref().is_some_and(linked) {
        return;
    }
    ignore(user, &SettingsFile::empty(PathBuf::new(), Layer::User), inputs);
    user.rules.retain(|rule| rule.effect != Permission::Allow);
    let message = format!(
        "your settings file lies in the repository {}, so it may only tighten",
        root.display()
    );
    let help = "keep your own settings elsewhere: see --config, SKILLPICK_CONFIG, XDG_CONFIG_HOME";
    let told = Problem { grave: false, ..Problem::at(&user.path, 1, message, help) };
    user.problems.insert(0, told);
}

/// A project file may only tighten. Reports everything else in it as ignored, and removes it unless
/// the policy ignores it anyway.
fn ignore(file: &mut SettingsFile, user: &SettingsFile, inputs: &Inputs) {
    let path = Arc::clone(&file.path);
    let mut remarks = Vec::new();
    let mut ignored = |line, what: &str, why: &str| {
        let message = format!("{what} is ignored: {why}");
        let help = "write it in your own settings file";
        remarks.push(Problem { grave: false, ..Problem::at(&path, line, message, help) });
    };
    const TIGHTEN: &str = "a project file may only tighten";
    for rule in file.rules.iter().filter(|rule| rule.effect == Permission::Allow) {
        ignored(rule.line, "this `allow`", TIGHTEN);
    }
    let own = user.plain.permission.as_ref().map_or(Permission::Allow, |written| written.value);
    if let Some(written) = file.plain.permission.as_ref().filter(|written| written.value < own) {
        ignored(written.line, "`permissions.default`", TIGHTEN);
    }
    let off = user.plain.skills_enabled.as_ref().is_some_and(|written| !written.value);
    if let Some(written) = file.plain.skills_enabled.as_ref().filter(|written| written.value && off)
    {
        ignored(written.line, "`skills.enabled`", TIGHTEN);
    }
    for (what, own, theirs) in [
        ("`index`", &user.plain.index, &mut file.plain.index),
        ("`history`", &user.plain.history, &mut file.plain.history),
    ] {
        let off = own.as_ref().is_some_and(|written| !written.value);
        if let Some(written) = theirs.take_if(|written| written.value && off) {
            ignored(written.line, what, TIGHTEN);
        }
    }
    const OWN: &str = "a repository does not choose where you connect to, or who you are";
    for (what, written) in
        [("`store.url`", file.plain.store.take()), ("`store.author`", file.plain.author.take())]
    {
        written.into_iter().for_each(|written| ignored(written.line, what, OWN));
    }
    if let Some(written) = file.plain.precedence.take_if(|written| written.value != "error") {
        ignored(written.line, "`store.precedence`", TIGHTEN);
    }
    let mut owned = user.plain.clone();
    for ((what, default, theirs), (_, _, own)) in
        file.plain.limits().into_iter().zip(owned.limits())
    {
        let most = own.as_ref().map_or(default, |written| written.value);
        if let Some(written) = theirs.take_if(|written| written.value > most) {
            ignored(written.line, what, TIGHTEN);
        }
    }
    if let Some(first) = file.colours.first() {
        ignored(first.line, "`[colors]`", "colours are the person's own");
    }
    if let Some(first) = file.keys.first() {
        ignored(first.line, "`[keys]`", "keys are the person's own");
    }
    file.roots.retain(|root| {
        let inside =
            inputs.repo_root.as_deref().is_some_and(|repository| beneath(repository, &root.value));
        if !inside {
            ignored(root.line, "this root", "it lies outside the repository");
        }
        inside
    });
    for (line, what) in file.scripts.tighten() {
        ignored(line, what, "only you can allow scripts");
    }
    file.problems.append(&mut remarks);
}

/// Whether `path` is beneath `repository`, with links resolved as far as the path exists.
fn beneath(repository: &Path, path: &Path) -> bool {
    if path.components().any(|part| part == Component::ParentDir)
        && std::fs::canonicalize(path).is_err()
    {
        return false;
    }
    let real = path.ancestors().find_map(|ancestor| std::fs::canonicalize(ancestor).ok());
    let repository = std::fs::canonicalize(repository).unwrap_or_else(|_| repository.to_owned());
    real.is_some_and(|real| real.starts_with(repository))
}

#[cfg(test)]
mod tests;
