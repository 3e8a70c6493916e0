//! A store on another machine: its connection is secured, and its certificate is checked.

use crate::env::TestEnv;
use crate::env::postgres::{Cluster, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An authority, and a certificate of `localhost` that it has signed.
struct Authority {
    root: PathBuf,
    certificate: PathBuf,
    key: PathBuf,
}

/// `None`, loudly, without the program that makes certificates.
fn authority(env: &TestEnv, name: &str) -> Option<Authority> {
    let folder = env.at(format!("tls-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let extensions = "basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost\n";
    std::fs::write(folder.join("ext"), extensions).unwrap();
    let curve = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256";
    let lines = [
        format!("req -x509 {curve} -days 2 -subj /CN={name} -keyout ca.key -out ca.crt"),
        format!("req {curve} -subj /CN=localhost -keyout server.key -out server.csr"),
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -sha256 \
         -extfile ext -out server.crt"
            .to_owned(),
    ];
    for line in lines {
        let mut made = Command::new("openssl");
        let Ok(made) = made.args(line.split_whitespace()).current_dir(&folder).output() else {
            skipped("a store that is reached by TLS (openssl)");
            return None;
        };
        assert!(made.status.success(), "{line}: {}", String::from_utf8_lossy(&made.stderr));
    }
    let at = |file: &str| folder.join(file);
    Some(Authority { root: at("ca.crt"), certificate: at("server.crt"), key: at("server.key") })
}

fn options(more: &str, root: &Path) -> String {
    format!("sslmode=require&sslrootcert={}{more}", root.display())
}

#[test]
fn a_server_is_reached_by_tls_and_only_with_a_certificate_that_fits() {
    let env = TestEnv::new();
    let (Some(own), Some(other)) = (authority(&env, "own"), authority(&env, "other")) else {
        return;
    };
    let Some(cluster) = Cluster::on_port(Some((&own.certificate, &own.key))) else { return };
    let create = |url: &str, name: &str| env.run(&["project", "create", name, "--store", url]);
    let url = cluster.at_port("localhost", &options("", &own.root));
    create(&url, "shop").ended(0);
    let list = env.run(&["project", "list", "--store", &url]).ended(0);
    assert!(list.out().contains("shop"), "{list:?}");
    assert!(cluster.log().contains("SSL enabled"), "{}", cluster.log());
    // Signed by somebody whom we do not trust, and for another name.
    let unknown = cluster.at_port("localhost", &options("", &other.root));
    let wrong_name = cluster.at_port("127.0.0.1", &options("", &own.root));
    // The system does not know this authority either.
    let system = cluster.at_port("localhost", "sslmode=require");
    for url in [unknown, wrong_name, system] {
        let ran = create(&url, "theirs");
        assert!(ran.code != 0 && ran.err.contains("certificate"), "{url}: {ran:?}");
    }
    // A file without a certificate is no reason to trust everybody.
    let empty = env.write("tls-own/empty.crt", "");
    let refused = create(&cluster.at_port("localhost", &options("", &empty)), "theirs");
    assert!(refused.code != 0 && refused.err.contains("no certificate"), "{refused:?}");
    let names = env.run(&["project", "list", "--store", &url]).ended(0);
    assert!(!names.out().contains("theirs"), "{names:?}");
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_asked_for() {
    let env = TestEnv::new();
    let Some(cluster) = Cluster::on_port(None) else { return };
    let plain = cluster.at_port("127.0.0.1", "sslmode=disable");
    env.run(&["project", "create", "shop", "--store", &plain]).ended(0);
    let asked = cluster.at_port("127.0.0.1", "sslmode=require");
    let refused = env.run(&["project", "list", "--store", &asked]);
    assert!(refused.code != 0 && refused.err.contains("TLS"), "{refused:?}");
}
