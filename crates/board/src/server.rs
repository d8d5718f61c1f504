//! The program `tengen web`, without a window of its own.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running server.
pub(crate) struct Server {
    child: Child,
    address: String,
    /// Kept open, since the server also prints later.
    _output: BufReader<ChildStdout>,
}

/// The program `tengen` in the folder of this one.
pub(crate) fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(format!("tengen{}", std::env::consts::EXE_SUFFIX))
}

impl Server {
    /// Starts the program, which opens the page in the browser, and waits for its address.
    ///
    /// # Errors
    /// A message, if the program is missing or ends without an address.
    pub(crate) fn start(program: &Path) -> Result<Server, String> {
        let name = program.display();
        let mut command = Command::new(program);
        command.args(["web", "--open"]).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        without_window(&mut command);
        let mut child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let output = child.stdout.take().ok_or_else(|| format!("{name}: no output"))?;
        let mut output = BufReader::new(output);
        let mut address = String::new();
        if output.read_line(&mut address).unwrap_or(0) == 0 {
            let mut reason = String::new();
            if let Some(mut errors) = child.stderr.take() {
                // Without a reason the status says what happened.
                let _ = errors.read_to_string(&mut reason);
            }
            let status = child.wait().map_or(String::new(), |status| status.to_string());
            return Err(format!("{name}: {} {status}", reason.trim()));
        }
        Ok(Server { child, address: address.trim().to_string(), _output: output })
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server.
    pub(crate) fn stop(mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        self.wait();
    }

    /// Waits for the end of the server.
    pub(crate) fn wait(mut self) {
        let _ = self.child.wait();
    }
}

/// A console program would open a console.
#[cfg(windows)]
fn without_window(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(windows))]
fn without_window(_: &mut Command) {}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program that is this script.
    fn script(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tengen");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        (folder, path)
    }

    #[test]
    fn server_has_the_address_that_it_prints_and_can_be_stopped() {
        let (_folder, path) = script("echo \"http://$1/$2\"; exec sleep 600");
        let server = Server::start(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(server.address(), "http://web/--open");
        server.stop();
    }

    #[test]
    fn programs_that_do_not_serve_are_errors_with_a_reason() {
        let (folder, path) = script("echo 'port in use' >&2; exit 2");
        let error = Server::start(&path).err().expect("an error");
        assert!(error.contains("tengen: port in use exit status: 2"), "{error}");
        let error = Server::start(&folder.path().join("missing")).err().expect("an error");
        assert!(error.contains("missing: "), "{error}");
        assert!(program().ends_with(format!("tengen{}", std::env::consts::EXE_SUFFIX)));
    }
}
