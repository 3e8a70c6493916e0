//! Large roots, and what the kernel is asked to tell.

use super::super::targets;
use super::*;
use std::fs;
use std::sync::mpsc::channel;

#[test]
fn what_has_too_many_folders_is_not_watched_in_part() {
    let dir = tempfile::tempdir().unwrap();
    let root = |name: &str| dir.path().join(name);
    for folder in ["small/one", "large/1", "large/2", "large/3", "large/4"] {
        fs::create_dir_all(root(folder)).unwrap();
    }
    // The small one lies in the large one as well, and was watched first.
    std::os::unix::fs::symlink(root("small"), root("large/0")).unwrap();
    let roots = vec![root("small"), root("large")];
    let watched = Watched { roots, depth: 3, files: Vec::new() };
    let (sender, events) = channel();
    let report = Box::new(move |event| sender.send(event).unwrap_or_default());
    let Started { watcher: _watcher, failed, .. } =
        watch_at_most(&targets(&watched), &watched, report, 4).unwrap();
    assert_eq!(failed.iter().map(|(path, _)| path).collect::<Vec<_>>(), [&root("large")]);
    for number in 1..5 {
        fs::write(root(&format!("large/{number}/SKILL.md")), "x").unwrap();
    }
    assert!(events.recv_timeout(Duration::from_millis(200)).is_err());
    fs::write(root("small/one/SKILL.md"), "x").unwrap();
    events.recv_timeout(Duration::from_secs(20)).unwrap();
}

/// What the kernel watches for each folder, as bits.
fn masks(armed: &Armed) -> Vec<u32> {
    use std::os::fd::AsRawFd;
    let info = format!("/proc/self/fdinfo/{}", armed.kernel.as_raw_fd());
    let text = fs::read_to_string(info).unwrap();
    let masks = text.lines().filter_map(|line| line.split_once(" mask:"));
    let masks = masks.filter_map(|(_, rest)| rest.split(' ').next());
    masks.map(|mask| u32::from_str_radix(mask, 16).unwrap()).collect()
}

#[test]
fn folders_on_the_way_are_few_and_watched_for_their_own_names_alone() {
    let dir = crate::test_env::bar::quick_folder();
    let top = dir.path().canonicalize().unwrap();
    fs::create_dir(top.join("root")).unwrap();
    let count = || {
        let watched = Watched { roots: vec![top.join("root")], depth: 3, files: Vec::new() };
        let limits = Limits { depth: 3, folders: MAX_FOLDERS };
        let masks = masks(&arm(targets(&watched).iter(), limits).unwrap().unwrap());
        let own = (OWN_EVENTS - WatchFlags::ONLYDIR - WatchFlags::MASK_ADD).bits();
        let above = masks.iter().filter(|mask| **mask & 0xfff == own).count();
        (above, masks.len() - above)
    };
    let alone = top.ancestors().count();
    assert_eq!(count(), (alone, 1));
    for number in 0..MAX_LINKED + 100 {
        let far = top.join(format!("far/{number}/skill"));
        fs::create_dir_all(&far).unwrap();
        std::os::unix::fs::symlink(far, top.join(format!("root/{number}"))).unwrap();
        if number == 1 {
            assert_eq!(count(), (alone + 3, 3), "they share what is above them");
        }
    }
    assert_eq!(count(), (MAX_LINKED, 1 + MAX_LINKED + 100));
}

#[test]
fn to_give_up_a_large_root_is_no_change() {
    let dir = crate::test_env::bar::quick_folder();
    // More than the kernel keeps of untold events, by default.
    for number in 0..16_500 {
        fs::create_dir(dir.path().join(number.to_string())).unwrap();
    }
    let watched = Watched { roots: vec![dir.path().to_owned()], depth: 2, files: Vec::new() };
    let (sender, events) = channel();
    let report = Box::new(move |event| sender.send(event).unwrap_or_default());
    let Started { watcher: _watcher, failed, .. } =
        watch_at_most(&targets(&watched), &watched, report, 16_450).unwrap();
    assert_eq!(failed.len(), 1);
    assert!(events.recv_timeout(Duration::from_millis(200)).is_err());
}
