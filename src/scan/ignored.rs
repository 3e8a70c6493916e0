//! Ignore files below the roots of hosts that obey them (pi).

use super::folder::Folder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// In the order in which their rules follow each other.
const FILES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// In bytes of one file. What lies beyond is not read.
const LIMIT: u64 = 64 << 10;

/// Whether a file has rules about what is ignored.
pub(crate) fn is_ignore_file(name: &OsStr) -> bool {
    FILES.iter().any(|file| name == *file)
}

/// What the ignore files of a folder say, and those of the folders above it up to the root.
#[derive(Debug)]
pub(super) struct Ignored {
    rules: Gitignore,
    above: Option<Arc<Ignored>>,
}

impl Ignored {
    /// Reads the ignore files of a folder, which is met there below the root. A rule without `/` of
    /// a folder below the root is about what lies directly in that folder, as pi has it; one of the
    /// root is about any depth.
    pub(super) fn read(
        folder: &Folder,
        (root, location): (&Path, &Path),
        above: Option<Arc<Self>>,
    ) -> Arc<Self> {
        let below = location.strip_prefix(root).unwrap_or(Path::new("")).to_string_lossy();
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        let mut builder = GitignoreBuilder::new(root);
        // Its library takes upper and lower case for the same. A glob that is broken is passed
        // over.
        let _ = builder.case_insensitive(true);
        for name in FILES {
            let mut bytes = Vec::new();
            let file = folder.file(name).map(|file| file.take(LIMIT).read_to_end(&mut bytes));
            if !matches!(file, Ok(Ok(_))) {
                continue;
            }
            for line in String::from_utf8_lossy(&bytes).lines() {
                let _ = builder.add_line(None, &placed(line, &prefix));
            }
        }
        Arc::new(Self { rules: builder.build().unwrap_or_else(|_| Gitignore::empty()), above })
    }

    /// Whether the last rule about a path ignores it.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        let said = self.rules.matched(path, is_folder);
        match &self.above {
            Some(above) if said.is_none() => above.has(path, is_folder),
            _ => said.is_ignore(),
        }
    }
}

/// A rule as it is in the root: with the way from there.
fn placed(line: &str, prefix: &str) -> String {
    if line.trim().is_empty() || line.trim_start().starts_with('#') {
        return String::new();
    }
    let (sign, rule) = match line.strip_prefix('!') {
        Some(rule) => ("!", rule),
        None => ("", line.strip_prefix('\\').filter(|rule| rule.starts_with('!')).unwrap_or(line)),
    };
    format!("{sign}{prefix}{}", rule.strip_prefix('/').unwrap_or(rule))
}
