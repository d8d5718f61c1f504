//! The HTTP server: connections and their limits.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::time::sleep;

use crate::engine_pool::EnginePool;
use crate::router::route;
use crate::security::{AccessControl, add_security_headers};
use crate::tabs::Tabs;
use tengen::engine::Networks;

/// Maximum number of connections. A browser opens six.
const MAX_CONNECTIONS: usize = 64;
/// Time limit for the head of a request, also for an idle connection.
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
}

impl AppState {
    /// A server without tabs. `threads` are those of each search, `memory` the bytes of all.
    pub(crate) fn new(
        access: AccessControl,
        threads: usize,
        memory: u64,
        networks: Networks,
    ) -> AppState {
        AppState { access, tabs: Tabs::new(), engines: EnginePool::new(threads, memory, networks) }
    }
}

/// Accepts connections until `shutdown`. Connections above the maximum are closed immediately.
pub(crate) async fn serve(listener: TcpListener, state: Arc<AppState>, shutdown: &Notify) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = shutdown.notified() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            sleep(ACCEPT_DELAY).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            serve_connection(stream, state).await;
            drop(permit);
        });
    }
}

async fn serve_connection(stream: TcpStream, state: Arc<AppState>) {
    // Progress lines are short and must not wait for more data.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let state = Arc::clone(&state);
        async move {
            let mut response = route(&state, request).await;
            add_security_headers(&mut response);
            Ok::<_, Infallible>(response)
        }
    });
    // A connection that the client closes early is not an error.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}
