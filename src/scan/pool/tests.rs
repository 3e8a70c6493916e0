//! A pool without workers.

use super::*;
use crate::catalog::{HostId, Scope, Walk};
use std::fs;

#[test]
fn without_a_single_worker_the_caller_reads_everything() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..40 {
        let folder = dir.path().join(format!("group-{}/skill-{number}", number % 3));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), "---\ndescription: x\n---\n").unwrap();
    }
    let roots = [Root::new(dir.path().into(), Scope::User, HostId::AGENTS, Walk::STANDARD)];
    let pool = Pool::without_workers(&roots, &[None], &Options::default(), |_| {});
    let mut found = 0;
    // No worker is hired in this time.
    pool.lock().checked = Instant::now() + Duration::from_secs(60);
    loop {
        let (read, is_last) = pool.results();
        found += read.len();
        if is_last {
            break;
        }
    }
    assert_eq!((found, pool.lock().workers.len()), (40, 0));
    assert_eq!(pool.finish().reports[0].state, RootState::Read);
}
