//! Access control and security headers.
//!
//! The server listens on the loopback interface or on a Unix socket, so other machines cannot
//! connect. The checks here refuse pages of other sites in the same browser, and programs of other
//! users of this machine, or of the machine whose port is forwarded to the socket:
//!
//! * DNS rebinding, a foreign name that resolves to this machine: the `Host` header must match;
//! * cross-site requests: `Origin`, which browsers add to every `POST`, and `Sec-Fetch-Site` must
//!   match. Every request that changes or streams something is a `POST` of JSON;
//! * other programs: the printed address contains a token of 128 bits. The server exchanges it for
//!   a cookie that scripts cannot read and other sites cannot send.

use std::sync::Mutex;

use anyhow::{Context, anyhow};
use hyper::header::{
    CONNECTION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, LOCATION, ORIGIN,
    SET_COOKIE,
};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use rand::TryRngCore;
use rand::rngs::OsRng;

use crate::response::{Body, text};

/// The port that browsers omit in an address.
const HTTP_PORT: u16 = 80;

/// The port of the printed address of a socket, as an example.
pub(crate) const FORWARDED_PORT: u16 = 8080;

/// Random bytes of a token.
const TOKEN_BYTES: usize = 16;

/// Headers of every response: no resources from other sites, no frames, no caching, no access for
/// other sites.
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

/// The result of the checks.
#[derive(Debug)]
pub(crate) enum Access {
    /// The request may be routed.
    Allowed,
    /// The request showed a token. The response sets the cookie.
    Entered(Response<Body>),
    /// The request is refused. The response closes the connection.
    Refused(Response<Body>),
}

/// Checks every request before it is routed.
pub(crate) struct AccessControl {
    /// The port that the page is opened at; `None` for a socket, to which any port may be forwarded.
    port: Option<u16>,
    /// Part of the printed address. Valid until the server ends.
    token: String,
    /// Part of the address that the browser is started with. Valid once.
    one_time_token: Mutex<Option<String>>,
    /// The value of the cookie.
    cookie: String,
    /// The name of the cookie.
    cookie_name: String,
}

impl AccessControl {
    /// Access control with new random tokens.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub(crate) fn new(port: Option<u16>) -> anyhow::Result<AccessControl> {
        // Unique, because all ports of a machine share their cookies.
        let cookie_name = match port {
            Some(port) => format!("tengen-{port}"),
            None => format!("tengen-{}", &random_token()?[..8]),
        };
        Ok(AccessControl {
            port,
            cookie_name,
            token: random_token()?,
            one_time_token: Mutex::new(Some(random_token()?)),
            cookie: random_token()?,
        })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        self.url_with(&self.token)
    }

    /// An address of the page that works only once.
    pub(crate) fn one_time_url(&self) -> String {
        let token = self.one_time_token.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.url_with(token.as_deref().unwrap_or_default())
    }

    fn url_with(&self, token: &str) -> String {
        format!("http://127.0.0.1:{}/?token={token}", self.port.unwrap_or(FORWARDED_PORT))
    }

    /// Checks a request.
    pub(crate) fn check(&self, request: &Parts) -> Access {
        let refuse = |status, reason: &str| Access::Refused(closing(text(status, reason)));
        let headers = &request.headers;
        let Some(host) = single(headers, HOST).filter(|host| self.is_own_host(host)) else {
            return refuse(StatusCode::FORBIDDEN, "unexpected Host header");
        };
        if request.uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return refuse(StatusCode::FORBIDDEN, "unexpected Host header");
        }
        let site = single(headers, HeaderName::from_static("sec-fetch-site"));
        if request.method == Method::GET {
            if let Some(given) = query_token(request) {
                return match self.redeem(given) {
                    true => Access::Entered(self.set_cookie(site)),
                    false => refuse(StatusCode::FORBIDDEN, NO_ACCESS),
                };
            }
        } else if request.method == Method::POST {
            let own = format!("http://{host}");
            if single(headers, ORIGIN) != Some(own.as_str()) {
                return refuse(StatusCode::FORBIDDEN, "cross-site request");
            }
            if site.is_some_and(|site| site != "same-origin") {
                return refuse(StatusCode::FORBIDDEN, "cross-site request");
            }
            if single(headers, CONTENT_TYPE) != Some("application/json") {
                return refuse(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "invalid content type: expected application/json",
                );
            }
        } else {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "invalid method: expected GET or POST");
        }
        if self.has_cookie(headers) {
            Access::Allowed
        } else {
            refuse(StatusCode::FORBIDDEN, NO_ACCESS)
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        let rest = ["127.0.0.1", "localhost"].iter().find_map(|name| host.strip_prefix(name));
        match (rest, self.port) {
            (None, _) => false,
            // Browsers omit the default port.
            (Some(""), port) => port.is_none_or(|port| port == HTTP_PORT),
            (Some(rest), Some(port)) => rest == format!(":{port}"),
            (Some(rest), None) => rest.strip_prefix(':').is_some_and(is_number),
        }
    }

    /// Whether the token is valid. Uses up the one-time token.
    fn redeem(&self, given: &str) -> bool {
        if constant_time_eq(given, &self.token) {
            return true;
        }
        let mut one_time =
            self.one_time_token.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let is_valid = one_time.as_deref().is_some_and(|token| constant_time_eq(given, token));
        if is_valid {
            *one_time = None;
        }
        is_valid
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(key, value)| key == self.cookie_name && constant_time_eq(value, &self.cookie))
    }

    /// Sets the cookie and redirects to the address without the token.
    ///
    /// Browsers do not send a strict cookie after an HTTP redirect if the request came from another
    /// site or a file. In that case the response is a page that opens the address.
    fn set_cookie(&self, site: Option<&str>) -> Response<Body> {
        let mut response = match site {
            None | Some("none" | "same-origin") => {
                let mut response = text(StatusCode::SEE_OTHER, "");
                response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
                response
            }
            Some(_) => {
                let mut response = text(StatusCode::OK, REDIRECT_PAGE);
                let html = HeaderValue::from_static("text/html; charset=utf-8");
                response.headers_mut().insert(CONTENT_TYPE, html);
                response
            }
        };
        let cookie =
            format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name, self.cookie);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

