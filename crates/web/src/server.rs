//! Connections: how many, how long, how large.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::time::sleep;

use super::desk::Desks;
use super::guard::{Guard, seal};
use super::route;
use super::tab::Tabs;

/// Connections at a time: a browser opens six.
const CONNECTIONS: usize = 64;
/// Time for the head of a request, and for a connection that is kept without one.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Bytes of a request's head.
const HEAD_BYTES: usize = 16 << 10;
/// Headers of a request.
const HEADERS: usize = 64;
/// Before the next try when the system gives no connection.
const PAUSE: Duration = Duration::from_millis(50);

/// What all connections share.
pub(super) struct Site {
    pub(super) guard: Guard,
    pub(super) tabs: Tabs,
    pub(super) desks: Desks,
}

impl Site {
    /// Nobody is here yet. `memory` is in bytes.
    pub(super) fn new(guard: Guard, threads: usize, memory: u64) -> Site {
        Site { guard, tabs: Tabs::new(), desks: Desks::new(threads, memory) }
    }
}

/// Takes connections until told to leave. One too many is closed at once.
pub(super) async fn serve(listener: TcpListener, site: Arc<Site>, leave: &Notify) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = leave.notified() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            connection(stream, site).await;
            drop(place);
        });
    }
}

async fn connection(stream: TcpStream, site: Arc<Site>) {
    // Lines of a search are short, and wanted now.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move {
            let mut response = route::answer(&site, request).await;
            seal(&mut response);
            Ok::<_, Infallible>(response)
        }
    });
    // A connection that breaks is no fault of anybody here.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}
