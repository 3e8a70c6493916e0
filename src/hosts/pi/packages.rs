//! pi's packages: folders that `packages` in its settings names, or that it has fetched from npm or
//! git. Checked with the source of 0.73.1 (`core/package-manager.js`) and its program.
//!
//! Not modelled: globs without a sign in a package's own list of skills; `npmCommand`.

use super::{place, root_at, scope};
use crate::catalog::{Enablement, Plugin, Root, Skill};
use crate::catalog::{plain_path, validate::FILE_NAME};
use crate::hosts::installed::on_path;
use crate::hosts::{Candidate, Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::{FolderGlob, Layer, Policy, Switch, Target, Within, path_from};
use crate::settings::{Edit, Node, Value, keys};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PACKAGES: &str = "packages";
const MANIFEST: &str = "package.json";

/// Where npm puts what a project wants.
const NPM: &str = "npm/node_modules";

/// The manifests of all packages.
pub(super) fn files(context: &Context, settings: &[SettingsPath]) -> Vec<SettingsPath> {
    let mut files: Vec<PathBuf> = Vec::new();
    for location in settings.iter().filter(|location| location.ignored.is_none()) {
        let node = shapes::on_disk(&location.path, location.format);
        let entries = node.iter().flat_map(|node| node.items_of(PACKAGES));
        let folders = entries
            .filter_map(|entry| folder(context, location.layer, &location.path, source(entry)?));
        files.extend(folders.map(|folder| folder.join(MANIFEST)).filter(|file| file.exists()));
    }
    shapes::plugin_files(files).collect()
}

/// An entry is a source, or a table with one and with lists of what counts.
fn source(entry: &Node) -> Option<&str> {
    entry.text().or_else(|| entry.text_of("source"))
}

/// Where a package lies: from npm, from git, or a folder.
fn folder(context: &Context, layer: Layer, settings: &Path, source: &str) -> Option<PathBuf> {
    let below = settings.parent()?;
    match fetched(source) {
        None => place(context, below, source.trim()),
        Some(folder) => match folder.strip_prefix(NPM) {
            Ok(name) if layer != Layer::Project => Some(global_npm(context)?.join(name)),
            _ => Some(below.join(folder)),
        },
    }
}

/// The folder for what is fetched from npm or git. Two sources with one folder are one package,
/// whatever the version and the form of the address.
fn fetched(source: &str) -> Option<PathBuf> {
    let source = source.trim();
    if let Some(spec) = source.strip_prefix("npm:") {
        let spec = spec.trim();
        // A name may begin with `@`, a version with another.
        let name = spec.char_indices().skip(1).find(|(_, sign)| *sign == '@');
        return Some(Path::new(NPM).join(name.map_or(spec, |(at, _)| &spec[..at])));
    }
    let (host, path) = repository(source)?;
    Some(Path::new("git").join(host).join(path))
}

/// Host and path of a repository, as pi names folders after them. Only `git:` may leave out the
/// scheme.
fn repository(source: &str) -> Option<(&str, &str)> {
    let (is_short, address) = match source.strip_prefix("git:") {
        Some(address) => (!address.starts_with("//"), address.trim()),
        None => (false, source),
    };
    let address = if is_short { address } else { source };
    let after = ["https://", "http://", "ssh://", "git://"];
    let after = after.into_iter().find_map(|scheme| address.strip_prefix(scheme));
    let (host, path) = match after {
        Some(rest) => rest.split_once('/')?,
        None if !is_short => return None,
        None => match address.strip_prefix("git@") {
            Some(rest) => rest.split_once(':')?,
            None => address.split_once('/')?,
        },
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    let path = path.split_once('@').map_or(path, |(path, _)| path);
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!host.is_empty() && path.contains('/')).then_some((host, path))
}

/// Where npm keeps what is installed for every folder: below the prefix that a variable or
/// `~/.npmrc` names, else below that of Node.js.
fn global_npm(context: &Context) -> Option<PathBuf> {
    let named = ["npm_config_prefix", "NPM_CONFIG_PREFIX"].into_iter();
    let named = named.filter_map(|name| context.variable(name)).map(PathBuf::from).next();
    let written = || {
        let home = context.home.as_ref()?;
        let text = std::fs::read_to_string(home.join(".npmrc")).ok()?;
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let (_, prefix) = lines.into_iter().find(|(key, _)| key.trim() == "prefix")?;
        context.path(&prefix.trim().replace("${HOME}", "~"), home)
    };
    let of_node = || {
        let node = std::fs::canonicalize(on_path(context, "node")?).ok()?;
        Some(node.parent()?.parent()?.to_owned())
    };
    let prefix = named.or_else(written).or_else(of_node)?;
    Some(if cfg!(windows) { prefix.join("node_modules") } else { prefix.join("lib/node_modules") })
}

/// A package that an entry of a settings file names.
struct Package<'a> {
    file: &'a SettingsFile,
    /// The entry's place in the list.
    index: usize,
    entry: &'a Node,
    folder: PathBuf,
    plugin: Plugin,
    manifest: Option<&'a SettingsFile>,
}

