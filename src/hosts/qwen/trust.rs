//! Which folders Qwen Code trusts (`core/utils/trust.ts`): the deepest folder that is named
//! decides, and of two rules for it the stricter one.

use crate::hosts::{Context, shapes};
use crate::settings::{Format, Node};
use std::path::{Path, PathBuf};

/// Whether the working directory is among the trusted folders of a file.
pub(super) fn is_trusted(context: &Context, file: Option<PathBuf>) -> bool {
    let folders = file.and_then(|path| shapes::on_disk(&path, Format::JsonComments));
    folders.is_some_and(|folders| trusts(&folders, &context.cwd))
}

fn trusts(folders: &Node, cwd: &Path) -> bool {
    let rules = folders.fields().iter().filter_map(|field| {
        let named = Path::new(&field.key);
        let (folder, trusted) = match field.node.text()? {
            "TRUST_FOLDER" => (named, true),
            "TRUST_PARENT" => (named.parent().unwrap_or(named), true),
            "DO_NOT_TRUST" => (named, false),
            _ => return None,
        };
        let depth = |folder: &PathBuf| folder.components().count();
        let around = variants(folder).into_iter();
        let around =
            around.filter(|folder| variants(cwd).iter().any(|cwd| cwd.starts_with(folder)));
        Some((around.map(|folder| depth(&folder)).max()?, !trusted))
    });
    rules.max().is_some_and(|(_, is_strict)| !is_strict)
}

/// As it is written, and with links followed.
fn variants(path: &Path) -> Vec<PathBuf> {
    [Some(path.to_owned()), path.canonicalize().ok()].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;

    #[test]
    fn the_deepest_folder_decides_and_the_stricter_of_two() {
        let trusts = |text: &str| {
            let node = settings::read(Format::JsonComments, text.as_bytes()).unwrap();
            trusts(&node, Path::new("/no/a/b"))
        };
        assert!(!trusts("{}"));
        assert!(trusts(r#"{"/no/a": "TRUST_FOLDER", "/no": "DO_NOT_TRUST"}"#));
        assert!(!trusts(r#"{"/no": "TRUST_FOLDER", "/no/a": "DO_NOT_TRUST"}"#));
        assert!(!trusts(r#"{"/no/a/long-name": "TRUST_PARENT", "/no/a": "DO_NOT_TRUST"}"#));
        assert!(trusts(r#"{"/no/a/b/c": "TRUST_PARENT", "/no/a": "DO_NOT_TRUST"}"#));
        assert!(!trusts(r#"{"/no/a/bb": "TRUST_FOLDER", "/no/a": "x"}"#));
    }
}
