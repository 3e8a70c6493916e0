//! Test data: skills with every kind of fault below one root, and marker skills in every root of
//! every agent.

use crate::env::TestEnv;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Frontmatter of one skill each; the folder's name says what is wrong. It has no spaces, since
/// `words` splits at them.
const TROUBLED: &[(&str, &str)] = &[
    ("no-name", "description: d"),
    ("no-desc", "name: no-desc"),
    ("empty-name", "name: ''\ndescription: d"),
    ("empty-desc", "name: empty-desc\ndescription: ''"),
    ("blank-desc", "name: blank-desc\ndescription: '   '"),
    ("null-desc", "name: null-desc\ndescription:"),
    ("number-desc", "name: number-desc\ndescription: 456"),
    ("list-desc", "name: list-desc\ndescription: [a, b]"),
    ("map-desc", "name: map-desc\ndescription: {a: b}"),
    ("no-map", "- name"),
    ("bad-yaml", "name: bad-yaml\ndescription: [x"),
    ("dup-key", "name: dup-key\ndescription: d\ndescription: e"),
    ("colon", "name: colon\ndescription: Use when: asked for it"),
    ("dashes", "name: dashes\ndescription: a --- b"),
    ("folded", "name: folded\ndescription: >\n  two\n  lines"),
    ("anchor", "name: &a anchor\ndescription: *a"),
    ("tab", "name:\ttab\ndescription:\td"),
    ("differs", "name: other-name\ndescription: d"),
    ("upper", "name: UPPER\ndescription: d"),
    ("Dir-Upper", "name: Dir-Upper\ndescription: d"),
    ("spaces", "name: two words\ndescription: d"),
    ("under", "name: under_score\ndescription: d"),
    ("slash", "name: a/b\ndescription: d"),
    ("colon-name", "name: 'c:d'\ndescription: d"),
    ("dot", "name: v1.2\ndescription: d"),
    ("double-hyphen", "name: double--hyphen\ndescription: d"),
    ("edge-hyphen", "name: -edge-\ndescription: d"),
    ("unicode", "name: größe\ndescription: d"),
    ("unknown-field", "name: unknown-field\ndescription: d\nfoo: bar"),
    ("tools-list", "name: tools-list\ndescription: d\nallowed-tools:\n  - Read"),
    ("tools-map", "name: tools-map\ndescription: d\nallowed-tools: {a: b}"),
    ("meta-text", "name: meta-text\ndescription: d\nmetadata: text"),
    ("meta-number", "name: meta-number\ndescription: d\nmetadata: {a: 1}"),
    ("meta-deep", "name: meta-deep\ndescription: d\nmetadata: {a: {b: c}}"),
    ("compat-number", "name: compat-number\ndescription: d\ncompatibility: 5"),
    ("license-map", "name: license-map\ndescription: d\nlicense: {a: b}"),
    ("user-only", "name: user-only\ndescription: d\ndisable-model-invocation: true"),
    ("model-only", "name: model-only\ndescription: d\nuser-invocable: false"),
    ("number-name", "name: 123\ndescription: d"),
    ("bool-name", "name: true\ndescription: d"),
];

/// Whole files.
const FILES: &[(&str, &[u8])] = &[
    ("no-front/SKILL.md", b"# Title\n\nBody\n"),
    ("empty-file/SKILL.md", b""),
    ("unclosed/SKILL.md", b"---\nname: unclosed\ndescription: d\n\nBody\n"),
    ("crlf/SKILL.md", b"---\r\nname: crlf\r\ndescription: d\r\n---\r\nBody\r\n"),
    ("bom/SKILL.md", b"\xef\xbb\xbf---\nname: bom\ndescription: d\n---\nBody\n"),
    ("latin/SKILL.md", b"---\nname: latin\ndescription: caf\xe9\n---\nBody\n"),
    ("blank-line/SKILL.md", b"\n---\nname: blank-line\ndescription: d\n---\nBody\n"),
    ("space-fence/SKILL.md", b"--- \nname: space-fence\ndescription: d\n--- \nBody\n"),
    ("no-newline/SKILL.md", b"---\nname: no-newline\ndescription: d\n---"),
    ("no-body/SKILL.md", b"---\nname: no-body\ndescription: d\n---\n"),
    ("lower-file/skill.md", b"---\nname: lower-file\ndescription: d\n---\nBody\n"),
    ("mixed-file/Skill.md", b"---\nname: mixed-file\ndescription: d\n---\nBody\n"),
    ("loose.md", b"---\nname: loose\ndescription: d\n---\nBody\n"),
    ("deep/loose2.md", b"---\nname: loose2\ndescription: d\n---\nBody\n"),
];

/// Places below the root.
const PLACES: &[&str] = &[
    "plain",
    "deep/two",
    "deep/2/three",
    "deep/2/3/four",
    "deep/2/3/4/five",
    "deep/2/3/4/5/six",
    "deep/2/3/4/5/6/seven",
    "deep/2/3/4/5/6/7/eight",
    ".hidden-group/within",
    "node_modules/package",
    "target/built",
    "outer",
    "outer/inner",
];

