//! A PostgreSQL server of a test's own, from the distribution's packages: in its own folder, on a
//! socket there, as another user than root. It ends with the test, also if that is killed.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A server that runs, or did.
pub(crate) struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    /// The user as whom it runs, if we are root.
    user: Option<&'static str>,
    running: Option<Child>,
    /// The port on 127.0.0.1 on which it speaks TLS.
    port: Option<u16>,
}

/// Where the programs of the server are; `None` if it is not installed.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian does not put the server's programs on the path.
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let mut folders = folders.chain(std::env::split_paths(&path));
    let needed = ["initdb", "postgres", "pg_isready", "psql"];
    folders.find(|folder| needed.iter().all(|program| folder.join(program).exists()))
}

/// Says that something was not tried, past the runner's capture.
pub(crate) fn skipped(what: &str) {
    std::io::stderr().write_all(format!("\nskipped: {what}\n").as_bytes()).unwrap();
}

/// The server that all tests of one program share, each in a schema of its own.
pub(crate) fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(Cluster::start).as_ref()
}

impl Cluster {
    /// `None`, loudly, if there is no server to start.
    pub(crate) fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            skipped("the store on a PostgreSQL server (apt-get install postgresql)");
            return None;
        };
        let root = rustix::process::geteuid().is_root();
        let user = root.then_some("postgres");
        let folder = tempfile::Builder::new().prefix("skpg").tempdir_in("/tmp").unwrap().keep();
        if user.is_some() {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            if !owned.is_ok_and(|status| status.success()) {
                let _ = std::fs::remove_dir_all(&folder);
                skipped(
                    "the store on a PostgreSQL server (root needs a user `postgres` to run it)",
                );
                return None;
            }
        }
        let mut cluster = Self { folder, programs, user, running: None, port: None };
        let data = cluster.folder.join("data");
        let mut made = cluster.program("initdb");
        made.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"]);
        let made = made.arg(&data).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        cluster.run();
        Some(cluster)
    }

    fn program(&self, name: &str) -> Command {
        self.as_user(self.programs.join(name))
    }

    /// A program that runs as the server's user, in its folder.
    fn as_user(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.current_dir(&self.folder);
        command
    }

    /// A server that others reach by TCP, with the certificate and key of these files, or without
    /// TLS. `None`, loudly, if there is none to start.
    pub(crate) fn on_port(secured: Option<(&Path, &Path)>) -> Option<Self> {
        let mut cluster = Self::start()?;
        cluster.stop();
        if let Some((certificate, key)) = secured {
            // Both belong to the server's user, and only that may read the key.
            for (file, name) in [(certificate, "data/server.crt"), (key, "data/server.key")] {
                let text = std::fs::read(file).unwrap();
                let mut tee = cluster.as_user("sh");
                tee.args(["-c", "umask 077; cat >\"$0\"", name]).stdin(Stdio::piped());
                let mut tee = tee.spawn().unwrap();
                tee.stdin.take().unwrap().write_all(&text).unwrap();
                assert!(tee.wait().unwrap().success());
            }
            cluster.set("ssl = on");
        }
        // Free now, and hardly taken meanwhile.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        cluster.set(&format!("port = {port}\nlog_connections = on"));
        cluster.port = Some(port);
        cluster.run();
        Some(cluster)
    }

    /// Adds lines to the server's settings.
    fn set(&self, lines: &str) {
        let mut add = self.as_user("sh");
        let added = add.args(["-c", "echo \"$0\" >>data/postgresql.conf", lines]).status();
        assert!(added.unwrap().success());
    }

    /// Its address by TCP; `host` is a name of this machine.
    pub(crate) fn at_port(&self, host: &str, options: &str) -> String {
        format!("postgres://postgres@{host}:{}/postgres?{options}", self.port.unwrap())
    }

    /// What it has logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.at("log")).unwrap()
    }

    /// Runs the server until [`Cluster::stop`], or until we are gone.
    pub(crate) fn run(&mut self) {
        // The pipe ends with us, and then the shell ends the server and removes its folder.
        let script = "\"$0\" -D data -k \"$PWD\" -c listen_addresses=\"$1\" -c fsync=off \
            -c max_connections=60 >>log 2>&1 & pid=$!; read -r word; kill -INT $pid; wait $pid; \
            if [ \"$word\" != keep ]; then rm -rf \"$PWD\"; fi";
        let postgres = self.programs.join("postgres");
        let listens = if self.port.is_some() { "127.0.0.1" } else { "" };
        let mut command = self.as_user("sh");
        command.args(["-c", script]).arg(postgres).arg(listens).stdin(Stdio::piped());
        self.running = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.answers() {
            assert!(Instant::now() < deadline, "{:?}", std::fs::read_to_string(self.at("log")));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The options by which its own programs find it.
    fn on_socket(&self) -> [String; 4] {
        let folder = self.folder.to_str().unwrap().to_owned();
        ["-h".to_owned(), folder, "-p".to_owned(), self.port.unwrap_or(5432).to_string()]
    }

    fn answers(&self) -> bool {
        let mut ready = self.program("pg_isready");
        ready.args(self.on_socket()).arg("-q").output().is_ok_and(|it| it.status.success())
    }

    /// Ends the server. Its folder stays for the next [`Cluster::run`].
    pub(crate) fn stop(&mut self) {
        self.end("keep\n");
    }

    fn end(&mut self, word: &str) {
        if let Some(mut running) = self.running.take() {
            let _ = running.stdin.take().map(|mut input| input.write_all(word.as_bytes()));
            running.wait().unwrap();
        }
    }

    /// The address of a schema of its own, in which there is nothing.
    pub(crate) fn schema(&self) -> String {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("s{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!("CREATE SCHEMA {name}"));
        self.address(&name)
    }

    pub(crate) fn address(&self, schema: &str) -> String {
        let host = self.folder.to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{host}/postgres?options=-c%20search_path%3D{schema}")
    }

    /// The address of a schema behind something that passes everything on, until a change is made
    /// for good: that one reaches the server, and its answer gets lost with the connection.
    pub(crate) fn losing_answers(&self, schema: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::Builder::new().prefix("skpx").tempdir_in("/tmp").unwrap();
        let (name, server) = (".s.PGSQL.5432", self.at(".s.PGSQL.5432"));
        let listener = UnixListener::bind(folder.path().join(name)).unwrap();
        let pass = move |client: UnixStream| {
            let server = UnixStream::connect(&server).unwrap();
            let (mut up, mut down) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let lost = Arc::new(AtomicBool::new(false));
            let is_lost = Arc::clone(&lost);
            std::thread::spawn(move || {
                let mut is_changed = false;
                pump(&mut up, &server, |bytes| {
                    let has = |word: &[u8]| bytes.windows(word.len()).any(|it| it == word);
                    is_changed |= has(b"pg_notify");
                    lost.fetch_or(is_changed && has(b"COMMIT"), Ordering::SeqCst);
                    true
                });
            });
            pump(&mut down, &client, |_| !is_lost.load(Ordering::SeqCst));
        };
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let pass = pass.clone();
                std::thread::spawn(move || pass(client));
            }
        });
        let own = |folder: &Path| folder.to_str().unwrap().replace('/', "%2F");
        let address = self.address(schema).replace(&own(&self.folder), &own(folder.path()));
        (folder, address)
    }

    /// Runs a statement as the server's owner.
    pub(crate) fn sql(&self, statement: &str) -> String {
        let mut psql = self.program("psql");
        psql.args(["-U", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement]);
        let ran = psql.args(self.on_socket()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    }
}

/// Passes bytes on until one side ends or `goes_on` says no. Then both end.
fn pump(from: &mut UnixStream, to: &UnixStream, mut goes_on: impl FnMut(&[u8]) -> bool) {
    let (mut bytes, mut into) = ([0; 65_536], to);
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        if !goes_on(&bytes[..length]) || into.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end("remove\n");
        let _ = std::fs::remove_dir_all(Path::new(&self.folder));
    }
}
