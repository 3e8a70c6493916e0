//! Everything that decides which settings are loaded.

use super::file::SettingsFile;
use crate::catalog::below_home;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the project's settings file, at the repository root.
pub const PROJECT_FILE: &str = ".skillpick.toml";

/// The options of the command line that are settings.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `-C DIR`; by default the process's working directory.
    pub directory: Option<PathBuf>,
    pub config: Option<PathBuf>,
    pub host: Option<String>,
    pub theme: Option<String>,
    pub ascii: bool,
    pub no_mouse: bool,
    pub format: Option<String>,
    pub no_skills: bool,
    pub no_index: bool,
    /// Whether scripts are off whatever the files say, as over HTTP.
    pub no_scripts: bool,
    pub store: Option<String>,
    pub project: Option<String>,
}

/// Everything that decides which settings are loaded. Loading reads no global state.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// See [`platform_config_dir`].
    pub config_dir: Option<PathBuf>,
    /// Canonical; `None` outside a repository.
    pub repo_root: Option<PathBuf>,
    /// The home directory, for `~/…`.
    pub home: Option<PathBuf>,
    /// Only `SKILLPICK_*` is read.
    pub environment: BTreeMap<String, OsString>,
    pub flags: Flags,
    /// Contents of settings files to use instead of those on the disk, to try a change before it is
    /// written.
    pub drafts: BTreeMap<PathBuf, Vec<u8>>,
    /// See [`Inputs::for_many_loads`].
    pub parsed: Parsed,
}

/// Our settings files as they were parsed last, by path, with their text; `None` to keep none. A
/// plan loads the same text for every agent and every skill, and asks the file system about each
/// path in it.
#[derive(Clone, Debug, Default)]
pub struct Parsed(Option<Arc<Mutex<ByPath>>>);

type ByPath = BTreeMap<PathBuf, (String, SettingsFile)>;

impl Parsed {
    /// The file as `parse` reads this text of it, or as it did the last time.
    pub(super) fn file(
        &self,
        path: &Path,
        text: String,
        parse: impl FnOnce(&str) -> SettingsFile,
    ) -> SettingsFile {
        let Some(files) = &self.0 else { return parse(&text) };
        let known = || files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = known().get(path).filter(|(parsed, _)| *parsed == text) {
            return file.clone();
        }
        let file = parse(&text);
        known().insert(path.to_owned(), (text, file.clone()));
        file
    }
}

/// What `XDG_CONFIG_HOME` names on any Unix, or the platform's configuration folder (`~/.config`,
/// `~/Library/Application Support` …); `None` without a home directory. A relative one is none,
/// since it depends on where we are.
pub fn platform_config_dir() -> Option<PathBuf> {
    let usual = || Some(directories::BaseDirs::new()?.config_dir().to_owned());
    xdg_folder("XDG_CONFIG_HOME").or_else(usual).filter(|folder| folder.is_absolute())
}

/// The folder that such a variable names: `directories` reads them on Linux only.
pub fn xdg_folder(variable: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|_| cfg!(unix));
    named.map(PathBuf::from).filter(|folder| folder.is_absolute())
}

impl Inputs {
    /// The same for loading settings many times at one moment: what has the same text is parsed
    /// once.
    #[must_use]
    pub fn for_many_loads(self) -> Self {
        Self { parsed: Parsed(Some(Arc::default())), ..self }
    }

    /// The person's settings file, and the option or variable that named it, if one did.
    pub(super) fn user_file(&self) -> Option<(PathBuf, Option<&'static str>)> {
        if let Some(file) = &self.flags.config {
            return Some((file.clone(), Some("--config")));
        }
        match self.environment.get("SKILLPICK_CONFIG").filter(|file| !file.is_empty()) {
            Some(file) => Some((PathBuf::from(file), Some("SKILLPICK_CONFIG"))),
            None => self
                .config_dir
                .as_ref()
                .map(|folder| (folder.join("skillpick").join("config.toml"), None)),
        }
    }

    /// The project's settings file; `None` outside a repository.
    pub(super) fn project_file(&self) -> Option<PathBuf> {
        self.repo_root.as_ref().map(|root| root.join(PROJECT_FILE))
    }

    /// `text` as a path: `~/…` in the home directory, any other relative path below `base`.
    ///
    /// # Errors
    /// A sentence, if there is no home directory or no base to begin from.
    pub(super) fn path(&self, text: &str, base: Option<&Path>) -> Result<PathBuf, &'static str> {
        match (below_home(text), base) {
            (Some(rest), _) => {
                self.home.as_ref().map(|home| home.join(rest)).ok_or("there is no home directory")
            }
            (None, _) if Path::new(text).is_absolute() => Ok(PathBuf::from(text)),
            (None, _) if text.trim().is_empty() => Err("a path is empty"),
            (None, Some(base)) => Ok(base.join(text)),
            (None, None) => Err("a path here is absolute or begins with ~/"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Layer;
    use std::cell::Cell;

    #[test]
    fn the_same_text_is_parsed_once_where_settings_are_loaded_many_times() {
        let path = Path::new("/config.toml");
        let parses = |inputs: &Inputs, texts: &[&str]| {
            let count = Cell::new(0);
            for text in texts {
                let file = inputs.parsed.file(path, (*text).to_owned(), |text| {
                    count.set(count.get() + 1);
                    let mut file = SettingsFile::empty(path.to_owned(), Layer::User);
                    file.parse(text, inputs);
                    file
                });
                let wanted = if text.contains("false") { Some(false) } else { None };
                assert_eq!(file.switches.first().and_then(|switch| switch.enabled), wanted);
            }
            count.get()
        };
        let off = "[[skills.config]]\nname = \"pdf\"\nenabled = false\n";
        let texts = ["", off, off, off, "", off];
        assert_eq!(parses(&Inputs::default(), &texts), 6);
        assert_eq!(parses(&Inputs::default().for_many_loads(), &texts), 4);
    }
}
