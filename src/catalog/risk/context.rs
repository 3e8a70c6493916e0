//! What kind of text a line is. A command in a sentence is a word; in a block or a script it runs.

use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Sentences.
    Prose,
    /// Code between backticks in a sentence.
    Inline,
    /// Commands: a shell script, or a block of commands.
    Shell,
    /// A script or block in another language.
    Code,
    /// What is neither told nor run: data, settings, output.
    Data,
}

/// Contexts in which a rule looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within(&'static [Context]);

impl Within {
    pub(super) const ALL: Self =
        Self(&[Context::Prose, Context::Inline, Context::Shell, Context::Code, Context::Data]);
    pub(super) const SHELL: Self = Self(&[Context::Shell, Context::Inline]);
    pub(super) const BLOCK: Self = Self(&[Context::Shell]);
    pub(super) const CODE: Self = Self(&[Context::Code]);
    pub(super) const RUN: Self = Self(&[Context::Shell, Context::Inline, Context::Code]);
    /// What a model reads as advice or runs.
    pub(super) const READ: Self =
        Self(&[Context::Prose, Context::Inline, Context::Shell, Context::Code]);
    pub(super) const PROSE: Self = Self(&[Context::Prose]);

    pub(super) fn has(self, context: Context) -> bool {
        self.0.contains(&context)
    }
}

/// Endings of files and names of languages in fences. What is not here is data in a file, and a
/// command in a fence without a language.
const SHELL: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "ksh",
    "fish",
    "shell",
    "console",
    "terminal",
    "shellscript",
    "shell-session",
    "command",
    "cmd",
    "bat",
    "batch",
    "ps1",
    "psm1",
    "powershell",
    "pwsh",
];
const CODE: &[&str] = &[
    "py",
    "python",
    "python3",
    "pyw",
    "js",
    "mjs",
    "cjs",
    "jsx",
    "javascript",
    "ts",
    "mts",
    "cts",
    "tsx",
    "typescript",
    "node",
    "rb",
    "ruby",
    "pl",
    "perl",
    "pm",
    "php",
    "lua",
    "go",
    "golang",
    "rs",
    "rust",
    "swift",
    "kt",
    "kotlin",
    "java",
    "cs",
    "csharp",
    "c#",
    "fs",
    "fsharp",
    "vb",
    "vbs",
    "scpt",
    "applescript",
    "r",
    "jl",
    "julia",
    "ex",
    "exs",
    "elixir",
    "c",
    "cpp",
    "c++",
    "h",
    "hpp",
    "ino",
    "scala",
    "groovy",
    "dart",
    "clj",
    "hs",
    "ipynb",
    "vue",
    "svelte",
    "astro",
];
const PROSE: &[&str] = &["md", "markdown", "mdx", "txt", "text", "rst", "adoc", "html", "htm"];

impl Context {
    /// The context of a whole file: by its ending, or by its first line.
    pub(super) fn of_file(file: &Path, text: &str) -> Self {
        let interpreter = text.lines().next().and_then(|first| first.strip_prefix("#!"));
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match (ending.as_deref().unwrap_or_default(), interpreter) {
            (ending, _) if SHELL.contains(&ending) => Self::Shell,
            (ending, _) if CODE.contains(&ending) => Self::Code,
            (_, Some(line)) => {
                let shell = ["sh", "bash", "zsh", "ksh", "fish", "dash"];
                let name = |word: &str| shell.contains(&word.rsplit('/').next().unwrap_or(word));
                if line.split_whitespace().any(name) { Self::Shell } else { Self::Code }
            }
            ("", None) => Self::Prose,
            (ending, None) if PROSE.contains(&ending) => Self::Prose,
            _ => Self::Data,
        }
    }

    /// The context of a fenced block with this language.
    pub(super) fn of_fence(language: &str) -> Self {
        match language.to_lowercase().as_str() {
            "" => Self::Shell,
            language if SHELL.contains(&language) => Self::Shell,
            language if CODE.contains(&language) => Self::Code,
            "md" | "markdown" | "mdx" | "text" | "txt" => Self::Prose,
            _ => Self::Data,
        }
    }
}
