//! What other hosts make of the shop's skills, with real policies.

use super::catalog::{PROJECT_FILE, TestCatalog, USER_FILE};
use skillpick::catalog::{Enablement, HostId, MentionForm, Permission};
use skillpick::listing::Listing;
use skillpick::policy::{
    Evaluation, HostReport, Layer, Origin, Pattern, Policy, Rule, Speech, Switch, Target,
};
use skillpick::policy::{Identity, Profile};
use skillpick::text::SafeText;
use skillpick::tui::app::{HostCounts, HostRow, Viewed};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

fn origin(file: &str, line: u32, text: &str) -> Origin {
    Origin::Rule { file: Arc::from(Path::new(file)), line, text: text.into() }
}

fn report(host: &'static str, policy: Policy, found: impl Iterator<Item = u32>) -> HostReport {
    let (policy, found) = (Arc::new(policy), Arc::new(found.collect()));
    let form = match host {
        "agents" | "codex" => MentionForm::Dollar { link: true },
        _ => MentionForm::Start("/"),
    };
    HostReport {
        host: HostId(host),
        speech: Speech { host: HostId(host), name: host, form },
        inside: false,
        policy,
        found,
        shadowed: HashMap::new(),
        contested: Vec::new(),
        own: HashMap::new(),
        by_rule: false,
        remark: String::new(),
    }
}

/// The shop's view, with the reports of six hosts: one sees all skills, one has a skill off, one
/// denies some, one keeps a skill for the person, one refuses names, and one reads other folders.
pub(crate) fn seen(catalog: &mut TestCatalog) -> Viewed {
    reported(catalog.view())
}

/// A view with the reports of these hosts.
pub(crate) fn reported(view: Viewed) -> Viewed {
    let all = 0..u32::try_from(view.rows.len()).unwrap();
    let agents = report("agents", (*view.policy).clone(), all.clone());
    let mut codex = Policy::without_settings(Evaluation::HOST);
    codex.switches.push(Switch {
        target: Target::Name("pdf".into()),
        within: None,
        state: Enablement::Off,
        origin: origin("/home/ada/.codex/config.toml", 4, "skills.config name \"pdf\""),
        layer: Layer::User,
    });
    let mut opencode = Policy::without_settings(Evaluation {
        denied: skillpick::policy::Denied::Hidden,
        ..Evaluation::HOST
    });
    opencode.rules.push(Rule::loading(
        Pattern::Glob("pdf*".into()),
        Permission::Deny,
        origin(PROJECT_FILE, 3, "permission.skill \"pdf*\""),
        Layer::Project,
    ));
    let mut claude =
        Policy::without_settings(Evaluation { identity: Identity::Directory, ..Evaluation::HOST });
    claude.switches.push(Switch {
        target: Target::Name("pdf".into()),
        within: None,
        state: Enablement::UserOnly,
        origin: origin(USER_FILE, 9, "skillOverrides \"pdf\""),
        layer: Layer::Local,
    });
    let profile = Profile { refuses: &["name-case", "name-dir-mismatch"], takes: &[] };
    let codelia = Policy::without_settings(Evaluation { profile, ..Evaluation::HOST });
    let mut newer = report("codelia", codelia, all.clone());
    newer.remark = "0.9.1 is newer than 0.9.0, for which this was proved".to_owned();
    let reports = vec![
        agents,
        report("codex", codex, all.clone()),
        report("claude", claude, all.clone()),
        HostReport { by_rule: true, ..report("opencode", opencode, all) },
        newer,
        report("gemini", Policy::without_settings(Evaluation::HOST), 0..0),
    ];
    Viewed { listing: Listing { reports: Arc::new(reports), ..view.listing }, ..view }
}

/// What three of them make of the skills.
pub(crate) fn counts() -> Arc<Vec<HostCounts>> {
    let counts = |host, seen, off, refused, cut, folders| HostCounts {
        host: HostId(host),
        seen,
        off,
        refused,
        cut,
        folders,
    };
    Arc::new(vec![
        counts("agents", 14, 0, 2, 0, 3),
        counts("codex", 13, 1, 3, 0, 2),
        counts("claude", 1_326, 12, 0, 1_204, 1),
    ])
}

/// The rows of the menu of hosts.
pub(crate) fn rows() -> Arc<Vec<HostRow>> {
    let row = |word, name, note: &'static str, here| HostRow {
        word,
        name,
        note: SafeText::fixed(note),
        here,
    };
    Arc::new(vec![
        row("all", "every agent", "every agent of this machine at once", true),
        row("agents", "Agent Skills", "the plain standard, with our own settings", true),
        row("codex", "Codex", "0.169.0", true),
        row(
            "claude",
            "Claude Code",
            "2.2.0 is newer than 2.1.330, for which this was proved",
            true,
        ),
        row("gemini", "Gemini CLI", "not on this machine", false),
    ])
}

/// A view through two agents, of which Claude Code looks in `.claude` and Codex elsewhere.
pub(crate) fn apart(catalog: &mut TestCatalog) -> Viewed {
    let view = catalog.view();
    let in_claude = |index: &u32| {
        let path = view.rows[*index as usize].skill().path.to_string_lossy().into_owned();
        path.contains("/.claude/")
    };
    let all = || 0..u32::try_from(view.rows.len()).unwrap();
    let policy = || Policy::without_settings(Evaluation::HOST);
    let reports = vec![
        report("codex", policy(), all().filter(|index| !in_claude(index))),
        report("claude", policy(), all().filter(in_claude)),
    ];
    Viewed { listing: Listing { reports: Arc::new(reports), ..view.listing }, ..view }
}
