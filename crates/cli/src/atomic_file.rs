//! Atomic file writes: after an interruption or on a full disk, a file has either its old content or
//! its complete new content.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Replaces the content of the file `path`, or creates the file.
///
/// The bytes are written to a draft in the same folder, which is then renamed to `path`. The draft
/// gets the permissions of the existing file. A symbolic link is kept and its target replaced. If a
/// draft cannot replace the existing file (a pipe, a device, a file of another owner or with several
/// hard links, a folder without write permission), the bytes are written directly to `path`.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match target(path) {
        Some(target) if replace(&target, bytes)? => Ok(()),
        _ => fs::write(path, bytes),
    }
}

/// Lets `fill` write an empty draft in the folder of `path`. The draft is renamed to `path` if `fill`
/// returns true, else removed. Returns the result of `fill`.
///
/// # Errors
/// When `path` is not a regular file, `fill` fails, or the draft cannot be created or renamed.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&Path) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    ensure_regular_file(path)?;
    let target = target(path).unwrap_or_else(|| path.to_path_buf());
    // Close the handle: on Windows an open handle could prevent `fill` from writing.
    let draft = draft_for(&target)?.into_temp_path();
    let is_complete = fill(&draft)?;
    if is_complete {
        // Keep the permissions of the old file.
        if let Ok(existing) = fs::metadata(&target) {
            fs::set_permissions(&draft, existing.permissions())?;
        }
        OpenOptions::new().write(true).open(&draft)?.sync_all()?;
        draft.persist(&target).map_err(|error| error.error)?;
    }
    Ok(is_complete)
}

/// Checks that a file can be created in the folder of `path`, before a long computation.
///
/// # Errors
/// When the folder is missing or not writable.
pub fn ensure_writable_folder(path: &Path) -> io::Result<()> {
    draft_for(path).map(drop)
}

/// Replaces `target` with a draft; false if no draft can replace it.
fn replace(target: &Path, bytes: &[u8]) -> io::Result<bool> {
    let existing = match OpenOptions::new().write(true).open(target) {
        Ok(file) => Some(file.metadata()?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let draft = match draft_for(target) {
        Ok(draft) => draft,
        Err(error) if forbids_drafts(&error) => return Ok(false),
        Err(error) => return Err(error),
    };
    if let Some(existing) = existing {
        let file = draft.as_file();
        let fits = is_replaceable(&existing, &file.metadata()?);
        if !fits || file.set_permissions(existing.permissions()).is_err() {
            return Ok(false);
        }
    }
    // The errors of the draft's own methods would name the draft.
    draft.as_file().write_all(bytes)?;
    draft.as_file().sync_all()?;
    match draft.persist(target) {
        Ok(_) => Ok(true),
        Err(error) if forbids_drafts(&error.error) => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// A new file with a unique name in the folder of `path`. It is removed unless it is renamed.
fn draft_for(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".tengen-").suffix(".part");
    // The permissions of an ordinary new file; temporary files are private by default.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(path))
}

/// Rejects folders, pipes and devices, which cannot be read to their end and appended to.
///
/// # Errors
/// When `path` exists and is not a regular file.
pub fn ensure_regular_file(path: &Path) -> anyhow::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|existing| !existing.is_file());
    anyhow::ensure!(!is_other, "not a regular file");
    Ok(())
}

/// Rejects a path in a missing folder, before a long computation.
///
/// # Errors
/// When the folder does not exist.
pub fn ensure_folder_exists(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(folder(path).is_dir(), "{}: the folder does not exist", path.display());
    Ok(())
}

/// The folder of the file, which may not exist yet.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether both paths name the same file. The file need not exist.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    absolute(one) == absolute(other)
}

/// The absolute path; unchanged if neither the file nor its folder exists.
fn absolute(path: &Path) -> PathBuf {
    let in_folder = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_path_buf())
}

/// The file to replace, after following links; `None` if it is not a regular file.
fn target(path: &Path) -> Option<PathBuf> {
    if path.starts_with("/dev") || fs::metadata(path).is_ok_and(|existing| !existing.is_file()) {
        return None;
    }
    match fs::canonicalize(path) {
        Ok(target) => Some(target),
        // Writing directly through a dangling link creates its target.
        Err(_) => fs::symlink_metadata(path).is_err().then(|| path.to_path_buf()),
    }
}

