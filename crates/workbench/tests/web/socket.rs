//! Tests of `tengen web --socket`.

use std::process::Command;

#[cfg(unix)]
#[test]
fn socket_serves_the_page_and_is_removed_at_the_end() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixStream;
    use std::process::Stdio;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["web", "--memory", "64", "--socket"])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the workbench starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let address = line();
    let token = address.strip_prefix("http://127.0.0.1:8080/?token=").expect("an address");
    let name = path.to_str().expect("text");
    assert!(line().contains(name));
    assert!(line().starts_with("ssh ") && line().contains("Ctrl-C"));
    let mode = std::fs::metadata(&path).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let get = |target: &str, headers: &str| {
        let mut stream = UnixStream::connect(&path).expect("the server listens");
        let request = format!("GET {target} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    let entry = format!("/?token={token}");
    // The host contains the forwarded port, which is not the server's.
    let entered = get(&entry, "Host: localhost:8123\r\n");
    assert!(entered.starts_with("HTTP/1.1 303"), "{entered}");
    let cookie = entered.split("set-cookie: ").nth(1).expect("a cookie");
    let cookie = cookie.split(';').next().expect("a cookie");
    let page = get("/", &format!("Host: localhost:8123\r\nCookie: {cookie}\r\n"));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(get("/", "Host: localhost:8123\r\n").starts_with("HTTP/1.1 403"));
    let rebound = get(&entry, "Host: evil.example:8123\r\n");
    assert!(rebound.starts_with("HTTP/1.1 403"), "{rebound}");

    let second = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["web", "--socket"])
        .arg(&path)
        .output()
        .expect("the workbench starts");
    let reason = String::from_utf8(second.stderr).expect("text");
    assert_eq!(second.status.code(), Some(2), "{reason}");
    assert!(reason.contains(name) && reason.contains("another program"), "{reason}");

    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    child.wait().expect("the end");
    assert!(!path.exists());
}

#[cfg(not(unix))]
#[test]
fn socket_is_refused_without_unix_sockets() {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["web", "--socket", "board"])
        .output()
        .expect("the workbench starts");
    let reason = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{reason}");
    assert!(reason.contains("no Unix sockets"), "{reason}");
}
