//! What tells the two `scan-ocr` of the shop apart, as the shell would send it.

use super::catalog::TestCatalog;
use skillpick::text::SafeText;
use skillpick::tui::app::{CopyRow, CopyRows};
use std::path::Path;
use std::sync::Arc;

/// Of the first ones; the screen takes only what is about all of its rows.
pub(crate) fn facts(most: usize) -> CopyRows {
    let catalog = TestCatalog::shop();
    let scans = catalog.skills.iter().filter(|skill| skill.name == "scan-ocr").take(most);
    let paths: Vec<Arc<Path>> = scans.map(|skill| Arc::from(skill.path.as_path())).collect();
    let differences = ["", "differs from line 3: description: Searchable PDF from a scanner's"];
    let row = |difference: &&'static str| CopyRow {
        changed_ms: 1_700_000_000_000,
        in_git: SafeText::fixed(if difference.is_empty() { "in git" } else { "" }),
        bytes: 4_700,
        files: 3,
        difference: SafeText::fixed(difference),
    };
    let rows = differences.iter().take(paths.len()).map(row).collect();
    (paths, rows)
}