/// Whether the folder or the system does not allow a draft there, while the file itself may be
/// writable. Other errors concern any write: writing directly would destroy the old content.
fn forbids_drafts(error: &io::Error) -> bool {
    let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    let is_refused = matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices
            // The direct write states which folder is missing.
            | ErrorKind::NotFound
            | ErrorKind::NotADirectory
    );
    is_refused || cfg!(not(unix)) && !is_full
}

/// Whether a new file can replace the existing one: same owner, and no second hard link.
#[cfg(unix)]
fn is_replaceable(existing: &Metadata, new: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    existing.nlink() == 1 && (existing.uid(), existing.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
fn is_replaceable(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_replaces_the_file_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sgf");
        for text in ["one", "another", ""] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(folder.path(), b"x").is_err());
        assert!(write(&folder.path().join("none").join("a"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn neighbouring_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let neighbours = ["a.part", ".tengen-.part"].map(|name| folder.path().join(name));
        for file in [&path].into_iter().chain(&neighbours) {
            fs::write(file, "old").unwrap();
        }
        write(&path, b"new").unwrap();
        write_with(&path, |draft| Ok(fs::write(draft, "newer").map(|()| false)?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        for file in &neighbours {
            assert_eq!(fs::read_to_string(file).unwrap(), "old");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn folders_and_devices_are_not_regular_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(ensure_regular_file(&path).is_ok());
        fs::write(&path, "").unwrap();
        assert!(ensure_regular_file(&path).is_ok());
        assert!(ensure_regular_file(folder.path()).is_err());
        #[cfg(unix)]
        assert!(ensure_regular_file(Path::new("/dev/null")).is_err());
    }

    #[test]
    fn write_with_keeps_the_old_file_until_the_draft_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let fill = |text: &'static str, is_whole| {
            write_with(&path, |part| {
                fs::write(part, text)?;
                Ok(is_whole)
            })
        };
        assert!(fill("one", true).unwrap());
        assert!(!fill("two", false).unwrap());
        assert!(write_with(&path, |_| anyhow::bail!("no more")).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert!(write_with(folder.path(), |_| Ok(true)).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn missing_folders_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        assert!(ensure_folder_exists(&folder.path().join("a")).is_ok());
        assert!(ensure_folder_exists(Path::new("a")).is_ok());
        assert!(ensure_folder_exists(&folder.path().join("none").join("a")).is_err());
    }

    #[test]
    fn is_same_file_compares_absolute_paths() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        let roundabout = folder.path().join(".").join("a");
        for exists in [false, true] {
            assert!(is_same_file(&path, &roundabout), "{exists}");
            assert!(!is_same_file(&path, &other), "{exists}");
            fs::write(&path, "").unwrap();
        }
        assert!(is_same_file(Path::new("a"), Path::new("./a")));
        assert!(!is_same_file(Path::new("none/a"), Path::new("a")));
    }

    /// No draft can be created there, unless root runs the test.
    #[cfg(unix)]
    #[test]
    fn files_in_read_only_folders_are_written_in_place() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let permit = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
        permit(0o555).unwrap();
        let written = write(&path, b"new");
        permit(0o755).unwrap();
        written.unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn new_files_have_ordinary_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [usual, atomic, filled] = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&usual, "").unwrap();
        write(&atomic, b"").unwrap();
        write_with(&filled, |draft| Ok(fs::write(draft, "").map(|()| true)?)).unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!([mode(&atomic), mode(&filled)], [mode(&usual); 2]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn full_devices_are_errors() {
        let error = write(Path::new("/dev/full"), b"text").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);

        let second = folder.path().join("c");
        fs::hard_link(&file, &second).unwrap();
        write(&file, b"newer").unwrap();
        assert_eq!(fs::read_to_string(&second).unwrap(), "newer");
        assert_eq!(fs::metadata(&second).unwrap().nlink(), 2);

        let (nothing, to_nothing) = (folder.path().join("d"), folder.path().join("e"));
        symlink(&nothing, &to_nothing).unwrap();
        write(&to_nothing, b"made").unwrap();
        assert_eq!(fs::read_to_string(&nothing).unwrap(), "made");
        write_with(&link, |part| Ok(fs::write(part, "long").map(|()| true)?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "long");
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
