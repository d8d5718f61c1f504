//! Tests of the security rules: each with requests that break it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::client::{Answer, READ_TIMEOUT, Server, position, read_answer};

/// A valid request with some headers replaced; `None` removes a header.
fn ask_with(server: &Server, changes: &[(&str, Option<&str>)]) -> Answer {
    let mut headers = server.headers().to_vec();
    for &(name, value) in changes {
        headers.retain(|(known, _)| *known != name);
        headers.extend(value.map(|value| (name, value)));
    }
    server.request("POST /api/hello", &headers, "{}")
}

#[test]
fn foreign_host_is_refused() {
    let server = Server::start();
    let port = server.port;
    assert_eq!(ask_with(&server, &[]).status, 200);
    let local = format!("localhost:{port}");
    let origin = format!("http://{local}");
    let named = ask_with(&server, &[("Host", Some(&local)), ("Origin", Some(&origin))]);
    assert_eq!(named.status, 200);
    let wrong_port = format!("127.0.0.1:{}", port.wrapping_add(1));
    let rebound = format!("evil.example:{port}");
    let longer = format!("127.0.0.1:{port}.evil.example");
    for host in ["127.0.0.1", "localhost", "evil.example", &wrong_port, &rebound, &longer, ""] {
        assert_eq!(ask_with(&server, &[("Host", Some(host))]).status, 403, "{host}");
        let headers = [("Host", host), ("Cookie", &server.cookie)];
        assert_eq!(server.request("GET /", &headers, "").status, 403, "{host}");
        let entry = format!("GET /?token={}", server.token);
        assert_eq!(server.request(&entry, &headers, "").status, 403, "{host}");
    }
    assert_eq!(ask_with(&server, &[("Host", None)]).status, 403);
    // Two hosts, or different ones in the request line and the header.
    let own = server.own_host();
    let both = [("Host", own), ("Host", own), ("Cookie", &server.cookie)];
    assert_ne!(server.request("GET /", &both, "").status, 200);
    let headers = [("Host", own), ("Cookie", &server.cookie)];
    assert_eq!(server.request("GET http://evil.example/", &headers, "").status, 403);
}

#[test]
fn cross_site_requests_are_refused() {
    let server = Server::start();
    let other_port = format!("http://127.0.0.1:{}", server.port.wrapping_add(1));
    let secure = format!("https://{}", server.own_host());
    let localhost = format!("http://localhost:{}", server.port);
    for origin in ["http://evil.example", "null", "", &other_port, &secure, &localhost] {
        assert_eq!(ask_with(&server, &[("Origin", Some(origin))]).status, 403, "{origin}");
    }
    assert_eq!(ask_with(&server, &[("Origin", None)]).status, 403);
    for site in ["cross-site", "same-site", "none"] {
        assert_eq!(ask_with(&server, &[("Sec-Fetch-Site", Some(site))]).status, 403, "{site}");
    }
    assert_eq!(ask_with(&server, &[("Sec-Fetch-Site", Some("same-origin"))]).status, 200);
    for kind in [Some("text/plain"), Some("application/x-www-form-urlencoded"), None] {
        assert_eq!(ask_with(&server, &[("Content-Type", kind)]).status, 415, "{kind:?}");
    }
}

#[test]
fn requests_without_token_are_refused() {
    let server = Server::start();
    assert_eq!(server.token.len(), 32, "128 bits");
    let other = "0".repeat(32);
    let half = &server.token[..16];
    let longer = format!("{}0", server.token);
    let host = server.own_host();
    for token in ["", &other, half, &longer] {
        let answer = server.request(&format!("GET /?token={token}"), &[("Host", host)], "");
        assert_eq!((answer.status, answer.header("set-cookie")), (403, ""), "{token}");
    }
    let wrong = format!("{}0", server.cookie);
    let (name, secret) = server.cookie.split_once('=').expect("a cookie");
    let elsewhere = format!("tengen={secret}");
    let by_token = format!("{name}={}", server.token);
    for cookie in ["", name, &wrong, &elsewhere, &by_token] {
        assert_eq!(ask_with(&server, &[("Cookie", Some(cookie))]).status, 403, "{cookie}");
        let headers = [("Host", host), ("Cookie", cookie)];
        for path in ["/", "/main.js", "/languages/en.json"] {
            let answer = server.request(&format!("GET {path}"), &headers, "");
            assert_eq!(answer.status, 403, "{path} {cookie}");
        }
    }
    assert_eq!(ask_with(&server, &[("Cookie", None)]).status, 403);
    // The token is valid only for the address of the page.
    let path = format!("GET /main.js?token={}", server.token);
    assert_eq!(server.request(&path, &[("Host", host)], "").status, 403);
}

