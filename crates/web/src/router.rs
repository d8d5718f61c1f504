//! Routes: which handler answers which path, and how its request is read.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_LENGTH;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::assets;
use crate::places::Place;
use crate::response::{Body, HttpError, json_lines, json_response, text};
use crate::security::{Access, closing};
use crate::server::AppState;
use crate::stream::{SearchHead, start_search};
use tengen_page_api::{Handler, RequestError, SearchTask, endpoint, hello, parse};

/// Maximum size of a request body, in bytes.
const REQUEST_BYTES: usize = 256 << 10;
/// Maximum size of a request body that holds a file or a whole game tree, in bytes.
const FILE_BYTES: usize = 8 << 20;
/// Time limit for reading a request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit for waiting until other files are read.
const FILE_WAIT: Duration = Duration::from_secs(20);

/// Answers a request, after the checks of [`AccessControl`](crate::security::AccessControl).
pub(crate) async fn route(
    state: &Arc<AppState>,
    place: &Arc<Place>,
    request: Request<Incoming>,
) -> Response<Body> {
    let (head, body) = request.into_parts();
    let access = state.access.check(&head);
    if !matches!(access, Access::Refused(_)) && !state.places.recognize(place) {
        let reason = "too many connections\n";
        return closing(text(StatusCode::SERVICE_UNAVAILABLE, reason));
    }
    match access {
        Access::Entered(response) | Access::Refused(response) => response,
        Access::Allowed if head.method == Method::GET => assets::serve(head.uri.path()),
        Access::Allowed => {
            let post = Post { state, head: &head, body };
            post.route().await.unwrap_or_else(|error| error.response())
        }
    }
}

/// A `POST` request whose body has not been read yet.
struct Post<'a> {
    state: &'a Arc<AppState>,
    head: &'a Parts,
    body: Incoming,
}

impl Post<'_> {
    async fn route(self) -> Result<Response<Body>, HttpError> {
        let Some(name) = self.head.uri.path().strip_prefix("/api/") else { return Ok(not_found()) };
        if name == "stop" {
            return self.stop().await;
        }
        if name == "hello" {
            let choices = self.state.engines.choices();
            let study = self.state.study.clone();
            return self
                .run(REQUEST_BYTES, move |_| {
                    let mut offer = hello();
                    offer["engine"] = choices;
                    if let Some(study) = study {
                        offer["study"] = study.name().into();
                    }
                    Ok(offer)
                })
                .await;
        }
        if let Some(study) = self.state.study.clone() {
            match name {
                "study" => return self.run(REQUEST_BYTES, move |body| study.show(body)).await,
                "study-edit" => return self.run(REQUEST_BYTES, move |body| study.edit(body)).await,
                "study-delete" => {
                    return self.run(REQUEST_BYTES, move |body| study.delete(body)).await;
                }
                "study-analyse" => {
                    return self.search(REQUEST_BYTES, move |body| study.analyse(body)).await;
                }
                _ => {}
            }
        }
        let Some(endpoint) = endpoint(name) else { return Ok(not_found()) };
        let max_bytes = if endpoint.holds_file { FILE_BYTES } else { REQUEST_BYTES };
        match endpoint.handler {
            Handler::Immediate(handler) => self.run(max_bytes, handler).await,
            Handler::Search(handler) => self.search(max_bytes, handler).await,
        }
    }

    async fn stop(self) -> Result<Response<Body>, HttpError> {
        let tabs = &self.state.tabs;
        let body = self.read(REQUEST_BYTES).await?;
        let request: StopRequest = parse(body.bytes())?;
        tabs.stop(&request.tab);
        Ok(json_response(&json!({})))
    }

    /// Runs a handler that needs no engine on a worker thread.
    async fn run(
        self,
        max_bytes: usize,
        handler: impl FnOnce(&[u8]) -> Result<Value, RequestError> + Send + 'static,
    ) -> Result<Response<Body>, HttpError> {
        let body = self.read(max_bytes).await?;
        let result = on_worker(move || handler(body.bytes())).await;
        Ok(json_response(&result?))
    }

    /// Starts the search that a handler makes of the request, and streams its progress. The handler
    /// runs on a worker thread, because it replays the position.
    async fn search(
        self,
        max_bytes: usize,
        handler: impl FnOnce(&[u8]) -> Result<SearchTask, RequestError> + Send + 'static,
    ) -> Result<Response<Body>, HttpError> {
        let state = self.state;
        let body = self.read(max_bytes).await?;
        let head: SearchHead = parse(body.bytes())?;
        // Before the replay, so that a stop that arrives meanwhile is not lost.
        let stop = state.tabs.announce(&head.tab)?;
        let task = on_worker(move || handler(body.bytes())).await?;
        Ok(json_lines(start_search(state, task, head, stop).await?))
    }

    /// Reads the body.
    async fn read(self, max_bytes: usize) -> Result<RequestBody, HttpError> {
        let too_large = || {
            let reason = format!("request body too large: expected at most {max_bytes} bytes");
            HttpError::with_status(StatusCode::PAYLOAD_TOO_LARGE, reason)
        };
        let length = self.head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let length = length.and_then(|it| it.parse().ok()).unwrap_or(max_bytes);
        if length > max_bytes {
            return Err(too_large());
        }
        // Before the body is received, so that only one large body is in memory.
        let file_permit = match max_bytes > REQUEST_BYTES {
            true => Some(self.file_permit().await?),
            false => None,
        };
        match timeout(BODY_TIMEOUT, Limited::new(self.body, length).collect()).await {
            Ok(Ok(collected)) => {
                Ok(RequestBody { bytes: collected.to_bytes(), _file_permit: file_permit })
            }
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(error)) => Err(HttpError::new(format!("request body incomplete: {error}"))),
            Err(_) => {
                let reason = "timeout while reading the request body";
                Err(HttpError::with_status(StatusCode::REQUEST_TIMEOUT, reason))
            }
        }
    }

    /// Waits until no other file is received or read.
    async fn file_permit(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        let permit = Arc::clone(&self.state.file_reader).acquire_owned();
        match timeout(FILE_WAIT, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => {
                let reason = "the server is still reading other files: try again later";
                Err(HttpError::with_status(StatusCode::SERVICE_UNAVAILABLE, reason))
            }
        }
    }
}

/// Stops the search of a tab.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StopRequest {
    tab: String,
}

/// The body of a request.
struct RequestBody {
    bytes: Bytes,
    /// Held for a body that may be large, until it is handled.
    _file_permit: Option<OwnedSemaphorePermit>,
}

impl RequestBody {
    /// The text. A method, so that closures that use it hold the whole body.
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Runs a handler on a worker thread, so that it does not delay other requests.
async fn on_worker<T: Send + 'static>(
    handler: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, HttpError> {
    match spawn_blocking(handler).await {
        Ok(result) => Ok(result?),
        Err(_) => {
            let reason = "the request crashed the server, please report it";
            Err(HttpError::with_status(StatusCode::INTERNAL_SERVER_ERROR, reason))
        }
    }
}

fn not_found() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "not found\n")
}
