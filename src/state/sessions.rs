//! Which skills are loaded in which conversation: names, paths and digests, never texts.
//!
//! Each conversation has one file. Its name is the SHA-256 of the conversation's id, since an id
//! can be any text. A change reads, changes and writes under a lock, so that processes do not
//! overwrite each other's changes.

use super::{StateError, bytes_of, lock, prepare, put};
use crate::catalog::{Skill, exact_path};
use crate::files::digest::sha256_hex;
use crate::files::lock::Lock;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The most conversations that are remembered. Beyond that, those that were not changed for longest
/// are forgotten.
pub const MAX_SESSIONS: usize = 500;
/// The longest id that is accepted, in bytes.
pub const MAX_ID: usize = 512;
/// A longer file is not ours.
const MAX_BYTES: u64 = 1 << 20;
/// No more bytes of a skill's `allowed-tools` are kept: a session has many skills.
const MAX_TOOLS: usize = 4_096;
/// How long we wait for the lock.
const WAIT: Duration = Duration::from_secs(5);
/// So far ahead of the clock, a time may be by another machine that keeps the same files.
const AHEAD: Duration = Duration::from_secs(60);

/// A skill that is loaded in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSkill {
    pub name: String,
    /// The canonical path of its `SKILL.md`.
    #[serde(flatten, with = "exact_path")]
    pub path: PathBuf,
    /// The digest of that file when it was loaded, as hex digits.
    pub digest: String,
    /// The digest of all files of the skill then, if a person was asked about them or a rule is
    /// bound to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// Its modification time then, as Unix time in milliseconds.
    pub mtime_ms: u64,
    /// When it was loaded, as Unix time in milliseconds.
    pub loaded_ms: u64,
    /// Whether its text is in the conversation already, so that a reminder is enough.
    pub told: bool,
    /// Its `allowed-tools` then; shown, never acted on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_tools: Vec<String>,
}

impl SavedSkill {
    /// Whether this skill is the one that was loaded, perhaps in another version.
    pub fn is(&self, skill: &Skill) -> bool {
        skill.was_at(&self.path, &self.name)
    }
}

/// The `allowed-tools` of a skill, as far as they are kept of a load.
pub fn allowed_tools(skill: &Skill) -> Vec<String> {
    let mut room = MAX_TOOLS;
    let fits = |tool: &&str| {
        let left = room.checked_sub(tool.len());
        room = left.unwrap_or(0);
        left.is_some()
    };
    skill.properties.allowed_tools().take_while(fits).map(str::to_owned).collect()
}

/// What is remembered of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSession {
    /// Whether the texts go into the instructions of every call instead of into tool results.
    pub instructions: bool,
    /// The loaded skills, newest last.
    pub skills: Vec<SavedSkill>,
}

#[derive(Serialize, Deserialize)]
struct Document<S> {
    version: u32,
    id: String,
    #[serde(flatten)]
    session: S,
}

/// The conversations in a state directory.
#[derive(Clone, Debug)]
pub struct Sessions {
    folder: PathBuf,
}

impl Sessions {
    /// The conversations of this state directory. Nothing is created or read yet.
    pub fn new(directory: &Path) -> Self {
        Self { folder: directory.join("sessions") }
    }

    /// What is remembered of a conversation; `None` if it is not known.
    ///
    /// # Errors
    /// [`StateError::Broken`] if its file cannot be read: it is never treated as empty.
    pub fn load(&self, id: &str) -> Result<Option<SavedSession>, StateError> {
        let file = self.file(id);
        match bytes_of(&file, MAX_BYTES)? {
            Some(bytes) => parse(&bytes, id).map(Some).ok_or(StateError::Broken { path: file }),
            None => Ok(None),
        }
    }

    /// Changes a conversation, or begins it, while nobody else can write it. Where nothing can be
    /// written, a change that leaves a known conversation as it is still succeeds.
    ///
    /// # Errors
    /// Those of `change`, and [`StateError`]. Then nothing is written.
    pub fn change<T, E: From<StateError>>(
        &self,
        id: &str,
        change: impl FnOnce(&mut SavedSession) -> Result<T, E>,
    ) -> Result<T, E> {
        let file = self.file(id);
        let lock = prepare(&self.folder).and_then(|()| lock(&file, WAIT));
        let old = bytes_of(&file, MAX_BYTES)?;
        let mut session = match &old {
            Some(bytes) => {
                parse(bytes, id).ok_or_else(|| StateError::Broken { path: file.clone() })?
            }
            None => SavedSession::default(),
        };
        let before = old.is_some().then(|| session.clone());
        let done = change(&mut session)?;
        let written = lock.and_then(|_lock| put(&file, old.as_deref(), &print(&session, id)));
        if before.as_ref() != Some(&session) {
            written?;
        }
        if old.is_none() {
            self.sweep(&file);
        }
        Ok(done)
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{}.json", sha256_hex(id.as_bytes())))
    }

