//! A server for each test, and a client for valid and invalid requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Read timeout, generous for loaded machines.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server, stopped when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) cookie: String,
    host: String,
    origin: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header, or empty.
    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut values = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        values.next().map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The last line of a stream.
    pub(crate) fn last(&self) -> Value {
        let line = self.body.lines().last().unwrap_or_default();
        serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::start_with(&[], &[])
    }

    /// Starts a server with more arguments and environment variables.
    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["web", "--memory", "64"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the workbench starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut address = String::new();
        lines.read_line(&mut address).expect("an address");
        // Keep the pipe open while the server runs.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        let rest = address.trim().strip_prefix("http://127.0.0.1:").expect("a loopback address");
        let (port, token) = rest.split_once("/?token=").expect("a token");
        let (port, token) = (port.parse().expect("a port"), token.to_string());
        let host = format!("127.0.0.1:{port}");
        let origin = format!("http://{host}");
        let mut server = Server { child, port, token, cookie: String::new(), host, origin };
        let entry = server.get(&format!("/?token={}", server.token));
        assert_eq!((entry.status, entry.header("location")), (303, "/"));
        let cookie = entry.header("set-cookie").split(';').next().unwrap_or_default();
        server.cookie = cookie.to_string();
        server
    }

    pub(crate) fn own_host(&self) -> &str {
        &self.host
    }

    /// The headers of the requests of the page.
    pub(crate) fn headers(&self) -> [(&str, &str); 4] {
        [
            ("Host", &self.host),
            ("Origin", &self.origin),
            ("Cookie", &self.cookie),
            ("Content-Type", "application/json"),
        ]
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a time limit");
        stream
    }

    /// Sends raw bytes and reads until the server closes the connection.
    pub(crate) fn raw(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        // The server may close the connection before the whole request is sent.
        let _ = stream.write_all(request.as_bytes());
        read_answer(stream)
    }

    /// A request with these headers and `Connection: close`.
    pub(crate) fn request(&self, first: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.raw(&self.text(first, headers, body))
    }

    /// The bytes of a request with these headers and `Connection: close`.
    pub(crate) fn text(&self, first: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut request = format!("{first} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            request += &format!("Content-Length: {}\r\n", body.len());
        }
        request + "\r\n" + body
    }

    /// Requests a file like a browser.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let headers = [("Host", self.own_host()), ("Cookie", &self.cookie)];
        self.request(&format!("GET {path}"), &headers, "")
    }

    /// Sends an API request like the page.
    pub(crate) fn ask(&self, path: &str, question: &Value) -> Answer {
        read_answer(self.begin(path, question))
    }

    /// Sends an API request. The caller reads the response.
    pub(crate) fn begin(&self, path: &str, question: &Value) -> TcpStream {
        let request =
            self.text(&format!("POST /api/{path}"), &self.headers(), &question.to_string());
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("the server listens");
        stream
    }
}

/// Reads a response up to the end of the stream.
pub(crate) fn read_answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // The server may break off the connection; use what was received.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_string() };
    Answer { status, head: head.to_string(), body }
}

fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a chunk's length");
        body += &after[..length];
        rest = after[length..].strip_prefix("\r\n").unwrap_or_default();
    }
    body
}

/// A position of these moves on 15x15.
pub(crate) fn position(rule: &str, moves: &str) -> Value {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    json!({ "rule": rule, "width": 15, "height": 15, "moves": moves })
}
