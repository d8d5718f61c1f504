//! The HTTP server: connections and their limits.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tokio::time::sleep;

use crate::engine_pool::EnginePool;
use crate::places::{Place, Places};
use crate::router::route;
use crate::security::{AccessControl, add_security_headers};
#[cfg(unix)]
use crate::socket::SocketFile;
use crate::study::Study;
use crate::tabs::Tabs;
use tengen::engine::Networks;

/// Time limit for the head of a request, also for an idle connection. That of a stranger is
/// shorter, see [`Places`].
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of a request's head, in bytes.
const MAX_HEADER_BYTES: usize = 16 << 10;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Delay after a failed `accept`.
const ACCEPT_DELAY: Duration = Duration::from_millis(50);

/// State shared by all connections.
pub(crate) struct AppState {
    pub(crate) access: AccessControl,
    pub(crate) tabs: Tabs,
    pub(crate) engines: EnginePool,
    pub(crate) places: Places,
    /// Held while a file is received and read: one at a time, since it takes many times its size.
    pub(crate) file_reader: Arc<Semaphore>,
    /// The database that the page shows.
    pub(crate) study: Option<Arc<Study>>,
}

impl AppState {
    /// A server without tabs. `threads` are those of each search, `memory` the bytes of all searches.
    pub(crate) fn new(
        access: AccessControl,
        threads: usize,
        memory: u64,
        networks: Networks,
    ) -> AppState {
        AppState {
            access,
            tabs: Tabs::new(),
            engines: EnginePool::new(threads, memory, networks),
            places: Places::new(),
            file_reader: Arc::new(Semaphore::new(1)),
            study: None,
        }
    }
}

/// Where the server listens.
pub(crate) enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Socket(SocketFile),
}

impl Listener {
    /// Accepts the next connection and starts to serve it.
    async fn accept(&self, state: &Arc<AppState>) -> io::Result<()> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Progress lines are short and must not wait for more data.
                let _ = stream.set_nodelay(true);
                start_connection(stream, state);
            }
            #[cfg(unix)]
            Listener::Socket(socket) => {
                let (stream, _) = socket.listener.accept().await?;
                start_connection(stream, state);
            }
        }
        Ok(())
    }
}

/// Accepts connections until `shutdown`.
pub(crate) async fn serve(listener: &Listener, state: &Arc<AppState>, shutdown: &Notify) {
    loop {
        let accepted = tokio::select! {
            () = shutdown.notified() => return,
            accepted = listener.accept(state) => accepted,
        };
        if accepted.is_err() {
            sleep(ACCEPT_DELAY).await;
        }
    }
}

fn start_connection<S>(stream: S, state: &Arc<AppState>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let place = state.places.enter();
    tokio::spawn(serve_connection(stream, Arc::clone(state), place));
}

async fn serve_connection<S>(stream: S, state: Arc<AppState>, place: Arc<Place>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(|request| {
        let (state, place) = (Arc::clone(&state), Arc::clone(&place));
        async move {
            let mut response = route(&state, &place, request).await;
            add_security_headers(&mut response);
            Ok::<_, Infallible>(response)
        }
    });
    // A connection that the client closes early is not an error.
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    state.places.hold(&place, connection).await;
}
