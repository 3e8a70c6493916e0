//! Where skills lie: roots on several levels, links, depths, repositories within repositories.

use super::agents::Fuzzed;
use super::heads::{self, NAMES, ODD_NAMES};
use super::tree::{Item, TOP, Tree};
use crate::env::random::Random;

/// Working directories, and how often each is taken. `repo` is a repository, with another one, a
/// worktree and a submodule in or beside it; `plain` is in none of them.
const FOLDERS: &[(&str, usize)] = &[
    ("repo", 8),
    ("repo/a", 4),
    ("repo/a/b", 6),
    ("repo/a/b/c/d", 3),
    ("repo/nested", 2),
    ("repo/nested/x", 3),
    ("worktree", 2),
    ("worktree/a", 2),
    ("repo/sub", 2),
    ("repo/sub/a", 2),
    ("home", 2),
    ("home/project", 2),
    ("home/code/project/a", 2),
    ("plain/x", 1),
];

/// What settings can speak of: the skills that were laid out.
#[derive(Default)]
pub(crate) struct Laid {
    /// Folder names, and the names in their files where these are sound.
    pub(crate) names: Vec<String>,
    /// `SKILL.md` files, from the test's folder.
    pub(crate) files: Vec<String>,
    /// The roots, from the test's folder.
    pub(crate) roots: Vec<String>,
}

impl Laid {
    /// A name that some skill has, or nearly has.
    pub(crate) fn name(&self, random: &mut Random) -> String {
        let name = match self.names.as_slice() {
            [] => "pdf".to_owned(),
            names => random.pick(names).clone(),
        };
        match random.below(24) {
            0 => name.to_uppercase(),
            1 => format!(" {name} "),
            2 => random.word(NAMES).to_owned(),
            3 => random.word(ODD_NAMES).to_owned(),
            4 => format!("{name}x"),
            _ => name,
        }
    }

    /// A pattern that some skills match.
    pub(crate) fn pattern(&self, random: &mut Random) -> String {
        let name = self.name(random);
        let part = |count: usize| name.chars().take(count).collect::<String>();
        match random.below(8) {
            0 => "*".to_owned(),
            1 => format!("{}*", part(2)),
            2 => format!("*{}", name.chars().skip(1).collect::<String>()),
            3 => format!("{}?{}", part(1), name.chars().skip(2).collect::<String>()),
            4 => String::new(),
            _ => name,
        }
    }

    /// A `SKILL.md` by its absolute path.
    pub(crate) fn file(&self, random: &mut Random) -> String {
        match self.files.as_slice() {
            [] => format!("{TOP}/nowhere/SKILL.md"),
            files => format!("{TOP}/{}", random.pick(files)),
        }
    }
}

/// The tree of a seed for an agent. `corpus` are real skill files, of which some are used.
pub(crate) fn tree(agent: &Fuzzed, seed: u64, corpus: &[Vec<u8>]) -> Tree {
    let random = &mut Random::new(seed);
    let mut tree = Tree::default();
    let weights: Vec<&str> =
        FOLDERS.iter().flat_map(|(folder, weight)| std::iter::repeat_n(*folder, *weight)).collect();
    tree.folder = (*random.pick(&weights)).to_owned();
    repositories(random, &mut tree);
    let mut laid = Laid::default();
    for root in roots(agent, random, &tree.folder) {
        self::root(random, &mut tree, &mut laid, (&root, agent, corpus));
    }
    for settings in agent.settings {
        if !random.chance(settings.chance) {
            continue;
        }
        let path = random.pick(settings.files).replace("{}", &tree.folder);
        let text = (settings.make)(random, &laid);
        tree.items.push(Item::File(path, super::settings::odd(random, text)));
    }
    for (name, values) in agent.variables {
        if random.chance(8) {
            tree.variables.push(((*name).to_owned(), random.word(values).to_owned()));
        }
    }
    (agent.more)(random, &laid, &mut tree);
    tree
}

/// Every fault of a file alone, all in one root.
pub(crate) fn each(agent: &Fuzzed) -> Tree {
    let mut items = vec![Item::Repository("repo".to_owned())];
    let files = heads::each(agent.keys).into_iter();
    let files = files.filter(|(_, bytes)| !is_spared(agent, bytes));
    let root = agent.project[0];
    items.extend(
        files.map(|(name, bytes)| Item::File(format!("repo/{root}/{name}/SKILL.md"), bytes)),
    );
    Tree { items, folder: "repo".to_owned(), variables: agent.trusting() }
}

/// Whether the file is too much for the program.
fn is_spared(agent: &Fuzzed, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let is_there = |begin: &&str| text.lines().any(|line| line.starts_with(begin));
    agent.spared.iter().any(|begin| is_there(begin) || begin.contains('\n') && text.contains(begin))
}

