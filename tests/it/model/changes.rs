//! Some changes of a journal, the newest first.

use skillpick::text::SafeText;
use skillpick::tui::app::KeptChange;

/// At most so many of three: one that is made, one that is undone, one that cannot be read.
pub(crate) fn changes(most: usize) -> Vec<KeptChange> {
    let change = |number, label: &'static str, at_ms, files: &'static str, undone| KeptChange {
        number,
        label: SafeText::fixed(label),
        at_ms,
        files: SafeText::fixed(files),
        undone,
    };
    let hour = super::log::NOW - 3_600_000;
    let mut all = vec![
        change(7, "pdf-forms off", Some(hour), "~/.config/skillpick/config.toml", false),
        change(
            6,
            "mend 4 findings in 2 skills",
            Some(hour),
            "./.agents/skills/x/SKILL.md +1",
            true,
        ),
        change(
            5,
            "what was saved of a change cannot be read; it is set aside here",
            None,
            "",
            false,
        ),
    ];
    all.truncate(most);
    all
}
