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

/// The endings of programs on Windows, and of programs that `node` and `python` run.
const ENDINGS: &[&str] = &[".exe", ".cmd", ".ps1", ".js", ".mjs", ".cjs", ".py"];

/// The agent that these words of a command start, and the place of the word that names it: its
/// program, also by its path, behind assignments and behind programs that start others.
pub fn of_command<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<(&'static Host, usize)> {
    // The word after an option may be its value.
    let mut after_option = false;
    let mut started = false;
    for (place, word) in words.into_iter().enumerate() {
        if let Some(host) = named_by(word) {
            return Some((host, place));
        }
        let is_option = word.starts_with('-');
        let assigns = word.split_once('=').is_some_and(|(name, _)| is_variable(name));
        let starts = STARTERS.contains(&program(word));
        // `timeout 30`, `nice 5`
        let number = started && word.starts_with(|first: char| first.is_ascii_digit());
        if !(is_option || assigns || starts || number || (started && after_option)) {
            return None;
        }
        started |= starts;
        after_option = is_option;
    }
    None
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
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
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