fn repositories(random: &mut Random, tree: &mut Tree) {
    let items = &mut tree.items;
    items.push(Item::Folder("home".to_owned()));
    if random.chance(90) {
        items.push(Item::Repository("repo".to_owned()));
    }
    if random.chance(80) {
        items.push(Item::Repository("repo/nested".to_owned()));
    }
    let linked = |at: &str, inside: &str| {
        let text = |name: &str, text: &str| Item::text(format!("repo/.git/{inside}/{name}"), text);
        [
            Item::text(format!("{at}/.git"), format!("gitdir: {TOP}/repo/.git/{inside}\n")),
            text("HEAD", "ref: refs/heads/other\n"),
            text("commondir", "../..\n"),
            text("gitdir", &format!("{TOP}/{at}/.git\n")),
        ]
    };
    items.extend(linked("worktree", "worktrees/worktree"));
    items.extend([
        Item::text("repo/sub/.git", "gitdir: ../.git/modules/sub\n"),
        Item::text("repo/.git/modules/sub/HEAD", "ref: refs/heads/main\n"),
        Item::text("repo/.git/modules/sub/config", "[core]\n\tworktree = ../../../sub\n"),
        Item::Folder("repo/.git/modules/sub/objects".to_owned()),
        Item::Folder("repo/.git/modules/sub/refs".to_owned()),
    ]);
    if random.chance(15) {
        items.push(Item::Repository("home/project".to_owned()));
    }
    if random.chance(5) {
        items.push(Item::Repository("home".to_owned()));
    }
    if random.chance(5) {
        items.push(Item::Folder("repo/a/.jj".to_owned()));
    }
}

/// The folders of skills that are laid out: of the person, on the way up from the working directory,
/// and beside it.
fn roots(agent: &Fuzzed, random: &mut Random, folder: &str) -> Vec<String> {
    let mut levels: Vec<&str> = std::path::Path::new(folder)
        .ancestors()
        .filter_map(|path| path.to_str())
        .filter(|path| !path.is_empty())
        .collect();
    levels.extend([folder, folder, folder, "repo", "repo/x", "repo/a"]);
    let mut roots = vec![format!("{}/{}", random.pick(&levels), agent.project[0])];
    for _ in 0..random.between(0, 4) {
        roots.push(format!("{}/{}", random.pick(&levels), random.pick(agent.project)));
    }
    for _ in 0..random.between(0, 2) {
        roots.push(format!("home/{}", random.pick(agent.own)));
    }
    roots.sort();
    roots.dedup();
    roots
}

/// One folder of skills: mostly itself, sometimes a link to another place.
fn root(
    random: &mut Random,
    tree: &mut Tree,
    laid: &mut Laid,
    (root, agent, corpus): (&str, &Fuzzed, &[Vec<u8>]),
) {
    let index = laid.roots.len();
    let place = if random.chance(8) {
        let place = format!("elsewhere/root-{index}");
        tree.items.push(Item::Link(root.to_owned(), place.clone()));
        place
    } else {
        root.to_owned()
    };
    laid.roots.push(root.to_owned());
    for _ in 0..random.between(1, 7) {
        let folder = folder_name(random);
        let at = format!("{place}/{}", way(random, &folder));
        let bytes = match corpus {
            [] => heads::skill_file(random, &folder, agent.keys),
            _ if random.chance(80) => heads::skill_file(random, &folder, agent.keys),
            real => random.pick(real).clone(),
        };
        let bytes = if is_spared(agent, &bytes) { heads::sound(random, "spared") } else { bytes };
        skill(random, tree, laid, (&at, &folder, bytes));
        if let Some((name, text)) = (agent.beside)(random) {
            tree.items.push(Item::text(format!("{at}/{name}"), text));
        }
    }
    oddities(random, tree, &place, agent);
}

fn folder_name(random: &mut Random) -> String {
    let names = if random.chance(85) { NAMES } else { ODD_NAMES };
    random.word(names).to_owned()
}

/// The way from a root to a skill's folder.
fn way(random: &mut Random, folder: &str) -> String {
    match random.below(40) {
        0..24 => folder.to_owned(),
        24..29 => format!("group/{folder}"),
        29 => format!("group/two/{folder}"),
        30 | 31 => {
            let depth = random.between(2, 7);
            let way: Vec<String> = (0..depth).map(|level| format!("d{level}")).collect();
            format!("{}/{folder}", way.join("/"))
        }
        32 => format!(".hidden/{folder}"),
        33 => format!("node_modules/{folder}"),
        34 | 35 => format!("{}/{folder}", random.word(NAMES)),
        36 => format!("{folder}/{folder}"),
        37 => format!("build/{folder}"),
        38 => format!(".{folder}"),
        _ => format!(".git/{folder}"),
    }
}

