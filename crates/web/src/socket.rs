//! A Unix socket instead of a port: only its owner can connect, and it has a path instead of a
//! number.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener as StdListener, UnixStream as StdStream};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::Mode;
use rustix::process::umask;
use tokio::net::UnixListener;

/// A listening socket. Its file is removed when it is dropped.
pub(crate) struct SocketFile {
    pub(crate) listener: UnixListener,
    path: PathBuf,
    /// Device and number of the file, to leave a file alone that replaced it.
    identity: (u64, u64),
}

impl SocketFile {
    /// Creates the file `path` with permissions for its owner only, and listens. A socket that no
    /// program listens on is replaced.
    ///
    /// # Errors
    /// If the path is in use or is not a socket, or the file cannot be created.
    pub(crate) fn bind(path: &Path) -> anyhow::Result<SocketFile> {
        let name = || path.display().to_string();
        remove_unused(path).with_context(name)?;
        // The permissions hold from the start. No other thread creates files yet.
        let before = umask(Mode::XUSR | Mode::RWXG | Mode::RWXO);
        let listener = StdListener::bind(path);
        umask(before);
        let listener = listener.with_context(name)?;
        listener.set_nonblocking(true)?;
        let path = std::path::absolute(path)?;
        let identity = identity(&path).with_context(name)?;
        Ok(SocketFile { listener: UnixListener::from_std(listener)?, path, identity })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|identity| identity == self.identity) {
            // There is no way to handle an error.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

/// Removes a socket that a killed server left behind.
fn remove_unused(path: &Path) -> anyhow::Result<()> {
    let Ok(existing) = fs::symlink_metadata(path) else { return Ok(()) };
    if !existing.file_type().is_socket() {
        bail!("the file exists and is not a socket");
    }
    match StdStream::connect(path) {
        Ok(_) => bail!("another program listens on this socket"),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(fs::remove_file(path)?),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tokio::runtime;

    use super::*;

    #[test]
    fn socket_is_private_and_removed() {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _guard = runtime.enter();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let socket = SocketFile::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let error = SocketFile::bind(&path).err().unwrap();
        assert!(format!("{error:#}").contains("another program"), "{error:#}");
        drop(socket);
        assert!(!path.exists());
        // Of a killed server only the file is left.
        drop(StdListener::bind(&path).unwrap());
        assert!(path.exists());
        let socket = SocketFile::bind(&path).unwrap();
        // Another file in its place is kept.
        fs::remove_file(&path).unwrap();
        fs::write(&path, "text").unwrap();
        drop(socket);
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        let error = SocketFile::bind(&path).err().unwrap();
        assert!(format!("{error:#}").contains("not a socket"), "{error:#}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        assert!(SocketFile::bind(&folder.path().join("none").join("s")).is_err());
    }
}