/// Writes every kind of fault below this root of the environment, except for the spared folders.
/// Returns all folders there that hold a `SKILL.md`, links followed.
pub(crate) fn trouble(env: &TestEnv, root: &str, spared: &[&str]) -> BTreeSet<String> {
    for (folder, frontmatter) in TROUBLED.iter().filter(|(folder, _)| !spared.contains(folder)) {
        env.raw(&format!("{root}/{folder}"), frontmatter);
    }
    for (path, text) in FILES {
        env.write(format!("{root}/{path}"), text);
    }
    for folder in PLACES {
        env.sound_skill(&format!("{root}/{folder}"));
    }
    for length in [64, 65] {
        let name = format!("n{length}-")
            .chars()
            .chain(std::iter::repeat('x'))
            .take(length)
            .collect::<String>();
        env.named(&format!("{root}/{name}"), &name);
    }
    for length in [1024, 1025, 2100] {
        env.raw(
            &format!("{root}/d{length}"),
            &format!("name: d{length}\ndescription: {}", "x".repeat(length)),
        );
    }
    env.named(&format!("{root}/.hidden"), "hidden");
    env.named(&format!("{root}/deep/.hidden-deep"), "hidden-deep");
    env.named(&format!("{root}/twice-a"), "twice");
    env.named(&format!("{root}/twice-b"), "twice");
    env.named(&format!("{root}/case-a"), "CaseTwin");
    env.named(&format!("{root}/case-b"), "casetwin");
    links(env, root);
    let mut laid = BTreeSet::new();
    gather(&env.at(root), "", &mut laid);
    laid
}

/// The folders at and below this one that hold a `SKILL.md`, in whatever case.
fn gather(folder: &Path, name: &str, laid: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let file = entry.file_name().into_string().unwrap();
        if file.eq_ignore_ascii_case("SKILL.md") {
            laid.insert(name.to_owned());
        } else if entry.path().is_dir() {
            gather(&entry.path(), format!("{name}/{file}").trim_start_matches('/'), laid);
        }
    }
}

/// Links: to a skill, to one under another name, to a group, to a file, to a skill beside it.
fn links(env: &TestEnv, root: &str) {
    for folder in ["linked", "target-name", "group/within-linked", "linked-file"] {
        env.sound_skill(&format!("elsewhere/{folder}"));
    }
    env.link("elsewhere/linked", &format!("{root}/linked"));
    env.link("elsewhere/target-name", &format!("{root}/link-name"));
    env.link("elsewhere/group", &format!("{root}/linked-group"));
    env.link("elsewhere/linked-file/SKILL.md", &format!("{root}/linked-file/SKILL.md"));
    env.link(&format!("{root}/plain"), &format!("{root}/twin"));
    env.link("nowhere", &format!("{root}/dangling"));
}

/// Where any agent looks, in a project.
const PROJECT: &[&str] = &[
    ".agents/skills",
    ".claude/skills",
    ".codex/skills",
    ".opencode/skills",
    ".opencode/skill",
    ".gemini/skills",
    ".github/skills",
    ".copilot/skills",
    ".pi/skills",
    ".qwen/skills",
    ".amp/skills",
    ".kilo/skills",
    ".kilocode/skills",
    ".kimi-code/skills",
    ".qoder/skills",
    ".vibe/skills",
    ".factory/skills",
    ".agent/skills",
    "skills",
];

/// Where any agent looks, in a home.
const HOME: &[&str] = &[
    ".agents/skills",
    ".claude/skills",
    ".codex/skills",
    ".config/opencode/skills",
    ".config/opencode/skill",
    ".opencode/skills",
    ".gemini/skills",
    ".copilot/skills",
    ".pi/agent/skills",
    ".pi/skills",
    ".qwen/skills",
    ".config/agents/skills",
    ".config/amp/skills",
    ".amp/skills",
    ".kilo/skills",
    ".kilocode/skills",
    ".config/kilo/skills",
    ".kimi-code/skills",
    ".qoder/skills",
    ".vibe/skills",
    ".factory/skills",
    ".agent/skills",
];

/// A mark in every place where some agent looks: above the repository, at its root, two levels
/// down, beside the way, and at home. A mark's name is its place: `mark-repo-a-agents` lies in
/// `repo/a/.agents/skills`.
pub(crate) fn marks(env: &TestEnv) {
    let levels = ["above", "repo", "repo/a", "repo/a/b", "repo/x"];
    let levels =
        levels.map(|level| if level == "above" { String::new() } else { format!("{level}/") });
    let project =
        levels.iter().flat_map(|level| PROJECT.iter().map(move |root| format!("{level}{root}")));
    for root in project.chain(HOME.iter().map(|root| format!("home/{root}"))) {
        let name = format!("mark-{}", root.replace(".config/", "config-").replace(['/', '.'], "-"));
        let name = name.replace("--", "-").replace("-skills", "").replace("-skill", "-one");
        env.sound_skill(&format!("{root}/{name}"));
    }
}

/// A skill of one name in each neighbouring two of these roots (`repo/.agents`); the names say
/// which pair it is.
pub(crate) fn pairs(env: &TestEnv, order: &[&str]) {
    for (index, two) in order.windows(2).enumerate() {
        for root in two {
            env.sound_skill(&format!("{root}/skills/pair-{index}"));
        }
    }
}

/// The same for agents that do not say where a skill lies: of each two the first alone may be
/// called by a person (`first-0`), and the other way round (`second-0`).
pub(crate) fn hidden_pairs(env: &TestEnv, order: &[&str]) {
    for (index, two) in order.windows(2).enumerate() {
        for (root, shown, hidden) in [(two[0], "first", "second"), (two[1], "second", "first")] {
            env.sound_skill(&format!("{root}/skills/{shown}-{index}"));
            let hidden = format!("{hidden}-{index}");
            env.raw(
                &format!("{root}/skills/{hidden}"),
                &format!("name: {hidden}\ndescription: d\nuser-invocable: false"),
            );
        }
    }
}
