//! The server over HTTP: the same tools, resources and prompts, for clients on this machine or,
//! with tokens, on others.
//!
//! A request passes, in this order: the limits of its connection, [`guard`] (is it meant for this
//! server, and not sent by a page of somebody else?), [`rates`], [`browser`] (does one ask what a
//! page may send?), [`access`] (whose token is it?), and [`router`]. Each path has one file.

mod access;
mod browser;
mod guard;
mod mcp;
mod quota;
mod rates;
mod reply;
mod router;
mod skills;
mod until;

pub use guard::{host_name, origin};

use super::server::Server;
use super::{Event, Options};
use crate::policy::Reader;
use crate::text::reason;
use crate::workspace::Workspace;
use crate::workspace::clock::now_ms;
use crate::workspace::tokens::StateError;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use quota::Quota;
use router::Router;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio_io_timeout::TimeoutStream;

/// The most connections at the same time. Further ones wait until one ends.
const CONNECTIONS: usize = 512;
/// The most connections of one address, other than this machine's own. Further ones are closed.
const EACH: usize = CONNECTIONS / 2;
/// How long the head of a request may take, and how long a connection may wait for the next one.
const HEAD: Duration = Duration::from_secs(15);
/// The same for connections that are made while few are free: whoever sends no head must not keep
/// others out.
const SHORT_HEAD: Duration = Duration::from_secs(2);
const FEW: usize = CONNECTIONS / 4;
/// How long a client may read nothing of what it asked for.
const UNREAD: Duration = Duration::from_secs(30);
/// The most bytes of a head.
const MAX_HEAD: usize = 32 << 10;
/// How long answers may take after a signal. A second signal ends them at once.
const LAST: Duration = Duration::from_secs(5);

/// Where the server listens, and for whom.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    pub address: SocketAddr,
    /// Names of this machine, besides `localhost`, that a request may be sent to.
    pub hosts: Vec<String>,
    /// Origins of pages, besides the server's own, from which a request may come.
    pub origins: Vec<String>,
}

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Others could reach it, and there is no token by which to know them.
    #[error("{0} can be reached from other machines, and there is no token")]
    NoToken(SocketAddr),
    #[error("it cannot listen on {0}: {reason}", reason = reason(.1))]
    Taken(SocketAddr, io::Error),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves until a signal arrives (TERM, INT, HUP), which is returned. Answers that are being made
/// are finished first. `listening` gets the address once clients can connect.
///
/// # Errors
/// [`HttpError`].
pub fn serve_http(
    workspace: Workspace,
    options: Options,
    http: HttpOptions,
    listening: impl FnOnce(SocketAddr),
) -> Result<Option<i32>, HttpError> {
    let runtime = super::runtime()?;
    let quit = Arc::new(Notify::new());
    let (sender, events) = channel();
    #[cfg(unix)]
    super::hear(Arc::default(), Arc::clone(&quit), sender)?;
    #[cfg(not(unix))]
    runtime.spawn({
        let (quit, _sender) = (Arc::clone(&quit), sender);
        async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                quit.notify_one();
            }
        }
    });
    let served = runtime.block_on(async {
        let address = http.address;
        let router = router(workspace, options, http)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| HttpError::Taken(address, error))?;
        listening(listener.local_addr()?);
        run(listener, &router, &quit).await;
        Ok(())
    });
    // What is still being read, such as a large catalog, is abandoned.
    runtime.shutdown_background();
    served.map(|()| {
        events.try_iter().find_map(|event| match event {
            Event::Signal(number) => Some(number),
            Event::Ended | Event::Done | Event::Failed => None,
        })
    })
}

fn router(
    mut workspace: Workspace,
    options: Options,
    http: HttpOptions,
) -> Result<Arc<Router>, HttpError> {
    let is_local = http.address.ip().is_loopback();
    let tokens = workspace.tokens()?;
    if !is_local && !tokens.any_holds(now_ms()) {
        return Err(HttpError::NoToken(http.address));
    }
    let access = access::Access::new(workspace.state_dir.clone(), !is_local);
    let guard = guard::Guard::new(is_local, http.hosts, http.origins);
    let skills = skills::Skills::new(workspace.clone());
    // Whoever has a token, or is at this machine as another user, is not the owner.
    let context = &workspace.context;
    workspace.reader = Reader::other(&context.cwd, context.home.as_deref());
    let server = Server::new(workspace, options, Arc::new(AtomicBool::new(false)), None);
    server.begin();
    Ok(Arc::new(Router::new(guard, Arc::new(access), server, skills)))
}

/// Takes connections until it is told to quit, and ends them.
async fn run(listener: TcpListener, router: &Arc<Router>, quit: &Notify) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let quota = Quota::new(CONNECTIONS);
    let connections = GracefulShutdown::new();
    let next = async || {
        let place = Arc::clone(&places).acquire_owned().await.ok()?;
        Some((listener.accept().await, place))
    };
    loop {
        let taken = tokio::select! {
            taken = next() => taken,
            () = quit.notified() => break,
        };
        match taken {
            Some((Ok((stream, peer)), place)) => {
                // Programs on this machine all have one address.
                let address = peer.ip().to_canonical();
                let most = if address.is_loopback() { CONNECTIONS } else { EACH };
                let Some(taken) = quota.take(address, most) else { continue };
                let head = if places.available_permits() < FEW { SHORT_HEAD } else { HEAD };
                let connection = connections.watch(connection(stream, peer, head, router));
                tokio::spawn(async move {
                    let _ = connection.await;
                    drop((taken, place));
                });
            }
            // There is no free file descriptor; one will be.
            Some((Err(_), _)) => tokio::time::sleep(Duration::from_millis(50)).await,
            None => break,
        }
    }
    drop(listener);
    router.end_streams();
    tokio::select! {
        () = connections.shutdown() => {}
        () = tokio::time::sleep(LAST) => {}
        () = quit.notified() => {}
    }
    router.end();
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    head: Duration,
    router: &Arc<Router>,
) -> impl GracefulConnection<Error = hyper::Error> + 'static {
    // Events are small, and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(UNREAD));
    let router = Arc::clone(router);
    let answer = move |request| {
        let router = Arc::clone(&router);
        async move { Ok::<_, std::convert::Infallible>(router.answer(request, peer.ip()).await) }
    };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service_fn(answer))
}
