//! Paths that a model may give, and what every command and request must answer.

use crate::env::TestEnv;
use std::fs;
use std::os::unix::fs::symlink;

/// The skill whose files are asked for.
pub(crate) const SKILL: &str = "paths";

/// The answer to a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gives {
    Text(&'static str),
    /// A refusal of this code, and no byte.
    Refused(&'static str),
}

/// Writes the skill, with links in and out, and secrets around it: each holds the word SECRET.
pub(crate) fn furnish(env: &TestEnv) {
    let folder = format!("repo/.agents/skills/{SKILL}");
    for (path, text) in [
        ("SKILL.md", "---\nname: paths\ndescription: Files to read.\n---\n"),
        ("references/fields.md", "FIELDS"),
        ("references/deep/er.txt", "DEEPER"),
        ("with space/a%2fb", "PERCENT"),
        ("..hidden", "HIDDEN"),
        ("...", "DOTS"),
        ("caf\u{e9}", "COMPOSED"),
        ("../secret.txt", "SECRET"),
        ("../paths-twin/secret.txt", "SECRET"),
        ("../../secret.txt", "SECRET"),
        ("../../../secret.txt", "SECRET"),
    ] {
        env.write(format!("{folder}/{path}"), text);
    }
    let skill = env.at(&folder);
    fs::hard_link(skill.join("references/fields.md"), skill.join("hard")).unwrap();
    for (name, target) in [
        ("in", "references/fields.md"),
        ("in-dir", "references"),
        ("in-chain", "in"),
        ("out", "../secret.txt"),
        ("out-chain", "out"),
        ("out-dir", ".."),
        ("out-twin", "../paths-twin"),
        ("out-long", "references/deep/../../../secret.txt"),
        ("out-back", "../paths/SKILL.md"),
        ("out-repo", "../../.."),
        ("out-dangling", "../none.txt"),
        ("absolute", env.at("repo/.agents/skills/secret.txt").to_str().unwrap()),
        // To files: a scan follows links to folders, and these lead everywhere.
        ("magic-root", "/proc/self/root/etc/passwd"),
        ("magic-cwd", "/proc/self/cwd/.skillpick.toml"),
        ("magic-fd", "/proc/self/fd/0"),
        ("dangling", "nothing"),
        ("loop", "loop"),
        ("device", "/dev/zero"),
    ] {
        symlink(target, skill.join(name)).unwrap();
    }
    drop(std::os::unix::net::UnixListener::bind(skill.join("socket")).unwrap());
    crate::env::named_pipe(&skill.join("fifo")).unwrap();
}

/// The table. Two of its paths hold a NUL byte, which an argument of a command cannot.
pub(crate) fn cases(env: &TestEnv) -> Vec<(String, Gives)> {
    use Gives::{Refused, Text};
    let absolute = env.text("repo/.agents/skills/secret.txt");
    let many = "a/".repeat(5_000) + "x";
    let many_up = "../".repeat(5_000) + "etc/passwd";
    let long = "n".repeat(300);
    let rows: [(&str, Gives); 89] = [
        ("references/fields.md", Text("FIELDS")),
        ("./references/fields.md", Text("FIELDS")),
        ("references//fields.md", Text("FIELDS")),
        ("references/./fields.md", Text("FIELDS")),
        ("references/deep/../fields.md", Text("FIELDS")),
        ("in-dir/../references/fields.md", Text("FIELDS")),
        ("references/deep/er.txt", Text("DEEPER")),
        ("..hidden", Text("HIDDEN")),
        ("...", Text("DOTS")),
        ("with space/a%2fb", Text("PERCENT")),
        ("caf\u{e9}", Text("COMPOSED")),
        ("hard", Text("FIELDS")),
        ("in", Text("FIELDS")),
        ("in-chain", Text("FIELDS")),
        ("in-dir/deep/er.txt", Text("DEEPER")),
        ("", Refused("empty_path")),
        ("/etc/passwd", Refused("absolute_path")),
        ("//etc/passwd", Refused("absolute_path")),
        ("/", Refused("absolute_path")),
        (&absolute, Refused("absolute_path")),
        ("..", Refused("parent_path")),
        ("../", Refused("parent_path")),
        ("../secret.txt", Refused("parent_path")),
        ("./../secret.txt", Refused("parent_path")),
        ("../../../../../../../../etc/passwd", Refused("parent_path")),
        ("references/../../secret.txt", Refused("parent_path")),
        ("references/deep/../../../secret.txt", Refused("parent_path")),
        ("../paths/SKILL.md", Refused("parent_path")),
        ("../paths-twin/secret.txt", Refused("parent_path")),
        ("../..", Refused("parent_path")),
        ("../paths", Refused("parent_path")),
        ("../PATHS/SKILL.md", Refused("parent_path")),
        ("../paths/../../../secret.txt", Refused("parent_path")),
        ("references/./.././../secret.txt", Refused("parent_path")),
        ("references//..//..//secret.txt", Refused("parent_path")),
        ("out", Refused("link_out")),
        ("out-chain", Refused("link_out")),
        ("out-dir/secret.txt", Refused("link_out")),
        ("out-twin/secret.txt", Refused("link_out")),
        ("out-long", Refused("link_out")),
        ("out-back", Refused("link_out")),
        ("out-repo/secret.txt", Refused("link_out")),
        ("out-repo/.agents/skills/paths/SKILL.md", Refused("link_out")),
        ("out-dangling", Refused("link_out")),
        ("absolute", Refused("link_out")),
        ("magic-root", Refused("link_out")),
        ("magic-cwd", Refused("link_out")),
        ("magic-fd", Refused("link_out")),
        ("device", Refused("link_out")),
        ("missing", Refused("not_found")),
        ("missing/../references/fields.md", Refused("not_found")),
        ("missing/../../secret.txt", Refused("not_found")),
        ("SKILL.md/../../secret.txt", Refused("not_found")),
        ("SKILL.md/x", Refused("not_found")),
        ("skill.md", Refused("not_found")),
        ("SKILL.md ", Refused("not_found")),
        ("dangling", Refused("not_found")),
        ("REFERENCES/fields.md", Refused("not_found")),
        ("cafe\u{301}", Refused("not_found")),
        ("references/fields.md/", Refused("not_found")),
        ("references/fields.md/x", Refused("not_found")),
        ("..\\secret.txt", Refused("not_found")),
        ("\\etc\\passwd", Refused("not_found")),
        ("C:\\secret.txt", Refused("not_found")),
        ("%252e%252e%252fsecret.txt", Refused("not_found")),
        ("%2fetc%2fpasswd", Refused("not_found")),
        ("..\u{200b}/secret.txt", Refused("not_found")),
        ("․․/secret.txt", Refused("not_found")),
        ("..∕secret.txt", Refused("not_found")),
        (".. /secret.txt", Refused("not_found")),
        (".../secret.txt", Refused("not_found")),
        ("$HOME/secret.txt", Refused("not_found")),
        ("%2e%2e/secret.txt", Refused("not_found")),
        ("..%2fsecret.txt", Refused("not_found")),
        ("\u{ff0e}\u{ff0e}/secret.txt", Refused("not_found")),
        ("~/secret.txt", Refused("not_found")),
        ("file:///etc/passwd", Refused("not_found")),
        (".", Refused("not_regular")),
        ("./", Refused("not_regular")),
        ("references", Refused("not_regular")),
        ("references/", Refused("not_regular")),
        ("fifo", Refused("not_regular")),
        ("socket", Refused("not_regular")),
        ("loop", Refused("link_loop")),
        (&many, Refused("long_path")),
        (&many_up, Refused("long_path")),
        (&long, Refused("long_path")),
        ("references/fields.md\0.txt", Refused("nul_in_path")),
        ("\0", Refused("nul_in_path")),
    ];
    rows.map(|(path, gives)| (path.to_owned(), gives)).into()
}
