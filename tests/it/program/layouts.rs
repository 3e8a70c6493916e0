//! Where a skill lies, and what lies in its place: links of every layout lead to one skill, and what
//! is no file is a row with a reason, at once.

use crate::env::{TestEnv, bar};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// Links as (link, target) below the top, by what the layout is. A target that begins with `.` or
/// is one word is taken as it is. The skill is in `dots/pdf`, and the roots are those of the
/// repository and of the home.
const LAYOUTS: [(&str, &[(&str, &str)]); 14] = [
    ("a linked skill", &[("repo/.agents/skills/pdf", "dots/pdf")]),
    ("a relative link", &[("repo/.agents/skills/pdf", "../../../dots/pdf")]),
    ("a linked file", &[("repo/.agents/skills/pdf/SKILL.md", "dots/pdf/SKILL.md")]),
    (
        "stow: links of each file",
        &[
            ("repo/.agents/skills/pdf/SKILL.md", "../../../../dots/pdf/SKILL.md"),
            ("repo/.agents/skills/pdf/notes.md", "../../../../dots/pdf/notes.md"),
        ],
    ),
    ("a linked root", &[("repo/.agents/skills", "dots")]),
    ("a linked folder above the root", &[("repo/.agents", "agents"), ("agents/skills", "dots")]),
    (
        "a chain of links",
        &[("one", "dots/pdf"), ("two", "./one"), ("repo/.agents/skills/pdf", "two")],
    ),
    (
        "Nix: a chain through a profile into a store",
        &[("profile-1", "dots"), ("profile", "./profile-1"), ("home/.agents/skills", "profile")],
    ),
    ("a sibling repository", &[("repo/.agents/skills/team", "dots")]),
    ("both roots lead to it", &[("repo/.agents/skills", "dots"), ("home/.agents/skills", "dots")]),
    (
        "two links in one root",
        &[("repo/.agents/skills/one", "dots/pdf"), ("repo/.agents/skills/two", "dots/pdf")],
    ),
    (
        "an alias of a link",
        &[("repo/.agents/skills/pdf", "dots/pdf"), ("repo/.agents/skills/alias", "pdf")],
    ),
    (
        "a link and a circle",
        &[("repo/.agents/skills/pdf", "dots/pdf"), ("repo/.agents/skills/circle", ".")],
    ),
    (
        "a link beside one that leads up",
        &[("repo/.agents/skills/pdf", "dots/pdf"), ("repo/.agents/skills/up", "..")],
    ),
];

#[test]
fn a_skill_behind_links_of_any_layout_is_found_once_with_its_target() {
    for (layout, links) in LAYOUTS {
        let env = TestEnv::new();
        env.skill("dots", "pdf", "Forms.");
        env.write("dots/pdf/notes.md", "Notes.");
        for (link, target) in links {
            let link = env.at(link);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            let is_text = target.starts_with('.') || link.parent().unwrap().join(target).exists();
            let target = if is_text { (*target).into() } else { env.at(target) };
            symlink(target, link).unwrap();
        }
        let list = env.json("list", &["list", "--json"]);
        let found = list["skills"].as_array().unwrap();
        assert_eq!((found.len(), &list["errors"]), (1, &serde_json::json!([])), "{layout}: {list}");
        assert_eq!(found[0]["path"], env.text("dots/pdf/SKILL.md"), "{layout}");
        let (first, _) = links.last().unwrap();
        let places = found[0]["locations"].to_string();
        assert!(
            !places.is_empty() && places.contains(&env.text("")),
            "{layout}, {first}: {places}"
        );
        let table = env.run(&["show", "pdf"]).ended(0);
        assert!(table.out().contains(&env.text("dots/pdf/SKILL.md")), "{layout}: {table:?}");
        bar::tried(1);
    }
}

type Make = fn(&Path);

/// Makes what stands where a skill's file should, and says which finding it is.
const KINDS: [(&str, &str, Make); 12] = [
    ("fifo", "file-kind", fifo),
    ("socket", "file-kind", |file| drop(UnixListener::bind(file).unwrap())),
    ("directory", "file-kind", |file| fs::create_dir(file).unwrap()),
    ("empty", "file-empty", |file| fs::write(file, "").unwrap()),
    ("dangling", "link-dangling", |file| symlink("nothing", file).unwrap()),
    ("loop", "link-dangling", |file| symlink("SKILL.md", file).unwrap()),
    ("endless", "file-unreadable", |file| symlink("/dev/zero", file).unwrap()),
    ("terminal", "file-unreadable", |file| symlink("/dev/tty", file).unwrap()),
    ("full", "file-unreadable", |file| symlink("/dev/full", file).unwrap()),
    ("to-fifo", "file-unreadable", |file| {
        fifo(&file.with_file_name("fifo"));
        symlink("fifo", file).unwrap();
    }),
    ("to-folder", "file-unreadable", |file| symlink("..", file).unwrap()),
    ("sparse", "file-size", |file| fs::File::create(file).unwrap().set_len(1 << 40).unwrap()),
];

pub(super) fn fifo(file: &Path) {
    crate::env::named_pipe(file).unwrap();
}

/// The shortest of three runs of a list.
fn quickest(env: &TestEnv) -> Duration {
    let run = |_| {
        let begun = Instant::now();
        env.run(&["list", "--json"]);
        begun.elapsed()
    };
    (0..3).map(run).min().unwrap()
}

/// A row of such a file is wanted within 50 ms; a busy machine may take ten times as long.
#[test]
fn what_is_no_file_is_a_row_with_a_reason_and_holds_up_nothing() {
    let plain = TestEnv::furnished();
    let usual = quickest(&plain);
    let mut wrong = Vec::new();
    for (kind, code, make) in KINDS {
        let env = TestEnv::furnished();
        let folder = env.at("repo/.agents/skills").join(kind);
        fs::create_dir(&folder).unwrap();
        make(&folder.join("SKILL.md"));
        let taken = quickest(&env).saturating_sub(usual);
        assert!(taken < Duration::from_millis(500), "{kind}: {taken:?} more than {usual:?}");
        let list = env.json("list", &["list", "--json"]);
        let errors = list["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{kind}: {list}");
        assert_eq!(errors[0]["name"], kind);
        if errors[0]["diagnostics"][0]["code"] != code {
            wrong.push(format!("{kind}: {}", errors[0]["diagnostics"][0]));
        }
        assert_eq!(list["skills"].as_array().unwrap().len(), 2, "{kind}: the others are there");
        bar::tried(1);
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
