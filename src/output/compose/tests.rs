//! Whatever stands beside a pill, its call means its skill, or a notice says that it is none.

use super::*;
use crate::hosts::{CLAUDE, CODEX, Host, every};
use crate::workspace::fixture::TestWorkspace;
use std::fs;
use std::sync::Arc;

/// The skill `deploy` where this agent looks, and what the agent sees; `None` if it sees none.
fn seen_by(host: &'static Host) -> Option<(TestWorkspace, View, Pill)> {
    let mut test = TestWorkspace::with(&[]).through(host, &[], "repo");
    for folder in host.detect.folders {
        let folder = test.workspace.context.folder(*folder);
        folder.iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    }
    let repo = test.env.top.join("repo");
    let roots = host.roots(&test.workspace.host_contexts.first()?.reading, &[]);
    let root = roots.into_iter().find(|root| root.path.starts_with(&repo))?.path;
    let file = root.join("deploy/SKILL.md");
    test.write(file.to_str()?, "---\nname: deploy\ndescription: d\n---\nDo it.\n");
    let mut view = test.view();
    view.listing.reports = Arc::new(test.workspace.reports(&view));
    let path = view.rows.entry(0)?.skill.path.clone();
    let is_seen = view.listing.reports.iter().any(|report| report.host == host.id);
    is_seen.then(|| (test, view, Pill { name: "deploy".to_owned(), path }))
}

/// A prompt in which `#` stands for the pill.
fn prompt((test, view, pill): &(TestWorkspace, View, Pill), text: &str, host: &Host) -> Written {
    let mut draft = Draft::default();
    for (place, part) in text.split('#').enumerate() {
        if place > 0 {
            draft.pieces.push(Piece::Pill(pill.clone()));
        }
        draft.push_text(part);
    }
    written(&test.call_context(view), &draft, host.id, false).unwrap()
}

#[test]
fn for_every_agent_a_pill_means_its_skill_whatever_stands_beside_it() {
    let beside: Vec<String> = (' '..='~').filter(|one| *one != '#').map(String::from).collect();
    let more = ["", "\n", "\t", "é", "日", "🚀", "\u{301}", "\\\\", "``", "--", "::", "/x"];
    let beside = || beside.iter().map(String::as_str).chain(more);
    let mut agents = 0;
    for host in every().filter(|host| host.mention.is_syntax()) {
        let Some(place) = seen_by(host) else { continue };
        agents += 1;
        let means = |text: &str| {
            let written = prompt(&place, text, host);
            let skills = place.0.call_context(&place.1).calls(&written.text).skills();
            (skills == [0], written)
        };
        for one in beside() {
            for text in [format!("#{one}"), format!("#{one}prod is"), format!(" \n#{one} x")] {
                let (meant, written) = means(&text);
                assert!(meant && written.notices.is_empty(), "{}: {text:?} {written:?}", host.name);
            }
            for other in [one, "-prod", "\n"] {
                let (meant, written) = means(&format!("use {one}#{other}b"));
                let is_said = written.notices.len() == 1;
                assert!(meant || is_said, "{}: {one:?} {other:?} {written:?}", host.name);
            }
        }
    }
    assert!(agents >= 10, "{agents}");
}

#[test]
fn a_blank_stands_only_where_a_call_would_be_spoiled() {
    for (host, text, expected, notices) in [
        (&CLAUDE, "#, then test", "/deploy , then test", 0),
        (&CLAUDE, "#-prod is", "/deploy -prod is", 0),
        (&CLAUDE, " \n# x", "/deploy x", 0),
        (&CLAUDE, "#\nx", "/deploy\nx", 0),
        (&CLAUDE, "#", "/deploy", 0),
        (&CLAUDE, "use (#), then #.", "use (/deploy), then /deploy.", 1),
        (&CLAUDE, "use #-prod, #日本, a#", "use /deploy -prod, /deploy 日本, a /deploy", 1),
        (&CODEX, "#, then (#).", "$deploy, then ($deploy).", 0),
        (&CODEX, " a##-prod", " a $deploy $deploy -prod", 0),
        (&CODEX, "not `#`", "not `$deploy`", 1),
        (&CODEX, "```\n#\n```\nbut #", "```\n$deploy\n```\nbut $deploy", 1),
    ] {
        let written = prompt(&seen_by(host).unwrap(), text, host);
        assert_eq!((written.text.as_str(), written.notices.len()), (expected, notices), "{text:?}");
    }
}

#[test]
fn in_prose_no_letter_joins_the_name() {
    for host in every().filter(|host| !host.mention.is_syntax()) {
        let Some(place) = seen_by(host) else { continue };
        for text in ["#-prod", "use #-prod", "use #s", "a#"] {
            let written = prompt(&place, text, host).text;
            let words: Vec<&str> = written.split(' ').collect();
            let is_name = |word: &&str| ["deploy", "/deploy", "deploy."].contains(word);
            assert!(words.iter().any(is_name), "{}: {written}", host.name);
        }
    }
}
