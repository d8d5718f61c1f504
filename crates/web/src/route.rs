//! Which answer belongs to which request.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::CONTENT_LENGTH;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::answer::{Body, Fault, json_lines, json_whole, text};
use super::guard::Entry;
use super::server::Site;
use super::talk::Work;
use super::{analyse, ask, assets, files, film, look, opening, review, solve, talk, think};

/// Bytes of a question.
const QUESTION_BYTES: usize = 256 << 10;
/// Bytes of a question that holds a file or a whole tree of moves.
const FILE_BYTES: usize = 8 << 20;
/// Time for a question to arrive.
const ARRIVAL: Duration = Duration::from_secs(20);

/// The answer to any request.
pub(super) async fn answer(site: &Arc<Site>, request: Request<Incoming>) -> Response<Body> {
    let (head, body) = request.into_parts();
    match site.guard.check(&head) {
        Entry::Closed(response) => response,
        Entry::Open if head.method == Method::GET => assets::answer(head.uri.path()),
        Entry::Open => question(site, &head, body).await.unwrap_or_else(|fault| fault.response()),
    }
}

async fn question(site: &Arc<Site>, head: &Parts, body: Incoming) -> Result<Response<Body>, Fault> {
    let small = QUESTION_BYTES;
    Ok(match head.uri.path() {
        "/api/hello" => json_whole(&ask::hello()),
        "/api/stop" => {
            let stop: ask::Stop = parse(head, body, small).await?;
            site.tabs.stop(&stop.tab);
            json_whole(&json!({}))
        }
        "/api/look" => at_once(parse(head, body, small).await?, look::answer).await?,
        "/api/read" => at_once(parse(head, body, FILE_BYTES).await?, files::read_file).await?,
        "/api/write" => at_once(parse(head, body, FILE_BYTES).await?, files::write_file).await?,
        "/api/replay" => at_once(parse(head, body, small).await?, film::answer).await?,
        "/api/opening" => at_once(parse(head, body, small).await?, opening::state).await?,
        "/api/opening-answer" => {
            searched(site, opening::answer(parse(head, body, small).await?)?).await?
        }
        "/api/think" => searched(site, think::answer(parse(head, body, small).await?)?).await?,
        "/api/analyse" => searched(site, analyse::answer(parse(head, body, small).await?)?).await?,
        "/api/solve" => searched(site, solve::answer(parse(head, body, small).await?)?).await?,
        "/api/review" => {
            searched(site, review::answer(parse(head, body, FILE_BYTES).await?)?).await?
        }
        _ => text(StatusCode::NOT_FOUND, "there is nothing here"),
    })
}

/// Answers a question that needs an engine.
async fn searched(site: &Arc<Site>, (tab, work): (String, Work)) -> Result<Response<Body>, Fault> {
    Ok(json_lines(talk::begin(site, &tab, work).await?))
}

/// Answers a question that needs no engine.
async fn at_once<Ask: Send + 'static>(
    ask: Ask,
    work: fn(&Ask) -> Result<Value, Fault>,
) -> Result<Response<Body>, Fault> {
    let crashed = |_| {
        let reason = "the server crashed over this, please report it";
        Err(Fault::with_status(StatusCode::INTERNAL_SERVER_ERROR, reason))
    };
    let found = spawn_blocking(move || work(&ask)).await.unwrap_or_else(crashed)?;
    Ok(json_whole(&found))
}

/// Reads a question of at most `most` bytes.
async fn parse<Ask: DeserializeOwned>(
    head: &Parts,
    body: Incoming,
    most: usize,
) -> Result<Ask, Fault> {
    let too_large = || {
        let reason = format!("the question is longer than {most} bytes");
        Fault::with_status(StatusCode::PAYLOAD_TOO_LARGE, reason)
    };
    let length = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse().ok()).is_some_and(|length: u64| length > most as u64)
    {
        return Err(too_large());
    }
    let bytes = match timeout(ARRIVAL, Limited::new(body, most).collect()).await {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(error)) => return Err(Fault::new(format!("the question broke off: {error}"))),
        Err(_) => {
            let reason = "the question takes too long to arrive";
            return Err(Fault::with_status(StatusCode::REQUEST_TIMEOUT, reason));
        }
    };
    serde_json::from_slice(&bytes).map_err(|error| Fault::new(format!("no question: {error}")))
}
