//! Which program runs a script: the one of a table, else that of the script's `#!` line.

use super::PrepareError;
use super::environment::{find_program, is_executable};
use std::path::{Path, PathBuf};

/// Extension → program and its first arguments. The first row that fits counts.
///
/// | extension | program |
/// |---|---|
/// | `.py` | `python3` |
/// | `.sh`, `.bash` | `bash` |
/// | `.js`, `.mjs`, `.cjs` | `node` |
/// | `.ps1` | `pwsh -NoProfile -NonInteractive -File` |
/// | `.ts` | only by settings |
///
/// Any other file must be executable and begin with `#!`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreters {
    rows: Vec<(String, Vec<String>)>,
}

const TABLE: &[(&str, &[&str])] = &[
    ("py", &["python3"]),
    ("sh", &["bash"]),
    ("bash", &["bash"]),
    ("js", &["node"]),
    ("mjs", &["node"]),
    ("cjs", &["node"]),
    ("ps1", &["pwsh", "-NoProfile", "-NonInteractive", "-File"]),
];

impl Default for Interpreters {
    fn default() -> Self {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            rows: TABLE
                .iter()
                .map(|(extension, words)| ((*extension).to_owned(), owned(words)))
                .collect(),
        }
    }
}

impl Interpreters {
    /// Adds a row of the person's own settings before the others (`ts` → `deno run`). Settings of a
    /// repository cannot add one.
    #[must_use]
    pub fn with(mut self, extension: &str, words: &[String]) -> Self {
        self.rows.insert(0, (extension.trim_start_matches('.').to_owned(), words.to_vec()));
        self
    }

    /// The words before the script's path: an absolute program and its own arguments. `head` is the
    /// beginning of the script's text.
    pub(super) fn command(
        &self,
        script: &Path,
        head: &[u8],
        found: &Found<'_>,
    ) -> Result<Interpreter, PrepareError> {
        let extension = script.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let row = self.rows.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
        let (words, from) = match row {
            Some((_, words)) => (words.clone(), NamedBy::Person),
            None if found.executable && head.starts_with(b"#!") => shebang(head)?,
            None => return Err(PrepareError::NoInterpreter),
        };
        Ok(Interpreter { words: found.absolute(words)?, from })
    }
}

/// The words before a script's path, and who chose the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interpreter {
    /// An absolute program and its own arguments.
    pub(super) words: Vec<String>,
    pub(super) from: NamedBy,
}

/// Who says where an interpreter lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedBy {
    /// The person: by the search path or the settings.
    Person,
    /// The script, by an absolute path in its first line.
    Script,
}

/// Where programs are looked up, and what is known of the script.
pub(super) struct Found<'a> {
    /// Whether the script has an executable bit.
    pub(super) executable: bool,
    pub(super) path: &'a [PathBuf],
}

impl Found<'_> {
    /// The words with the first as an absolute path.
    fn absolute(&self, mut words: Vec<String>) -> Result<Vec<String>, PrepareError> {
        let name = words.first().cloned().unwrap_or_default();
        let program = if Path::new(&name).is_absolute() {
            Some(PathBuf::from(&name)).filter(|program| is_executable(program))
        } else {
            find_program(&name, self.path)
        };
        let program = program.and_then(|program| program.into_os_string().into_string().ok());
        let program = program.ok_or(PrepareError::NotInstalled { program: name })?;
        if let Some(first) = words.first_mut() {
            *first = program;
        }
        Ok(words)
    }
}

/// The longest `#!` line in bytes, as on Linux.
const MAX_LINE: usize = 255;

