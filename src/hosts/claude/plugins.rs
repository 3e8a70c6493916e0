//! Claude Code's plugins: where their skills lie, and which settings switch them.
//!
//! `enabledPlugins` of the highest settings file that names a plugin decides for all its skills;
//! `skillOverrides` does not reach them. Tried with the program, 2.1.330, and marketplaces on the
//! disk. What `claude --plugin-dir` adds, and what claude.ai hands out, is not looked for. In a
//! folder of commands the program also takes `skill.md`. A skill that lies in a plugin's folder of
//! skills and below its folder of commands is listed there by two names, and here by the first.
//!
//! A folder that several plugins bring belongs to the first one that is enabled: those of a
//! variable come first, then the others in the order of `enabledPlugins`.

mod described;

use super::managed::{self, Locked};
use super::{SETTINGS, WALK, home, modes};
use crate::catalog::{Enablement, NamedBy, Plugin, Root, Scope, Walk};
use crate::files::git::main_tree;
use crate::hosts::{Candidate, Context, Reading, SettingsFile, SettingsPath, shapes};
use crate::policy::{Layer, Origin, Policy, Switch, Target};
use crate::settings::{Edit, Format, Node, Value};
use described::{is_sound_entry, is_sound_list, listed, manifest, names_parts};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const ENABLED: &str = "enabledPlugins";

/// The program's word for one.
const KIND: &str = "plugin";

/// The marketplace of plugins that lie in the folder of skills.
const SKILLS_DIR: &str = "skills-dir";

/// The marketplace of plugins whose folders a variable names.
const INLINE: &str = "inline";

/// A plugin's folder of skills, or the folder of one skill.
const PLUGIN_WALK: Walk = Walk { itself: true, ..WALK };

/// A plugin's folder of commands: folders with a `SKILL.md` in it are skills, however deep. If it
/// has a `SKILL.md` itself, it is the only one.
const COMMANDS_WALK: Walk = Walk { depth: 16, links: false, linked_file: false, ..PLUGIN_WALK };

/// A plugin whose files are there.
pub(super) struct PluginFiles {
    plugin: Arc<Plugin>,
    /// Its folders of skills, and folders of single skills.
    places: Vec<PathBuf>,
    /// Its folders of commands.
    commands: Vec<PathBuf>,
    /// Whether it is enabled where no settings name it.
    default: bool,
    /// Why its skills do not count.
    closed: Option<&'static str>,
}

impl PluginFiles {
    /// What the highest of these files that names it says, and whether it is enabled.
    fn said<'a>(&self, read: &[&'a SettingsFile]) -> (bool, Option<(&'a SettingsFile, &'a Node)>) {
        let id = &*self.plugin.id;
        let said = read.iter().rev().find_map(|file| Some((*file, file.at(&[ENABLED, id])?)));
        (said.map_or(self.default, |(_, node)| node.flag() == Some(true)), said)
    }
}

/// Where the program keeps its plugins, if no variable names another folder.
const KEPT: &str = "plugins";
const INSTALLED: &str = "installed_plugins.json";
const MARKETPLACES: &str = "known_marketplaces.json";
const LIST: &str = ".claude-plugin/marketplace.json";
const MANIFEST: &str = ".claude-plugin/plugin.json";

/// The files in which the program keeps what it has installed, and those in which marketplaces and
/// plugins describe themselves.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let Some(home) = home(context) else { return Vec::new() };
    let mut settings = managed::files(Path::new(managed::FOLDER));
    settings.push(home.join("settings.json"));
    let mut files: Vec<PathBuf> = Vec::new();
    let kept = modes::possible_folders_kept(context, &settings);
    for kept in kept.into_iter().chain([home.join(KEPT)]) {
        let [installed, marketplaces] = [INSTALLED, MARKETPLACES].map(|file| kept.join(file));
        files.extend(of_marketplaces(&marketplaces));
        files.extend(of_installed(&installed).iter().map(|folder| folder.join(MANIFEST)));
        files.extend([installed, marketplaces]);
    }
    let folders = children(&home).chain(of_variables(context, &settings));
    files.extend(folders.map(|folder| folder.join(MANIFEST)));
    files.retain(|file| file.exists());
    shapes::plugin_files(files).collect()
}

/// The lists of these marketplaces, and the manifests of the plugins in them.
fn of_marketplaces(file: &Path) -> Vec<PathBuf> {
    let known = shapes::on_disk(file, Format::Json);
    let places = known.iter().flat_map(|known| known.fields());
    let places = places.filter_map(|market| market.node.text_of("installLocation"));
    let mut files: Vec<PathBuf> = Vec::new();
    for market in places.map(Path::new) {
        let list = market.join(LIST);
        let described = shapes::on_disk(&list, Format::Json);
        let plugins = described.iter().flat_map(|list| list.items_of("plugins"));
        let folders = plugins.filter_map(|entry| shapes::beneath(market, entry.text_of("source")?));
        files.extend(folders.map(|folder| folder.join(MANIFEST)));
        files.push(list);
    }
    files
}

