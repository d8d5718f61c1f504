//! Answers: whole ones, streams of lines, and what went wrong.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use tengen::engine::StopSwitch;
use tengen_study::InputError;

/// The body of an answer.
#[derive(Debug)]
pub(super) enum Body {
    /// All at once; empty once it was sent.
    Whole(Bytes),
    /// Lines as they come.
    Lines(Lines),
}

/// Lines of a search. Dropped when the reader has gone, and then the search ends.
#[derive(Debug)]
pub(super) struct Lines {
    receiver: mpsc::Receiver<Bytes>,
    stop: StopSwitch,
}

impl Lines {
    pub(super) fn new(receiver: mpsc::Receiver<Bytes>, stop: StopSwitch) -> Lines {
        Lines { receiver, stop }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.press();
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.get_mut() {
            Body::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Body::Whole(bytes) => Poll::Ready(Some(std::mem::take(bytes))),
            Body::Lines(lines) => lines.receiver.poll_recv(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Body::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Body::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Body::Lines(_) => SizeHint::default(),
        }
    }
}

/// Why a question gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    status: StatusCode,
    reason: String,
}

impl Fault {
    /// The question itself is wrong.
    pub(super) fn new(reason: impl fmt::Display) -> Fault {
        Fault { status: StatusCode::BAD_REQUEST, reason: reason.to_string() }
    }

    /// The question is right, but the answer is another.
    pub(super) fn with_status(status: StatusCode, reason: impl fmt::Display) -> Fault {
        Fault { status, reason: reason.to_string() }
    }

    /// The same, with the place where it is wrong in front.
    #[must_use]
    pub(super) fn at(self, place: impl fmt::Display) -> Fault {
        Fault { reason: format!("{place}: {}", self.reason), ..self }
    }

    pub(super) fn json(&self) -> Value {
        json!({ "error": self.reason })
    }

    pub(super) fn response(&self) -> Response<Body> {
        json_with(self.status, &self.json())
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Fault {
        Fault::new(error)
    }
}

/// Some words.
pub(super) fn text(status: StatusCode, words: &str) -> Response<Body> {
    whole(status, "text/plain; charset=utf-8", Bytes::copy_from_slice(words.as_bytes()))
}

/// One JSON object.
pub(super) fn json_whole(value: &Value) -> Response<Body> {
    json_with(StatusCode::OK, value)
}

fn json_with(status: StatusCode, value: &Value) -> Response<Body> {
    whole(status, "application/json", value.to_string().into())
}

/// Lines of JSON.
pub(super) fn json_lines(lines: Lines) -> Response<Body> {
    let mut response = Response::new(Body::Lines(lines));
    let kind = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// A body of some kind.
pub(super) fn whole(status: StatusCode, kind: &'static str, bytes: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::Whole(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
