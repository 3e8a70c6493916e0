//! A log of calls made by hand: every kind, every way in which one ends.

use super::catalog::TestCatalog;
use skillpick::catalog::{Call, CallKind, Uses};
use skillpick::tui::app::ActivityLog;

/// The current time: 2026-03-01 12:00:00Z.
pub(crate) const NOW: u64 = 1_772_366_400_000;
/// The file of the log.
pub(crate) const FILE: &str = "/home/ada/.local/state/skillpick/activity.jsonl";

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

/// A load of a skill of the shop, this many milliseconds ago.
pub(crate) fn load(catalog: &TestCatalog, name: &str, ago_ms: u64) -> Call {
    Call {
        client: "mcp:codex".to_owned(),
        bytes: Some(2_450),
        duration_ms: 3,
        digest: Some("9f2c41d6b07e58a3".repeat(4)),
        ..Call::new(CallKind::Load, NOW - ago_ms, name, &catalog.path(name))
    }
}

/// Nine calls, newest first.
pub(crate) fn shop(catalog: &TestCatalog) -> ActivityLog {
    let denied = Call {
        bytes: None,
        digest: None,
        error: Some("denied".into()),
        client: "mcp:claude-code".into(),
        ..load(catalog, "internal-deploy", 2 * MINUTE)
    };
    let run = Call {
        kind: CallKind::Run,
        file: Some("scripts/check_fields.py".into()),
        session: Some("chat-7".into()),
        exit: Some(0),
        bytes: Some(812),
        duration_ms: 340,
        sandbox: Some("landlock".into()),
        ..load(catalog, "pdf-forms", 5 * MINUTE)
    };
    let failed = Call {
        exit: Some(3),
        duration_ms: 62_500,
        truncated: true,
        bytes: Some(65_536),
        sandbox: Some("off".into()),
        client: "cli".into(),
        ..Call { at_ms: NOW - 8 * MINUTE, ..run.clone() }
    };
    let read = Call {
        kind: CallKind::Read,
        file: Some("references/fields.md".into()),
        bytes: Some(16_384),
        truncated: true,
        ..load(catalog, "pdf-forms", 9 * MINUTE)
    };
    let missing = Call {
        kind: CallKind::Read,
        file: Some("references/nothing-that-is-there.md".into()),
        bytes: None,
        error: Some("not_found".into()),
        ..load(catalog, "pdf-forms", 10 * MINUTE)
    };
    let mut gone = load(catalog, "pdf", 40 * DAY);
    (gone.skill, gone.path) = ("gone-since".into(), "/code/old/gone-since/SKILL.md".into());
    let approve = Call {
        kind: CallKind::Approve,
        bytes: None,
        client: "cli".into(),
        ..load(catalog, "pdf-forms", DAY)
    };
    let calls = vec![
        denied,
        run,
        failed,
        read,
        missing,
        load(catalog, "pdf-forms", 11 * MINUTE),
        approve,
        load(catalog, "pdf", 3 * DAY),
        gone,
    ];
    ActivityLog { calls, broken: 0, unread: Vec::new(), cut: Vec::new(), file: Some(FILE.into()) }
}

/// How often the shop's skills were used, by [`shop`].
pub(crate) fn uses(catalog: &TestCatalog) -> Uses {
    let mut uses = Uses::default();
    for call in shop(catalog)
        .calls
        .iter()
        .filter(|call| call.error.is_none() && [CallKind::Load, CallKind::Run].contains(&call.kind))
    {
        uses.add(&call.path, call.at_ms, &call.client);
    }
    uses
}
