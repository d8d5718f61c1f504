//! Responses: text, JSON, streams, errors.

use std::fmt;

use http_body_util::{Either, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use crate::stream::LineStream;
use tengen_page_api::RequestError;

/// The body of a response: complete, or streamed.
pub(crate) type Body = Either<Full<Bytes>, LineStream>;

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HttpError {
    status: StatusCode,
    error: RequestError,
}

impl HttpError {
    /// An invalid request: status 400.
    pub(crate) fn new(reason: impl fmt::Display) -> HttpError {
        HttpError::with_status(StatusCode::BAD_REQUEST, reason)
    }

    /// An error with another status than 400.
    pub(crate) fn with_status(status: StatusCode, reason: impl fmt::Display) -> HttpError {
        HttpError { status, error: RequestError::new(reason) }
    }

    /// All engines are in use: status 503.
    pub(crate) fn engines_busy(count: usize) -> HttpError {
        let reason = format!("{count} boards are searching already: stop one of them");
        let error = RequestError::with_code(reason, "engines-busy", json!({ "count": count }));
        HttpError { status: StatusCode::SERVICE_UNAVAILABLE, error }
    }

    /// The JSON object of a [`RequestError`].
    pub(crate) fn json(&self) -> Value {
        self.error.json()
    }

    pub(crate) fn response(&self) -> Response<Body> {
        complete(self.status, "application/json", self.json().to_string().into())
    }
}

impl From<RequestError> for HttpError {
    fn from(error: RequestError) -> HttpError {
        HttpError { status: StatusCode::BAD_REQUEST, error }
    }
}

/// Plain text.
pub(crate) fn text(status: StatusCode, text: &str) -> Response<Body> {
    complete(status, "text/plain; charset=utf-8", Bytes::copy_from_slice(text.as_bytes()))
}

/// One JSON value.
pub(crate) fn json_response(value: &Value) -> Response<Body> {
    complete(StatusCode::OK, "application/json", value.to_string().into())
}

/// A stream of JSON lines.
pub(crate) fn json_lines(lines: LineStream) -> Response<Body> {
    with_type(Body::Right(lines), StatusCode::OK, "application/x-ndjson")
}

/// A response of any content type.
pub(crate) fn complete(status: StatusCode, kind: &'static str, bytes: Bytes) -> Response<Body> {
    with_type(Body::Left(Full::new(bytes)), status, kind)
}

fn with_type(body: Body, status: StatusCode, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
