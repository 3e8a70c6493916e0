//! The plugins of Copilot CLI.

use super::*;
use skillpick::hosts::probe::COPILOT;

#[test]
fn copilot_and_we_see_and_switch_the_skills_of_plugins() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("home/.copilot/skills", &["own", "both"]);
    env.sound_skills("market/tools/skills", &["alpha", "beta", "both"]);
    env.sound_skills("market/other/extra", &["gamma"]);
    env.sound_skills("market/other/skills", &["not-listed"]);
    env.sound_skills("copied/skills/deep", &["delta"]);
    env.write("market/tools/plugin.json", r#"{"name": "tools", "version": "1.2.3"}"#);
    env.write(
        "market/other/.github/plugin/plugin.json",
        r#"{"name": "other", "skills": ["./extra/"]}"#,
    );
    env.write("copied/plugin.json", r#"{"name": "copied", "version": "4"}"#);
    env.write(
        "market/.claude-plugin/marketplace.json",
        r#"{"name": "shop", "owner": {"name": "o"}, "plugins": [
            {"name": "tools", "source": "./tools"}, {"name": "other", "source": "./other"}]}"#,
    );
    does(&agent, &env, &["plugin", "marketplace", "add", &env.text("market")]);
    does(&agent, &env, &["plugin", "install", "tools@shop"]);
    does(&agent, &env, &["plugin", "install", "other@shop"]);
    does(&agent, &env, &["plugin", "install", &env.text("copied")]);
    env.sound_skills("further", &["beta", "mine"]);
    does(&agent, &env, &["skill", "add", &env.text("further")]);
    let all = ["own", "both", "alpha", "beta", "gamma", "delta", "mine"].map(str::to_owned);
    let all: BTreeSet<String> = all.into();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    for (name, source) in [
        ("alpha", "plugin tools@shop 1.2.3"),
        ("gamma", "plugin other@shop"),
        ("delta", "plugin copied 4"),
    ] {
        let shown = ours::done(&agent, &env, "repo", &["show", name]);
        assert!(shown.contains(source), "{shown}");
    }

    let settings = env.at("home/.copilot/settings.json");
    let before = fs::read(&settings).unwrap();
    let without = |names: &[&str]| -> BTreeSet<String> {
        all.iter().filter(|name| !names.contains(&name.as_str())).cloned().collect()
    };
    ours::done(&agent, &env, "repo", &["disable", "alpha", "delta"]);
    assert_eq!(on(&agent, &env), without(&["alpha", "delta"]));
    ours::done(&agent, &env, "repo", &["verify"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(fs::read(&settings).unwrap(), before, "every byte is back");
    // Plugins as a whole: what one brought leaves its name to the further folder.
    does(&agent, &env, &["plugin", "disable", "tools@shop"]);
    does(&agent, &env, &["plugin", "disable", "copied"]);
    assert_eq!(on(&agent, &env), without(&["alpha", "delta"]));
    ours::done(&agent, &env, "repo", &["verify"]);
    let (code, _, why) = ours::run(&agent, &env, "repo", &["enable", "delta"]);
    assert!(code == Some(1) && why.contains("config.json"), "{why}");
    // The other plugin has one skill, so that it can be switched by it.
    does(&agent, &env, &["plugin", "disable", "other@shop"]);
    ours::done(&agent, &env, "repo", &["enable", "gamma"]);
    assert!(on(&agent, &env).contains("gamma"));
    let (code, _, why) = ours::run(&agent, &env, "repo", &["enable", "alpha"]);
    assert!(code == Some(1) && why.contains("tools@shop"), "{why}");
    // The keys in their other spelling.
    let text = String::from_utf8(before).unwrap();
    let other = text.replace("enabledPlugins", "enabled_plugins");
    env.write(&settings, other.replace("extraKnownMarketplaces", "extra_known_marketplaces"));
    let kept = env.read("home/.copilot/config.json");
    let kept = kept.replace("installedPlugins", "installed_plugins");
    env.write("home/.copilot/config.json", kept);
    assert!(on(&agent, &env).is_superset(&["alpha", "gamma"].map(str::to_owned).into()));
    ours::done(&agent, &env, "repo", &["verify"]);
}

#[test]
fn copilot_and_we_tell_skills_of_one_name_in_several_plugins_apart() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("market/a/skills", &["pdf", "one"]);
    env.sound_skills("market/b/skills", &["pdf"]);
    env.skill("market/a/skills", "second", "The second of its name in one plugin.");
    env.write("market/a/skills/second/SKILL.md", "---\nname: pdf\ndescription: d\n---\ntext\n");
    env.sound_skills("further", &["pdf"]);
    env.write(
        "market/.claude-plugin/marketplace.json",
        r#"{"name": "shop", "owner": {"name": "o"}, "plugins": [
            {"name": "a", "source": "./a"}, {"name": "b", "source": "./b"}]}"#,
    );
    does(&agent, &env, &["plugin", "marketplace", "add", &env.text("market")]);
    does(&agent, &env, &["plugin", "install", "a@shop"]);
    does(&agent, &env, &["plugin", "install", "b@shop"]);
    does(&agent, &env, &["skill", "add", &env.text("further")]);
    let settings = env.at("home/.copilot/settings.json");
    let before = fs::read_to_string(&settings).unwrap();
    let sees = |names: &[&str]| {
        let names: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(on(&agent, &env), names);
        ours::done(&agent, &env, "repo", &["verify"]);
    };
    sees(&["a:pdf", "b:pdf", "one"]);
    let (code, _, why) = ours::run(&agent, &env, "repo", &["disable", "pdf"]);
    assert!(
        code == Some(1) && why.contains("a/skills/pdf") && why.contains("b/skills/pdf"),
        "{why}"
    );
    ours::done(&agent, &env, "repo", &["disable", "a:pdf"]);
    sees(&["b:pdf", "one"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), before, "every byte is back");
    // The name that both have: what is switched on stays so alone.
    let both = before.replacen('{', "{\"disabledSkills\": [\"pdf\"],", 1);
    fs::write(&settings, both).unwrap();
    sees(&["one"]);
    ours::done(&agent, &env, "repo", &["enable", "a:pdf"]);
    sees(&["a:pdf", "one"]);
    // Where one of the plugins is off, the other's skill has its own name, and is switched by both.
    does(&agent, &env, &["plugin", "disable", "a@shop"]);
    sees(&[]);
    ours::done(&agent, &env, "repo", &["enable", &env.text("market/b/skills/pdf/SKILL.md")]);
    sees(&["pdf"]);
    does(&agent, &env, &["plugin", "enable", "a@shop"]);
    sees(&["a:pdf", "b:pdf", "one"]);
    env.sound_skill("home/.copilot/skills/pdf");
    sees(&["pdf", "one"]);
}
