//! Copilot CLI's own skills. Its program is one file, which unpacks what belongs to it into a cache
//! at its first start, and runs the newest version there (`sea-loader.js`, 1.0.102).

use super::{COPILOT, HOME, WALK};
use crate::catalog::{Enablement, Root};
use crate::hosts::{Context, Version, built_in, shapes};
use crate::policy::{Layer, Origin, Switch, Target};
use std::path::PathBuf;

/// Written when a version is unpacked.
const COMPLETE: &str = ".extraction-complete";

/// Its program leaves this skill out unless its own flag `DISCOVER_RESOURCES` is set.
const FLAGGED: &str = "discover-resources";

/// The folders in which versions are kept.
fn caches(context: &Context) -> Vec<PathBuf> {
    let named = ["COPILOT_PKG_CACHE_HOME", "COPILOT_CACHE_HOME"].into_iter();
    let named = named.filter_map(|name| context.variable(name)).map(PathBuf::from);
    let home = context.home.as_deref();
    let system = cfg!(target_os = "macos").then(|| Some(home?.join("Library/Caches/copilot")));
    let cache = context.variable("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(home?.join(".cache"))).map(|cache| cache.join("copilot"));
    let own =
        [context.folder(HOME), home.map(|home| home.join(HOME.default))].into_iter().flatten();
    let all = named.chain(system.flatten()).chain(cache).chain(own);
    all.map(|folder| context.cwd.join(folder).join("pkg")).collect()
}

/// The system and processor as Node.js names them.
fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{processor}")
}

/// The newest version that is unpacked, with its folder of skills.
fn newest(context: &Context) -> Option<(Version, PathBuf)> {
    let platform = platform();
    let places = caches(context).into_iter();
    let places = places.flat_map(|cache| ["universal", &platform].map(|name| cache.join(name)));
    let version = |folder: PathBuf| {
        let name = folder.file_name()?.to_str().filter(|name| !name.starts_with('.'))?;
        let version = Version::find(name)?;
        folder.join(COMPLETE).exists().then(|| (version, folder.join("builtin")))
    };
    let found = places.flat_map(|place| shapes::children(&place)).filter_map(version);
    // Of two that are equal, the first cache counts.
    found.reduce(|best, other| if other.0.numbers() > best.0.numbers() { other } else { best })
}

/// The root of its own skills; `None` before its first start.
pub(super) fn root(context: &Context) -> Option<Root> {
    let (version, folder) = newest(context)?;
    Some(built_in::root(&COPILOT, Some(version.to_string()), folder, WALK))
}

/// Switches off the skill that its program leaves out.
pub(super) fn hidden(context: &Context) -> Option<Switch> {
    let folder = newest(context)?.1.join(FLAGGED);
    let target = Target::Beneath(std::fs::canonicalize(folder).ok()?);
    let origin = Origin::Host("its flag DISCOVER_RESOURCES is not set");
    let (within, state, layer) = (None, Enablement::Off, Layer::Managed);
    Some(Switch { target, within, state, origin, layer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement::{Off, On};
    use crate::hosts::test_support::{User, seen, switch, test};

    fn place(cache: &str, version: &str, name: &str) -> String {
        format!("{cache}/pkg/{}/{version}/builtin/{name}", platform())
    }

    #[test]
    fn the_newest_version_that_is_unpacked_counts() {
        let cache = "home/.cache/copilot";
        let skills = [
            place(cache, "1.0.9", "old"),
            place(cache, "1.0.10", "new"),
            place(cache, "1.0.10", FLAGGED),
            place(cache, "2.0.0", "half"),
            place("other/cache", "3.0.0", "elsewhere"),
        ];
        let skills: Vec<&str> = skills.iter().map(String::as_str).collect();
        let mut test = test(&COPILOT, &skills);
        for folder in ["1.0.9", "1.0.10"] {
            let folder = place(cache, folder, "").replace("builtin/", COMPLETE);
            test.write(&folder, "");
        }
        let flagged = format!("{FLAGGED} off no deny its flag DISCOVER_RESOURCES is not set");
        assert_eq!(seen(&test), [flagged, "new on full allow default".to_owned()]);
        let source = test.view().rows[1].entry.skill.source().unwrap();
        assert_eq!(source.as_str(), "built in Copilot CLI 1.0.10");
        switch(&mut test, skills[1], Off, User).unwrap();
        switch(&mut test, skills[1], On, User).unwrap();
        let why = switch(&mut test, skills[2], On, User).unwrap_err();
        assert!(why.contains("DISCOVER_RESOURCES"), "{why}");
        let complete = place("other/cache", "3.0.0", "").replace("builtin/", COMPLETE);
        test.write(&complete, "");
        let test = test.from("repo", &[("COPILOT_CACHE_HOME", "test/other/cache")]);
        assert_eq!(seen(&test), ["elsewhere on full allow default"]);
    }
}
