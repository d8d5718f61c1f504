//! Files that appear whole: after a stop or on a full disk there is the old one or the new one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` into a file beside `path` and puts it in the place of what is there. Where another
/// file cannot stand for that one (a pipe, a device, a file of somebody else or with a second
/// name, a folder that takes no other), they are written to `path`.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match target(path) {
        Some(target) if replace(&target, bytes)? => Ok(()),
        _ => fs::write(path, bytes),
    }
}

/// Has `fill` write a file beside `path`, however long that takes, and puts it in the place of what
/// is there if `fill` says that it is whole. Otherwise nothing of it stays.
///
/// # Errors
/// When `path` is no file, `fill` fails, or the file cannot be put there.
pub fn fill_whole(
    path: &Path,
    fill: impl FnOnce(&Path) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    ensure_file(path)?;
    let target = target(path).unwrap_or_else(|| path.to_path_buf());
    let part = beside(&target);
    let is_placed = fill(&part).and_then(|is_whole| {
        if is_whole {
            // Whoever could read what was there can read this, and nobody else.
            if let Ok(there) = fs::metadata(&target) {
                fs::set_permissions(&part, there.permissions())?;
            }
            fs::rename(&part, &target)?;
        }
        Ok(is_whole)
    });
    if !matches!(is_placed, Ok(true)) {
        // It may never have been made.
        let _ = fs::remove_file(&part);
    }
    is_placed
}

/// Puts a new file in the place of `target`; false where none can stand for it.
fn replace(target: &Path, bytes: &[u8]) -> io::Result<bool> {
    let there = match OpenOptions::new().write(true).open(target) {
        Ok(file) => Some(file.metadata()?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let part = beside(target);
    let file = match File::create_new(&part) {
        Ok(file) => file,
        Err(error) if is_full(&error) => return Err(error),
        Err(_) => return Ok(false),
    };
    let is_whole = fill(file, there.as_ref(), bytes);
    let is_placed = is_whole.map(|is_whole| is_whole && fs::rename(&part, target).is_ok());
    if !matches!(is_placed, Ok(true)) {
        // It may be gone already, and then nothing is left to do.
        let _ = fs::remove_file(&part);
    }
    is_placed
}

/// Writes the new file; false where it could not stand for the one that is there.
fn fill(mut file: File, there: Option<&Metadata>, bytes: &[u8]) -> io::Result<bool> {
    if let Some(there) = there {
        let fits = is_like(there, &file.metadata()?);
        if !fits || file.set_permissions(there.permissions()).is_err() {
            return Ok(false);
        }
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(true)
}

/// Refuses what is there and no file: a folder cannot be added to, a pipe or a device not read to
/// its end.
///
/// # Errors
/// When `path` is such a thing.
pub fn ensure_file(path: &Path) -> anyhow::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|there| !there.is_file());
    anyhow::ensure!(!is_other, "it is no file");
    Ok(())
}

/// Refuses a name in a folder that is not there, before work is done for the file.
///
/// # Errors
/// When there is no such folder.
pub fn ensure_folder(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(folder(path).is_dir(), "{}: there is no such folder", path.display());
    Ok(())
}

/// The folder that the file is in, or would be.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether both name one file, whether it is there or not.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    whole_name(one) == whole_name(other)
}

/// The file's name from the root of the file system on, as far as its folder is there.
fn whole_name(path: &Path) -> PathBuf {
    let in_folder = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_path_buf())
}

/// A name beside `path` that nobody else uses, for what becomes the file when it is whole.
pub fn beside(path: &Path) -> PathBuf {
    path.with_added_extension(format!("{}.part", std::process::id()))
}

/// The file itself where `path` is a link to one; `None` for what is no file.
fn target(path: &Path) -> Option<PathBuf> {
    if path.starts_with("/dev") || fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return None;
    }
    match fs::canonicalize(path) {
        Ok(target) => Some(target),
        // A link to nothing makes what it names.
        Err(_) => fs::symlink_metadata(path).is_err().then(|| path.to_path_buf()),
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Whether a new file can stand for the one that is there: of the same owner, and it has no other
/// name.
#[cfg(unix)]
fn is_like(there: &Metadata, new: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    there.nlink() == 1 && (there.uid(), there.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
fn is_like(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_testkit::Folder;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_stays_beside_it() {
        let folder = Folder::new("whole");
        let path = folder.file("a.sgf");
        for text in ["one", "another", ""] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_whole(folder.path(), b"x").is_err());
        assert!(write_whole(&folder.file("none").join("a"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_else_is_touched() {
        let folder = Folder::new("whole-kept");
        let path = folder.file("a");
        fs::write(&path, "old").unwrap();
        // Somebody has the other file's name.
        fs::write(beside(&path), "precious").unwrap();
        write_whole(&path, b"in place").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "in place");
        assert_eq!(fs::read_to_string(beside(&path)).unwrap(), "precious");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = Folder::new("whole-kinds");
        let path = folder.file("a");
        assert!(ensure_file(&path).is_ok());
        fs::write(&path, "").unwrap();
        assert!(ensure_file(&path).is_ok());
        assert!(ensure_file(folder.path()).is_err());
        #[cfg(unix)]
        assert!(ensure_file(Path::new("/dev/null")).is_err());
    }

    #[test]
    fn what_takes_long_appears_when_it_is_whole() {
        let folder = Folder::new("whole-long");
        let path = folder.file("a");
        let fill = |text: &'static str, is_whole| {
            fill_whole(&path, |part| {
                fs::write(part, text)?;
                Ok(is_whole)
            })
        };
        assert!(fill("one", true).unwrap());
        assert!(!fill("two", false).unwrap());
        assert!(fill_whole(&path, |_| anyhow::bail!("no more")).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert!(fill_whole(folder.path(), |_| Ok(true)).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_has_to_be_there() {
        let folder = Folder::new("whole-folder");
        assert!(ensure_folder(&folder.file("a")).is_ok());
        assert!(ensure_folder(Path::new("a")).is_ok());
        assert!(ensure_folder(&folder.file("none").join("a")).is_err());
    }

    #[test]
    fn a_file_has_more_than_one_name() {
        let folder = Folder::new("whole-names");
        let (path, other) = (folder.file("a"), folder.file("b"));
        let roundabout = folder.path().join(".").join("a");
        for exists in [false, true] {
            assert!(is_same_file(&path, &roundabout), "{exists}");
            assert!(!is_same_file(&path, &other), "{exists}");
            fs::write(&path, "").unwrap();
        }
        assert!(is_same_file(Path::new("a"), Path::new("./a")));
        assert!(!is_same_file(Path::new("none/a"), Path::new("a")));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = Folder::new("whole-links");
        let (file, link) = (folder.file("a"), folder.file("b"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);

        let second = folder.file("c");
        fs::hard_link(&file, &second).unwrap();
        write_whole(&file, b"newer").unwrap();
        assert_eq!(fs::read_to_string(&second).unwrap(), "newer");
        assert_eq!(fs::metadata(&second).unwrap().nlink(), 2);

        let (nothing, to_nothing) = (folder.file("d"), folder.file("e"));
        symlink(&nothing, &to_nothing).unwrap();
        write_whole(&to_nothing, b"made").unwrap();
        assert_eq!(fs::read_to_string(&nothing).unwrap(), "made");
        fill_whole(&link, |part| Ok(fs::write(part, "long").map(|()| true)?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "long");
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
