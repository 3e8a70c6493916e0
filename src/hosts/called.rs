//! Which agent a command line starts.

use super::{Host, every};

/// Words that only start another program. `npx` and its kind name a package instead.
const STARTERS: &[&str] = &[
    "!",
    "&",
    "and",
    "bash",
    "begin",
    "bun",
    "bunx",
    "caffeinate",
    "command",
    "corepack",
    "deno",
    "dlx",
    "do",
    "doas",
    "elif",
    "else",
    "env",
    "exec",
    "if",
    "nice",
    "node",
    "nohup",
    "not",
    "npm",
    "npx",
    "or",
    "pnpm",
    "pnpx",
    "python",
    "python3",
    "run",
    "setsid",
    "sh",
    "stdbuf",
    "sudo",
    "then",
    "time",
    "timeout",
    "until",
    "while",
    "x",
    "yarn",
    "{",
];

/// The endings of programs on Windows.
const ENDINGS: &[&str] = &[".exe", ".cmd", ".ps1"];

/// The endings of programs that `node` and `python` run, and the folders in which these are
/// installed. Elsewhere a file of an agent's name may be anybody's own script.
const SCRIPTS: &[(&str, &[&str])] = &[
    (".js", &["node_modules", "bin"]),
    (".mjs", &["node_modules", "bin"]),
    (".cjs", &["node_modules", "bin"]),
    (".py", &["site-packages"]),
];

/// The options of programs that start others.
struct Starting {
    programs: &'static [&'static str],
    /// The letters of options with a value.
    valued: &'static str,
    /// Other options with a value.
    long: &'static [&'static str],
    /// The letters of options that bring a program text: no other word names what runs.
    inline: &'static str,
}

impl Starting {
    const fn of(
        programs: &'static [&'static str],
        valued: &'static str,
        long: &'static [&'static str],
        inline: &'static str,
    ) -> Self {
        Self { programs, valued, long, inline }
    }
}

/// Options with a program text for an interpreter.
const INLINE: &[&str] = &["--call", "--check", "--eval", "--print"];

const OPTIONS: &[Starting] = &[
    Starting::of(&["bash", "sh"], "oO", &["--init-file", "--rcfile"], "cs"),
    Starting::of(&["sudo"], "CDRTUghprtu", SUDO, ""),
    Starting::of(&["doas"], "Cau", &[], ""),
    Starting::of(&["env"], "CPu", &["--chdir", "--unset"], ""),
    // `command -v` only says where a program is.
    Starting::of(&["command"], "", &[], "vV"),
    Starting::of(&["exec"], "a", &[], ""),
    Starting::of(&["nice"], "n", &["--adjustment"], ""),
    Starting::of(&["timeout"], "ks", &["--kill-after", "--signal"], ""),
    Starting::of(&["stdbuf"], "eio", &["--error", "--input", "--output"], ""),
    Starting::of(&["time"], "fo", &["--format", "--output"], ""),
    Starting::of(&["caffeinate"], "tw", &[], ""),
    Starting::of(&["node"], "Cr", &["--conditions", "--import", "--loader", "--require"], "cep"),
    Starting::of(&["python", "python3"], "WX", &[], "c"),
    Starting::of(PACKAGES, "Cpw", OF_PACKAGES, "ce"),
];

const SUDO: &[&str] = &[
    "--chdir",
    "--chroot",
    "--close-from",
    "--command-timeout",
    "--group",
    "--host",
    "--other-user",
    "--prompt",
    "--role",
    "--type",
    "--user",
];

/// Programs that start those of packages.
const PACKAGES: &[&str] =
    &["bun", "bunx", "corepack", "deno", "dlx", "npm", "npx", "pnpm", "pnpx", "run", "x", "yarn"];

const OF_PACKAGES: &[&str] = &[
    "--config",
    "--cwd",
    "--dir",
    "--filter",
    "--package",
    "--prefix",
    "--registry",
    "--workspace",
];

const NONE: &Starting = &Starting::of(&[], "", &[], "");

/// What an option means for the words behind it.
enum Means {
    Nothing,
    /// The next word is its value.
    Value,
    /// The program is in the option.
    Inline,
}

/// The agent that these words of a command start, and the place of the word that names it: its
/// program, also by its path, behind assignments and behind programs that start others. What a
/// shell is given as a text (`bash -c`) is none: an agent in it has a process of its own, and when
/// that has ended, the shell is left.
pub fn of_command<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<(&'static Host, usize)> {
    let mut options = None;
    let mut is_value = false;
    for (place, word) in words.into_iter().enumerate() {
        // A shell of a login is called `-bash`.
        let word = if place == 0 { word.trim_start_matches('-') } else { word };
        if std::mem::take(&mut is_value) {
            continue;
        }
        if let Some(options) = options.filter(|_| word.starts_with('-')) {
            match meaning(word, options) {
                Means::Nothing => {}
                Means::Value => is_value = true,
                Means::Inline => return None,
            }
            continue;
        }
        if let Some(host) = named_by(word) {
            return Some((host, place));
        }
        let assigns = word.split_once('=').is_some_and(|(name, _)| is_variable(name));
        // `timeout 30`, `nice 5`
        let number = options.is_some() && word.starts_with(|first: char| first.is_ascii_digit());
        if STARTERS.contains(&program(word)) {
            let own = |row: &&Starting| row.programs.contains(&program(word));
            options = Some(OPTIONS.iter().find(own).unwrap_or(NONE));
        } else if !(assigns || number) {
            return None;
        }
    }
    None
}

