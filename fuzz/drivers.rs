//! One function for each parser of other people's bytes. It panics if what must hold does not.
//!
//! The fuzz targets call them with libFuzzer's inputs, `tests/it/fuzz.rs` with the kept inputs and
//! with changed ones.

use skillpick::catalog::frontmatter;
use skillpick::catalog::validate::{FILE_NAME, examine, strict};
use skillpick::catalog::{Mention, Permission, mentions};
use skillpick::config::{Inputs, load};
use skillpick::policy::{Pattern, Subject, Tool};
use skillpick::search::Query;
use skillpick::settings::{Edit, Format, apply, entry, keys, read};
use skillpick::text::markdown::{Paint, render};
use skillpick::text::{Hidden, HiddenSearch, SafeText};
use std::path::Path;

pub(crate) type Driver = fn(&[u8]);

/// The name of each target, which is that of its corpus too, and its driver.
pub(crate) const TARGETS: [(&str, Driver); 8] = [
    ("frontmatter", frontmatter),
    ("query", query),
    ("rules", rules),
    ("settings", settings),
    ("markdown", markdown),
    ("cleaning", cleaning),
    ("frames", frames),
    ("mentions", any_mentions),
];

pub(crate) fn frontmatter(bytes: &[u8]) {
    let reading = frontmatter::read(bytes);
    assert!(reading.body <= bytes.len());
    let examined = examine(bytes, "folder", FILE_NAME);
    assert!(examined.body <= bytes.len());
    strict(bytes, "folder", FILE_NAME);
    for diagnostic in examined.diagnostics {
        assert!(diagnostic.place.line >= 1 && diagnostic.place.column >= 1, "{diagnostic:?}");
        is_inert(SafeText::clean(&diagnostic.message).as_str());
    }
}

pub(crate) fn query(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let query = Query::parse(&text);
    let words = query.words.iter().chain(&query.refused);
    assert!(words.into_iter().all(|word| !word.raw.is_empty()));
}

/// A repository's settings never allow what the person asks about, and switch no scripts on.
pub(crate) fn rules(bytes: &[u8]) {
    let mut inputs = Inputs {
        config_dir: Some("/nowhere/config".into()),
        repo_root: Some("/nowhere/repo".into()),
        ..Inputs::default()
    };
    let own = "version = 1\n[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"pdf\"\n";
    let drafts = [("/nowhere/config/skillpick/config.toml", own.as_bytes())];
    for (path, bytes) in drafts.into_iter().chain([("/nowhere/repo/.skillpick.toml", bytes)]) {
        inputs.drafts.insert(path.into(), bytes.to_owned());
    }
    let config = load(&inputs);
    assert!(config.project.is_some(), "the project's file was not read");
    let subject = Subject::named("pdf");
    let judged = config.policy.permission_of(Tool::SkillLoad, &subject, None).value;
    assert_ne!(judged, Permission::Allow);
    assert!(!config.values.scripts.enabled.value);
    if let Ok(pattern) = Pattern::read(&String::from_utf8_lossy(bytes)) {
        assert!(pattern.matches(&pattern.sample()), "{pattern:?}");
    }
}

/// The first byte chooses the format, the second the edit; the rest is the document.
pub(crate) fn settings(bytes: &[u8]) {
    let [format, edit, document @ ..] = bytes else { return };
    let formats = [Format::Toml, Format::Json, Format::JsonComments, Format::Jsonc, Format::Yaml];
    let edits = edits();
    let format = formats[usize::from(*format) % formats.len()];
    let edit = &edits[usize::from(*edit) % edits.len()];
    let Ok(new) = apply(format, document, std::slice::from_ref(edit)) else { return };
    if let Err(error) = read(format, &new) {
        panic!("{format:?} {edit:?} made {:?}: {error:?}", String::from_utf8_lossy(&new));
    }
    if !matches!(edit, Edit::RemoveElement { .. }) {
        let again = apply(format, &new, std::slice::from_ref(edit));
        assert_eq!(again.as_ref(), Ok(&new), "{format:?} {edit:?}, made twice");
    }
}

fn edits() -> Vec<Edit> {
    let rule = || vec![entry("tool", "skill"), entry("action", "ask")];
    let denied = || keys(&["denied"]);
    vec![
        Edit::set(&[], "fresh (new)", "off"),
        Edit::set(&["skills", "pdf"], "enabled", false),
        Edit::SetLast { table: keys(&["permission"]), key: "*".to_owned(), value: "ask".into() },
        Edit::remove(&[], "model"),
        Edit::remove(&["skills"], "enabled"),
        Edit::push_table(&["denied"], rule()),
        Edit::InsertTable { array: denied(), index: 0, entries: rule() },
        Edit::SetElement { array: denied(), index: 0, entries: rule() },
        Edit::remove_element(&["denied"], 0),
        Edit::push_text(&["skills", "disabled"], "pdf"),
        Edit::remove_text(&["skills", "disabled"], "pdf"),
    ]
}

/// The first byte is the width.
pub(crate) fn markdown(bytes: &[u8]) {
    let [columns, source @ ..] = bytes else { return };
    let columns = usize::from(*columns % 100);
    for line in &render(&String::from_utf8_lossy(source), columns, Paint::Plain).lines {
        assert!(line.width() <= columns.max(1), "{line:?} in {columns} columns");
        is_inert(&line.plain());
    }
}

pub(crate) fn cleaning(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let path = SafeText::path(Path::new(&*text));
    for safe in [SafeText::line(&text), SafeText::clean(&text), SafeText::bytes(bytes), path] {
        is_inert(safe.as_str());
        assert_eq!(SafeText::marks(safe.as_str()), 0, "{safe:?}");
        assert_eq!(SafeText::clean(safe.as_str()), safe);
    }
    let mut search = HiddenSearch::default();
    search.read(&text);
    let found = search.end().is_some();
    assert_eq!(found, Hidden::of(&text).any(), "in pieces and as a whole: {text:?}");
}

/// Fails if anything is left that acts on a terminal or is not seen.
fn is_inert(text: &str) {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}'..='\u{2029}')
    };
    assert!(!text.contains(acts), "{text:?}");
}

/// The first byte says whether the protocol's version has batches.
pub(crate) fn frames(bytes: &[u8]) {
    let [batched, line @ ..] = bytes else { return };
    let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let is_json = serde_json::from_slice::<serde_json::Value>(bare).is_ok();
    let is_fine = skillpick::serve::is_well_formed(line, batched % 2 == 1);
    assert!(is_json || !is_fine, "{:?}", String::from_utf8_lossy(line));
}

pub(crate) fn any_mentions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut end = 0;
    for found in mentions(&text) {
        assert!(found.range.start >= end && found.range.end <= text.len());
        end = found.range.end;
        let shown = &text[found.range.clone()];
        match &found.mention {
            Mention::Slash { name, .. } => assert_eq!(shown, format!("/{name}")),
            mention => assert_eq!(shown, mention.to_string()),
        }
    }
}