#[test]
fn token_sets_the_cookie_each_time() {
    let server = Server::start();
    let host = server.own_host();
    for _ in 0..3 {
        let entry = format!("GET /?token={}", server.token);
        let answer = server.request(&entry, &[("Host", host)], "");
        let cookie = answer.header("set-cookie");
        for wanted in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(cookie.contains(wanted), "{cookie}");
        }
        assert!(!cookie.contains(&server.token) && !cookie.contains("Domain"), "{cookie}");
    }
    // From another site an HTTP redirect would lose the strict cookie; the response is a page.
    let headers = [("Host", host), ("Sec-Fetch-Site", "cross-site")];
    let answer = server.request(&format!("GET /?token={}", server.token), &headers, "");
    assert_eq!(answer.status, 200);
    assert!(answer.header("set-cookie").contains("Strict"), "{answer:?}");
    assert!(answer.body.contains("url=/") && !answer.body.contains(&server.token), "{answer:?}");
    assert_eq!(server.get("/").status, 200);
    let other = Server::start();
    assert!(other.token != server.token && other.cookie != server.cookie);
}

#[test]
fn all_responses_have_security_headers() {
    let server = Server::start();
    let looked = json!({ "position": position("renju", "h8") });
    let analysed =
        json!({ "tab": "a", "position": position("renju", "h8"), "lines": 1, "nodes": 10 });
    for answer in [
        server.get("/"),
        server.get("/nothing"),
        server.get("/?token=wrong"),
        server.get(&format!("/?token={}", server.token)),
        server.ask("look", &looked),
        server.ask("analyse", &analysed),
        server.ask("nothing", &looked),
        ask_with(&server, &[("Origin", None)]),
    ] {
        let policy = answer.header("content-security-policy");
        for wanted in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(wanted), "{answer:?}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(answer.header(name), value, "{answer:?}");
        }
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{answer:?}");
    }
}

#[test]
fn methods_except_get_and_post_are_refused() {
    let server = Server::start();
    let mut headers = server.headers();
    headers[3] = ("Access-Control-Request-Method", "POST");
    for method in ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "HEAD"] {
        assert_eq!(server.request(&format!("{method} /"), &headers, "").status, 405, "{method}");
    }
    assert_eq!(server.get("/api/hello").status, 404, "the API needs POST");
}

#[test]
fn paths_do_not_reach_the_disk() {
    let server = Server::start();
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
        "/page/main.js",
        "//main.js",
        "/main.js/",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // Only the extension of a file name is used.
    let data = "aDggaTk="; // h8 i9
    let read = server.ask("read", &json!({ "name": "/etc/passwd", "data": data }));
    assert_eq!(read.json()["games"][0]["nodes"].as_array().map(Vec::len), Some(3), "{read:?}");
}