impl Package<'_> {
    /// Whether pi takes both for one package.
    fn is(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|package| fetched(&package.plugin.id));
        self.folder == other.folder || (one.is_some() && one == two)
    }

    /// A switch that counts among its skills alone: those that pi finds elsewhere first, such as a
    /// person's own, are no package's.
    fn limited(&self, switch: Switch) -> Switch {
        let scope = scope(self.file.location.layer);
        Switch { within: Some(Within::Plugin(scope, self.plugin.id.clone())), ..switch }
    }

    /// What the entry says of skills, if it says something of them.
    fn filter(&self) -> Option<&Node> {
        self.entry.get("skills")
    }

    /// The list of skills in the package's own manifest.
    fn listed(&self) -> Option<&Node> {
        self.manifest?.at(&["pi", "skills"])
    }

    /// Its folders of skills, and files of single skills. A package with a manifest for pi that
    /// says nothing of skills has none, unless the entry is a table.
    fn places(&self) -> Vec<PathBuf> {
        let is_for_pi = self.manifest.is_some_and(|file| file.at(&["pi"]).is_some());
        let entries = self.listed().map_or(&[][..], Node::items);
        let texts: Vec<&str> = entries.iter().filter_map(Node::text).collect();
        let is_plain =
            |text: &&str| !text.starts_with(['!', '+', '-']) && !text.contains(['*', '?']);
        let by_default = match self.filter() {
            Some(_) => texts.is_empty(),
            None => self.listed().is_none() && (!is_for_pi || self.entry.text().is_none()),
        };
        let default = by_default.then(|| self.folder.join("skills"));
        let named =
            texts.into_iter().filter(is_plain).map(|text| plain_path(&self.folder.join(text)));
        default.into_iter().chain(named).collect()
    }
}

/// The packages in the order in which they count: the working directory's, then the person's. One
/// that both name is the working directory's, whichever version each of them names.
fn packages(reading: &Reading) -> Vec<Package<'_>> {
    let mut found: Vec<Package> = Vec::new();
    for layer in [Layer::Project, Layer::User] {
        let files = reading.of_role(shapes::SETTINGS);
        for file in files.filter(|file| file.location.layer == layer) {
            for (index, entry) in file.items(&[PACKAGES]).iter().enumerate() {
                let package = package(reading, file, (index, entry));
                let is_new = |package: &Package| found.iter().all(|other| !other.is(package));
                found.extend(package.filter(is_new));
            }
        }
    }
    found
}

fn package<'a>(
    reading: &'a Reading,
    file: &'a SettingsFile,
    (index, entry): (usize, &'a Node),
) -> Option<Package<'a>> {
    let id = source(entry)?;
    let folder = folder(&reading.context, file.location.layer, &file.location.path, id)?;
    let path = folder.join(MANIFEST);
    let manifest = reading.plugin_file(&path);
    let version = manifest.and_then(|file| file.at(&["version"])?.text()).map(str::to_owned);
    let (id, prefix) = (id.to_owned(), String::new());
    let plugin = Plugin { kind: "package", id, prefix, version, commit: None };
    Some(Package { file, index, entry, folder, plugin, manifest })
}

/// The roots of the packages.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let roots = packages(reading).into_iter().flat_map(|package| {
        let plugin = Arc::new(package.plugin.clone());
        let scope = scope(package.file.location.layer);
        let root = move |path| root_at(path, scope).of_plugin(&plugin);
        package.places().into_iter().map(root)
    });
    roots.collect()
}

