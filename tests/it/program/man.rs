//! The manual pages.

use crate::env::TestEnv;
use crate::support::skipped;
use std::fs;
use std::process::Command;

#[test]
fn every_command_has_a_page_and_mandoc_finds_no_error_in_any() {
    let env = TestEnv::new();
    let folder = env.text("man");
    env.run(&["man", "--dir", &folder]).ended(0);
    let pages: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let names = env.run(&["--help"]).ended(0);
    let commands = names.out().split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands =
        commands.lines().filter(|line| line.starts_with("  ") && line.as_bytes()[2] != b' ');
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        assert!(env.at(format!("man/skillpick-{command}.1")).is_file(), "{command}");
    }
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let name = page.file_stem().unwrap().to_str().unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let title = format!(".TH {} 1 \"\" \"skillpick {version}\"", name.to_uppercase());
        assert!(text.contains(&title), "{name}: {text}");
        assert!(text.contains(".SH NAME\n") && text.contains(".SH SYNOPSIS\n"), "{name}");
    }
    let compose = env.read("man/skillpick-compose.1").replace('\\', "");
    let synopsis = compose.split(".SH SYNOPSIS").nth(1).unwrap().split(".SH").next().unwrap();
    for part in ["[-C <DIR>]", "[--text <TEXT>]", "[--file <FILE>]", "[--inject]"] {
        assert!(synopsis.contains(part), "{part}: {synopsis}");
    }
    assert!(!env.at("man/skillpick-line.1").exists(), "a hidden command");
    let put = env.run(&["man", "project", "put"]).ended(0);
    assert_eq!(put.out(), env.read("man/skillpick-project-put.1"));
    assert_eq!(env.run(&["man", "nothing"]).code, 2);
    match Command::new("mandoc").args(["-T", "lint", "-W", "error"]).args(&pages).output() {
        Err(_) => skipped("mandoc is not here (`just ci` installs it)"),
        Ok(ran) => assert!(ran.stdout.is_empty(), "{}", String::from_utf8_lossy(&ran.stdout)),
    }
}

/// The folder is made, but nothing else is written.
#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_page_is_replaced_and_not_followed() {
    let env = TestEnv::new();
    let kept = env.write("home/kept", "as it was");
    let page = env.at("man/skillpick.1");
    fs::create_dir(env.at("man")).unwrap();
    std::os::unix::fs::symlink(&kept, &page).unwrap();
    env.run(&["man", "--dir", &env.text("man")]).ended(0);
    assert_eq!(env.read("home/kept"), "as it was");
    assert!(page.symlink_metadata().unwrap().is_file());
}

#[test]
fn help_has_its_usual_width_where_the_environment_names_none() {
    let env = TestEnv::new();
    let help = |columns: &str| {
        let ran = env.command(&["list", "--help"]).env("COLUMNS", columns).output().unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    let usual = help("80");
    for columns in ["0", "1", "5"] {
        assert_eq!(help(columns), usual, "{columns}");
    }
    assert!(help("40").lines().all(|line| line.len() <= 40), "{}", help("40"));
}
