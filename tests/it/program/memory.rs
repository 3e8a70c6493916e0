//! What a skill costs in memory, with the real program: the growth of its peak from a small
//! collection to a larger one, so that neither the machine nor the program's own size counts.
//! How many holes the allocator leaves is chance, so it is told to join all free blocks.

use crate::env::TestEnv;
use crate::process::own_peak;
use std::fs;
use std::io::Read as _;
use std::process::Stdio;

const FEW: usize = 1_000;
const MANY: usize = 6_000;

/// The most bytes of a skill, through one agent and through all: a fourth above what they are.
const MOST: usize = 800;

/// A collection in the repository, on a machine with several agents.
fn collection(count: usize) -> TestEnv {
    let env = TestEnv::new();
    for agent in [".codex", ".claude", ".gemini", ".qwen", ".pi"] {
        fs::create_dir_all(env.at("home").join(agent)).unwrap();
    }
    for number in 0..count {
        let name = format!("skill-{number:05}");
        let head = format!("name: {name}\ndescription: Says in one line what it is for.");
        // With a body, as nearly all have one: of others the head is kept, since Droid refuses them.
        env.raw_skill(&format!("repo/.agents/skills/{name}"), &head, "Do it.\n");
        fs::create_dir(env.at(format!("repo/.agents/skills/{name}/references"))).unwrap();
    }
    env
}

/// The largest memory of the program until it prints its list, in bytes.
fn peak(env: &TestEnv, host: &str) -> usize {
    let mut command = env.command(&["list", "--json", "--no-index", "--host", host]);
    command.env("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    // The pipe takes less than the list, so the program waits with everything in memory.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let peak = own_peak(i32::try_from(child.id()).unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    usize::try_from(peak).unwrap() << 10
}

#[test]
fn a_skill_takes_no_more_memory_than_it_did() {
    let (few, many) = (collection(FEW), collection(MANY));
    for host in ["agents", "all"] {
        let median = |env: &TestEnv| {
            let mut peaks = [(); 3].map(|()| peak(env, host));
            peaks.sort_unstable();
            peaks[1]
        };
        let each = (median(&many) - median(&few)) / (MANY - FEW);
        assert!(each <= MOST, "{host}: {each} bytes a skill, no more than {MOST} are expected");
    }
}