#[test]
fn oversized_requests_are_refused() {
    let server = Server::start();
    let large = "h8".repeat(200_000);
    let moves = json!({ "position": position("renju", &large) });
    assert_eq!(server.ask("look", &moves).status, 413);
    let host = server.own_host();
    let headers = server.headers();
    let announced: Vec<_> =
        headers.into_iter().chain([("Content-Length", "99999999999")]).collect();
    assert_eq!(server.request("POST /api/read", &announced, "").status, 413);
    // A chunked body has no announced length.
    let mut stream = server.connect();
    let mut request = "POST /api/look HTTP/1.1\r\nTransfer-Encoding: chunked\r\n".to_string();
    headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let _ = stream.write_all((request + "\r\n" + &chunk.repeat(8)).as_bytes());
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 413");
    let with = |more: &str| {
        let cookie = &server.cookie;
        server.raw(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n{more}\r\n"))
    };
    assert_eq!(with(&format!("X-Header: {}\r\n", "1".repeat(40_000))).status, 431);
    assert_eq!(with(&"X-Header: 1\r\n".repeat(80)).status, 431);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn files_are_received_one_after_the_other() {
    let server = Server::start();
    let file = json!({ "name": "x.txt", "data": "aDggaTk=" });
    let request = server.text("POST /api/read", &server.headers(), &file.to_string());
    let (start, rest) = request.split_at(request.len() - 5);
    let mut first = server.connect();
    first.write_all(start.as_bytes()).expect("the server listens");
    // Requests without a file do not wait. The server handles events in their order: so the first
    // file is being received when the second arrives.
    let look = json!({ "position": position("renju", "h8") });
    assert_eq!(server.ask("look", &look).status, 200);
    let mut second = server.begin("read", &file);
    assert_eq!(server.ask("look", &look).status, 200);
    second.set_read_timeout(Some(Duration::from_secs(1))).expect("a time limit");
    assert!(second.read(&mut [0]).is_err(), "answered before the first file is received");
    second.set_read_timeout(Some(READ_TIMEOUT)).expect("a time limit");
    first.write_all(rest.as_bytes()).expect("the server reads");
    assert_eq!(read_answer(first).status, 200);
    assert_eq!(read_answer(second).status, 200);
}

/// A connection that stays open after a request with the cookie was answered with 200.
fn known_connection(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    let (host, cookie) = (server.own_host(), &server.cookie);
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the server listens");
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer");
    assert_eq!(&start, b"HTTP/1.1 200");
    stream
}

#[test]
fn number_of_connections_is_limited() {
    let server = Server::start();
    let mut known: Vec<TcpStream> = (0..64).map(|_| known_connection(&server)).collect();
    assert_eq!(server.get("/").status, 503);
    known.clear();
    // The server notices closed connections after a moment.
    let mut tries = (0..1000).map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        server.get("/").status
    });
    assert!(tries.any(|status| status == 200));
}

#[test]
fn connections_without_cookie_do_not_lock_the_owner_out() {
    let server = Server::start();
    let known = known_connection(&server);
    let mut strangers: Vec<TcpStream> = Vec::new();
    for number in 0..200 {
        let mut stream = server.connect();
        // Some are silent, some send half a head, some ask for an answer.
        let request = ["", "GET", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"][number % 3];
        let _ = stream.write_all(request.as_bytes());
        strangers.push(stream);
        if number % 50 == 49 {
            assert_eq!(server.get("/").status, 200, "after {number}");
        }
    }
    let mut known = known;
    let (host, cookie) = (server.own_host(), &server.cookie);
    let last = format!(
        "GET /nothing HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
    );
    known.write_all(last.as_bytes()).expect("the connection is open");
    let mut rest = Vec::new();
    known.read_to_end(&mut rest).expect("an answer");
    assert!(String::from_utf8_lossy(&rest).contains("HTTP/1.1 404"), "it kept its place");
}

#[test]
fn connection_is_closed_after_a_refusal() {
    let server = Server::start();
    let (host, cookie) = (server.own_host(), &server.cookie);
    let refused = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let allowed = format!("GET /nothing HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
    let answer = server.raw(&(refused + &allowed));
    assert_eq!((answer.status, answer.header("connection")), (403, "close"));
    assert!(!answer.body.contains("HTTP/1.1"), "{answer:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn server_listens_on_127_0_0_1_only() {
    let server = Server::start();
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
    assert!(TcpStream::connect(("::1", server.port)).is_err());
}
