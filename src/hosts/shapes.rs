//! What several hosts share: a list of disabled names, the folders up to the repository's root,
//! trusted folders.

use super::settings_file::{MARK, MARKED};
use super::{Candidate, Context, SettingsFile, SettingsPath, Wanted};
use crate::catalog::{Enablement, Root, plain_path};
use crate::policy::change::Refusal;
use crate::policy::{Layer, Policy, Switch, Target};
use crate::settings::{self, Edit, Format, Kind, Node, Reader, Value, store};
use crate::text::shell;
use std::path::{Path, PathBuf};

/// The role of the file in which a host keeps its settings.
pub(super) const SETTINGS: &str = "settings";

/// The role of files in which plugins describe themselves, and in which an agent's program writes
/// what it has installed: nothing that a person sets.
pub const PLUGINS: &str = "plugins";

/// The role of the file in which a host remembers which folders are trusted.
pub(super) const TRUST: &str = "trusted folders";

/// How a host reads a file, unless it says otherwise. JSON is read as JavaScript reads it, in which
/// most of the hosts are written.
fn reader(format: Format) -> Reader {
    match format {
        Format::JsonComments => Reader::StripJsonComments,
        _ if format.is_json() => Reader::JavaScript,
        _ => Reader::Strict,
    }
}

/// A settings file that always counts.
pub(super) fn file(path: PathBuf, layer: Layer, format: Format) -> SettingsPath {
    SettingsPath {
        path,
        layer,
        format,
        role: SETTINGS,
        ignored: None,
        remark: None,
        fresh: Vec::new(),
        reader: reader(format),
    }
}

/// A file of plugins, in JSON.
pub(super) fn plugin_file(path: PathBuf) -> SettingsPath {
    SettingsPath { role: PLUGINS, ..file(path, Layer::User, Format::Json) }
}

/// Several of them, each once.
pub(super) fn plugin_files(mut paths: Vec<PathBuf>) -> impl Iterator<Item = SettingsPath> {
    paths.sort();
    paths.dedup();
    paths.into_iter().map(plugin_file)
}

/// Why a host ignores a folder.
pub(super) const UNTRUSTED: &str = "the folder is not trusted";

/// Whether a name of at most this many bytes is words of small letters and digits with single
/// hyphens between them.
pub(super) fn is_hyphenated_name(name: &str, longest: usize) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit();
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_sign);
    name.len() <= longest && name.split('-').all(is_word)
}

/// The longest name of the specification, and its longest description in units of UTF-16, which
/// programs in JavaScript count.
pub(super) const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1_024;

/// Whether a description has text, and no more than is allowed.
pub(super) fn is_short_text(description: &str) -> bool {
    (1..=LONGEST_DESCRIPTION).contains(&description.encode_utf16().count())
}

/// The remark on a file that counts only in the working directory; `None` if that is the
/// repository's root, or if there is no repository.
pub(super) fn only_here(context: &Context, host: &str) -> Option<String> {
    let below = context.cwd.strip_prefix(context.repo_root.as_ref()?).ok()?;
    let named = below.components().next().is_some();
    named.then(|| format!("counts only when {host} starts in {}", below.display()))
}

/// A settings file as it is on the disk now, for hosts whose settings say which files count.
pub(super) fn on_disk(path: &Path, format: Format) -> Option<Node> {
    let bytes = store::read(path).ok()?.bytes?;
    settings::read_as(format, &bytes, reader(format)).ok()
}

/// Why a file is ignored by a host that reads no JSON after a byte order mark, if it has one.
pub(super) fn marked(path: &Path) -> Option<&'static str> {
    has_mark(path).then_some(MARKED)
}

/// Whether a file begins with a byte order mark, which JavaScript's own parser does not take.
pub(super) fn has_mark(path: &Path) -> bool {
    bytes(path).is_some_and(|bytes| bytes.starts_with(MARK))
}

/// Why JavaScript's own parser does not take a file, by how it begins.
pub(super) fn no_json(file: &SettingsFile) -> Option<&'static str> {
    let blank = || file.blank.then_some("with nothing in it");
    if file.mark { Some("with a byte order mark") } else { blank() }
}

/// What JavaScript makes of a file of plain JSON: what is no UTF-8 is a sign to it, and the last of
/// equal keys counts.
pub(super) fn json(path: &Path) -> Option<serde_json::Value> {
    serde_json::from_str(&String::from_utf8_lossy(&bytes(path)?)).ok()
}

fn bytes(path: &Path) -> Option<Vec<u8>> {
    store::read(path).ok()?.bytes
}

/// A path in a folder, with `.` and `..` resolved in the text; `None` if it leads out of it.
pub(super) fn beneath(folder: &Path, path: &str) -> Option<PathBuf> {
    let place = plain_path(&folder.join(path));
    (!Path::new(path).is_absolute() && place.starts_with(folder)).then_some(place)
}

