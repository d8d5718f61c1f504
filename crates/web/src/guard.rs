//! Who is let in.
//!
//! The server listens on the loopback interface only, which keeps other machines out. What it has
//! to keep out here are pages of other sites in the same browser, and other people's programs on
//! the same machine:
//!
//! * a page whose name was made to point to this machine (DNS rebinding) shows by its `Host`;
//! * a page that sends requests across sites shows by its `Origin`, which a browser adds to every
//!   `POST`, or by `Sec-Fetch-Site`; what changes or streams is a `POST` of JSON, always;
//! * who has not seen the address that was printed does not know its token of 128 bits. It is
//!   exchanged for a cookie that scripts cannot read and other sites cannot send.

use std::sync::Mutex;

use anyhow::{Context, anyhow};
use hyper::header::{
    CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, LOCATION, ORIGIN, SET_COOKIE,
};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use rand::TryRngCore;
use rand::rngs::OsRng;

use super::answer::{Body, text};

/// The port of an address that names none.
const HTTP_PORT: u16 = 80;

/// Random bytes of a token.
const TOKEN_BYTES: usize = 16;

/// Headers of every answer. Nothing is loaded from elsewhere, nothing is put into frames, nothing
/// is kept, and no other site may read anything.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// What somebody may do who came this far.
#[derive(Debug)]
pub(super) enum Entry {
    /// Anything.
    Open,
    /// Nothing: this answer says why, or brings the cookie of somebody who had the token.
    Closed(Response<Body>),
}

/// Decides about every request before anything else looks at it.
pub(super) struct Guard {
    port: u16,
    /// In the printed address, good until the server ends.
    token: String,
    /// In the address that a browser was started with, good for one visit.
    once: Mutex<Option<String>>,
    /// In the cookie.
    secret: String,
}

impl Guard {
    /// A guard with new secrets.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub(super) fn new(port: u16) -> anyhow::Result<Guard> {
        Ok(Guard { port, token: token()?, once: Mutex::new(Some(token()?)), secret: token()? })
    }

    /// The address to open.
    pub(super) fn address(&self) -> String {
        self.address_with(&self.token)
    }

    /// An address that works for one visit only.
    pub(super) fn address_for_once(&self) -> String {
        let once = self.once.lock().unwrap_or_else(|broken| broken.into_inner());
        self.address_with(once.as_deref().unwrap_or_default())
    }

    fn address_with(&self, token: &str) -> String {
        format!("http://127.0.0.1:{}/?token={token}", self.port)
    }

    /// Lets a request in, or says why not.
    pub(super) fn check(&self, request: &Parts) -> Entry {
        let refuse = |status, reason: &str| Entry::Closed(text(status, reason));
        let headers = &request.headers;
        let Some(host) = only(headers, HOST).filter(|host| self.is_own(host)) else {
            return refuse(StatusCode::FORBIDDEN, "this server has another name");
        };
        if request.uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return refuse(StatusCode::FORBIDDEN, "this server has another name");
        }
        let site = only(headers, HeaderName::from_static("sec-fetch-site"));
        if request.method == Method::GET {
            if let Some(given) = query_token(request) {
                return match self.knows(given) {
                    true => Entry::Closed(self.exchange(site)),
                    false => refuse(StatusCode::FORBIDDEN, LOCKED),
                };
            }
        } else if request.method == Method::POST {
            let own = format!("http://{host}");
            if only(headers, ORIGIN) != Some(own.as_str()) {
                return refuse(StatusCode::FORBIDDEN, "the request comes from another site");
            }
            if site.is_some_and(|site| site != "same-origin") {
                return refuse(StatusCode::FORBIDDEN, "the request comes from another site");
            }
            if only(headers, CONTENT_TYPE) != Some("application/json") {
                return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json");
            }
        } else {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "expected GET or POST");
        }
        if self.has_cookie(headers) { Entry::Open } else { refuse(StatusCode::FORBIDDEN, LOCKED) }
    }

    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|&name| {
            // Browsers leave out the port that an address has where it names none.
            (self.port == HTTP_PORT && host == name) || host == format!("{name}:{}", self.port)
        })
    }

    fn knows(&self, given: &str) -> bool {
        if is_same(given, &self.token) {
            return true;
        }
        let mut once = self.once.lock().unwrap_or_else(|broken| broken.into_inner());
        let fits = once.as_deref().is_some_and(|once| is_same(given, once));
        if fits {
            *once = None;
        }
        fits
    }

    /// The name says the port: cookies of one machine are shared by all its ports.
    fn cookie_name(&self) -> String {
        format!("tengen-{}", self.port)
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(key, value)| key == name && is_same(value, &self.secret))
    }

    /// Brings the cookie and leads to the page, whose address no longer holds the token.
    ///
    /// A strict cookie does not go along when another site or a file led here and a redirect goes
    /// on: then a page of our own takes the next step.
    fn exchange(&self, site: Option<&str>) -> Response<Body> {
        let mut response = match site {
            None | Some("none" | "same-origin") => {
                let mut response = text(StatusCode::SEE_OTHER, "");
                response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
                response
            }
            Some(_) => {
                let mut response = text(StatusCode::OK, STEP);
                let html = HeaderValue::from_static("text/html; charset=utf-8");
                response.headers_mut().insert(CONTENT_TYPE, html);
                response
            }
        };
        let cookie =
            format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.secret);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

const LOCKED: &str = "This board is locked. Open the address that `tengen web` printed when it \
                      started; after a new start it is another one.\n";
const STEP: &str = "<!doctype html><meta charset=utf-8><title>Tengen</title>\
                    <meta http-equiv=refresh content=\"0; url=/\"><a href=\"/\">Tengen</a>";

/// Adds what every answer carries.
pub(super) fn seal(response: &mut Response<Body>) {
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

/// The value of a header that is there exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

fn query_token(request: &Parts) -> Option<&str> {
    let query = request.uri.query().filter(|_| request.uri.path() == "/")?;
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that depends on the lengths only.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// 128 random bits from the system, as hexadecimal digits.
fn token() -> anyhow::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| anyhow!("{error}"))
        .context("the system gives no random numbers")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_port_may_be_left_out() {
        let usual = Guard::new(HTTP_PORT).unwrap();
        let other = Guard::new(8080).unwrap();
        assert!(["localhost", "127.0.0.1:80"].iter().all(|host| usual.is_own(host)));
        assert!(other.is_own("localhost:8080") && !other.is_own("localhost"));
        assert!(!usual.is_own("evil.example") && !usual.is_own("localhost:8080"));
    }
}
