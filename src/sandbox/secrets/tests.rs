use super::*;

fn secrets(home: &Path) -> Secrets {
    Secrets::of(Some(home), |_| None, &["/srv/agent".into()])
}

#[test]
fn no_place_of_a_credential_is_readable() {
    let secrets = secrets(Path::new("/home/ann"));
    for place in [
        "/",
        "/home",
        "/home/ann",
        "/home/ann/.ssh",
        "/home/ann/.ssh/keys",
        "/home/ann/.config",
        "/home/ann/.local",
        "/home/ann/.local/share/amp",
        "/home/ann/.cargo",
        "/home/ann/.claude/skills/x",
        "/etc",
        "/etc/ssl",
        "/proc/1",
        "/run/user/1000",
        "/root",
        "/home/bob",
        "/home/bob/.aws",
        "/dev/shm",
        "/srv",
        "/srv/agent/sessions",
    ] {
        assert!(secrets.exposes(Path::new(place)), "{place}");
    }
    for place in [
        "/home/ann/code/repo",
        "/home/ann/.pyenv",
        "/home/ann/.cargo/bin",
        "/srv/repo",
        "/tmp/x",
        "/usr/bin",
    ] {
        assert!(!secrets.exposes(Path::new(place)), "{place}");
    }
}

#[cfg(unix)]
#[test]
fn a_credential_is_known_by_its_link_and_by_the_variable_that_moves_it() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for directory in ["home", "dotfiles/aws", "config/gh", "state/skillpick", "state/other"] {
        std::fs::create_dir_all(top.join(directory)).unwrap();
    }
    std::os::unix::fs::symlink(top.join("dotfiles/aws"), top.join("home/.aws")).unwrap();
    let variable = |name: &str| {
        let moved = [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")];
        moved.iter().find(|(known, _)| *known == name).map(|(_, to)| top.join(to).into_os_string())
    };
    let secrets = Secrets::of(Some(&top.join("home")), variable, &[]);
    for place in ["dotfiles", "dotfiles/aws", "config", "config/gh", "state/skillpick"] {
        assert!(secrets.exposes(&top.join(place)), "{place}");
    }
    assert!(!secrets.exposes(&top.join("state/other")));
}

#[test]
fn each_known_place_is_kept_as_it_is_and_as_a_variable_moves_it() {
    let home = Path::new("/home/ann");
    let known = secrets(home);
    for place in private_places::all() {
        let path = home.join(place);
        assert!(known.exposes(&path) && known.exposes(path.parent().unwrap()), "{place}");
        assert!(known.exposes(&Path::new("/home/bob").join(place)), "{place}");
    }
    for (name, part) in MOVED {
        let value = |asked: &str| (asked == *name).then(|| "/srv/a:/srv/b/c".into());
        let moved = Secrets::of(Some(home), value, &[]);
        let places = moved_places(part, Path::new("/srv/b/c")).collect::<Vec<_>>();
        assert!(!places.is_empty() || *part == ".cache", "{name} moves no known place");
        for place in places {
            assert!(moved.exposes(&place) && moved.exposes(Path::new("/srv")), "{name}: {place:?}");
        }
        assert!(!Secrets::of(Some(home), |_| None, &[]).exposes(Path::new("/srv/b/c")));
    }
}

#[test]
fn a_script_starts_in_no_hidden_folder_of_a_home_and_not_where_settings_are_moved_to() {
    let value = |name: &str| (name == "XDG_CONFIG_HOME").then(|| "/srv/settings".into());
    let secrets = Secrets::of(Some(Path::new("/home/ann")), value, &[]);
    for place in [
        "/home/ann/.unheard-of",
        "/home/ann/.config/new-cloud",
        "/home/ann/.cache/tool/x",
        "/home/bob/.unheard-of",
        "/root/.unheard-of",
        "/srv/settings/new-cloud",
    ] {
        assert!(secrets.forbid_start(Path::new(place)), "{place}");
    }
    for place in ["/home/ann/code/.hidden", "/srv/other", "/home/ann/go/src"] {
        assert!(!secrets.forbid_start(Path::new(place)), "{place}");
    }
}

#[test]
fn what_lies_beside_a_secret_may_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for directory in ["tool/bin", "tool/inner/lib", "tool/home/.ssh"] {
        std::fs::create_dir_all(top.join(directory)).unwrap();
    }
    std::fs::write(top.join("tool/inner/.condarc"), "").unwrap();
    let value = |name: &str| (name == "CONDARC").then(|| top.join("tool/inner/.condarc").into());
    let secrets = Secrets::of(Some(&top.join("tool/home")), value, &[]);
    let mut left = secrets.without(top.join("tool"));
    left.sort();
    assert_eq!(left, [top.join("tool/bin"), top.join("tool/inner/lib")]);
    assert!(secrets.without(top.join("tool/home/.ssh")).is_empty());
}
