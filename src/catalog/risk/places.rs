//! Places of credentials and private data, as text and scripts name them: `~/.ssh/id_rsa`,
//! `$HOME/.aws`, `Path.home() / ".netrc"`.

use super::page::Page;
use super::{Hit, rules};
use crate::catalog::private_places::{CREDENTIALS, HISTORIES};

/// How the home directory is written.
const HOMES: &[&str] = &[
    "~/",
    "~\\",
    "$HOME",
    "${HOME}",
    "%USERPROFILE%",
    "$env:USERPROFILE",
    ".home()",
    "homedir()",
    "/root/",
];

/// How the folder of all home directories is written, behind which an account's name stands.
const ACCOUNTS: &[&str] = &["/home/", "/Users/", "\\Users\\"];

/// Places in the table that mostly hold other things: caches, tools, settings without secrets.
const MIXED: &[&str] = &[
    "snap",
    ".android",
    ".bunfig.toml",
    ".cache/huggingface",
    ".config/Code",
    ".config/containers",
    ".config/fish",
    ".config/git",
    ".config/go",
    ".config/helm",
    ".config/mise",
    ".config/pnpm",
    ".config/uv",
    ".config/yarn",
    ".config/.wrangler",
    ".cargo/config",
    ".cargo/config.toml",
    ".docker",
    ".gitconfig",
    ".hex",
    ".jupyter",
    ".local/share/fish",
    ".nuget",
    ".terraform.d",
    ".var/app",
    ".wrangler",
];

/// The most bytes of a path that are compared.
const LONGEST: usize = 160;

pub(super) fn hits(page: &Page) -> Vec<Hit> {
    let mut found = Vec::new();
    for line in &page.lines {
        let text = line.text.as_str();
        if !text.contains(['~', '$', '%', '(', '/', '\\']) {
            continue;
        }
        let homes = HOMES.iter().flat_map(|home| after(text, home));
        let accounts = ACCOUNTS.iter().flat_map(|homes| after(text, homes)).filter_map(|at| {
            let name = text[at..].find(['/', '\\'])?;
            Some(at + name + 1)
        });
        if let Some(at) = homes.chain(accounts).find(|at| is_private(&text[*at..])) {
            let (number, column) = line.place(at);
            found.push((&rules::CREDENTIALS, number, column));
        }
    }
    found
}

/// Where the text goes on behind each of these words.
fn after(text: &str, word: &'static str) -> impl Iterator<Item = usize> {
    memchr::memmem::find_iter(text.as_bytes(), word).map(|at| at + word.len())
}

/// Whether what is written behind the home directory is a private place or lies in one.
fn is_private(written: &str) -> bool {
    let end = written.floor_char_boundary(written.len().min(LONGEST));
    let mut path = String::with_capacity(end);
    let joined = written.starts_with([' ', ',', ')', '+']);
    for letter in written[..end].chars() {
        match letter {
            '/' | '\\' => slash(&mut path),
            // The parts of a path may be joined by code.
            '"' | '\'' | ' ' | ',' | '+' | '(' | ')' if joined => slash(&mut path),
            '"' | '\'' => {}
            letter if letter.is_whitespace() || "`;|&<>,()[]{}*".contains(letter) => break,
            letter => path.push(letter),
        }
    }
    let mut places = CREDENTIALS.iter().chain(HISTORIES).filter(|place| !MIXED.contains(place));
    places.any(|place| {
        let rest = path.strip_prefix(place);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':']))
    })
}

fn slash(path: &mut String) {
    if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
}
