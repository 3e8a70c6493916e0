//! A server ends within a second, however it is ended, and leaves no process of a script.

use super::soon::Took;
use super::{Client, DEADLINE, NAME, validated, validation, wait};
use crate::env::TestEnv;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::ioctl_fionread;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use serde_json::json;
use std::io::Write;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// A server whose script ignores TERM and sleeps in a child; the number by which its processes are
/// known.
fn running() -> (TestEnv, Client, String, u64) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mark = format!("6{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let env = TestEnv::new();
    let temporary = env.text("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let env = env.variable("TMPDIR", &temporary);
    let folder = validation(&env);
    let script = "trap '' TERM INT HUP\n(trap '' TERM INT HUP; sleep \"$1\") & setsid sleep \"$1\" &\nsleep \"$1\"\nsleep \"$1\"\n";
    env.write(format!("{folder}/scripts/stubborn.sh"), script);
    env.settings("[scripts]\nenabled = true\n");
    env.run(&["permit", "allow", NAME, "--script"]).ended(0);
    let mut client = Client::new(&env, &[]);
    client.call("skill_load", json!({ "name": NAME }));
    let arguments = json!({ "path": "scripts/stubborn.sh", "args": [mark] });
    let id =
        client.request("tools/call", json!({ "name": "skill_run_script", "arguments": arguments }));
    wait(|| living(&mark).iter().filter(|(_, words)| words.starts_with("sleep")).count() >= 3);
    (env, client, mark, id)
}

/// The processes that have this word in their command line, by number.
fn living(mark: &str) -> Vec<(i32, String)> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let living = entries.filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&line).replace('\0', " ");
        let number = entry.file_name().to_str()?.parse().ok()?;
        words.split(' ').any(|word| word == mark).then_some((number, words))
    });
    living.collect()
}

/// Waits until all processes with this word in their command line have ended.
#[track_caller]
fn await_the_end_of(mark: &str) {
    let limit = Instant::now() + DEADLINE;
    while let Some((number, words)) = living(mark).into_iter().next() {
        // The process may end at any moment.
        let Ok(process) = pidfd_open(Pid::from_raw(number).unwrap(), PidfdFlags::empty()) else {
            continue;
        };
        let left = Timespec::try_from(limit.saturating_duration_since(Instant::now())).unwrap();
        let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&left)).unwrap();
        assert_eq!(ended, 1, "{words} goes on");
    }
}

/// What a run has left in the folder for temporary files.
fn left(env: &TestEnv) -> Vec<std::ffi::OsString> {
    std::fs::read_dir(env.at("temporary"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect()
}

/// The signal ends the server within a second, by a code that says which one it was.
#[track_caller]
fn ends_soon_by(client: &mut Client, signal: Signal) -> Took {
    kill_process(Pid::from_child(&client.child), signal).unwrap();
    let (status, took) = client.ended();
    assert_eq!(status.code(), Some(128 + signal.as_raw()), "{signal:?}: {status}");
    took.assert_soon();
    took
}

/// A server cleans up when it ends. If it could not within its second, the next one does.
#[track_caller]
fn nothing_left(env: &TestEnv, took: Took) {
    if took.was_held_up() {
        start_beside(env);
        wait(|| left(env).is_empty());
    }
    assert!(left(env).is_empty(), "{took:?}: {:?}", left(env));
}

#[test]
fn a_signal_ends_the_server_and_its_script() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let (env, mut client, mark, _) = running();
        assert!(!left(&env).is_empty(), "the copy of the skill is there");
        let took = ends_soon_by(&mut client, signal);
        await_the_end_of(&mark);
        nothing_left(&env, took);
    }
}

#[test]
fn a_signal_ends_a_server_that_has_not_begun_or_does_nothing() {
    let env = TestEnv::furnished();
    for mut client in [Client::silent(&env, &[]), Client::new(&env, &[])] {
        // A server that answers is one that listens.
        client.result("ping", json!({}));
        ends_soon_by(&mut client, Signal::TERM);
    }
}