fn meaning(word: &str, options: &Starting) -> Means {
    if word.starts_with("--") {
        return match word {
            _ if options.long.contains(&word) => Means::Value,
            _ if INLINE.contains(&word.split('=').next().unwrap_or(word)) => Means::Inline,
            _ => Means::Nothing,
        };
    }
    // `-iu NAME` and `-uNAME`
    let mut letters = word.chars().skip(1);
    let known =
        |letter: &char| [options.valued, options.inline].iter().any(|of| of.contains(*letter));
    match letters.find(known) {
        Some(letter) if options.inline.contains(letter) => Means::Inline,
        Some(_) if letters.next().is_none() => Means::Value,
        _ => Means::Nothing,
    }
}

fn named_by(word: &str) -> Option<&'static Host> {
    let name = program(word);
    let of_package = |package: &&str| {
        let version = word.strip_prefix(*package).is_some_and(|rest| rest.starts_with('@'));
        let installed = || {
            let (_, below) = word.rsplit_once("node_modules/").unwrap_or_default();
            below.strip_prefix(*package).is_some_and(|rest| rest.starts_with('/'))
        };
        word == *package || version || installed()
    };
    every().find(|host| {
        let is_path = !word.starts_with('@');
        (is_path && host.detect.programs.contains(&name))
            || host.detect.packages.iter().any(of_package)
    })
}

/// The name of a program that is called by its name or path.
fn program(word: &str) -> &str {
    let (folders, name) = word.rsplit_once(['/', '\\']).unwrap_or(("", word));
    let is_in = |known: &&str| {
        let mut above = folders.rsplit(['/', '\\']);
        // A program of `bin` lies directly in it.
        if *known == "bin" { above.next() == Some("bin") } else { above.any(|one| one == *known) }
    };
    let script = |(ending, known): &(&'static str, &'static [&'static str])| {
        name.strip_suffix(ending).filter(|_| known.iter().any(&is_in))
    };
    let plain = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    plain.or_else(|| SCRIPTS.iter().find_map(script)).unwrap_or(name)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_is_found_behind_what_only_starts_it() {
        for (line, agent) in [
            ("codex", Some(("codex", 0))),
            ("claude -p x", Some(("claude", 0))),
            ("/opt/bin/gemini", Some(("gemini", 0))),
            ("npx @openai/codex@latest", Some(("codex", 1))),
            ("npx -y @google/gemini-cli", Some(("gemini", 2))),
            ("pnpm dlx @anthropic-ai/claude-code", Some(("claude", 2))),
            ("X=1 Y=2 env -u Z A=1 claude", Some(("claude", 6))),
            ("sudo -u me codex", Some(("codex", 3))),
            ("timeout 30 opencode run", Some(("opencode", 2))),
            ("node /x/node_modules/@qwen-code/qwen-code/dist/cli.js", Some(("qwen", 1))),
            ("node /x/bin/codex.js", Some(("codex", 1))),
            ("claude.exe", Some(("claude", 0))),
            ("/opt/bin/codex --yolo", Some(("codex", 0))),
            ("node /usr/lib/node_modules/.bin/codex resume", Some(("codex", 1))),
            ("node --no-warnings /usr/lib/codex/bin/codex.js", Some(("codex", 2))),
            ("vim claude", None),
            ("less codex.md", None),
            ("node server.js claude", None),
            ("-zsh", None),
            ("git commit -m codex", None),
            // Values of options.
            ("sudo -u claude -i", None),
            ("sudo -iu claude", None),
            ("sudo -uclaude -i codex", Some(("codex", 3))),
            ("sudo -u claude ls", None),
            ("sudo --user claude ls", None),
            ("sudo --user=claude ls claude", None),
            ("sudo -n ls claude", None),
            ("doas -u claude sh", None),
            ("env -C /claude -u codex ls", None),
            ("exec -a claude bash", None),
            ("command -v claude", None),
            ("command claude", Some(("claude", 1))),
            ("timeout -s KILL 5 claude", Some(("claude", 4))),
            ("npx -p @openai/codex codex", Some(("codex", 3))),
            ("npx -y cowsay claude", None),
            ("bash -x deploy.sh claude", None),
            ("node --inspect server.js claude", None),
            // Texts for a shell or an interpreter.
            ("bash -c cd claude && while read x; do :; done", None),
            ("-bash -c /x/claude || while read x; do eval $x; done", None),
            ("sh -c claude", None),
            ("bash -euc claude", None),
            ("bash -s claude", None),
            ("node -e 1 claude", None),
            ("python3 -c 1 claude", None),
            ("bash -e /opt/bin/claude", Some(("claude", 2))),
            ("-bash", None),
            // One's own scripts.
            ("python3 gemini.py", None),
            ("python3 /home/me/bin/gemini.py", None),
            ("node claude.js", None),
            ("node /home/me/bin/tools/claude.js", None),
            ("python3 /usr/lib/python3/site-packages/vibe.py", Some(("mistral-vibe", 1))),
            ("echo codex", None),
            ("vim codex", None),
            ("X=codex ls", None),
            ("", None),
        ] {
            let found = of_command(line.split_whitespace());
            assert_eq!(found.map(|(host, place)| (host.id.word(), place)), agent, "{line}");
        }
    }
}
