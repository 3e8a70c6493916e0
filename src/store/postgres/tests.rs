use super::*;

#[test]
fn only_a_server_of_this_machine_is_spoken_to_without_tls() {
    for (url, mode) in [
        ("postgres://me@localhost/team", SslMode::Prefer),
        ("postgres://me@127.0.0.1,localhost/team?hostaddr=127.0.0.1,127.0.0.2", SslMode::Prefer),
        ("postgres://me@%2Frun%2Fpg/team", SslMode::Prefer),
        ("postgres://me@db.example/team", SslMode::Require),
        ("postgres://me@localhost/team?host=db.example", SslMode::Require),
        ("postgres://me@localhost/team?hostaddr=192.0.2.2", SslMode::Require),
        ("postgres://me@localhost,localhost/team?hostaddr=::1,192.0.2.2", SslMode::Require),
        ("postgres:///team?hostaddr=192.0.2.2", SslMode::Require),
        ("postgres://me@localhost/team?hostaddr=192.0.2.2&sslmode=prefer", SslMode::Require),
        ("postgres://me@db.example/team?sslmode=disable", SslMode::Disable),
        ("postgres://me@localhost/team?sslmode=verify-full", SslMode::Require),
        ("postgres://me@db.example/team?sslmode=verify-ca", SslMode::Require),
    ] {
        assert_eq!(configured(url).unwrap().0.get_ssl_mode(), mode, "{url}");
    }
}

/// A server that says what a real one says first, and nothing else.
fn said_by(answer: &'static [u8], options: &str) -> String {
    use std::io::{Read, Write};
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let speak = std::thread::spawn(move || {
        let (mut line, _) = server.accept().unwrap();
        let _ = line.read(&mut [0; 1024]).unwrap();
        line.write_all(answer).unwrap();
        let _ = line.read(&mut [0; 1024]);
    });
    let opened = Postgres::open(&format!("postgres://me@127.0.0.1:{port}/team?{options}"));
    speak.join().unwrap();
    opened.err().unwrap().to_string()
}

#[test]
fn a_missing_password_and_a_server_without_tls_are_said_with_the_cure() {
    let wants_password = b"R\x00\x00\x00\x08\x00\x00\x00\x03";
    let said = said_by(wants_password, "sslmode=disable");
    assert!(said.contains("the store refuses: it wants a password; write it"), "{said}");
    let said = said_by(b"N", "sslmode=require");
    assert!(said.contains("it has no TLS") && said.contains("?sslmode=disable"), "{said}");
}
