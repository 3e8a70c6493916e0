//! `read` and `run`: a file of a skill, and the result of a script.

use super::parts::{exact, lossy};
use crate::inert;
use crate::runtime::{Fetched, Launch, ResourceBody, exit_code};
use crate::sandbox::{Captured, Ceiling, Exit, LeftFile, LeftKind, Ran, Removed, Sandbox};
use crate::text::{SafeText, counted};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;

/// Files that are not in the copy and are named; more are counted.
const LEFT_OUT: usize = 5;

/// How wide a path may be in a note, since a script chooses it. The document has it whole.
const LONGEST_NAME: usize = 300;

/// A file of a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReadDocument<'a> {
    /// The skill's name.
    name: &'a str,
    /// Path of its SKILL.md.
    skill_path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// The file's path as it was requested.
    path: &'a str,
    /// `text` or `binary`.
    encoding: &'static str,
    /// The media type.
    media_type: &'static str,
    /// Size of the whole file, bytes.
    bytes: u64,
    /// Whether only the first part is included.
    truncated: bool,
    /// The notice about the cut; null if nothing was cut.
    notice: Option<String>,
    /// The text; null for `binary`.
    content: Option<&'a str>,
    /// The bytes, base64; null for `text`.
    content_b64: Option<String>,
}

impl<'a> ReadDocument<'a> {
    /// `path` is the path that was requested.
    pub fn of(fetched: &'a Fetched, path: &'a str) -> Self {
        let resource = &fetched.resource;
        let (encoding, content, content_b64) = match &resource.body {
            ResourceBody::Text(text) => ("text", Some(text.as_str()), None),
            ResourceBody::Binary(bytes) => ("binary", None, Some(STANDARD.encode(bytes))),
        };
        Self {
            name: &fetched.skill.name,
            skill_path: lossy(&fetched.skill.path),
            path_b64: exact(&fetched.skill.path),
            path,
            encoding,
            media_type: resource.media_type,
            bytes: resource.total,
            truncated: resource.cut,
            notice: fetched.notice(),
            content,
            content_b64,
        }
    }
}

/// What the document says of the prepared run, copied since the run consumes the [`Launch`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreparedRun {
    /// The skill's name.
    name: String,
    /// Path of its SKILL.md.
    skill_path: String,
    /// Path of the script relative to the skill.
    path: String,
    /// The script's real path.
    real_path: String,
    /// The whole command.
    argv: Vec<String>,
    /// `sha256:` and the digest of all files of the skill as they ran.
    digest: String,
    /// The names of its environment variables.
    environment: Vec<String>,
    /// `landlock`, `bubblewrap` or `off`.
    sandbox: &'static str,
    /// The folders it could write to; null if it had all of your rights.
    writes: Option<Vec<String>>,
    /// What of the skill the script did not get.
    #[serde(skip)]
    left_out: Vec<PathBuf>,
}

impl PreparedRun {
    pub fn of(launch: &Launch) -> Self {
        let prepared = &launch.prepared;
        let text = |path: &PathBuf| lossy(path).into_owned();
        Self {
            name: launch.skill.name.clone(),
            skill_path: text(&launch.skill.path),
            path: launch.script.clone(),
            real_path: text(&prepared.script),
            argv: prepared.argv().iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            digest: format!("sha256:{}", prepared.digest),
            environment: prepared.environment.clone(),
            sandbox: prepared.sandbox.word(),
            writes: prepared.writes.as_ref().map(|paths| paths.iter().map(text).collect()),
            left_out: prepared.left_out.clone(),
        }
    }
}

/// How a script ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunDocument<'a> {
    #[serde(flatten)]
    prepared: &'a PreparedRun,
    /// `code`, `signal`, `timed_out`, `cancelled`, or what it took too much of: `over_memory`,
    /// `over_processes` or `over_file_size`.
    exit: &'static str,
    /// Its exit code: 128 + n after signal n, also of one that ended skillpick, 124 after a
    /// timeout, 137 beyond a limit.
    exit_code: i32,
    /// Its stdout, as text.
    stdout: String,
    /// Its stderr, as text.
    stderr: String,
    /// How many bytes of each stream were dropped.
    dropped: DroppedBytes,
    /// Duration in milliseconds.
    duration_ms: u64,
    /// How many of its processes were still running and were ended.
    stragglers: usize,
    /// Whether it is proven that none of its processes is left.
    all_ended: bool,
    /// How many were seen last; null if none was seen and this proves nothing.
    survivors: Option<usize>,
    /// The directory with the files that it wrote; null if it wrote none.
    kept: Option<Cow<'a, str>>,
    /// The first files in it.
    files: Vec<LeftRow<'a>>,
    /// How many more files there are.
    more_files: usize,
    /// The first of what was taken away from there: links that lead elsewhere, FIFOs, sockets.
    removed: Vec<RemovedRow<'a>>,
    /// How many more such entries there are.
    more_removed: usize,
    /// What a reader has to know beside its output, in words.
    notes: Vec<String>,
}