/// The folders of the plugins that are installed.
fn of_installed(file: &Path) -> Vec<PathBuf> {
    let installed = shapes::on_disk(file, Format::Json);
    let plugins = installed.as_ref().and_then(|node| node.get("plugins"));
    let items = plugins.iter().flat_map(|plugins| plugins.fields());
    let items = items.flat_map(|plugin| plugin.node.items());
    items.filter_map(|one| one.text_of("installPath").map(PathBuf::from)).collect()
}

/// The folders that variables may name, and those in them.
fn of_variables(context: &Context, settings: &[PathBuf]) -> Vec<PathBuf> {
    let named = modes::possible_plugin_folders(context, settings).into_iter();
    named.flat_map(|folder| [shapes::children(&folder), vec![folder]].concat()).collect()
}

/// What a file of plugins says; `None` if it is not there or cannot be read.
fn written<'a>(reading: &'a Reading, path: &Path) -> Option<&'a Node> {
    reading.plugin_file(path)?.effective()
}

/// Every plugin that is installed or that settings name. Those that are enabled come first.
pub(super) fn plugins(reading: &Reading) -> Vec<PluginFiles> {
    let Some(home) = home(&reading.context) else { return Vec::new() };
    let kept = modes::folder_kept(reading).unwrap_or_else(|| home.join(KEPT));
    let installed = written(reading, &kept.join(INSTALLED)).and_then(|node| node.get("plugins"));
    let marketplaces = written(reading, &kept.join(MARKETPLACES));
    let named = reading.of_role(SETTINGS).filter_map(|file| file.at(&[ENABLED]));
    let mut ids: Vec<&str> = Vec::new();
    for field in named.chain(installed).flat_map(Node::fields) {
        if !ids.contains(&&*field.key) {
            ids.push(&field.key);
        }
    }
    let mut found = inline(reading);
    // One that a variable names takes the place of an installed one.
    let is_inline = |name: &str| found.iter().any(|plugin| name_of(&plugin.plugin) == name);
    let of_marketplaces = ids.into_iter().filter_map(|id| {
        let (name, marketplace) = id.rsplit_once('@').filter(|(name, _)| !is_inline(name))?;
        let installed = installed.and_then(|all| all.get(id)).map_or(&[][..], Node::items);
        let known = marketplaces?.get(marketplace)?;
        let mut here = installed.iter().filter(|one| is_for(one, &reading.context.cwd));
        of_marketplace(reading, (id, name), known, here.find(|one| is_there(one)))
    });
    let of_marketplaces: Vec<PluginFiles> = of_marketplaces.collect();
    found.extend(of_marketplaces);
    let read = super::sound(reading);
    // Another plugin takes the place of one in the folder of skills, also if settings have it off.
    let takes_place = |plugin: &PluginFiles| plugin.default || plugin.said(&read).1.is_some();
    let mut own: Vec<PluginFiles> = in_skills(reading, &home).collect();
    let is_name = |one: &PluginFiles, other: &Plugin| one.plugin.prefix == other.prefix;
    own.retain(|it| !found.iter().any(|one| takes_place(one) && is_name(one, &it.plugin)));
    found.extend(own);
    found.sort_by_key(|plugin| !plugin.said(&read).0);
    found
}

/// Its name in the settings, without its marketplace.
fn name_of(plugin: &Plugin) -> &str {
    plugin.id.rsplit_once('@').map_or(&plugin.id, |(name, _)| name)
}

/// Plugins whose folders a variable names. Of a folder that is no plugin itself, the folders in it
/// with a manifest are plugins; without any, it is one without a manifest.
fn inline(reading: &Reading) -> Vec<PluginFiles> {
    let is_plugin = |folder: &PathBuf| manifest(reading, folder) != Some(None);
    let plugins_of = |folder: PathBuf| {
        let mut inside = shapes::children(&folder);
        inside.retain(is_plugin);
        if is_plugin(&folder) || inside.is_empty() { vec![folder] } else { inside }
    };
    let plugin = |folder: PathBuf| {
        let manifest = manifest(reading, &folder)?;
        let name = manifest.and_then(|node| node.text_of("name"));
        let name = name.or_else(|| folder.file_name()?.to_str())?.to_owned();
        let mut places = places_in(&folder, &paths(manifest));
        places.extend(itself(&folder, manifest));
        let plugin = named(&name, INLINE, manifest);
        let commands = commands(&folder, manifest, None);
        Some(PluginFiles { plugin, places, commands, default: true, closed: None })
    };
    modes::plugin_folders(reading).into_iter().flat_map(plugins_of).filter_map(plugin).collect()
}

