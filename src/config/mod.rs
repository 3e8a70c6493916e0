//! Our own settings: two files, the environment and the flags, each value with its origin.
//!
//! This room reads settings and makes a [`Policy`](crate::policy::Policy) of them. It knows no host
//! and writes nothing: the `agents` host plans edits, as every host does, and the `settings` room
//! makes them. It reads no global state; everything comes in through [`Inputs`].
//!
//! # The files
//!
//! `skillpick/config.toml` in the platform's configuration folder (`--config FILE`,
//! `SKILLPICK_CONFIG`) is the person's own. `.skillpick.toml` at the repository root is the
//! project's. Both have the same form; `assets/config.toml` is the commented default. Options come
//! before environment, project, user and defaults.
//!
//! | key | value | default | in a project file |
//! |---|---|---|---|
//! | `version` | 1, required | | same |
//! | `host` | the agent that commands and picker look through | `agents`; picker and picks: the one agent here, or all | |
//! | `theme` | `auto` `dark` `light` `gruvbox` `catppuccin` `ansi` `none` | `auto` | |
//! | `ascii`, `mouse` | true or false | false, true | |
//! | `preview` | `auto` `beside` `below` `none`: where the picker shows a skill's text | `auto` | |
//! | `index` | true or false: whether what was read of skills is kept in the cache folder for the next start | true | cannot undo the person's `false` |
//! | `history` | true or false: whether prompts that were sent are kept for each repository | true | cannot undo the person's `false` |
//! | `format` | `mention` `name` `link` `slash` `path` `block` `json` | `mention` | |
//! | `roots` | further folders with skills; absolute, `~/…`, in a project file relative to it | none | only inside the repository |
//! | `skills.enabled` | true or false: whether there are skills at all | true | cannot undo the person's `false` |
//! | `skills.allowed` | names; empty is all | empty | filters further |
//! | `[[skills.config]]` | `path` or `name`, and `enabled` | none | cannot undo the person's `false` |
//! | `skills.file_size` | MiB of a `SKILL.md`, or of another file of a skill, that is read; at most 256 | 16 | only less |
//! | `skills.initial.max_entries`, `.max_bytes` | limits of the catalog in a prompt | 200, 32768 | only less |
//! | `skills.search.default_limit`, `.max_limit` | limits of a search | 8, 50 | only less |
//! | `skills.load.max_skill_md_bytes`, `.max_resource_bytes` | how much of a `SKILL.md`, or of another file, a model is given; the rest is cut with a notice | 200000, 2000000 | only less |
//! | `skills.session.max_active` | how many skills a conversation has loaded at once | 8 | only less |
//! | `skills.session.when_full` | `refuse` `drop_oldest`: what a load beyond that does | `refuse` | |
//! | `store.url` | where a team's skills are: `sqlite:PATH`, `postgres://…` | a file in the state folder | ignored |
//! | `store.project` | whose skills of the store are used | none | same |
//! | `store.precedence` | `over` `under` `error`: what counts where a file and a stored skill have one name | what the project says | only `error` |
//! | `store.author` | as whom you change the store | user and machine | ignored |
//! | `scripts.enabled` | true or false: whether scripts are run at all | false | only `false` |
//! | `scripts.memory`, `.processes`, `.file_size` | MiB of all processes; processes and threads; MiB of one file | 4096, 1024, 1024 | ignored |
//! | `scripts.sandbox`, `.timeout` | `landlock` `bubblewrap`; seconds, at most 3600 | `landlock`, 120 | ignored |
//! | `[scripts.interpreters]` | extension = list of words: `ts = ["deno", "run"]` | none | ignored |
//! | `permissions.default` | `allow` `ask` `deny`, for loading | `allow` | may only tighten |
//! | `[[permissions.deny]]`, `ask`, `allow` | `tool` (`skill_load`, `skill_script`) and, unless the whole tool is meant, `skill_name` (a name, or a beginning and `*`); for `skill_script` also `script` (a path in the skill, or a beginning and `*`) and `args` (the exact list); in `allow` also `path` (of the one skill) and `digest` (`sha256:…` of its files), without which it does not reach what a repository brings | none | `allow` is ignored |
//! | `[colors]` | a meaning = `#rrggbb`, over the theme | none | ignored |
//! | `[keys.SCREEN]` | key = action, checked by the keymap | none | ignored |
//!
//! # What is broken
//!
//! An unknown key, a wrong type, a duplicate key, another `version` or none, bytes that are not
//! UTF-8, more than 1 MiB: each is a grave [`Problem`] and makes its file broken. A broken user
//! file denies everything. A broken project file denies every skill that a readable rule in it
//! names, and allows nothing.

mod file;
mod inputs;
mod load;
mod origin;
mod personal;
mod reader;
mod recover;
mod rules;
mod rulings;
mod scripts;
mod source;
mod suggest;
mod values;

pub use file::{FILE_SIZE, MAX_ACTIVE, MAX_FILE_SIZE, SettingsFile, WrittenSwitch};
pub use inputs::{Flags, Inputs, PROJECT_FILE, platform_config_dir, xdg_folder};
pub use load::{Config, load};
pub use origin::{Origin, Problem, Setting, Spot, Written};
pub use personal::WrittenKey;
pub use rules::WrittenRule;
pub use scripts::{DEFAULT_TIMEOUT, MAX_TIMEOUT, SANDBOXES, Scripts, WrittenInterpreter};
pub use suggest::did_you_mean;
pub use values::{COLOURS, FORMATS, FULL, PRECEDENCES, THEMES, Values};

/// The commented default settings file, as shipped.
pub const DEFAULT_FILE: &str = include_str!("../../assets/config.toml");

/// The only `version` there is.
pub const VERSION: i64 = 1;
