//! Tests of `--open`: the browser gets an address that works once.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::client::Server;

#[test]
fn browser_gets_a_one_time_address() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (browser, written) = (folder.path().join("xdg-open"), folder.path().join("written"));
    let script =
        format!("#!/bin/sh\necho \"$1\" > '{0}.part' && mv '{0}.part' '{0}'\n", written.display());
    fs::write(&browser, script).expect("a browser");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let server = Server::start_with(&["--open"], &[("PATH", &path)]);
    let mut tries = (0..1000).map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        fs::read_to_string(&written).ok()
    });
    let address = tries.find_map(|found| found).expect("the browser was started");
    let prefix = format!("http://{}/?token=", server.own_host());
    let token = address.trim().strip_prefix(&prefix).expect("the address of the page");
    // The printed token stays valid, the one in the command line does not.
    assert_ne!(token, server.token);
    let host = [("Host", server.own_host())];
    let entry = format!("GET /?token={token}");
    assert_eq!(server.request(&entry, &host, "").status, 303);
    assert_eq!(server.request(&entry, &host, "").status, 403);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn missing_browser_is_reported_after_the_address() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["web", "--open"])
        .env("PATH", "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the workbench starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let lines: Vec<String> = lines.take(3).map(|line| line.expect("text")).collect();
    child.kill().and_then(|()| child.wait()).expect("it runs");
    assert!(lines[0].starts_with("http://127.0.0.1:"), "{lines:?}");
    assert!(lines[2].starts_with("cannot start a browser"), "{lines:?}");
}
