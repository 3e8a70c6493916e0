use super::*;

fn secrets(home: &Path) -> Secrets {
    Secrets::of(Some(home), |_| None, &[])
}

#[test]
fn beside_programs_only_libraries_are_readable() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for directory in
        ["tool/bin", "tool/lib", "tool/share", "bin", ".pyenv/shims", ".local/bin", ".ssh"]
    {
        std::fs::create_dir_all(home.join(directory)).unwrap();
    }
    for directory in [".pulumi/bin", ".pulumi/lib", ".pulumi/share", ".new/shims", ".other/shims"] {
        std::fs::create_dir_all(home.join(directory)).unwrap();
    }
    let path =
        ["bin", ".local/bin", ".ssh", ".pulumi/bin", ".other/shims"].map(|name| home.join(name));
    let granted = |program: &str| {
        let program = home.join(program);
        std::fs::write(&program, "").unwrap();
        let needed =
            Programs { interpreter: &program, path: &path, home: Some(&home), system: &[] };
        let granted = programs(&needed, &secrets(&home));
        granted
            .iter()
            .filter_map(|place| place.strip_prefix(&home).unwrap().to_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let others = ".local/bin .other/shims .pulumi/bin .pulumi/lib .pyenv/shims bin";
    assert_eq!(granted("tool/bin/python3"), format!("{others} tool/bin tool/lib tool/share"));
    assert_eq!(
        granted(".new/shims/python3"),
        format!(".local/bin .new/shims {}", &others[".local/bin ".len()..])
    );
}

#[test]
fn of_an_installation_only_the_parts_with_programs_are_granted() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let roots = INSTALLATIONS.iter().map(|pattern| pattern.replace('*', "x"));
    for root in roots {
        for part in ["bin", "lib", "share", "etc", "pkgs", ".git", "cache", "conda-meta"] {
            std::fs::create_dir_all(home.join(&root).join(part)).unwrap();
        }
        std::fs::write(home.join(&root).join(".condarc"), "").unwrap();
    }
    let interpreter = Path::new("/usr/bin/python3");
    let needed = Programs { interpreter, path: &[], home: Some(&home), system: &[] };
    let granted = programs(&needed, &secrets(&home));
    let named = |place: &&PathBuf| {
        place.starts_with(&home)
            && !["bin", "lib", "share"].iter().any(|name| place.ends_with(name))
    };
    assert_eq!(granted.iter().find(named), None);
    for pattern in INSTALLATIONS {
        let program = home.join(pattern.replace('*', "x")).join("bin");
        assert!(granted.contains(&program), "{program:?}");
    }
    // However many versions there are, a person reads one line.
    let shown = summary(&granted, Some(&home));
    let count = |place: &str| shown.iter().filter(|path| **path == home.join(place)).count();
    assert_eq!((count(".local/share/uv/tools/*"), count(".pyenv/versions/*")), (1, 1), "{shown:?}");
}

#[cfg(unix)]
#[test]
fn of_software_neither_settings_nor_links_that_lead_out_are_granted() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for directory in ["tool/bin", "tool/etc", "tool/conf", "tool/.hidden", "tool/jars", "home/x"] {
        std::fs::create_dir_all(top.join(directory)).unwrap();
    }
    std::fs::write(top.join("tool/.env"), "").unwrap();
    std::os::unix::fs::symlink("bin", top.join("tool/sbin")).unwrap();
    std::os::unix::fs::symlink(top.join("home"), top.join("tool/out")).unwrap();
    let mut granted = installed(&top.join("tool"));
    granted.sort();
    assert_eq!(granted, ["bin", "jars", "sbin"].map(|name| top.join("tool").join(name)));
    let secrets = secrets(&top.join("home"));
    std::os::unix::fs::symlink(top.join("home/x"), top.join("link")).unwrap();
    assert!(readable(top.join("link"), &secrets).is_empty());
    assert_eq!(readable(top.join("tool/sbin"), &secrets), [top.join("tool/sbin")]);
}