/// A plugin that no marketplace lists.
fn named(name: &str, marketplace: &str, manifest: Option<&Node>) -> Arc<Plugin> {
    Arc::new(Plugin {
        kind: KIND,
        id: format!("{name}@{marketplace}"),
        prefix: format!("{name}:"),
        version: manifest.and_then(|node| node.text_of("version")).map(str::to_owned),
        commit: None,
    })
}

/// Whether a plugin was installed for all projects, or for this one: for this folder, or for one in
/// the same repository. Working trees of one repository are one project.
fn is_for(installed: &Node, here: &Path) -> bool {
    let said = installed.text_of("projectPath").map(Path::new);
    matches!(installed.text_of("scope"), Some("user" | "managed"))
        || said == Some(here)
        || said.and_then(repository).is_some_and(|other| repository(here) == Some(other))
}

/// The repository around a folder, by its main working tree.
fn repository(folder: &Path) -> Option<PathBuf> {
    let top = folder.ancestors().find(|above| above.join(".git").exists())?;
    Some(main_tree(top).unwrap_or_else(|| top.to_owned()))
}

fn is_there(installed: &Node) -> bool {
    installed.text_of("installPath").is_some_and(|path| Path::new(path).is_dir())
}

/// A plugin that a marketplace lists. One whose files lie in a folder on this machine is read
/// there; any other where it was installed.
fn of_marketplace(
    reading: &Reading,
    (id, name): (&str, &str),
    known: &Node,
    installed: Option<&Node>,
) -> Option<PluginFiles> {
    let market = PathBuf::from(known.text_of("installLocation")?);
    let list = written(reading, &market.join(LIST)).filter(|list| is_sound_list(list))?;
    let entry = list.items_of("plugins").iter().find(|one| one.text_of("name") == Some(name))?;
    let kind = known.get("source").and_then(|source| source.text_of("source"));
    // What was installed is there whatever has become of its entry.
    let entry = Some(entry).filter(|entry| is_sound_entry(entry));
    let source = entry.filter(|_| kind == Some("directory")).and_then(|it| it.text_of("source"));
    let folder = match source {
        Some(source) => described::source(&market, source)?,
        None => PathBuf::from(installed?.text_of("installPath")?),
    };
    if !folder.is_dir() {
        return None;
    }
    let manifest = manifest(reading, &folder)?;
    let stands_alone =
        entry.filter(|entry| entry.get("strict").and_then(Node::flag) == Some(false));
    if manifest.is_some() && stands_alone.is_some_and(names_parts) {
        return None;
    }
    // In the folder of the marketplace itself lie the skills of all its plugins.
    let shared = paths(entry).into_iter().filter_map(|path| shapes::beneath(&folder, path));
    let shared: Vec<PathBuf> =
        shared.filter(|_| folder == market).filter(|it| it.exists()).collect();
    let mut places = match shared.is_empty() {
        true => places_in(&folder, &[paths(manifest), paths(entry)].concat()),
        false if shared.contains(&folder) => [vec![folder.join("skills")], shared].concat(),
        false => shared,
    };
    places.extend(itself(&folder, manifest.or(entry)).filter(|it| !places.contains(it)));
    let said = |key| installed.and_then(|one| one.text_of(key));
    let described = |key| manifest.and_then(|node| node.text_of(key));
    Some(PluginFiles {
        plugin: Arc::new(Plugin {
            kind: KIND,
            id: id.to_owned(),
            prefix: format!("{}:", described("name").unwrap_or(name)),
            version: said("version").or_else(|| described("version")).map(str::to_owned),
            commit: said("gitCommitSha").map(str::to_owned),
        }),
        places,
        commands: commands(&folder, manifest, entry),
        default: false,
        closed: None,
    })
}

/// Plugins among the person's own skills: folders with a manifest.
fn in_skills(reading: &Reading, home: &Path) -> impl Iterator<Item = PluginFiles> {
    let closed = modes::closed(reading).or(Locked::of(reading).plugins_in_skills());
    let plugin = move |folder: PathBuf| {
        let node = manifest(reading, &folder)??;
        let plugin = named(node.text_of("name")?, SKILLS_DIR, Some(node));
        let mut places = places_in(&folder, &paths(Some(node)));
        // As a skill it is the person's own.
        places.retain(|place| *place != folder);
        let commands = commands(&folder, Some(node), None);
        Some(PluginFiles { plugin, places, commands, default: true, closed })
    };
    children(home).filter_map(plugin)
}

