use super::*;
use crate::runtime::session::{Mode, Rules};
use crate::runtime::{By, ConsentGate};
use crate::serve::fixture::TestServer;
use crate::serve::remember;

const ASKS: &str = "[[permissions.ask]]\ntool = \"skill_load\"\n";

fn question(server: &TestServer, number: usize) -> Question {
    let snapshot = server.snapshot();
    let entry = &snapshot.view.rows[server.index(number)].entry;
    let caller = server.connection.caller(&snapshot);
    *Given::default().hand_over(&caller, entry, None).unwrap_err()
}

#[test]
fn always_is_the_word_true_and_nothing_else() {
    let contents = [json!({ "always": "true" }), json!({ "always": 1 }), json!({}), json!(true)];
    for content in contents {
        let mut given = Given::default();
        given.accept("key", Some(&content));
        assert!(given.yes.contains("key") && given.always.is_empty(), "{content}");
    }
    let mut given = Given::default();
    given.accept("key", Some(&json!({ "always": true })));
    assert!(given.always.contains("key"));
    let mut given = Given { remote: true, ..Given::default() };
    given.accept("key", Some(&json!({ "always": true })));
    assert!(given.yes.contains("key") && given.always.is_empty(), "a person elsewhere");
}

#[test]
fn a_yes_is_for_one_skill() {
    let server = TestServer::with(&["a", "b"], ASKS);
    let mut given = Given::default();
    given.accept(&question(&server, 0).key, None);
    let snapshot = server.snapshot();
    let caller = server.connection.caller(&snapshot);
    let entry = |number: usize| &snapshot.view.rows[server.index(number)].entry;
    let loads = |number: usize| given.hands_over(&caller, entry(number), None);
    assert_eq!((loads(0), loads(1)), (true, false));
}

#[test]
fn a_yes_holds_for_the_conversation_in_which_the_skill_was_loaded() {
    let server = TestServer::with(&["a"], ASKS);
    let (snapshot, given) = (server.snapshot(), Given::default());
    let caller = server.connection.caller(&snapshot);
    let mut yes = |_: &_, _: &_, _| Reply::Yes;
    let gate = &mut ConsentGate::new(None, By::Model, &mut yes);
    let gathered = caller.load_all(&["a".to_owned()], gate).unwrap();
    let mut session = Session::default();
    let admit = |loaded| Ok((session.admit(loaded, Mode::Add, Rules::default())?, ()));
    caller.hand_over(gathered, admit).unwrap();
    let entry = &snapshot.view.rows[server.index(0)].entry;
    assert!(given.hands_over(&caller, entry, Some(&session)));
    assert!(!given.hands_over(&caller, entry, None));
}

#[test]
fn one_call_asks_one_question_at_a_time() {
    let server = TestServer::with(&["a", "b"], ASKS);
    let (snapshot, given) = (server.snapshot(), Given::default());
    let contents = Contents { handed: Digest::of(&[]), files: None };
    let mut first = None;
    for number in [0, 1] {
        let entry = &snapshot.view.rows[server.index(number)].entry;
        let reply = given.reply(entry, contents, &mut first, || question(&server, number));
        assert_eq!(reply, Reply::Later);
    }
    assert_eq!(first, Some(question(&server, 0)));
}

#[test]
fn a_question_is_inert_and_its_form_has_one_empty_box() {
    let server = TestServer::with(&["x\u{202e}y"], ASKS);
    let question = question(&server, 0);
    for text in [&question.message, &question.unanswered, &question.declined] {
        assert!(!text.contains('\u{202e}'), "{text:?}");
    }
    let request = serde_json::to_value(question.request(true).unwrap()).unwrap();
    let form = &request["params"]["requestedSchema"];
    assert_eq!(form["properties"].as_object().unwrap().len(), 1, "{request}");
    assert_eq!(form["properties"]["always"]["default"], false, "{request}");
    assert!(form.get("required").is_none(), "{request}");
}

#[test]
fn always_writes_a_rule_only_for_what_the_call_has_needed() {
    let server = TestServer::with(&["a"], ASKS);
    let mut given = Given::default();
    given.accept(&question(&server, 0).key, Some(&json!({ "always": true })));
    let before = server.test.read("home/.config/skillpick/config.toml");
    assert_eq!(remember::loads(&server.snapshot(), &given), [""; 0]);
    assert_eq!(server.test.read("home/.config/skillpick/config.toml"), before);
    let snapshot = server.snapshot();
    let caller = server.connection.caller(&snapshot);
    assert!(given.hands_over(&caller, &snapshot.view.rows[server.index(0)].entry, None));
    assert_eq!(remember::loads(&snapshot, &given).len(), 1);
}
