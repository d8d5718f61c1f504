//! Detection of network drives, where SQLite's file locks are unreliable.

use std::path::{Component, Path, Prefix};

/// File systems that several machines can write to.
const NETWORK: [&str; 17] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "davfs",
    "fuse.davfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
];

/// The file system of a path if it is a network drive. Detected on Linux (by the type of the
/// mounted file system) and for `\\server\share` paths on Windows; elsewhere always `None`.
pub fn network_drive(path: &Path) -> Option<String> {
    let path = std::fs::canonicalize(path).ok()?;
    if let Some(Component::Prefix(prefix)) = path.components().next()
        && let Prefix::UNC(..) | Prefix::VerbatimUNC(..) = prefix.kind()
    {
        return Some("a network share".to_string());
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    file_system(&mounts, &path).filter(|kind| is_network(kind)).map(str::to_string)
}

fn is_network(kind: &str) -> bool {
    NETWORK.contains(&kind)
}

/// The type of the file system with the longest mount point above `path`; of several with
/// the same length the last, which hides the others. `mounts` is `/proc/self/mountinfo` of Linux.
fn file_system<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let (mount, rest) = line.split_once(" - ")?;
        let point = unescape(mount.split(' ').nth(4)?);
        let kind = rest.split(' ').next()?;
        path.starts_with(&point).then(|| (Path::new(&point).components().count(), kind))
    });
    mounts.max_by_key(|&(length, _)| length).map(|(_, kind)| kind)
}

/// Decodes the octal escapes of blanks in mount points.
fn unescape(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_string(), |text, (escape, plain)| text.replace(escape, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:30 / /home rw - nfs4 server:/home rw,vers=4.2
31 30 0:31 / /home/me/local rw - xfs /dev/sdb1 rw
32 22 0:32 / /mnt/with\\040blank rw - fuse.sshfs me@host: rw
33 22 0:33 / /data rw - nfs server:/data rw
34 33 8:3 / /data rw - ext4 /dev/sdc1 rw
";

    #[test]
    fn longest_mount_point_determines_the_file_system() {
        let kind = |path: &str| file_system(MOUNTS, Path::new(path));
        assert_eq!(kind("/srv/x.tdb"), Some("ext4"));
        assert_eq!(kind("/home/me/x.tdb"), Some("nfs4"));
        assert_eq!(kind("/homestead/x.tdb"), Some("ext4"));
        assert_eq!(kind("/home/me/local/x.tdb"), Some("xfs"));
        assert_eq!(kind("/mnt/with blank/x.tdb"), Some("fuse.sshfs"));
        assert_eq!(kind("/data/x.tdb"), Some("ext4"), "mounted over the network drive");
        assert_eq!(file_system("", Path::new("/")), None);
    }

    #[test]
    fn network_file_systems_are_recognized() {
        assert!(["nfs", "nfs4", "cifs", "smb3", "9p", "lustre"].into_iter().all(is_network));
        assert!(!["ext4", "xfs", "btrfs", "tmpfs", "overlay", "apfs"].into_iter().any(is_network));
        assert!(NETWORK.is_sorted());
    }

    #[test]
    fn missing_files_have_no_drive() {
        assert_eq!(network_drive(Path::new("no such file")), None);
    }
}