/// A file that a script has left, or a link to one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftRow<'a> {
    /// Its path in the directory.
    path: Cow<'a, str>,
    /// Its size; null for a link.
    bytes: Option<u64>,
    /// Where the link leads; null for a file.
    link: Option<Cow<'a, str>>,
}

/// An entry that a script has left and that is no file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RemovedRow<'a> {
    /// Its path in the directory.
    path: Cow<'a, str>,
    /// What it was.
    kind: &'static str,
    /// Whether it could not be removed and is still there.
    stays: bool,
}

/// Bytes from the middle of a stream that are not in the document.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct DroppedBytes {
    /// Dropped bytes of stdout.
    stdout: u64,
    /// Dropped bytes of stderr.
    stderr: u64,
}

impl<'a> RunDocument<'a> {
    /// `signal` is the one that has ended us, and by that the script.
    pub fn of(prepared: &'a PreparedRun, ran: &'a Ran, signal: Option<i32>) -> Self {
        let left = |file: &'a LeftFile| {
            let (bytes, link) = match &file.kind {
                LeftKind::File { bytes, .. } => (Some(*bytes), None),
                LeftKind::Link(target) => (None, Some(lossy(target))),
            };
            LeftRow { path: lossy(&file.path), bytes, link }
        };
        let removed = |entry: &'a Removed| RemovedRow {
            path: lossy(&entry.path),
            kind: entry.kind,
            stays: entry.stays,
        };
        Self {
            prepared,
            exit: ending(ran.exit, prepared.sandbox).0,
            exit_code: signal.map_or_else(|| exit_code(ran.exit), |number| 128 + number),
            stdout: ran.stdout.text(),
            stderr: ran.stderr.text(),
            dropped: DroppedBytes { stdout: ran.stdout.dropped, stderr: ran.stderr.dropped },
            duration_ms: u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX),
            stragglers: ran.stragglers,
            all_ended: ran.all_ended,
            survivors: (ran.all_ended || ran.survivors > 0).then_some(ran.survivors),
            kept: ran.kept.as_deref().map(lossy),
            files: ran.left.files.iter().map(left).collect(),
            more_files: ran.left.more,
            removed: ran.left.removed.iter().map(removed).collect(),
            more_removed: ran.left.more_removed,
            notes: notes(prepared, ran).iter().map(SafeText::to_string).collect(),
        }
    }
}

/// What a reader has to know of a run beside its output and its exit code.
pub fn notes(prepared: &PreparedRun, ran: &Ran) -> Vec<SafeText> {
    notes_with(prepared, ran, &[("stdout", &ran.stdout), ("stderr", &ran.stderr)])
}

/// The same for one who gets the bytes of stdout as they are.
pub fn notes_beside_bytes(prepared: &PreparedRun, ran: &Ran) -> Vec<SafeText> {
    notes_with(prepared, ran, &[("stderr", &ran.stderr)])
}