/// A server whose answers nobody reads, and which waits to write more than a pipe holds.
fn unread(env: &TestEnv) -> Child {
    let mut command = env.command(&["serve"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let info = json!({ "name": "tester", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    let input = child.stdin.as_mut().unwrap();
    writeln!(
        input,
        "{}",
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
    )
    .unwrap();
    for id in 1..=60 {
        writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }))
            .unwrap();
    }
    let output = child.stdout.as_ref().unwrap();
    // All answers together are several times as long.
    wait(|| ioctl_fionread(output).unwrap() > 32 << 10);
    child
}

/// What ends a server.
type End = fn(&mut Child);

/// How a client ends a server, and by which code that ends.
const ENDS: [(End, i32); 2] = [
    (|server| drop(server.stdin.take()), 0),
    (|server| kill_process(Pid::from_child(server), Signal::TERM).unwrap(), 143),
];

/// The server ends by this within a second, by this code.
#[track_caller]
fn ends_soon_unread(mut server: Child, end: End, code: i32) {
    end(&mut server);
    let (status, took) = Took::until_the_end_of(&mut server);
    assert_eq!(status.code(), Some(code), "{status}");
    took.assert_soon();
}

#[test]
fn a_client_that_does_not_read_does_not_keep_the_server_alive() {
    let env = TestEnv::furnished();
    for (end, code) in ENDS {
        ends_soon_unread(unread(&env), end, code);
    }
}

/// Whether all threads of the process sleep.
fn rests(child: &Child) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().flatten();
    let mut states =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
    states.all(|stat| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" S")))
}

#[test]
fn pending_requests_of_a_client_are_bounded() {
    let env = TestEnv::furnished();
    for (end, code) in ENDS {
        let mut server = unread(&env);
        let input = server.stdin.take().unwrap();
        fcntl_setfl(&input, OFlags::NONBLOCK).unwrap();
        let line = |id: u32| {
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }))
        };
        let all: String = (1_000..6_000).map(line).collect();
        let (mut rest, mut rested) = (all.as_bytes(), 0);
        wait(|| {
            let written = (&input).write(rest).unwrap_or_default();
            rest = &rest[written..];
            // Nothing goes in, and nothing happens.
            rested = if written == 0 && rests(&server) { rested + 1 } else { 0 };
            rest.is_empty() || rested > 100
        });
        assert!(!rest.is_empty(), "the server has taken in all of it");
        server.stdin = Some(input);
        ends_soon_unread(server, end, code);
    }
}

#[test]
fn the_end_of_the_input_ends_a_script_that_ignores_signals() {
    let (env, client, mark, _) = running();
    let took = client.ends_soon();
    await_the_end_of(&mark);
    nothing_left(&env, took);
}

#[test]
fn a_server_that_is_killed_leaves_no_script() {
    let (_house, mut client, mark, _) = running();
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    await_the_end_of(&mark);
}

#[test]
fn the_next_start_cleans_up_after_a_killed_server() {
    let starts: [fn(&TestEnv); 2] = [
        |env| {
            let mut client = Client::new(env, &[]);
            client.result("ping", json!({}));
            wait(|| left(env).is_empty());
        },
        start_beside,
    ];
    for start in starts {
        let (env, mut client, mark, _) = running();
        // A locked folder is not cleaned up.
        start_beside(&env);
        assert_eq!(left(&env).len(), 2, "{:?}", left(&env));
        client.child.kill().unwrap();
        client.child.wait().unwrap();
        await_the_end_of(&mark);
        assert_eq!(left(&env).len(), 2, "{:?}", left(&env));
        start(&env);
        assert!(left(&env).is_empty(), "{:?}", left(&env));
    }
}

fn start_beside(env: &TestEnv) {
    env.run(&["run", "none", "none"]).ended(1);
}

#[test]
fn a_cancelled_script_is_ended_and_never_answered() {
    let (_house, mut client, mark, id) = running();
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    await_the_end_of(&mark);
    // Its slot and its id are free again.
    assert_eq!(client.result("ping", json!({})), json!({}));
    assert!(client.kept.iter().all(|message| message["id"] != id), "{:?}", client.kept);
    assert!(client.end().0.success());
}

