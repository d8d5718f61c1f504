//! Networks from files: `tengen-RULE.net` in the folder of `INFO folder`, or next to the program.

use std::path::{Path, PathBuf};

use crate::engine::{LoadedNetwork, Networks};
use tengen_rules::types::Rule;

/// Looks for the network file of a rule on first use.
#[derive(Debug, Default)]
pub(super) struct NetworkFinder {
    /// The manager's folder.
    folder: Option<PathBuf>,
    /// The folder of the program.
    beside: Option<PathBuf>,
    networks: Networks,
    /// Rules whose network was looked for, by index.
    searched: [bool; Rule::ALL.len()],
    /// Messages about files that were found, until they are printed.
    notices: Vec<String>,
}

impl NetworkFinder {
    /// A finder with the folder of the running program.
    pub(super) fn new() -> NetworkFinder {
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        NetworkFinder { beside, ..NetworkFinder::default() }
    }

    /// Sets the manager's folder; a new folder discards all results.
    pub(super) fn set_folder(&mut self, folder: &str) {
        let folder = Some(folder).filter(|text| !text.is_empty()).map(PathBuf::from);
        if folder != self.folder {
            *self = NetworkFinder { folder, beside: self.beside.take(), ..Default::default() };
        }
    }

    /// Looks for the network of this rule, once.
    pub(super) fn find(&mut self, rule: Rule) {
        let Some(searched) = self.searched.get_mut(rule.index()) else { return };
        if std::mem::replace(searched, true) {
            return;
        }
        let name = format!("tengen-{rule}.net");
        let folders = [&self.folder, &self.beside].into_iter().flatten();
        let Some(path) = folders.map(|it| it.join(&name)).find(|path| path.exists()) else {
            return;
        };
        // Opening a pipe may block.
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let path = path.display();
            self.notices
                .push(format!("embedded network used: {name}: not a regular file ({path})"));
            return;
        }
        match LoadedNetwork::open(&path, rule) {
            Ok(network) => {
                self.notices
                    .push(format!("network {name} loaded, weights {:016x}", network.hash()));
                self.networks.insert(network);
            }
            // The path comes last: long lines are cut.
            Err(error) => {
                let reason =
                    error.file_error().map_or("cannot be read".into(), |it| it.to_string());
                let path = path.display();
                self.notices.push(format!("embedded network used: {name}: {reason} ({path})"));
            }
        }
    }

    /// The networks found so far, and the embedded ones for the other rules.
    pub(super) fn networks(&self) -> &Networks {
        &self.networks
    }

    /// The name of this rule's network for `ABOUT`; `None` for the embedded one.
    pub(super) fn name(&self, rule: Rule) -> Option<String> {
        let loaded = self.networks.loaded(rule)?;
        Some(format!("tengen-{rule}.net {:016x}", loaded.hash()))
    }

    /// The messages that were not printed yet.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::embedded;
    use crate::protocol::{Conversation, Reply, Session};

    /// A finder whose program folder has the files written by `put`.
    fn finder(put: impl FnOnce(&Path)) -> (tempfile::TempDir, NetworkFinder) {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path());
        let beside = Some(folder.path().to_path_buf());
        (folder, NetworkFinder { beside, ..NetworkFinder::default() })
    }

    #[test]
    fn network_beside_the_program_is_loaded_once() {
        let (_folder, mut finder) = finder(|path| {
            std::fs::write(path.join("tengen-renju.net"), embedded(Rule::Renju)).unwrap();
        });
        finder.find(Rule::Standard);
        assert_eq!((finder.take_notices(), finder.name(Rule::Standard)), (Vec::new(), None));
        finder.find(Rule::Renju);
        finder.find(Rule::Renju);
        let hash = finder.networks().loaded(Rule::Renju).unwrap().hash();
        assert_eq!(
            finder.take_notices(),
            [format!("network tengen-renju.net loaded, weights {hash:016x}")]
        );
        assert_eq!(finder.name(Rule::Renju), Some(format!("tengen-renju.net {hash:016x}")));
    }

    #[test]
    fn folder_of_the_manager_comes_first() {
        let (_beside, mut finder) = finder(|path| {
            std::fs::write(path.join("tengen-caro.net"), embedded(Rule::Caro)).unwrap();
        });
        finder.find(Rule::Caro);
        finder.take_notices();
        let folder = tempfile::tempdir().unwrap();
        finder.set_folder(folder.path().to_str().unwrap());
        finder.find(Rule::Caro);
        assert!(finder.name(Rule::Caro).is_some(), "a folder without the file is skipped");
        std::fs::write(folder.path().join("tengen-caro.net"), b"TGN").unwrap();
        finder.set_folder("");
        finder.set_folder(folder.path().to_str().unwrap());
        finder.find(Rule::Caro);
        assert_eq!(finder.name(Rule::Caro), None);
        let notices = finder.take_notices();
        let start = "embedded network used: tengen-caro.net: not a network file (";
        assert!(notices.last().unwrap().starts_with(start), "{notices:?}");
    }

    #[test]
    fn unreadable_file_leaves_the_embedded_network() {
        let (_folder, mut finder) = finder(|path| {
            std::fs::create_dir(path.join("tengen-standard.net")).unwrap();
        });
        finder.find(Rule::Standard);
        assert_eq!(finder.networks(), &Networks::embedded());
        assert!(finder.take_notices()[0].contains("cannot be read"));
    }

    /// The replies to these lines of a manager.
    fn converse(lines: &[&str]) -> Vec<String> {
        let replies = Conversation::new(Session::default()).send(lines.join("\n") + "\n");
        replies.iter().map(Reply::to_string).collect()
    }

    #[test]
    fn game_continues_with_the_embedded_network() {
        let whole = embedded(Rule::Renju);
        let mut flipped = whole.to_vec();
        flipped[5_000] ^= 1;
        for (bytes, reason) in [
            (b"nonsense".to_vec(), "not a network file"),
            (flipped, "wrong checksum"),
            (whole[..1_000].to_vec(), &format!("1000 bytes (expected {})", whole.len())),
            (embedded(Rule::Caro).to_vec(), "a network for caro (expected renju)"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("tengen-renju.net"), bytes).unwrap();
            let info = format!("INFO folder {}", folder.path().display());
            let setup = [&*info, "INFO rule 4", "INFO max_node 100", "START 15"];
            let replies = converse(&[&setup[..], &["BEGIN", "TURN 0,0", "ABOUT"]].concat());
            assert_eq!(replies[0], "OK");
            let start = format!("MESSAGE embedded network used: tengen-renju.net: {reason} (");
            assert!(replies[1].starts_with(&start), "{replies:?}");
            let notices = replies.iter().filter(|reply| reply.contains("network used"));
            assert_eq!(notices.count(), 1, "{replies:?}");
            let moves = replies.iter().filter(|reply| reply.split_once(',').is_some_and(is_cell));
            assert_eq!(moves.count(), 2, "{replies:?}");
            assert!(!replies.last().unwrap().contains("network="));
        }
    }

    /// Opening such files would block, and reading them would not end.
    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_in_the_folder_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        let pipe = |name: &str| {
            let path = folder.path().join(name);
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        };
        let setup = [
            "START 15",
            "INFO rule 4",
            "INFO max_node 100",
            &format!("INFO folder {path}"),
            "BEGIN",
        ];
        pipe("tengen-renju.net");
        pipe("tengen.book");
        let replies = converse(&setup);
        let network = "tengen-renju.net: not a regular file";
        assert_eq!(
            replies[1],
            format!("MESSAGE embedded network used: {network} ({path}/tengen-renju.net)")
        );
        let book = "tengen.book: not a regular file";
        assert!(replies.contains(&format!("MESSAGE no book used: {book} ({path}/tengen.book)")));
        assert!(replies.last().unwrap().split_once(',').is_some_and(is_cell), "{replies:?}");
        std::fs::remove_file(folder.path().join("tengen.book")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("tengen.book")).unwrap();
        assert!(converse(&setup).iter().any(|reply| reply.contains(book)));
    }

    fn is_cell((x, y): (&str, &str)) -> bool {
        [x, y].iter().all(|number| number.parse::<u8>().is_ok())
    }

    #[test]
    fn about_names_the_loaded_network() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tengen-renju.net"), embedded(Rule::Renju)).unwrap();
        let info = format!("INFO folder {}", folder.path().display());
        let setup = [&*info, "INFO rule 4", "INFO max_node 100", "ABOUT", "START 15"];
        let replies = converse(&[&setup[..], &["BEGIN"]].concat());
        assert!(replies[0].contains(", network=\"tengen-renju.net "), "{replies:?}");
        assert!(replies[2].starts_with("MESSAGE network tengen-renju.net loaded"), "{replies:?}");
    }
}
