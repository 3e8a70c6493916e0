//! Without a store, with one that is away, and with clients that never read.

use super::*;

#[test]
fn a_store_that_says_nothing_keeps_nobody_from_what_needs_no_store() {
    let env = TestEnv::new();
    env.skill("home/.agents/skills", "pdf", "Works.");
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    env.settings(&format!("[store]\nurl = \"postgres://u@127.0.0.1:{port}/none\"\n"));
    let served = Served::start(&env, &[]);
    let session = served.begin();
    let start = Instant::now();
    thread::scope(|scope| {
        let asked: Vec<_> = (0..40)
            .map(|_| scope.spawn(|| served.raw(&request_to(SHOP, "GET", &[], b""))))
            .collect();
        session.call("skill_load", json!({ "name": "pdf" }));
        for reply in asked.into_iter().map(|asked| asked.join().unwrap()) {
            assert_eq!((reply.status, reply.code()), (503, json!("store_away")), "{reply:?}");
        }
    });
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
}

#[test]
fn a_change_whose_answer_was_lost_is_not_said_to_have_failed() {
    let Some(server) = postgres::shared() else { return };
    server.sql("CREATE SCHEMA unsure_http");
    let Api { env, .. } = Api::new(Some(&server.address("unsure_http")));
    let (_folder, url) = server.losing_answers("unsure_http");
    env.settings(&format!("[store]\nurl = \"{url}\"\nproject = \"shop\"\n"));
    let served = Served::start(&env, &[]);
    let api = Api { env, served, answered: Mutex::default() };
    let put = api.put("pdf", &text("pdf", "One."), &[]);
    assert_eq!((put.status, put.code()), (504, json!("store_unsure")), "{put:?}");
    assert_eq!(api.skills()[0]["name"], "pdf", "it was made");
    let gone = api.send("DELETE", &format!("{SHOP}&name=pdf"), &[], b"");
    assert_eq!((gone.status, gone.code()), (504, json!("store_unsure")), "{gone:?}");
    assert_eq!(api.skills(), json!([]));
}

#[test]
fn without_a_store_that_is_said() {
    let env = TestEnv::new();
    let served = Served::start(&env, &[]);
    let reply = served.raw(&request_to(SHOP, "GET", &[], b""));
    assert_eq!((reply.status, reply.code()), (404, json!("no_store")));
    let away = TestEnv::new();
    away.settings("[store]\nurl = \"postgres://u@127.0.0.1:1/none\"\n");
    let served = Served::start(&away, &[]);
    let reply = served.raw(&request_to(SHOP, "GET", &[], b""));
    assert_eq!((reply.status, reply.code()), (503, json!("store_away")), "{reply:?}");
    assert!(!reply.body.contains("127.0.0.1"), "where the store is is nobody's business");
}

#[test]
fn a_store_that_goes_away_or_is_another_one_later_is_noticed() {
    let api = Api::new(None);
    api.put("pdf", &text("pdf", "One."), &[]);
    assert_eq!(api.skills().as_array().unwrap().len(), 1);
    let folder = api.env.at("home/.local/state/skillpick/store");
    let kept = api.env.at("kept");
    std::fs::rename(&folder, &kept).unwrap();
    let gone = api.send("GET", SHOP, &[], b"");
    assert_eq!((gone.status, gone.code()), (404, json!("no_store")));
    assert_eq!(api.put("pdf", &text("pdf", "Two."), &[]).code(), json!("no_store"));
    api.env.run(&["project", "create", "shop"]).ended(0);
    assert_eq!(api.skills(), json!([]), "another one is there");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::rename(&kept, &folder).unwrap();
    assert_eq!(api.skills()[0]["name"], "pdf");
}

#[test]
fn clients_that_never_read_are_let_go_while_others_are_served() {
    /// So many answers do not fit into what lies between a client and the server.
    const ASKED: usize = 220;
    let api = Api::new(None);
    let long = "So many words about so little. ".repeat(30);
    for number in 0..120 {
        let name = format!("skill-{number}");
        let text = format!("---\nname: {name}\ndescription: {long}\n---\n");
        assert_eq!(api.put(&name, &text, &[]).status, 200);
    }
    let size = api.send("GET", SHOP, &[], b"").body.len();
    assert!(size > 100_000, "{size}");
    let request = request_to(SHOP, "GET", &[("Connection", "keep-alive")], b"");
    let mut greedy: Vec<_> = (0..3).map(|_| api.served.connect()).collect();
    for stream in &mut greedy {
        stream.write_all(&request.repeat(ASKED)).unwrap();
    }
    let began = Instant::now();
    let mut slowest = Duration::ZERO;
    // Longer than a client may read nothing.
    while began.elapsed() < Duration::from_secs(34) {
        let asked = Instant::now();
        assert_eq!(api.send("GET", SHOP, &[], b"").status, 200);
        slowest = slowest.max(asked.elapsed());
        thread::sleep(Duration::from_millis(500));
    }
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    for stream in &mut greedy {
        let mut got = Vec::new();
        let _ = stream.read_to_end(&mut got);
        assert!(got.len() < ASKED * size, "it was let go before all was answered");
    }
}
