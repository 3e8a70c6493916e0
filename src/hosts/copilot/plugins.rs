//! Copilot CLI's plugins: those of marketplaces that are folders on this machine, which are read
//! where they lie, and those that it has copied. Tried with the program, 1.0.102.
//!
//! Not modelled: what the settings of a trusted repository say; `--plugin-dir`; a plugin's
//! commands, which the program lists among its skills.

use super::keys::{COPIED, DISABLED, ENABLED, MARKETPLACES, value};
use super::{COPILOT, HOME, WALK, spelling};
use crate::catalog::{Plugin, Root, Scope, Walk};
use crate::hosts::{Candidate, Context, Reading, SettingsFile, SettingsPath, Wanted, shapes};
use crate::policy::Policy;
use crate::settings::{Edit, Field, Format, Kind, Node, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the program keeps of the plugins that it has copied.
const INSTALLED: &str = "config.json";

/// Where a marketplace lists its plugins, and where a plugin describes itself; the first that is
/// there.
const LISTS: [&str; 4] = [
    "marketplace.json",
    ".plugin/marketplace.json",
    ".github/plugin/marketplace.json",
    ".claude-plugin/marketplace.json",
];
const MANIFESTS: [&str; 4] = [
    ".plugin/plugin.json",
    "plugin.json",
    ".github/plugin/plugin.json",
    ".claude-plugin/plugin.json",
];

fn first(folder: &Path, names: [&str; 4]) -> Option<PathBuf> {
    names.into_iter().map(|name| folder.join(name)).find(|file| file.exists())
}

/// What the program keeps, the lists of marketplaces, and the manifests of plugins.
pub(super) fn files(context: &Context) -> Vec<SettingsPath> {
    let Some(home) = context.folder(HOME) else { return Vec::new() };
    let kept = home.join(INSTALLED);
    let settings = shapes::on_disk(&home.join("settings.json"), Format::Jsonc);
    let markets = settings.as_ref().and_then(|node| value(node, MARKETPLACES));
    let markets = markets.iter().flat_map(|node| node.fields());
    let markets: Vec<PathBuf> = markets.filter_map(|field| folder_of(&field.node)).collect();
    let lists: Vec<PathBuf> = markets.iter().filter_map(|market| first(market, LISTS)).collect();
    let mut plugins: Vec<PathBuf> = Vec::new();
    for (market, list) in markets.iter().zip(&lists) {
        let list = shapes::on_disk(list, Format::Json);
        let entries = list
            .iter()
            .flat_map(|list| list.items_of("plugins").iter().map(move |one| (list, one)));
        plugins.extend(entries.filter_map(|(list, entry)| place(market, list, entry)));
    }
    let copied = shapes::on_disk(&kept, Format::Jsonc);
    let copied = copied.iter().filter_map(|kept| value(kept, COPIED)).flat_map(Node::items);
    plugins.extend(copied.filter_map(|one| one.text_of("cache_path").map(PathBuf::from)));
    let manifests = plugins.iter().filter_map(|folder| first(folder, MANIFESTS));
    let files = shapes::plugin_files(lists.into_iter().chain(manifests).collect());
    let of_own = |path| SettingsPath { format: Format::Jsonc, ..shapes::plugin_file(path) };
    kept.exists().then(|| of_own(kept)).into_iter().chain(files).collect()
}

/// The folder of a marketplace that lies on this machine.
fn folder_of(market: &Node) -> Option<PathBuf> {
    let source = market.get("source").filter(|node| node.text_of("source") == Some("directory"));
    source?.text_of("path").map(PathBuf::from)
}

/// The folder of a plugin that a marketplace lists, within the marketplace's own.
fn place(market: &Path, list: &Node, entry: &Node) -> Option<PathBuf> {
    let above = list.at(&["metadata", "pluginRoot"]).and_then(Node::text).unwrap_or_default();
    shapes::beneath(&shapes::beneath(market, above)?, entry.text_of("source")?)
}

fn written<'a>(reading: &'a Reading, path: &Path) -> Option<&'a Node> {
    reading.plugin_file(path)?.effective()
}

/// A plugin with its folders of skills, and what says whether it is on.
struct Found<'a> {
    plugin: Plugin,
    places: Vec<PathBuf>,
    file: &'a SettingsFile,
    line: u32,
    enabled: bool,
}