const NO_ACCESS: &str = "This board is locked. Open the address that `tengen web` printed at its \
                         start. Each start has a new address.\n";
const REDIRECT_PAGE: &str = "<!doctype html><meta charset=utf-8><title>Tengen</title>\
                    <meta http-equiv=refresh content=\"0; url=/\"><a href=\"/\">Tengen</a>";

/// The response, after which the connection is closed.
pub(crate) fn closing(mut response: Response<Body>) -> Response<Body> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Adds the headers of every response.
pub(crate) fn add_security_headers(response: &mut Response<Body>) {
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

/// The value of a header that occurs exactly once.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn query_token(request: &Parts) -> Option<&str> {
    let query = request.uri.query().filter(|_| request.uri.path() == "/")?;
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that depends only on the lengths.
fn constant_time_eq(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// 128 random bits from the system, as hexadecimal digits.
fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| anyhow!("{error}"))
        .context("the system provides no random numbers")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_without_port_is_accepted_on_port_80_only() {
        let default = AccessControl::new(Some(HTTP_PORT)).unwrap();
        let other = AccessControl::new(Some(8080)).unwrap();
        assert!(["localhost", "127.0.0.1:80"].iter().all(|host| default.is_own_host(host)));
        assert!(other.is_own_host("localhost:8080") && !other.is_own_host("localhost"));
        assert!(!default.is_own_host("evil.example") && !default.is_own_host("localhost:8080"));
        assert!(!default.is_own_host("localhost:") && !default.is_own_host("localhost:80:80"));
    }

    #[test]
    fn socket_accepts_every_port_of_this_machine() {
        let socket = AccessControl::new(None).unwrap();
        for host in ["localhost", "127.0.0.1:1", "localhost:8080"] {
            assert!(socket.is_own_host(host), "{host}");
        }
        for host in
            ["evil.example", "evil.example:80", "localhost:", "localhost:+1", "localhosts:1"]
        {
            assert!(!socket.is_own_host(host), "{host}");
        }
        assert!(!socket.is_own_host("localhost:8080.evil.example"));
        // Two sockets may be forwarded to ports of one machine.
        assert_ne!(socket.cookie_name, AccessControl::new(None).unwrap().cookie_name);
    }
}
