use super::*;
use crate::catalog::Use;

fn call(number: u64) -> Call {
    let mut call = Call::new(CallKind::Load, number, "pdf", Path::new("/s/pdf/SKILL.md"));
    (call.client, call.bytes) = ("cli".into(), Some(number));
    call
}

#[test]
fn rem_9_calls_are_read_back_as_they_were_noted() {
    let temp = tempfile::tempdir().unwrap();
    let state = temp.path().join("state");
    assert_eq!(Activity::load(&state), Activity::default());
    let mut run = Call::new(CallKind::Run, 2, "a\nb\u{1b}", Path::new("/s/a\nb/SKILL.md"));
    (run.file, run.session, run.exit) = (Some("x.sh".into()), Some("chat 1".into()), Some(137));
    (run.sandbox, run.error, run.truncated) = (Some("off".into()), Some("denied".into()), true);
    Activity::append(&state, &call(1)).unwrap();
    Activity::append(&state, &run).unwrap();
    let mut reminder = call(3);
    reminder.bytes = Some(0);
    Activity::append(&state, &reminder).unwrap();
    let activity = Activity::load(&state);
    assert_eq!(activity.calls, [call(1), run, reminder]);
    let uses = activity.uses();
    assert_eq!(uses.iter().count(), 1, "what came to nothing is no use");
    let expected = Use { count: 1, last_ms: 1, client: "cli".into() };
    assert_eq!(uses.of(Path::new("/s/pdf/SKILL.md")), Some(&expected));
    assert_eq!(Activity::uses_in(&state), uses, "the quick look says the same");
}

#[cfg(unix)]
#[test]
fn the_log_is_private_and_a_planted_link_is_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let temp = tempfile::tempdir().unwrap();
    let state = temp.path().join("state");
    Activity::append(&state, &call(1)).unwrap();
    assert_eq!(fs::metadata(state.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
    fs::remove_file(state.join(FILE)).unwrap();
    symlink(temp.path().join("victim"), state.join(FILE)).unwrap();
    assert!(Activity::append(&state, &call(1)).is_err());
    assert!(!temp.path().join("victim").exists());
}

#[test]
fn the_log_is_bounded_and_keeps_the_newest() {
    let temp = tempfile::tempdir().unwrap();
    let mut long = call(0);
    long.file = Some("x".repeat(100_000));
    for number in 0..600 {
        long.at_ms = number;
        Activity::append(temp.path(), &long).unwrap();
    }
    let size = |name: &str| fs::metadata(temp.path().join(name)).unwrap().len();
    assert!(size(FILE) <= MAX_BYTES && size(OLDER) <= MAX_BYTES);
    let calls = Activity::load(temp.path()).calls;
    assert!(calls.len() > 100 && calls.last().unwrap().at_ms == 599);
    assert!(calls.is_sorted_by_key(|call| call.at_ms));
}

#[test]
fn no_flood_of_refusals_pushes_out_what_was_done() {
    let temp = tempfile::tempdir().unwrap();
    let run = |number| Call::new(CallKind::Run, number, "pdf", Path::new("/s/pdf/SKILL.md"));
    (0..60).for_each(|number| Activity::append(temp.path(), &run(number)).unwrap());
    let mut refused = Call::new(CallKind::Read, 60, &"ä".repeat(4_000), Path::new("/s"));
    (refused.file, refused.error) = (Some("y".repeat(4_000)), Some("not_found".into()));
    refused.client = "c".repeat(4_000);
    for _ in 0..4_000 {
        refused.at_ms += 1;
        Activity::append(temp.path(), &refused).unwrap();
    }
    let calls = Activity::load(temp.path()).calls;
    let runs = calls.iter().filter(|call| call.kind == CallKind::Run);
    assert_eq!(runs.count(), 60);
    let last = calls.last().unwrap();
    assert_eq!((last.at_ms, &last.error), (refused.at_ms, &refused.error));
    for text in [&last.skill, last.file.as_ref().unwrap(), &last.client] {
        assert!(text.len() <= MAX_FREE_TEXT && text.ends_with(CUT), "{text}");
    }
}

#[test]
fn a_torn_or_broken_line_costs_only_itself() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join(FILE), "{\"deed\":\"load\",\"at_\u{ff}").unwrap();
    Activity::append(temp.path(), &call(7)).unwrap();
    let activity = Activity::load(temp.path());
    assert_eq!((activity.calls, activity.broken), (vec![call(7)], 1));
}

#[test]
fn writers_at_once_lose_no_call() {
    let temp = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let directory = temp.path();
            scope.spawn(move || {
                for round in 0..25 {
                    while Activity::append(directory, &call(thread * 100 + round)).is_err() {}
                }
            });
        }
    });
    let mut seen: Vec<u64> =
        Activity::load(temp.path()).calls.iter().map(|call| call.at_ms).collect();
    seen.sort_unstable();
    let expected: Vec<u64> =
        (0..4).flat_map(|thread| (0..25).map(move |round| thread * 100 + round)).collect();
    assert_eq!(seen, expected);
}

#[cfg(unix)]
#[test]
fn rem_9_a_log_that_cannot_be_read_is_not_an_empty_one() {
    let temp = tempfile::tempdir().unwrap();
    assert!(Activity::load(temp.path()).unread.is_empty(), "none was written yet");
    fs::create_dir(temp.path().join(FILE)).unwrap();
    let activity = Activity::load(temp.path());
    assert_eq!((activity.calls.len(), activity.unread), (0, vec![temp.path().join(FILE)]));
    assert!(Activity::uses_in(temp.path()).is_empty());
}

#[test]
fn a_file_that_is_larger_than_ours_is_cut_with_a_mark_and_in_whole_lines() {
    let temp = tempfile::tempdir().unwrap();
    let line = line(&call(7));
    let whole = usize::try_from(MAX_READ).unwrap() / line.len();
    let file = temp.path().join(OLDER);
    fs::write(&file, line.repeat(whole + 2)).unwrap();
    let activity = Activity::load(temp.path());
    assert_eq!(
        (activity.calls.len(), activity.broken, activity.cut),
        (whole, 0, vec![file.clone()])
    );
    // A single line without an end is only a cut.
    fs::write(&file, vec![b'x'; usize::try_from(MAX_READ).unwrap() + 1]).unwrap();
    let activity = Activity::load(temp.path());
    assert_eq!((activity.calls.len(), activity.broken, activity.cut.len()), (0, 0, 1));
    fs::write(&file, line.repeat(whole)).unwrap();
    assert!(Activity::load(temp.path()).cut.is_empty());
}

#[test]
fn once_the_log_was_held_no_later_call_waits_for_it_until_one_was_noted() {
    use crate::state::activity::LogHealth;
    let temp = tempfile::tempdir().unwrap();
    let health = LogHealth::default();
    let held = Lock::beside(&temp.path().join(FILE)).unwrap();
    assert!(health.waits());
    health.note(Activity::append_now(temp.path(), &call(1)));
    assert!(!health.waits() && health.news().is_some() && !health.waits());
    let start = std::time::Instant::now();
    for number in 0..20 {
        health.note(Activity::append_now(temp.path(), &call(number)));
    }
    assert!(start.elapsed().as_millis() < 400, "each would wait two seconds");
    drop(held);
    health.note(Activity::append_now(temp.path(), &call(7)));
    assert!(health.waits());
    assert_eq!(Activity::load(temp.path()).calls, [call(7)]);
}
