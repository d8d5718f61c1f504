//! The memory limit of the control group of the process (Linux). The system kills a process that
//! exceeds it, without warning.

use std::fs;
use std::path::Path;

/// The lowest limit of the group and its parent groups in bytes; `None` without a limit and on
/// other systems.
pub(super) fn memory_limit() -> Option<u64> {
    if cfg!(target_os = "linux") { limit_below(Path::new("/")) } else { None }
}

/// The limit in a file system with this root.
fn limit_below(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let limits = groups.lines().flat_map(|line| {
        // The number of the hierarchy, its controllers, and the path of the group.
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let (mount, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        // In a container the path may not be visible, but its root is.
        let group = Path::new(path.trim_start_matches('/'));
        let files = group.ancestors().map(|group| root.join(mount).join(group).join(file));
        files.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).collect()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        limit_below(root.path())
    }

    #[test]
    fn smallest_limit_of_all_groups_counts() {
        let own = ("proc/self/cgroup", "0::/a/b\n");
        assert_eq!(limit(&[]), None);
        assert_eq!(limit(&[own]), None);
        let inner = ("sys/fs/cgroup/a/b/memory.max", "max\n");
        let outer = ("sys/fs/cgroup/a/memory.max", "50331648\n");
        assert_eq!(limit(&[own, inner, outer]), Some(48 << 20));
        let root = ("sys/fs/cgroup/memory.max", "1048576\n");
        assert_eq!(limit(&[own, inner, outer, root]), Some(1 << 20));
    }

    #[test]
    fn first_version_of_groups_is_read() {
        let own = ("proc/self/cgroup", "5:cpu:/x\n4:memory:/a\n0::/\n");
        let file = ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(limit(&[own, file]), Some(9_223_372_036_854_771_712));
        let root = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n");
        assert_eq!(limit(&[own, root]), Some(1000));
    }
}
