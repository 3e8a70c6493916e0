//! The table of checks: everything that can be wrong with a skill, its severity, and the cure.
//!
//! Codes are stable, and named after the reference validator's if it has the same finding. Severity
//! does not depend on a host: an error means that the skill cannot be offered, a warning that it
//! departs from the specification. In `check --strict` every finding fails.

use super::{Check, Severity};

macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident = $severity:ident $code:literal, $help:literal;)+) => {
        $($(#[$doc])* pub static $name: Check = Check { code: $code, severity: Severity::$severity, help: $help };)+
        /// Every check, in the order of this table.
        pub static ALL: &[&Check] = &[$(&$name),+];
    };
}

checks! {
    // The file itself.
    /// The `SKILL.md` is not a regular file.
    FILE_KIND = Error "file-kind", "replace it by a regular text file named SKILL.md";
    /// The operating system refuses to open or read it.
    FILE_UNREADABLE = Error "file-unreadable", "make the file readable for this user, for example with chmod u+r";
    /// It has no bytes.
    FILE_EMPTY = Error "file-empty", "write frontmatter with a name and a description, or delete the file";
    /// It is larger than our own limit for files, a setting.
    FILE_SIZE = Error "file-size", "move long text into files under references/ and keep SKILL.md short";
    /// It is longer than a load gives.
    FILE_LARGE = Warning "file-large", "move long text into files under references/, which are read only when needed";
    /// It, or its directory, is a link to nothing.
    LINK_DANGLING = Error "link-dangling", "point the link at an existing file, or remove it";
    /// Where its directory should be is a link to its file.
    LINK_FILE = Error "link-file", "let the link lead to the folder that holds the SKILL.md";
    /// It is a link to a file of another name, which agents follow and our own host does not.
    LINK_NAME = Warning "link-name", "put the file itself in place of the link, or let the link lead to a SKILL.md";
    /// It lies deeper in a folder of skills than any agent here looks.
    TOO_DEEP = Warning "too-deep", "move its folder up into the folder of skills";
    /// Its name is `SKILL.md` but for upper and lower case.
    FILE_NAME = Error "file-name", "rename the file to SKILL.md: agents look for exactly that name";
    /// As [`FILE_NAME`], where the file system does not distinguish upper and lower case.
    FILE_FOLDED = Warning "file-folded", "rename the file to SKILL.md: it is not found on other file systems";
    /// Its name is `skill.md`.
    FILE_CASE = Warning "file-case", "rename the file to SKILL.md: most agents look for exactly that name";
    /// Its path is not UTF-8.
    PATH_ENCODING = Warning "path-encoding", "rename the folder: most agents cannot open it";
    /// It is not UTF-8; bad bytes are read as U+FFFD.
    ENCODING = Warning "encoding", "save the file as UTF-8";
    /// It begins with a byte order mark.
    BOM = Warning "bom", "save the file as UTF-8 without a byte order mark";

    /// The text has something that a reader does not see. Loading is refused until a person
    /// approves it.
    HIDDEN_TEXT = Warning "hidden-text", "remove what is hidden, or look at it and let models read it: skillpick approve SKILL";

    // The frontmatter.
    /// The first line is not `---`.
    NO_FRONTMATTER = Error "no-frontmatter", "begin the file with a line ---, then name: and description:, then a line ---";
    /// No second line is `---`.
    UNCLOSED = Error "unclosed", "add a line --- after the last field";
    /// It is not made of `key: value` pairs.
    NOT_MAPPING = Error "not-mapping", "write one `key: value` a line between the two lines ---";
    /// It is longer than 64 KiB.
    FRONTMATTER_SIZE = Error "frontmatter-size", "keep the frontmatter below 64 KiB and move the rest into the body";
    /// It has more nodes, depth or aliases than is read.
    YAML_BUDGET = Error "yaml-budget", "keep the frontmatter flat: a few fields of plain text, no aliases";
    /// It is not YAML, and nothing could be recovered from it.
    YAML_SYNTAX = Error "yaml:syntax", "write one `key: value` a line, and put values with a colon or a # in quotes";
    /// It is not YAML; its fields were read line by line.
    YAML_REPAIRED = Warning "yaml-repaired", "put the value in quotes, or write it below as a block with `key: >-`";
    /// The first `---` is inside a value, and simple readers cut there.
    FRONTMATTER_CUT = Warning "frontmatter-cut", "write a dash – or two hyphens: some readers end the frontmatter at the first ---";
    /// A key is there twice; the last one counts.
    YAML_DUPLICATE_KEY = Warning "yaml:duplicate-key", "keep one of the two";
    /// `[…]` or `{…}`, which the reference refuses.
    YAML_FLOW_MAPPING = Warning "yaml:flow-mapping", "write lists and maps as indented lines, or put the value in quotes";
    /// An anchor or an alias, which the reference refuses.
    YAML_ANCHOR = Warning "yaml:anchor", "write the value out, or put a value that begins with & or * in quotes";
    /// A tag, which the reference refuses.
    YAML_TAG = Warning "yaml:tag", "remove the tag, or put a value that begins with ! in quotes";
    /// Sibling mappings that are not indented alike, which the reference refuses.
    YAML_INDENTATION = Warning "yaml:indentation", "indent all nested maps of one map by the same number of spaces";
    /// Control characters, on which the reference stops with an uncaught error.
    YAML_CONTROL = Warning "yaml:control", "remove the control character";

    /// A host's own parser refuses what ours reads.
    HOST_PARSER = Warning "host-parser", "write the frontmatter as plain lines `key: text`, values in double quotes, and a body below it";

    /// Its `agents/openai.yaml` names the products that it is for, and Codex is not among them.
    OTHER_PRODUCTS = Warning "other-products", "add codex to policy.products in agents/openai.yaml, or remove that line";

    /// The directory's name, which is the skill's name in a host, has characters that the host does
    /// not show.
    DIRECTORY_NAME = Warning "directory-name", "rename the directory: a–z, 0–9 and single hyphens";

    // What the agents' own programs say, where they were asked.
    /// The agent's program does not list it, and we say that the agent has it.
    AGENT_UNLISTED = Warning "agent-unlisted", "go by the agent's own word; start it anew, and report it if it still does not list the skill";
    /// Only the agent's program lists it, and it does not say that it brings the skill itself.
    AGENT_ONLY = Warning "agent-only", "see what brings it to the agent: a plugin, an extension, or a folder that is not known here";
    /// The agent's program says something else of it than we do.
    AGENT_DIFFERS = Warning "agent-differs", "go by the agent's own word; `skillpick show` names the rule by which we judge, so report the difference";

    // Fields.
    /// A key that neither the specification nor a known host defines.
    UNEXPECTED_FIELDS = Warning "unexpected-fields", "move it below metadata:, or remove it";
    /// There is no `name`; the directory's name is used.
    NAME_MISSING = Warning "name-missing", "add a line `name:` with the directory's name";
    /// The name is empty or not text; the directory's name is used.
    NAME_EMPTY = Warning "name-empty", "write the directory's name after `name:`";
    /// The name is longer than 64 characters.
    NAME_LENGTH = Warning "name-length", "shorten the name, and the directory's with it, to 64 characters";
    /// The name has capital letters.
    NAME_CASE = Warning "name-case", "write the name in lower case";
    /// The name begins or ends with a hyphen.
    NAME_HYPHEN_EDGE = Warning "name-hyphen-edge", "remove the hyphen at the edge";
    /// The name has two hyphens in a row.
    NAME_DOUBLE_HYPHEN = Warning "name-double-hyphen", "write single hyphens";
    /// The name has characters other than letters, digits and hyphens.
    NAME_CHARS = Warning "name-chars", "use a–z, 0–9 and single hyphens";
    /// The name has letters beyond a–z, which the specification's text and some hosts do not allow.
    NAME_ASCII = Warning "name-ascii", "use a–z, 0–9 and single hyphens: some agents refuse other letters";
    /// The name is not the directory's.
    NAME_DIR_MISMATCH = Warning "name-dir-mismatch", "give the directory and the name: field the same name";
    /// Another skill of the view has a name that looks like this one; found by the workspace.
    NAME_LOOK_ALIKE = Warning "name-look-alike", "give one of the two another name; until then tell them apart by their paths";
    /// There is no `description`.
    DESC_MISSING = Error "desc-missing", "add a line `description:` that says what the skill does and when to use it";
    /// The description is empty or not text.
    DESC_EMPTY = Error "desc-empty", "write what the skill does and when to use it after `description:`";
    /// The description is longer than 1,024 characters.
    DESC_LENGTH = Warning "desc-length", "shorten the description to 1,024 characters and move details into the body";
    /// `compatibility` is not text.
    COMPAT_TYPE = Warning "compat-type", "write compatibility as one line of text";
    /// `compatibility` is longer than 500 characters.
    COMPAT_LENGTH = Warning "compat-length", "shorten compatibility to 500 characters";
    /// `metadata` is not a map from text to text.
    METADATA_TYPE = Warning "metadata-type", "write metadata as indented lines `key: value`, each value one text";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_and_helps_are_one_sentence() {
        let mut codes = HashSet::new();
        for check in ALL {
            assert!(codes.insert(check.code), "{} is there twice", check.code);
            assert!(
                check.help.len() > 15 && !check.help.ends_with('.'),
                "{}: {}",
                check.code,
                check.help
            );
        }
    }

    #[test]
    fn errors_are_only_what_cannot_be_offered() {
        let errors: HashSet<_> =
            ALL.iter().filter(|check| check.severity == Severity::Error).map(|c| c.code).collect();
        let expected = "file-kind file-unreadable file-empty file-size link-dangling link-file file-name no-frontmatter unclosed not-mapping \
                        frontmatter-size yaml-budget yaml:syntax desc-missing desc-empty";
        assert_eq!(errors, expected.split_whitespace().collect());
    }
}