/// The folders in a folder, links to folders among them, by name.
pub(super) fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// The refusal to enable a skill whose extension a line of a file has off (Gemini CLI, Qwen Code).
/// Without a scope the program enables it below the home directory alone.
pub(super) fn extension_off(
    context: &Context,
    (program, name): (&str, &str),
    (file, line, text): (&SettingsFile, u32, String),
) -> Refusal {
    let word = shell_word(name).unwrap_or_else(|| "NAME".to_owned());
    let is_below = context.home.as_ref().is_some_and(|home| context.cwd.starts_with(home));
    let scope = if is_below { "" } else { " --scope workspace" };
    let command = format!("{program} extensions enable {word}{scope}");
    Refusal::ExtensionOff { by: file.origin(line, text), command }
}

/// Where the files of an extension are (Gemini CLI, Qwen Code): elsewhere, if it was linked. What
/// is written of its installation is in this file of its folder.
pub(super) fn extension_source(extension: &Path, installed: &str) -> PathBuf {
    let installed = on_disk(&extension.join(installed), Format::Json);
    let linked = installed.filter(|node| node.text_of("type") == Some("link"));
    let source = linked.and_then(|node| node.text_of("source").map(PathBuf::from));
    source.unwrap_or_else(|| extension.to_owned())
}

/// Whether a path in a list, after a `!` if it disables, is the working directory or above it
/// (Gemini CLI, Qwen Code): `/a/b/*` is `/a/b` and all below it, `/a/b/` that folder alone.
pub(super) fn path_applies(rule: &str, cwd: &Path) -> bool {
    let rule = rule.strip_prefix('!').unwrap_or(rule);
    let here = format!("{}/", cwd.display());
    match rule.strip_suffix("/*") {
        Some(above) => here.strip_prefix(above).is_some_and(|rest| rest.starts_with('/')),
        None => match rule.strip_suffix('*') {
            Some(start) => here.starts_with(start),
            None => here == rule,
        },
    }
}

/// The roots in their order, each folder once.
pub fn once(roots: impl IntoIterator<Item = Root>) -> Vec<Root> {
    let mut once: Vec<Root> = Vec::new();
    for root in roots {
        if once.iter().all(|other| other.path != root.path) {
            once.push(root);
        }
    }
    once
}

/// The directories from the working directory up to the nearest with a `.git`, nearest first. If
/// there is none, up to the file system's root (Copilot CLI, pi).
pub(super) fn upwards(context: &Context) -> Vec<PathBuf> {
    let repository = context.cwd.ancestors().find(|folder| folder.join(".git").exists());
    let inside = context
        .cwd
        .ancestors()
        .take_while(|folder| repository.is_none_or(|top| folder.starts_with(top)));
    inside.map(Path::to_owned).collect()
}

/// Whether folders must be trusted, by the highest of these files that says so (Gemini CLI, Qwen
/// Code).
pub(super) fn trust_switch(files: &[SettingsPath]) -> Option<bool> {
    let enabled =
        |node: Node| node.at(&["security", "folderTrust", "enabled"]).and_then(Node::flag);
    files
        .iter()
        .rev()
        .find_map(|location| on_disk(&location.path, location.format).and_then(enabled))
}

/// Whether the working directory is among the trusted folders of a file.
pub(super) fn is_trusted(context: &Context, file: Option<PathBuf>) -> bool {
    let folders = file.and_then(|path| on_disk(&path, Format::JsonComments));
    folders.and_then(|folders| trusts(&folders, &context.cwd)).unwrap_or(false)
}

/// Whether a file of trusted folders trusts this one; `None` if it does not mention it. The longest
/// matching path decides. `TRUST_PARENT` trusts the parent of the path (Gemini CLI 0.61.0,
/// `packages/core/src/utils/trust.ts`).
fn trusts(folders: &Node, cwd: &Path) -> Option<bool> {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let cwd = real(cwd);
    let mut decided: Option<(usize, bool)> = None;
    for field in folders.fields() {
        let named = Path::new(&field.key);
        let (folder, trusted) = match field.node.text() {
            Some("TRUST_FOLDER") => (named, true),
            Some("TRUST_PARENT") => (named.parent().unwrap_or(named), true),
            Some("DO_NOT_TRUST") => (named, false),
            _ => continue,
        };
        let longer = decided.is_none_or(|(length, _)| field.key.len() > length);
        if longer && cwd.starts_with(real(folder)) {
            decided = Some((field.key.len(), trusted));
        }
    }
    decided.map(|(_, trusted)| trusted)
}