/// What the entry and the manifest of each package say of its skills, and of no others. It comes
/// after the other switches, since those do not reach a package's skills.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    for package in packages(reading) {
        let all = |line, text: &str, state| {
            let every = Target::Glob("*".to_owned());
            package.limited(package.file.switch(every, state, line, text))
        };
        let text = format!("{PACKAGES} \"{}\"", package.plugin.id);
        policy.switches.push(all(package.entry.line, &text, Enablement::On));
        if let Some(filter) = package.filter() {
            let texts = filter.items().iter().filter_map(Node::text);
            let is_plain = |text: &str| !text.starts_with(['!', '+', '-']);
            let first: Vec<&str> = texts.collect();
            // An empty list excludes all; a text without a sign excludes all others.
            if first.is_empty() || first.iter().any(|text| is_plain(text)) {
                let text = format!("{text} skills");
                policy.switches.push(all(filter.line, &text, Enablement::Off));
            }
            select(package.file, filter, &package, policy);
        }
        if let (Some(file), Some(listed)) = (package.manifest, package.listed()) {
            select(file, listed, &package, policy);
        }
    }
}

/// The switches that texts of a list make, in the order in which pi takes them: without a sign,
/// `!`, `+`, `-`. In a manifest a text without a sign is a folder.
fn select(file: &SettingsFile, list: &Node, package: &Package<'_>, policy: &mut Policy) {
    let folder = &package.folder;
    let is_manifest = file.location.role == shapes::PLUGINS;
    for sign in ["", "!", "+", "-"] {
        for item in list.items() {
            let Some(text) = item.text() else { continue };
            let rest = match sign {
                "" if is_manifest || text.starts_with(['!', '+', '-']) => continue,
                "" => text,
                sign => match text.strip_prefix(sign) {
                    Some(rest) => rest,
                    None => continue,
                },
            };
            let target = match sign {
                "" | "!" => FolderGlob::read(folder, rest).map(Target::Folder),
                _ => super::exact_from(folder, rest),
            };
            let state = Enablement::from(matches!(sign, "" | "+"));
            let text = format!("skills \"{text}\"");
            let switch = |target| package.limited(file.switch(target, state, item.line, &text));
            policy.switches.extend(target.map(switch));
        }
    }
}

/// The edits that switch one skill of a package: a sign and its path from the package's folder, in
/// the entry of the package, as pi's own settings screen writes them.
pub(super) fn candidates(
    reading: &Reading,
    file: &SettingsFile,
    skill: &Skill,
    state: Enablement,
) -> Option<Vec<Candidate>> {
    let plugin = skill.root.plugin.as_deref()?;
    let packages = packages(reading);
    let is_it = |one: &&Package| one.plugin == *plugin && one.file.shown == file.shown;
    let package = packages.iter().find(is_it)?;
    let place = skill.location();
    let main = if skill.is_single_file() { place.to_owned() } else { place.join(FILE_NAME) };
    let path = path_from(&package.folder, &main)?;
    let names = |text: &str| {
        let named = text.strip_prefix(['+', '-']);
        let target = named.and_then(|text| super::exact_from(&package.folder, text));
        target == Some(Target::Place(skill.location().to_owned()))
    };
    let texts = package.filter().map_or(&[][..], Node::items).iter().filter_map(Node::text);
    let kept: Vec<Value> = texts.filter(|text| !names(text)).map(Value::from).collect();
    let sign = if state == Enablement::Off { '-' } else { '+' };
    let mut signed = kept.clone();
    signed.push(Value::from(format!("{sign}{path}").as_str()));
    // An empty list would exclude all skills of the package.
    let plainly = (!kept.is_empty()).then_some(kept);
    let lists = plainly.into_iter().chain([signed]);
    let with = |list: Vec<Value>| vec![file.edit(package.edits(Value::List(list)))];
    Some([Vec::new()].into_iter().chain(lists.map(with)).collect())
}

impl Package<'_> {
    /// Sets the entry's list of skills. An entry that is a text becomes a table.
    fn edits(&self, list: Value) -> Vec<Edit> {
        let array = keys(&[PACKAGES]);
        let skills = ("skills".to_owned(), list);
        let index = self.index;
        match self.entry.text() {
            None => vec![Edit::SetElement { array, index, entries: vec![skills] }],
            Some(text) => {
                let entries = vec![("source".to_owned(), Value::from(text)), skills];
                let remove = Edit::RemoveElement { array: array.clone(), index };
                vec![remove, Edit::InsertTable { array, index, entries }]
            }
        }
    }
}

#[cfg(test)]
mod tests;