/// What lies in the person's folder of skills, by name.
fn children(home: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(home.join("skills")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    folders.into_iter()
}

/// The paths under `skills`.
fn paths(node: Option<&Node>) -> Vec<&str> {
    node.map(|node| listed(node, "skills")).unwrap_or_default()
}

/// The plugin's own folder, if it is a skill and its manifest, or without one the marketplace's
/// entry, has no `skills`.
fn itself(folder: &Path, described: Option<&Node>) -> Option<PathBuf> {
    let says = described.is_some_and(|node| node.get("skills").is_some());
    let is_skill = || !folder.join("skills").exists() && folder.join("SKILL.md").is_file();
    (!says && is_skill()).then(|| folder.to_owned())
}

/// The folders under `commands` of the manifest, else `commands`; and those of a marketplace's
/// entry.
fn commands(folder: &Path, manifest: Option<&Node>, entry: Option<&Node>) -> Vec<PathBuf> {
    const COMMANDS: &str = "commands";
    let says = manifest.is_some_and(|node| node.get(COMMANDS).is_some());
    let default = (!says).then(|| folder.join(COMMANDS));
    let described = manifest.into_iter().chain(entry);
    let named = described.flat_map(|node| listed(node, COMMANDS));
    let named = named.filter_map(|path| shapes::beneath(folder, path));
    default.into_iter().chain(named).filter(|place| place.is_dir()).collect()
}

/// The folder `skills` of a plugin, and those that these paths name.
fn places_in(folder: &Path, paths: &[&str]) -> Vec<PathBuf> {
    let named = paths.iter().filter_map(|path| shapes::beneath(folder, path));
    std::iter::once(folder.join("skills")).chain(named).collect()
}

/// The roots of all plugins.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let root = |plugin: &PluginFiles, place: &PathBuf, walk| {
        let root = Root::new(place.clone(), Scope::User, super::CLAUDE.id, walk);
        Root { closed: plugin.closed, ..root.of_plugin(&plugin.plugin) }
    };
    let mut roots = Vec::new();
    for plugin in plugins(reading) {
        roots.extend(plugin.places.iter().map(|place| root(&plugin, place, PLUGIN_WALK)));
        let commands = plugin.commands.iter().map(|place| root(&plugin, place, COMMANDS_WALK));
        roots.extend(commands.map(|root| Root { named_by: NamedBy::Folder, ..root }));
    }
    roots
}

/// Whether a plugin has a skill of this name.
pub(super) fn has(reading: &Reading, name: &str) -> bool {
    name.contains(':') && plugins(reading).iter().any(|one| name.starts_with(&one.plugin.prefix))
}

/// What the settings say of each plugin. They come after all other switches, since those do not
/// reach a plugin's skills; the last one is that of the plugin to which a shared folder belongs.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    let read = super::sound(reading);
    for plugin in plugins(reading).iter().rev() {
        let id = &*plugin.plugin.id;
        let (state, said) = plugin.said(&read);
        let state = if state { Enablement::On } else { Enablement::Off };
        let (origin, layer) = match said {
            Some((file, node)) => {
                let text = format!("{ENABLED} \"{id}\": {}", state == Enablement::On);
                (file.origin(node.line, text), file.location.layer)
            }
            None if plugin.default => continue,
            None => (Origin::Host("the plugin is not enabled"), Layer::User),
        };
        for place in plugin.places.iter().chain(&plugin.commands) {
            let place = std::fs::canonicalize(place).unwrap_or_else(|_| place.clone());
            let target = Target::Beneath(place);
            let origin = origin.clone();
            policy.switches.push(Switch { target, within: None, state, origin, layer });
        }
    }
}

/// The edits that switch a plugin, for all its skills. What this file says of it is removed only
/// where another one has a word on it: a plugin that no settings name is easily overlooked.
pub(super) fn candidates(
    reading: &Reading,
    file: &SettingsFile,
    plugin: &Plugin,
    state: Enablement,
) -> Vec<Candidate> {
    let says = |other: &SettingsFile| other.at(&[ENABLED, &plugin.id]).is_some();
    let is_other = |other: &&SettingsFile| other.location.path != file.location.path;
    let elsewhere = reading.of_role(SETTINGS).filter(is_other).any(says);
    let remove = elsewhere.then(|| vec![file.edit(vec![Edit::remove(&[ENABLED], &plugin.id)])]);
    let set = Edit::set(&[ENABLED], &plugin.id, Value::Flag(state == Enablement::On));
    let set = vec![file.edit(vec![set])];
    [Vec::new()].into_iter().chain(remove).chain([set]).collect()
}

#[cfg(test)]
mod tests;
