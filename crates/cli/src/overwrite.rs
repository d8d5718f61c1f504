//! The policy for existing files: a tool replaces one only with `--force`, and appends only to files
//! of its own kind.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::{Context, bail};

/// Whether existing files are replaced.
#[derive(clap::Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverwriteArgs {
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

impl OverwriteArgs {
    /// Refuses a regular file with content, unless `--force` is given. Devices and pipes are written
    /// to, and empty files have nothing to lose.
    ///
    /// # Errors
    /// When the file exists and is not to be replaced, or its state cannot be read.
    pub fn check(self, path: &Path) -> anyhow::Result<()> {
        if !self.force && has_content(path)? {
            bail!("{}: the file already exists (--force replaces it)", path.display());
        }
        Ok(())
    }
}

/// Whether there is a regular file with content.
///
/// # Errors
/// When the state of the file cannot be read. The message names the file.
fn has_content(path: &Path) -> anyhow::Result<bool> {
    let existing = existing_file(path).with_context(|| path.display().to_string())?;
    Ok(existing.is_some_and(|existing| existing.len() > 0))
}

/// The state of a regular file; `None` if there is none.
///
/// # Errors
/// When the state cannot be read: the file may exist.
pub fn existing_file(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(existing) => Ok(Some(existing).filter(Metadata::is_file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks the file before something is appended to it: it is of the same kind if `is_kind` accepts its
/// content. With `--force` a file of another kind is emptied.
///
/// # Errors
/// When the file cannot be read, or is of another kind and not to be replaced.
pub fn prepare_to_append(
    path: &Path,
    kind: &str,
    overwrite: OverwriteArgs,
    is_kind: impl FnOnce(&[u8]) -> bool,
) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    if !has_content(path)? || is_kind(&fs::read(path).with_context(name)?) {
        return Ok(());
    }
    if !overwrite.force {
        bail!("{}: the existing file is not {kind} (--force replaces it)", name());
    }
    fs::write(path, "").with_context(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_replaced_with_force_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (careful, force) = (OverwriteArgs::default(), OverwriteArgs { force: true });
        assert!(careful.check(&path).is_ok());
        fs::write(&path, "").unwrap();
        assert!(careful.check(&path).is_ok());
        fs::write(&path, "text").unwrap();
        let error = careful.check(&path).unwrap_err().to_string();
        assert!(error.ends_with("a: the file already exists (--force replaces it)"), "{error}");
        assert!(force.check(&path).is_ok());
        #[cfg(unix)]
        assert!(careful.check(Path::new("/dev/null")).is_ok());
    }

    #[test]
    fn only_files_of_the_kind_are_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let prepare = |force| {
            let overwrite = OverwriteArgs { force };
            prepare_to_append(&path, "a list", overwrite, |bytes| bytes.starts_with(b"list"))
        };
        assert!(prepare(false).is_ok());
        fs::write(&path, "list 1\n").unwrap();
        assert!(prepare(false).is_ok() && prepare(true).is_ok());
        assert_eq!(fs::read_to_string(&path).unwrap(), "list 1\n");
        fs::write(&path, "notes\n").unwrap();
        let error = prepare(false).unwrap_err().to_string();
        assert!(error.ends_with("a: the existing file is not a list (--force replaces it)"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes\n");
        prepare(true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
    }
}
