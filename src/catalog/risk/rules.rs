//! The table of risk rules: everything that is reported of a skill, its level, and the reason.

use super::{Level, Rule};

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $level:ident $code:literal, $reason:literal;)+) => {
        $($(#[$doc])* pub static $name: Rule =
            Rule { code: $code, level: Level::$level, reason: $reason };)+
        /// Every rule, in the order of this table.
        pub static ALL: &[&Rule] = &[$(&$name),+];
    };
}

rules! {
    HIDDEN_TEXT = Alarm "hidden-text", "a model reads characters here that a person does not see";
    DOWNLOAD_RUN = Alarm "download-run", "what is downloaded runs at once, and nobody sees it before";
    DECODE_RUN = Alarm "decode-run", "encoded text is decoded and run, and nobody can read it before";
    REVERSE_SHELL = Alarm "reverse-shell", "a shell of this machine is given to another one";
    LOCKED_ARCHIVE = Alarm "locked-archive", "an archive with a password is opened, which no scanner can look into";
    SCRIPT = Fact "script", "this file is a program that an agent can run";
    RUNS_SCRIPT = Fact "runs-script", "a file is run as a program";
    NETWORK = Fact "network", "the network is reached";
    INSTALLS = Fact "installs", "packages are installed, or run straight from a registry";
    CREDENTIALS = Fact "credentials", "a place is named where keys, passwords or private data lie";
    SECRET_VARIABLE = Fact "secret-variable", "a key, token or password is read from the environment";
    AGENT_SETTINGS = Fact "agent-settings", "an agent's settings, instructions, skills or servers are changed";
    PERSISTENCE = Fact "persistence", "something is set up to run later: at a login, a start, or a time";
    LOAD_COMMAND = Fact "load-command", "some agents run this command as soon as the skill is loaded";
    HIDDEN_MARKUP = Fact "hidden-markup", "a model reads this comment, and a rendered page does not show it";
    ENCODED = Fact "encoded", "this is encoded data, which nobody reads";
    LINK_OUT = Fact "link-out", "this link leads out of the skill, and was not followed";
    UNREAD = Fact "unread", "this was not looked into";
}