/// A skill in this folder; sometimes the folder or the file is a link.
fn skill(
    random: &mut Random,
    tree: &mut Tree,
    laid: &mut Laid,
    (at, folder, bytes): (&str, &str, Vec<u8>),
) {
    let file = match random.below(40) {
        0 => "skill.md",
        1 => "Skill.md",
        _ => "SKILL.md",
    };
    laid.names.push(folder.to_owned());
    laid.files.push(format!("{at}/SKILL.md"));
    let store = format!("elsewhere/skill-{}", laid.files.len());
    let items = &mut tree.items;
    match random.below(30) {
        0 | 1 => {
            items.push(Item::File(format!("{store}/{folder}/{file}"), bytes));
            items.push(Item::Link(at.to_owned(), format!("{store}/{folder}")));
        }
        // Under another name than its target's.
        2 => {
            items.push(Item::File(format!("{store}/{file}"), bytes));
            items.push(Item::Link(at.to_owned(), store));
        }
        // A link to a group of skills.
        3 => {
            items.push(Item::File(format!("{store}/{folder}/{file}"), bytes));
            items.push(Item::Link(at.to_owned(), store));
        }
        4 => {
            items.push(Item::File(format!("{store}/{file}"), bytes));
            items.push(Item::Link(format!("{at}/SKILL.md"), format!("{store}/{file}")));
        }
        // The same skill by two ways.
        5 => {
            items.push(Item::File(format!("{at}/{file}"), bytes));
            items.push(Item::Link(format!("{at}-again"), at.to_owned()));
        }
        _ => items.push(Item::File(format!("{at}/{file}"), bytes)),
    }
}

const IGNORES: &[&str] = &[".gitignore", ".ignore", ".fdignore", ".npmignore", ".git/info/exclude"];

const IGNORED: &[&str] = &[
    "*\n",
    "pdf\n",
    "group/\n",
    "/docx\n",
    "deploy/SKILL.md\n",
    "*.md\n",
    "*\n!pdf\n",
    "# none\n",
    "skills/\n",
    ".agents/\n",
    "**/sql\n",
    "node_modules\nbuild\n",
];

/// Markdown files that lie directly in a root, or a folder below.
fn single_files(random: &mut Random, items: &mut Vec<Item>, root: &str, agent: &Fuzzed) {
    for _ in 0..random.below(3) {
        let name = random.word(&["pdf", "docx", "deploy", ".hidden", "Größe", "a b", "README"]);
        let below = random.word(&["", "", "", "", "group/", "pdf/"]);
        let place = format!("{root}/{below}{name}.md");
        items.push(match random.below(8) {
            0 => Item::text(place, "\n\n  # Without a frontmatter  \nBody\n"),
            1 => Item::Link(place, format!("{root}/beside/{name}.md")),
            2 => Item::Folder(place),
            _ => Item::File(place, heads::skill_file(random, name, agent.keys)),
        });
        if random.chance(20) {
            let linked = heads::skill_file(random, name, agent.keys);
            items.push(Item::File(format!("{root}/beside/{name}.md"), linked));
        }
    }
}

/// What lies in a root besides.
fn oddities(random: &mut Random, tree: &mut Tree, root: &str, agent: &Fuzzed) {
    let items = &mut tree.items;
    if random.chance(6) {
        items
            .push(Item::File(format!("{root}/SKILL.md"), heads::skill_file(random, "skills", &[])));
    }
    if random.chance(6) {
        items.push(Item::File(format!("{root}/loose.md"), heads::sound(random, "loose")));
    }
    if random.chance(4) {
        let name = random.word(&["README.md", "AGENTS.md", "notes.txt", "SKILL.txt", ".DS_Store"]);
        items.push(Item::text(format!("{root}/{name}"), "# Read me\n"));
    }
    if agent.takes_single_files {
        single_files(random, items, root, agent);
    }
    if random.chance(3) {
        items.push(Item::Link(format!("{root}/loop"), root.to_owned()));
    }
    if random.chance(3) {
        items.push(Item::Link(format!("{root}/dangling"), "nowhere".to_owned()));
    }
    if random.chance(3) {
        items.push(Item::Folder(format!("{root}/folder/SKILL.md")));
    }
    if random.chance(8) {
        let above = *random.pick(&[root, root, "repo", "home"]);
        let name = random.word(IGNORES);
        if !name.starts_with(".git/") || above == "repo" {
            items.push(Item::text(format!("{above}/{name}"), random.word(IGNORED)));
        }
    }
}
