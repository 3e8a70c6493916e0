//! What keeps a person from calling Qwen Code's skills: commands that are disabled by name, and its
//! safe mode, in which it has no skills but its own (`core/config`, `cli/config`). The model may
//! still load a skill whose command is disabled.
//!
//! Not modelled: options of the command line, and `.env` files.

use super::{SETTINGS, extensions, merged};
use crate::hosts::Reading;
use crate::hosts::javascript::{is_yes, trim};
use crate::policy::{Origin, Policy, Ruling};

const SAFE: &str = "QWEN_CODE_SAFE_MODE";

const LIST: &str = "QWEN_DISABLED_SLASH_COMMANDS";

/// A variable as Qwen Code has it: of the environment, otherwise of `env` in its settings.
fn variable(reading: &Reading, name: &str) -> Option<(String, Origin)> {
    if let Some(value) = reading.context.variable(name) {
        return Some((value.to_str()?.to_owned(), Origin::Session(name.into())));
    }
    let mut files = reading.of_role(SETTINGS).rev();
    let (file, node) = files.find_map(|file| Some((file, file.at(&["env", name])?)))?;
    let origin = file.origin(node.line, format_args!("env.{name}"));
    node.text().map(|text| (text.to_owned(), origin))
}

/// Whether it is in safe mode.
pub(super) fn is_safe(reading: &Reading) -> bool {
    variable(reading, SAFE).is_some_and(|(value, _)| is_yes(&value))
}

/// The names of disabled commands. In safe mode those of the settings do not count.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    let mut named: Vec<(String, Origin)> = Vec::new();
    if !is_safe(reading) {
        for (file, name, line) in merged::texts_at(reading, "slashCommands", "disabled") {
            let origin = file.origin(line, format_args!("slashCommands.disabled \"{name}\""));
            named.push((name.to_owned(), origin));
        }
    }
    if let Some((list, origin)) = variable(reading, LIST) {
        named.extend(list.split(',').map(|name| (name.to_owned(), origin.clone())));
    }
    let prefixes = extensions::prefixes(reading);
    for (name, origin) in named {
        let name = trim(&name);
        if !name.is_empty() {
            let spellings = prefixes.iter().map(|prefix| format!("{prefix}{name}"));
            let all = std::iter::once(name.to_owned()).chain(spellings);
            policy.uncalled.extend(all.map(|name| Ruling::new(name, origin.clone())));
        }
    }
}