/// The words of a `#!` line: `#!/program`, `#!/program one argument`, `#!/usr/bin/env name`,
/// `#!/usr/bin/env -S name words`.
fn shebang(head: &[u8]) -> Result<(Vec<String>, NamedBy), PrepareError> {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = std::str::from_utf8(line)
        .ok()
        .filter(|line| line.len() <= MAX_LINE && !line.contains('\0'));
    let line = line.and_then(|line| line.strip_prefix("#!")).ok_or(PrepareError::Shebang)?;
    let line = line.trim();
    let (program, rest) =
        line.split_once([' ', '\t']).map_or((line, ""), |(program, rest)| (program, rest.trim()));
    if !program.starts_with('/') {
        return Err(PrepareError::Shebang);
    }
    if !matches!(program, "/usr/bin/env" | "/bin/env") {
        let rest = (!rest.is_empty()).then(|| rest.to_owned());
        return Ok((std::iter::once(program.to_owned()).chain(rest).collect(), NamedBy::Script));
    }
    let (split, rest) =
        rest.strip_prefix("-S").map_or((false, rest), |rest| (true, rest.trim_start()));
    let words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    let plain = |word: &String| !word.contains(['"', '\'', '\\', '$']);
    let name =
        words.first().is_some_and(|name| !name.starts_with('-') && !name.contains(['=', '/']));
    if !name || (words.len() > 1 && !split) || !words.iter().all(plain) {
        return Err(PrepareError::Shebang);
    }
    Ok((words, NamedBy::Person))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn bin(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let program = folder.path().join(name);
            fs::write(&program, "").unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = vec![folder.path().join("nothing"), folder.path().to_owned()];
        (folder, path)
    }

    fn words(script: &str, head: &str, interpreters: &Interpreters) -> Result<String, String> {
        let (folder, path) = bin(&["python3", "bash", "node", "deno", "ruby"]);
        fs::write(folder.path().join("pwsh"), "not executable").unwrap();
        let found = Found { executable: !script.ends_with(".plain"), path: &path };
        let words = interpreters.command(Path::new(script), head.as_bytes(), &found);
        let words = words.map_err(|error| format!("{error:?}"))?.words;
        assert!(Path::new(&words[0]).is_absolute());
        Ok(words.join(" ").replace(folder.path().to_str().unwrap(), "BIN"))
    }

    #[test]
    fn run_11b_the_table_names_the_interpreter_and_settings_add_to_it() {
        let table = Interpreters::default();
        let deno =
            table.clone().with(".ts", &["deno".into(), "run".into()]).with("py", &["bash".into()]);
        for (script, head, wanted) in [
            ("a.py", "", "BIN/python3"),
            ("a.PY", "#!/bin/sh", "BIN/python3"),
            ("s/a.sh", "", "BIN/bash"),
            ("a.js", "", "BIN/node"),
            ("a.rb", "#!/usr/bin/env ruby\n", "BIN/ruby"),
            ("a", "#! /bin/sh -e\nx", "/bin/sh -e"),
            ("a", "#!/bin/sh -e x\n", "/bin/sh -e x"),
            ("a", "#!/usr/bin/env -S node --test\n", "BIN/node --test"),
        ] {
            assert_eq!(words(script, head, &table).unwrap(), wanted, "{script} {head}");
        }
        assert_eq!(words("a.ts", "", &deno).unwrap(), "BIN/deno run");
        assert_eq!(words("a.py", "", &deno).unwrap(), "BIN/bash");
    }

    #[test]
    fn what_names_no_interpreter_is_refused() {
        let table = Interpreters::default();
        for (script, head, wanted) in [
            ("a.ts", "", "NoInterpreter"),
            ("a", "\x7fELF", "NoInterpreter"),
            ("a.plain", "#!/bin/sh\n", "NoInterpreter"),
            ("a.ps1", "", "NotInstalled"),
            ("a", "#!/usr/bin/env perl6\n", "NotInstalled"),
            ("a", "#!/no/such/program\n", "NotInstalled"),
            ("a", "#!sh\n", "Shebang"),
            ("a", "#!./sh\n", "Shebang"),
            ("a", "#!\n", "Shebang"),
            ("a", "#!/usr/bin/env\n", "Shebang"),
            ("a", "#!/usr/bin/env -i sh\n", "Shebang"),
            ("a", "#!/usr/bin/env LD_PRELOAD=x sh\n", "Shebang"),
            ("a", "#!/usr/bin/env -S A=b sh\n", "Shebang"),
            ("a", "#!/usr/bin/env node --test\n", "Shebang"),
            ("a", "#!/usr/bin/env -S \"sh\" $X\n", "Shebang"),
            ("a", "#!/bin/sh\0-e\n", "Shebang"),
        ] {
            let error = words(script, head, &table).unwrap_err();
            assert!(error.starts_with(wanted), "{script} {head:?}: {error}");
        }
    }
}
