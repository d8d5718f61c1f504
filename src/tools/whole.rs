//! Files that appear whole: after a stop or on a full disk there is the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` into a file beside `path` and puts it in the place of what is there. Where that
/// cannot be done (a pipe, a device, a folder that takes no other file) they are written to `path`.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    let is_stream = there.as_ref().is_some_and(|there| !there.is_file());
    if is_stream || path.starts_with("/dev") {
        return fs::write(path, bytes);
    }
    // A link stays one, and its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let part = part_of(&target);
    let Ok(mut file) = File::create(&part) else { return fs::write(path, bytes) };
    let write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Some(there) = there {
            file.set_permissions(there.permissions())?;
        }
        drop(file);
        fs::rename(&part, &target)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// Where the bytes of `path` stand until they are all there.
pub(super) fn part_of(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::fixtures::Folder;

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
    fn what_can_have_no_file_beside_it_is_written_in_place() {
        let folder = Folder::new("whole-kept");
        let path = folder.file("a");
        fs::write(&path, "precious").unwrap();
        // A folder has the other file's name.
        fs::create_dir(part_of(&path)).unwrap();
        write_whole(&path, b"in place").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "in place");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("whole-links");
        let (file, link) = (folder.file("a"), folder.file("b"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