#[test]
fn the_end_of_the_input_ends_an_open_question() {
    let env = validated();
    env.run(&["permit", "ask", NAME]).ended(0);
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    client.request("tools/call", json!({ "name": "skill_load", "arguments": { "name": NAME } }));
    client.question();
    client.ends_soon();
}

#[test]
fn a_slow_answer_delays_no_other() {
    let env = validated();
    // Another process holds the conversation's lock.
    env.run(&["load", NAME, "--session", "chat"]).ended(0);
    let sessions = env.at("home/.local/state/skillpick/sessions");
    let entries = std::fs::read_dir(sessions).unwrap().map(|entry| entry.unwrap().path());
    let lock =
        entries.into_iter().find(|path| path.extension().is_some_and(|end| end == "lock")).unwrap();
    let lock = std::fs::File::open(lock).unwrap();
    lock.lock().unwrap();
    let mut client = Client::new(&env, &["--session", "chat"]);
    let id = client
        .request("tools/call", json!({ "name": "skill_unload", "arguments": { "all": true } }));
    assert_eq!(client.result("ping", json!({})), json!({}));
    assert!(client.result("tools/list", json!({}))["tools"].is_array());
    assert!(
        client.kept.iter().all(|message| message["id"] != id),
        "the others were first: {:?}",
        client.kept
    );
    ends_soon_by(&mut client, Signal::TERM);
    drop(lock);
}

/// Closes the output of the server once it has answered what was asked last.
fn stop_reading(client: &mut Client) {
    client.lines = std::sync::mpsc::channel().1;
    client.request("ping", json!({}));
}

#[test]
fn a_closed_output_ends_a_server_that_waits_asks_or_runs_a_script() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    stop_reading(&mut client);
    let (status, took) = client.ended();
    assert!(status.success(), "{status}");
    took.assert_soon();

    env.run(&["permit", "ask", NAME]).ended(0);
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    client.request("tools/call", json!({ "name": "skill_load", "arguments": { "name": NAME } }));
    client.question();
    stop_reading(&mut client);
    client.ended().1.assert_soon();

    let (env, mut client, mark, _) = running();
    stop_reading(&mut client);
    let (_, took) = client.ended();
    took.assert_soon();
    await_the_end_of(&mark);
    nothing_left(&env, took);
}

/// The most memory that the process has had, in MiB.
fn peak(child: &Child) -> u64 {
    crate::process::kib(i32::try_from(child.id()).unwrap(), "VmHWM") >> 10
}

#[test]
fn answers_that_nobody_reads_take_little_memory() {
    let env = TestEnv::furnished();
    let long = "word ".repeat(200);
    for number in 0..300 {
        env.skill("repo/.agents/skills", &format!("s{number}"), &long);
    }
    let mut server = unread(&env);
    let input = server.stdin.as_mut().unwrap();
    let params = json!({ "name": "skills_list", "arguments": {} });
    for id in 1_000..1_300 {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        writeln!(input, "{call}").unwrap();
    }
    let mut rested = 0;
    wait(|| {
        rested = if rests(&server) { rested + 1 } else { 0 };
        rested > 200
    });
    // Each answer has more than half a MiB.
    assert!(peak(&server) < 100, "{} MiB", peak(&server));
    ends_soon_unread(server, ENDS[0].0, 0);
}

#[test]
fn large_requests_that_wait_for_a_person_take_little_memory() {
    let env = validated();
    env.run(&["permit", "ask", NAME]).ended(0);
    let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
    let mut ids = Vec::new();
    for _ in 0..60 {
        let arguments = json!({ "name": NAME });
        let meta = json!({ "x": "x".repeat(1 << 20) });
        let params = json!({ "name": "skill_load", "arguments": arguments, "_meta": meta });
        ids.push(client.request("tools/call", params));
    }
    let refused = client.answer(ids[59]);
    assert_eq!(refused["error"]["code"], -32000, "{refused}");
    assert!(peak(&client.child) < 250, "{} MiB", peak(&client.child));
    // The answer of the person still arrives, and makes room.
    let question = client.question();
    client.reply(&question, &json!({ "action": "accept", "content": {} }));
    client.expect(|message| message["result"]["isError"] == false);
    client.ends_soon();
}