fn found(reading: &Reading) -> Vec<Found<'_>> {
    let Some(own) = super::own(reading) else { return Vec::new() };
    let mut found = live(reading, own);
    for plugin in copied(reading, own) {
        if found.iter().all(|other| other.plugin.id != plugin.plugin.id) {
            found.push(plugin);
        }
    }
    found
}

/// The plugins of marketplaces on this machine that the person's settings name.
fn live<'a>(reading: &'a Reading, own: &'a SettingsFile) -> Vec<Found<'a>> {
    let markets = own.at(&[spelling(own, MARKETPLACES)]);
    let named = own.at(&[spelling(own, ENABLED)]).map_or(&[][..], Node::fields).iter();
    let of_field = |field: &'a Field| {
        let (name, market) = field.key.rsplit_once('@')?;
        let folder = folder_of(markets?.get(market)?)?;
        let list = written(reading, &first(&folder, LISTS)?)?;
        let entries = list.items_of("plugins").iter();
        let entry = entries.into_iter().find(|one| one.text_of("name") == Some(name))?;
        let folder = place(&folder, list, entry)?;
        let (version, places) = described(reading, &folder);
        let version = version.or_else(|| entry.text_of("version").map(str::to_owned));
        Some(Found {
            plugin: plugin(field.key.clone(), version),
            places,
            file: own,
            line: field.line,
            enabled: field.node.flag() == Some(true),
        })
    };
    named.filter_map(of_field).collect()
}

/// The plugins that the program has copied. For those of a marketplace the person's settings
/// decide before what it keeps itself.
fn copied<'a>(reading: &'a Reading, own: &'a SettingsFile) -> Vec<Found<'a>> {
    let kept =
        reading.of_role(shapes::PLUGINS).find(|file| file.location.path.ends_with(INSTALLED));
    let Some(kept) = kept else { return Vec::new() };
    let enabled = own.at(&[spelling(own, ENABLED)]);
    let of_kept = |one: &'a Node| {
        let name = one.text_of("name")?;
        let market = one.text_of("marketplace").filter(|market| !market.is_empty());
        let id = market.map_or_else(|| name.to_owned(), |market| format!("{name}@{market}"));
        let (version, places) = described(reading, Path::new(one.text_of("cache_path")?));
        let said = market.and(enabled).and_then(|it| it.fields().iter().find(|one| one.key == id));
        let (file, line, enabled) = match said {
            Some(field) => (own, field.line, field.node.flag() == Some(true)),
            None => {
                let flag = one.get("enabled");
                let line = flag.map_or(one.line, |node| node.line);
                (kept, line, flag.and_then(Node::flag) != Some(false))
            }
        };
        let version = one.text_of("version").map(str::to_owned).or(version);
        Some(Found { plugin: plugin(id, version), places, file, line, enabled })
    };
    kept.items(&[spelling(kept, COPIED)]).iter().filter_map(of_kept).collect()
}

fn plugin(id: String, version: Option<String>) -> Plugin {
    Plugin { kind: "plugin", id, prefix: String::new(), version, commit: None }
}

/// What the manifest of a plugin says: its version, and its folders of skills. Without a list of
/// them it is `skills`; without that folder, the plugin itself may be a skill.
fn described(reading: &Reading, folder: &Path) -> (Option<String>, Vec<PathBuf>) {
    let manifest = first(folder, MANIFESTS).and_then(|path| written(reading, &path));
    let version = manifest.and_then(|node| node.text_of("version")).map(str::to_owned);
    let listed = manifest.and_then(|node| node.get("skills"));
    let paths = listed.map(|node| match &node.kind {
        Kind::List(items) => items.iter().filter_map(Node::text).collect(),
        _ => node.text().into_iter().collect::<Vec<_>>(),
    });
    let default = || {
        let skills = folder.join("skills");
        let itself = || folder.join("SKILL.md").is_file().then(|| folder.to_owned());
        if skills.is_dir() { vec![skills] } else { itself().into_iter().collect() }
    };
    let within = |paths: Vec<&str>| {
        paths.into_iter().filter_map(|path| shapes::beneath(folder, path)).collect()
    };
    (version, paths.map_or_else(default, within))
}