    /// Forgets the oldest beyond the limit, and never the `newest` or those that somebody has the
    /// lock of. A time that lies ahead is from before the clock was set back, so it counts as the
    /// oldest. Errors are ignored.
    fn sweep(&self, newest: &Path) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let now = SystemTime::now() + AHEAD;
        let mut files: Vec<_> = entries
            .flatten()
            .map(|entry| (entry.path(), entry))
            .filter(|(path, _)| path.extension().is_some_and(|end| end == "json"))
            .filter(|(path, _)| path != newest)
            .filter_map(|(path, entry)| Some((entry.metadata().ok()?.modified().ok()?, path)))
            .map(|(changed, path)| (Some(changed).filter(|changed| *changed <= now), path))
            .collect();
        files.sort();
        for (_, file) in files.iter().take((files.len() + 1).saturating_sub(MAX_SESSIONS)) {
            let Ok(lock) = Lock::now(file) else { continue };
            let _ = fs::remove_file(file);
            lock.remove(file);
        }
    }
}

fn parse(bytes: &[u8], id: &str) -> Option<SavedSession> {
    let document: Document<SavedSession> = serde_json::from_slice(bytes).ok()?;
    (document.version == 1 && document.id == id).then_some(document.session)
}

fn print(session: &SavedSession, id: &str) -> Vec<u8> {
    let document = Document { version: 1, id: id.to_owned(), session };
    serde_json::to_vec(&document).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str) -> SavedSkill {
        let path = format!("/s/{name}/SKILL.md").into();
        SavedSkill {
            files: None,
            name: name.into(),
            path,
            digest: "aa".into(),
            mtime_ms: 1,
            loaded_ms: 2,
            told: true,
            allowed_tools: Vec::new(),
        }
    }

    #[test]
    fn a_conversation_is_read_back_and_others_are_not_touched() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        assert_eq!(sessions.load("a"), Ok(None));
        for id in ["a", "../../a", "a/b\n"] {
            sessions
                .change::<_, StateError>(id, |session| {
                    session.skills.push(skill(id));
                    Ok(())
                })
                .unwrap();
        }
        assert_eq!(sessions.load("../../a").unwrap().unwrap().skills, [skill("../../a")]);
        let failed = sessions.change::<(), StateError>("a", |session| {
            session.skills.clear();
            Err(StateError::Broken { path: "x".into() })
        });
        assert!(failed.is_err());
        assert_eq!(
            sessions.load("a").unwrap().unwrap().skills,
            [skill("a")],
            "a change that fails changes nothing"
        );
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1, "no id has left the folder");
    }

    #[test]
    fn a_broken_file_is_never_taken_for_empty() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        sessions.change::<_, StateError>("a", |_| Ok(())).unwrap();
        let of_now = fs::read_to_string(sessions.file("a")).unwrap();
        let of_later = of_now.replace("\"version\":1", "\"version\":2");
        assert!(of_later != of_now && parse(of_now.as_bytes(), "a").is_some());
        assert_eq!(parse(of_later.as_bytes(), "a"), None);
        fs::write(sessions.file("a"), "{").unwrap();
        assert!(matches!(sessions.load("a"), Err(StateError::Broken { .. })));
        assert!(sessions.change::<_, StateError>("a", |_| Ok(())).is_err());
    }

    #[test]
    fn what_is_no_file_of_ours_is_broken_and_not_absent() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        sessions.change::<_, StateError>("a", |_| Ok(())).unwrap();
        let file = sessions.file("a");
        let text = fs::read_to_string(&file).unwrap();
        let blanks = |length: u64| " ".repeat(usize::try_from(length).unwrap() - text.len());
        fs::write(&file, text.clone() + &blanks(MAX_BYTES)).unwrap();
        assert!(matches!(sessions.load("a"), Ok(Some(_))), "as long as it may be");
        fs::write(&file, text.clone() + &blanks(MAX_BYTES + 1)).unwrap();
        assert!(matches!(sessions.load("a"), Err(StateError::Broken { .. })));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(matches!(sessions.load("a"), Err(StateError::Broken { .. })));
        let beneath = Sessions::new(&file.join("file"));
        fs::remove_dir(&file).unwrap();
        fs::write(&file, "").unwrap();
        assert!(beneath.load("a").is_err(), "a file stands where the folder should be");
    }

    #[test]
    fn the_conversations_that_were_not_changed_for_longest_are_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        let make = |id: &str| sessions.change::<_, StateError>(id, |_| Ok(())).unwrap();
        make("oldest");
        let file = fs::File::options().write(true).open(sessions.file("oldest")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        let folder = sessions.file("oldest").parent().unwrap().to_owned();
        for number in 2..MAX_SESSIONS {
            fs::write(folder.join(format!("{number}.json")), "").unwrap();
        }
        fs::write(folder.join("other"), "").unwrap();
        make("newer");
        assert!(sessions.load("oldest").unwrap().is_some(), "there is room");
        make("newest");
        assert_eq!(sessions.load("oldest").unwrap(), None);
        assert!(["newer", "newest"].iter().all(|id| sessions.load(id).unwrap().is_some()));
        assert!(folder.join("other").exists());
    }

    #[test]
    fn a_conversation_that_is_being_changed_is_not_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        let make = |id: &str| sessions.change::<_, StateError>(id, |_| Ok(())).unwrap();
        make("oldest");
        let file = sessions.file("oldest");
        let opened = fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(std::time::UNIX_EPOCH).unwrap();
        for number in 1..MAX_SESSIONS {
            fs::write(file.with_file_name(format!("{number}.json")), "").unwrap();
        }
        let held = Lock::now(&file).unwrap();
        make("new");
        assert!(file.exists() && Lock::now(&file).is_err(), "its lock is still held");
        drop(held);
        make("newer");
        assert!(!file.exists());
        assert!(!file.with_extension("json.lock").exists(), "nor is its lock left");
    }

    #[test]
    fn with_times_that_lie_ahead_the_new_conversation_stays_and_those_go() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        let make = |id: &str| sessions.change::<_, StateError>(id, |_| Ok(())).unwrap();
        make("now");
        let folder = sessions.file("now").parent().unwrap().to_owned();
        let ahead = SystemTime::now() + Duration::from_secs(366 * 24 * 60 * 60);
        for number in 1..=MAX_SESSIONS {
            let file = fs::File::create(folder.join(format!("{number}.json"))).unwrap();
            file.set_modified(ahead).unwrap();
        }
        make("new");
        assert!(["now", "new"].iter().all(|id| sessions.load(id).unwrap().is_some()));
        assert_eq!(fs::read_dir(&folder).unwrap().flatten().filter(is_json).count(), MAX_SESSIONS);
        let gone = fs::File::options().write(true).open(sessions.file("now")).unwrap();
        gone.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        make("newer");
        assert!(sessions.load("now").unwrap().is_some(), "a time ahead goes first");
    }

    fn is_json(entry: &fs::DirEntry) -> bool {
        entry.path().extension().is_some_and(|end| end == "json")
    }

    #[cfg(unix)]
    #[test]
    fn where_nothing_can_be_written_what_stays_as_it_is_succeeds() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(temp.path());
        let add = |name: &'static str| {
            move |session: &mut SavedSession| {
                session.skills = vec![skill(name)];
                Ok::<_, StateError>(session.skills.len())
            }
        };
        sessions.change("a", add("x")).unwrap();
        let mut lock = sessions.file("a").into_os_string();
        lock.push(".lock");
        fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink("/nowhere", &lock).unwrap();
        assert_eq!(sessions.change("a", add("x")), Ok(1));
        assert!(sessions.change("a", add("y")).is_err());
        assert_eq!(sessions.load("a").unwrap().unwrap().skills, [skill("x")]);
        fs::remove_file(sessions.file("a")).unwrap();
        assert!(sessions.change::<_, StateError>("a", |_| Ok(())).is_err(), "it would be new");
    }

    #[test]
    fn processes_at_once_lose_no_write() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let directory = temp.path();
                scope.spawn(move || {
                    for round in 0..5 {
                        let name = format!("{thread}-{round}");
                        let add = |session: &mut SavedSession| {
                            session.skills.push(skill(&name));
                            Ok(())
                        };
                        Sessions::new(directory).change::<_, StateError>("chat", add).unwrap();
                    }
                });
            }
        });
        assert_eq!(Sessions::new(temp.path()).load("chat").unwrap().unwrap().skills.len(), 20);
    }
}