/// The texts of a list, each with its line. Error: the line of something else than a text or list.
pub(super) fn texts<'a>(file: &'a SettingsFile, path: &[&str]) -> Result<Vec<(&'a str, u32)>, u32> {
    let Some(node) = file.at(path) else { return Ok(Vec::new()) };
    match &node.kind {
        Kind::Null => Ok(Vec::new()),
        Kind::List(items) => items
            .iter()
            .map(|item| item.text().map(|text| (text, item.line)).ok_or(item.line))
            .collect(),
        _ => Err(node.line),
    }
}

/// The texts of a list. If it is no list of texts, the file denies everything.
pub(super) fn texts_or_deny<'a>(
    policy: &mut Policy,
    file: &'a SettingsFile,
    path: &[&str],
) -> Vec<(&'a str, u32)> {
    texts(file, path).unwrap_or_else(|line| {
        file.deny_all(policy, line, format!("{} is no list of texts", path.join(".")));
        Vec::new()
    })
}

/// The switch that a name in a list of disabled names makes.
pub(super) fn off(file: &SettingsFile, path: &[&str], name: &str, line: u32) -> Switch {
    let text = format_args!("{} \"{name}\"", path.join("."));
    file.switch(Target::Name(name.to_owned()), Enablement::Off, line, text)
}

/// Removes every spelling of a name from a list.
pub(super) fn take_out(
    file: &SettingsFile,
    path: &[&str],
    is_it: &dyn Fn(&str) -> bool,
) -> Vec<Edit> {
    let found = texts(file, path).unwrap_or_default();
    let mut edits: Vec<Edit> = Vec::new();
    for (text, _) in found.into_iter().filter(|(text, _)| is_it(text)) {
        let edit = Edit::remove_text(path, text);
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    edits
}

/// Candidates for a switch that is a list of disabled names. `fold` ignores upper and lower case.
/// Some hosts stop at a file with nothing in it: an empty list makes it a sound one.
pub(super) fn switch_by_list(
    file: &SettingsFile,
    path: &[&str],
    wanted: &Wanted<'_>,
    fold: bool,
) -> Vec<Candidate> {
    let same = |text: &str| {
        text == wanted.name || (fold && text.to_lowercase() == wanted.name.to_lowercase())
    };
    let edits = match wanted.state {
        Enablement::Off => vec![Edit::push_text(path, wanted.name)],
        _ => take_out(file, path, &same),
    };
    let mut candidates = vec![Vec::new(), vec![file.edit(edits)]];
    if wanted.state != Enablement::Off {
        // Some hosts ignore blanks around a name.
        candidates.push(vec![file.edit(take_out(file, path, &|text| same(text.trim())))]);
    }
    if let Some((key, table)) = path.split_last().filter(|_| file.blank) {
        candidates.push(vec![file.edit(vec![Edit::set(table, key, Value::List(Vec::new()))])]);
    }
    candidates
}

/// `text` as one word of a shell; `None` if no line can show it exactly.
pub(super) fn shell_word(text: &str) -> Option<String> {
    shell::word(text).map(|word| word.to_string())
}

/// `text` as JSON writes it, which TOML reads too.
pub(super) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_longest_path_decides_about_trust() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(top.join("a/b/c")).unwrap();
        let say = |rows: &[(&str, &str)]| {
            let text: Vec<String> = rows
                .iter()
                .map(|(path, level)| format!("\"{}\": \"{level}\"", top.join(path).display()))
                .collect();
            let json = format!("{{ // folders\n{}}}", text.join(",\n"));
            let node = settings::read(Format::JsonComments, json.as_bytes()).unwrap();
            trusts(&node, &top.join("a/b"))
        };
        assert_eq!(say(&[]), None);
        assert_eq!(say(&[("a", "TRUST_FOLDER")]), Some(true));
        assert_eq!(say(&[("a", "TRUST_FOLDER"), ("a/b", "DO_NOT_TRUST")]), Some(false));
        assert_eq!(say(&[("a", "DO_NOT_TRUST"), ("a/b", "TRUST_FOLDER")]), Some(true));
        assert_eq!(say(&[("a/b/c", "TRUST_PARENT")]), Some(true), "its parent is the folder");
        assert_eq!(say(&[("a/b/c", "TRUST_FOLDER"), ("a/bb", "TRUST_FOLDER")]), None);
        assert_eq!(say(&[("a", "TRUST_EVERYTHING")]), None);
    }

    #[test]
    fn a_word_of_the_shell_stays_one() {
        assert_eq!(shell_word("a b").as_deref(), Some("'a b'"));
        assert_eq!(shell_word("it's $HOME").as_deref(), Some(r"'it'\''s $HOME'"));
        assert_eq!(shell_word("a\nb"), None);
        assert_eq!(json_text("a\"b"), r#""a\"b""#);
    }
}
