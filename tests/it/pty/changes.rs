//! The list of changes, on real settings.

use super::setup::Setup;
use crate::env::TestEnv;

const CONFIG: &str = "home/.config/skillpick/config.toml";

#[test]
fn any_change_is_undone_and_made_again_from_the_list() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &["--host", "agents"]).start();
    terminal.see("zebra");
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<^x>");
    terminal.see("zebra off");
    let off = env.read(CONFIG);
    assert!(off.contains("zebra"), "{off}");
    terminal.type_keys("<alt-z>");
    terminal.see("Changes");
    terminal.see("config.toml");
    terminal.type_keys("<enter>");
    terminal.see("Difference");
    terminal.see("zebra");
    terminal.type_keys("<esc>");
    terminal.miss("Difference");
    terminal.type_keys("u");
    terminal.see("undone: zebra off (change 1)");
    assert!(!env.at(CONFIG).exists() || !env.read(CONFIG).contains("zebra"));
    terminal.type_keys("r");
    terminal.see("redone: zebra off (change 1)");
    assert_eq!(env.read(CONFIG), off);
    terminal.type_keys("<^c>");
    terminal.exit();
}