/// The roots of the plugins. The plugin's own folder has no other skill than itself.
pub(super) fn roots(reading: &Reading) -> Vec<Root> {
    let roots = found(reading).into_iter().flat_map(|found| {
        let plugin = Arc::new(found.plugin);
        found.places.into_iter().map(move |place| {
            let is_skill = place.join("SKILL.md").is_file();
            let walk = Walk { depth: if is_skill { 0 } else { WALK.depth }, ..WALK };
            Root::new(place, Scope::User, COPILOT.id, walk).of_plugin(&plugin)
        })
    });
    roots.collect()
}

/// Switches off the skills of the plugins that are off.
pub(super) fn rulings(reading: &Reading, policy: &mut Policy) {
    for found in found(reading).into_iter().filter(|found| !found.enabled) {
        let is_own = found.file.location.role == shapes::PLUGINS;
        let key = if is_own { "enabled" } else { spelling(found.file, ENABLED) };
        let text = format!("{key} \"{}\": false", found.plugin.id);
        for place in found.places {
            policy.switches.push(found.file.switch_off_beneath(place, found.line, &text));
        }
    }
}

/// The edits that switch one skill on whatever name of it is disabled. If that is the name that
/// skills of other plugins have too, they stay disabled by their own.
pub(super) fn without_names(
    reading: &Reading,
    file: &SettingsFile,
    wanted: &Wanted<'_>,
    plugin: &Plugin,
) -> Option<Candidate> {
    let order = COPILOT.evaluation;
    let path = [spelling(file, DISABLED)];
    let mut edits = shapes::take_out(file, &path, &|text| order.is_switched_by(text, wanted.skill));
    let own = wanted.name.strip_prefix(&*plugin.prefix).filter(|_| !plugin.prefix.is_empty());
    if let Some(own) = own {
        let full = |found: Found<'_>| found.plugin.before() + own;
        let listed = shapes::texts(file, &path).unwrap_or_default();
        let is_listed = |name: &String| listed.iter().any(|(text, _)| *text == name.as_str());
        let others = found(reading).into_iter().map(full);
        let others = others.filter(|name| is_others(wanted, name) && !is_listed(name));
        let others: BTreeSet<String> = others.collect();
        edits.extend(others.iter().map(|name| Edit::push_text(&path, name)));
    }
    Some(vec![file.edit(edits)])
}

/// The name by which one skill is switched off: with its plugin's before it, so that no other is
/// meant, unless another skill has just that name.
pub(super) fn name_alone(wanted: &Wanted<'_>, plugin: &Plugin) -> String {
    let own = wanted.name.strip_prefix(&*plugin.prefix).unwrap_or(wanted.name);
    let full = plugin.before() + own;
    if is_others(wanted, &full) { own.to_owned() } else { full }
}

/// Whether another skill has this name.
fn is_others(wanted: &Wanted<'_>, name: &str) -> bool {
    wanted.others.is_some_and(|others| others.iter().any(|other| other == name))
}