/// `texts` are the outputs that are handed over as text.
fn notes_with(
    prepared: &PreparedRun,
    ran: &Ran,
    texts: &[(&'static str, &Captured)],
) -> Vec<SafeText> {
    let why = ending(ran.exit, prepared.sandbox).1;
    let mut notes: Vec<SafeText> =
        why.iter().map(|why| inert!("it was ended because {}", *why)).collect();
    let left_out = &prepared.left_out;
    notes.extend(left_out.iter().take(LEFT_OUT).map(|path| inert!("not in the copy: {}", path)));
    if left_out.len() > LEFT_OUT {
        notes.push(inert!("nor {} more", left_out.len() - LEFT_OUT));
    }
    for (word, stream) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        if stream.dropped > 0 {
            notes.push(inert!("{} bytes in the middle of {} were dropped", stream.dropped, word));
        }
    }
    for (word, _) in texts.iter().filter(|(_, stream)| stream.is_altered()) {
        notes.push(inert!("{} is not all UTF-8: as text, U+FFFD stands for other bytes", *word));
    }
    match ran.survivors {
        _ if ran.all_ended => {}
        0 => notes.push(SafeText::fixed("whether all of its processes have ended is not proven")),
        seen => notes.push(inert!(
            "whether all of its processes have ended is not proven; {} were seen last",
            seen
        )),
    }
    if let Some(kept) = &ran.kept {
        notes.push(inert!("what it wrote is in {}", SafeText::path(kept)));
    }
    let left = &ran.left;
    notes.extend(left.files.iter().map(left_file));
    if left.more > 0 {
        notes.push(inert!("and {} more files", left.more));
    }
    if left.cut {
        notes.push(SafeText::fixed("there are more entries than were looked at"));
    }
    notes.extend(left.removed.iter().map(|entry| {
        let path = SafeText::path(&entry.path).cut(LONGEST_NAME);
        if entry.stays {
            inert!("do not follow {}, which it left: {}", path, entry.kind)
        } else {
            inert!("removed {}, which it left: {}", path, entry.kind)
        }
    }));
    if left.more_removed > 0 {
        notes.push(inert!("and {} more such entries", left.more_removed));
    }
    notes
}

fn left_file(file: &LeftFile) -> SafeText {
    let path = SafeText::path(&file.path).cut(LONGEST_NAME);
    match &file.kind {
        LeftKind::Link(target) => {
            inert!("it left the link {} to {}", path, SafeText::path(target).cut(LONGEST_NAME))
        }
        LeftKind::File { bytes, full } => {
            let cut = match full {
                true => ", which may be cut: it has as many bytes as `scripts.file_size` allows",
                false => "",
            };
            let bytes = counted(usize::try_from(*bytes).unwrap_or(usize::MAX), "byte");
            inert!("it left the file {} ({}){}", path, bytes, cut)
        }
    }
}

/// The word for how a script ended, and why it was ended if it did not end by itself.
fn ending(exit: Exit, sandbox: &str) -> (&'static str, Option<&'static str>) {
    match exit {
        Exit::Code(_) => ("code", None),
        Exit::Signal(_) => ("signal", None),
        Exit::TimedOut => ("timed_out", Some("its time was up")),
        Exit::Cancelled => ("cancelled", Some("its caller cancelled it")),
        Exit::Over(Ceiling::Memory) => {
            ("over_memory", Some("it took more memory than `scripts.memory` allows"))
        }
        Exit::Over(Ceiling::Processes) => {
            ("over_processes", Some("it had more processes than `scripts.processes` allows"))
        }
        // bubblewrap passes on only a code, which may be the script's own.
        Exit::Over(Ceiling::FileSize) => (
            "over_file_size",
            Some(match sandbox == Sandbox::Bubblewrap.word() {
                true => "a file may have grown beyond what `scripts.file_size` allows",
                false => "a file grew beyond what `scripts.file_size` allows",
            }),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Left;
    use std::time::Duration;

    fn document(all_ended: bool, survivors: usize) -> (serde_json::Value, String) {
        document_with(all_ended, survivors, notes)
    }

    fn document_with(
        all_ended: bool,
        survivors: usize,
        notes: fn(&PreparedRun, &Ran) -> Vec<SafeText>,
    ) -> (serde_json::Value, String) {
        let prepared = PreparedRun {
            name: "pdf".to_owned(),
            skill_path: "/x/SKILL.md".to_owned(),
            path: "a.sh".to_owned(),
            real_path: "/x/a.sh".to_owned(),
            argv: Vec::new(),
            digest: String::new(),
            environment: Vec::new(),
            sandbox: "off",
            writes: None,
            left_out: (0..7).map(|number| format!("inner/{number}").into()).collect(),
        };
        let ran = Ran {
            exit: Exit::TimedOut,
            stdout: Captured { head: b"a\xffb".to_vec(), ..Captured::default() },
            stderr: Captured::default(),
            duration: Duration::ZERO,
            stragglers: 0,
            all_ended,
            survivors,
            kept: None,
            left: Left {
                files: vec![
                    LeftFile { path: "full".into(), kind: LeftKind::File { bytes: 8, full: true } },
                    LeftFile { path: "one".into(), kind: LeftKind::File { bytes: 1, full: false } },
                    LeftFile { path: "rel".into(), kind: LeftKind::Link("x2".into()) },
                ],
                ..Left::default()
            },
        };
        let said =
            notes(&prepared, &ran).iter().map(SafeText::to_string).collect::<Vec<_>>().join("\n");
        (serde_json::to_value(RunDocument::of(&prepared, &ran, None)).unwrap(), said)
    }

    #[test]
    fn that_nothing_is_left_is_claimed_only_where_it_is_proven() {
        let (data, said) = document(true, 0);
        assert_eq!((&data["all_ended"], &data["survivors"]), (&true.into(), &0.into()));
        assert!(!said.contains("not proven"), "{said}");
        let (data, said) = document(false, 0);
        assert!(data["survivors"].is_null() && data["all_ended"] == false, "{data}");
        assert!(said.contains("not proven") && !said.contains("seen"), "{said}");
        let (data, said) = document(false, 2);
        assert_eq!(data["survivors"], 2, "{data}");
        assert!(said.contains("not proven; 2 were seen"), "{said}");
    }

    #[test]
    fn output_that_is_no_text_is_told() {
        let (_, said) = document(true, 0);
        assert!(said.contains("stdout is not all UTF-8") && !said.contains("stderr is"), "{said}");
        let (_, said) = document_with(true, 0, notes_beside_bytes);
        assert!(!said.contains("UTF-8"), "{said}");
    }

    #[test]
    fn a_reader_is_told_what_was_not_in_the_copy_and_which_file_may_be_cut() {
        let (data, said) = document(true, 0);
        for words in [
            "not in the copy: inner/4\nnor 2 more",
            "it left the file full (8 bytes), which may be cut: it has as many bytes as",
            "it left the file one (1 byte)\nit left the link rel to x2",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(data["left_out"].is_null(), "{data}");
        assert_eq!(data["files"][2]["link"], "x2");
        assert!(data["files"][2]["bytes"].is_null() && data["files"][0]["link"].is_null());
    }
}
