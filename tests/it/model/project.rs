//! The project of a shop: three skills, one of them deleted.

use super::script::update;
use skillpick::text::SafeText;
use skillpick::tui::app::{Msg, ProjectContent, State, StoredRow};
use std::sync::Arc;

/// Unix time in milliseconds, a while before [`super::log::NOW`].
const THEN: u64 = super::log::NOW - 3_600_000;

/// The digest of a version.
pub(crate) fn version(number: usize) -> String {
    format!("{number}f8e").repeat(16)
}

fn row(name: &str, words: &'static str, version: Option<String>) -> StoredRow {
    StoredRow {
        name: Arc::from(name),
        version: version.map(Arc::from),
        words: SafeText::fixed(words),
        at_ms: THEN,
        file: None,
    }
}

pub(crate) fn content(history_of: Option<&str>) -> ProjectContent {
    let file = Some("/code/shop/.agents/skills/pdf".into());
    let history = vec![
        row("release-notes", "#2 put 2f8e2f8e2f8e by bob", Some(version(2))),
        row("release-notes", "#1 put 1f8e1f8e1f8e by ann", Some(version(1))),
    ];
    ProjectContent {
        about: SafeText::fixed("shop · over files · sqlite:/home/ann/.local/state/skills.db"),
        skills: vec![
            StoredRow { file, ..row("pdf", "#1 0f8e0f8e0f8e by ann", Some(version(0))) },
            row("release-notes", "#2 2f8e2f8e2f8e by bob", Some(version(2))),
            row("old-notes", "#4 deleted by bob", None),
        ],
        history: history_of.map(|name| (Arc::from(name), history)),
    }
}

/// Gives the content, as the shell would.
pub(crate) fn answer(state: &mut State, history_of: Option<&str>) {
    update(state, Msg::ProjectRead(Ok(Arc::new(content(history_of)))));
}