/// The edit that switches the whole plugin on, where the settings name it.
pub(super) fn candidate(file: &SettingsFile, plugin: &Plugin) -> Option<Candidate> {
    let key = spelling(file, ENABLED);
    let is_named = file.at(&[key, &plugin.id]).is_some();
    let on = Edit::set(&[key], &plugin.id, Value::Flag(true));
    is_named.then(|| vec![file.edit(vec![on])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Enablement::{Off, On};
    use crate::hosts::test_support::{User, seen, switch, test};
    use crate::policy::Entry;
    use crate::workspace::fixture::TestWorkspace;

    const USER: &str = "home/.copilot/settings.json";

    fn live(enabled: &str) -> TestWorkspace {
        let skills = ["market/tools/skills/alpha", "market/tools/extra/beta", "market/one"];
        let mut test = test(&COPILOT, &skills);
        let market = test.text("market");
        let list = r#"{"plugins": [{"name": "tools", "source": "./tools"}, {"name": "one",
            "source": "one", "version": "7"}, {"name": "out", "source": "../home"}]}"#;
        test.write(&format!("market/{}", LISTS[3]), list);
        let source = format!(r#"{{"source": {{"source": "directory", "path": "{market}"}}}}"#);
        test.write(
            USER,
            &format!(
                "{{\n\"{MARKETPLACES}\": {{\"shop\": {source}}},\n\"{ENABLED}\": {{\n{enabled}}}}}"
            ),
        );
        test
    }

    fn names(test: &TestWorkspace) -> Vec<String> {
        let word = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
        seen(test).iter().map(word).collect()
    }

    #[test]
    fn the_skills_of_a_plugin_are_those_that_its_manifest_names() {
        let table: [(&str, &[&str]); 7] = [
            (r#"{"name": "tools"}"#, &["alpha"]),
            (r#"{"skills": "extra"}"#, &["beta"]),
            (r#"{"skills": ["./extra/", "skills/alpha"]}"#, &["alpha", "beta"]),
            (r#"{"skills": 5}"#, &[]),
            (r#"{"skills": "../one"}"#, &[]),
            (r#"{"name": "tools",}"#, &["alpha"]),
            ("", &["alpha"]),
        ];
        for (manifest, expected) in table {
            let mut test = live("\"tools@shop\": true");
            if !manifest.is_empty() {
                test.write("market/tools/plugin.json", manifest);
            }
            assert_eq!(names(&test), expected, "{manifest}");
        }
        let mut test = live("\"tools@shop\": true");
        test.write("market/tools/plugin.json", r#"{"version": "1.2.3"}"#);
        test.write(&format!("market/tools/{}", MANIFESTS[0]), r#"{"skills": "extra"}"#);
        assert_eq!(names(&test), ["beta"], "its hidden folder comes first");
        let mut test = live("\"one@shop\": true");
        test.env.skill("market/one/examples", "deep", "d");
        test.write("market/one/plugin.json", r#"{"name": "one"}"#);
        assert_eq!(names(&test), ["one"], "a plugin that is a skill itself");
        std::fs::remove_file(test.env.at("market/one/SKILL.md")).unwrap();
        test.write("market/one/plugin.json", r#"{"name": "other"}"#);
        assert!(names(&test).is_empty(), "nothing says that it has skills");
        assert!(names(&live("\"out@shop\": true, \"tools@other\": true")).is_empty());
    }

    #[test]
    fn settings_switch_a_plugin_and_one_skill_is_switched_by_name() {
        let alpha = "market/tools/skills/alpha";
        let mut test = live("\"tools@shop\": true");
        assert_eq!(seen(&test), ["alpha on full allow default"]);
        switch(&mut test, alpha, Off, User).unwrap();
        assert!(
            test.read(USER).contains(r#""disabledSkills": ["tools:alpha"]"#),
            "{}",
            test.read(USER)
        );
        switch(&mut test, alpha, On, User).unwrap();
        let mut test = live("\"tools@shop\": false");
        assert_eq!(seen(&test), [format!("alpha off no deny {USER}:4")]);
        let text = test.read(USER);
        switch(&mut test, alpha, On, User).unwrap();
        assert!(test.read(USER).contains("\"tools@shop\": true"));
        let other = text.replace(ENABLED, "enabled_plugins");
        test.write(USER, &other.replace(MARKETPLACES, "extra_known_marketplaces"));
        assert_eq!(seen(&test), [format!("alpha off no deny {USER}:4")]);
        switch(&mut test, alpha, On, User).unwrap();
        assert!(test.read(USER).contains("\"enabled_plugins\": {\n\"tools@shop\": true"));
    }

    /// What the program, 1.0.102, lists and what it disables.
    #[test]
    fn skills_of_one_name_in_several_plugins_are_told_apart_by_the_plugins() {
        let listed = |plugins: &[(&str, &str)], disabled: &str, own: &[&str]| {
            let folders: Vec<String> = plugins
                .iter()
                .map(|(market, name)| format!("{market}/{name}/skills/pdf"))
                .collect();
            let mut folders: Vec<&str> = folders.iter().map(String::as_str).collect();
            folders.extend(own);
            let mut test = test(&COPILOT, &folders);
            let (mut markets, mut enabled) = (Vec::new(), Vec::new());
            for market in ["m", "n"] {
                let of_market = plugins.iter().filter(|(place, _)| *place == market);
                let entry = |(_, name): &(&str, &str)| {
                    format!("{{\"name\": \"{name}\", \"source\": \"{name}\"}}")
                };
                let entries: Vec<String> = of_market.map(entry).collect();
                let list = format!("{{\"plugins\": [{}]}}", entries.join(","));
                test.write(&format!("{market}/{}", LISTS[0]), &list);
                let source =
                    format!(r#"{{"source": "directory", "path": "{}"}}"#, test.text(market));
                markets.push(format!("\"{market}\": {{\"source\": {source}}}"));
            }
            enabled.extend(
                plugins.iter().map(|(market, name)| {
                    format!("\"{name}@{market}\": {}", !name.ends_with("-off"))
                }),
            );
            let text = format!(
                "{{\"{MARKETPLACES}\": {{{}}}, \"{ENABLED}\": {{{}}}, \"disabledSkills\": [{disabled}],
                \"skillDirectories\": [\"{}\"]}}",
                markets.join(","),
                enabled.join(","),
                test.text("further")
            );
            test.write(USER, &text);
            let view = test.view();
            let taken = view.rows.entries().filter(|entry| entry.is_seen());
            let name = |entry: &Entry| view.policy.order.name_of(&entry.skill).into_owned();
            let sign = |entry: &Entry| if entry.is_on() { "+" } else { "-" };
            let mut names: Vec<String> =
                taken.map(|entry| format!("{}{}", sign(entry), name(entry))).collect();
            names.sort();
            names.join(" ")
        };
        let (one, two) = ([("m", "a")], [("m", "a"), ("m", "b")]);
        assert_eq!(listed(&one, "", &[]), "+pdf");
        assert_eq!(listed(&two, "", &[]), "+a:pdf +b:pdf");
        assert_eq!(listed(&two, "", &["further/pdf"]), "+a:pdf +b:pdf");
        assert_eq!(listed(&two, "", &["home/.copilot/skills/pdf"]), "+pdf");
        assert_eq!(listed(&[("m", "a"), ("n", "a")], "", &[]), "+pdf");
        assert_eq!(listed(&[("m", "a"), ("n", "a"), ("n", "b")], "", &[]), "+a:pdf +b:pdf");
        assert_eq!(listed(&[("m", "a"), ("m", "b-off")], "", &[]), "+pdf -pdf");
        assert_eq!(listed(&two, r#""pdf""#, &[]), "-a:pdf -b:pdf");
        assert_eq!(listed(&two, r#""a:pdf""#, &[]), "+b:pdf -a:pdf");
        assert_eq!(listed(&two, r#""A:pdf", "a@m:pdf""#, &[]), "+a:pdf +b:pdf");
        assert_eq!(listed(&one, r#""a:pdf""#, &[]), "-pdf");
        assert_eq!(listed(&two, r#""a:pdf""#, &["repo/.github/skills/pdf"]), "+pdf");
    }

    #[test]
    fn what_it_has_copied_is_on_by_its_own_file_and_before_it_by_the_settings() {
        let kept = |market: &str, enabled: bool, settings: &str| {
            let mut test = test(&COPILOT, &["home/.copilot/installed-plugins/x/skills/alpha"]);
            let folder = test.text("home/.copilot/installed-plugins/x");
            let text = format!(
                "// Managed.\n{{\"installedPlugins\": [{{\"name\": \"x\", \"marketplace\": \"{market}\",
                \"version\": \"4\", \"cache_path\": \"{folder}\",\n\"enabled\": {enabled}}}]}}"
            );
            test.write("home/.copilot/config.json", &text);
            test.write(USER, &format!("{{\"{ENABLED}\": {{{settings}}}}}"));
            let source = test.view().rows[0].entry.skill.source().unwrap();
            (seen(&test)[0].starts_with("alpha on"), source.as_str().to_owned())
        };
        let plugin = || "plugin x@shop 4".to_owned();
        assert_eq!(kept("shop", true, ""), (true, plugin()));
        assert_eq!(kept("shop", false, ""), (false, plugin()));
        assert_eq!(kept("shop", true, "\"x@shop\": false"), (false, plugin()));
        assert_eq!(kept("shop", false, "\"x@shop\": true"), (true, plugin()));
        assert_eq!(kept("", false, "\"x\": true"), (false, "plugin x 4".to_owned()));
        let mut test = test(&COPILOT, &["home/x/skills/alpha"]);
        let one = format!("{{\"name\": \"x\", \"cache_path\": \"{}\"}}", test.text("home/x"));
        let text = format!("{{\"installedPlugins\": [], \"installed_plugins\": [{one}]}}");
        test.write("home/.copilot/config.json", &text);
        test.write(USER, "{}");
        assert_eq!(seen(&test), ["alpha on full allow default"]);
    }
}
