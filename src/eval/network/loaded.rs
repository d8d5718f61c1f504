//! Networks from files, instead of the embedded ones.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::largest_file;
use super::{FileError, Network, NetworkFile};
use tengen_rules::types::Rule;

/// A network that was read from a file and checked.
#[derive(Clone)]
pub struct LoadedNetwork {
    rule: Rule,
    hash: u64,
    network: Arc<Network>,
}

impl LoadedNetwork {
    /// Reads a network file of the trainer, for positions under `rule`.
    ///
    /// # Errors
    /// When the file cannot be read, or is not an undamaged network of this version for the rule.
    pub fn open(path: impl AsRef<Path>, rule: Rule) -> Result<LoadedNetwork, NetworkError> {
        let path = path.as_ref();
        let error = |reason| NetworkError { path: path.to_path_buf(), reason };
        let bytes = read(path).map_err(|reason| error(Reason::Read(reason)))?;
        LoadedNetwork::from_bytes(&bytes, rule).map_err(|reason| error(Reason::File(reason)))
    }

    /// Reads a network from the bytes of a file, for positions under `rule`.
    ///
    /// # Errors
    /// When the bytes are not an undamaged network of this version for the rule.
    pub fn from_bytes(bytes: &[u8], rule: Rule) -> Result<LoadedNetwork, FileError> {
        let file = NetworkFile::read(bytes)?;
        file.check_rule(rule)?;
        let hash = NetworkFile::hash(bytes);
        Ok(LoadedNetwork { rule, hash, network: Arc::new(Network::new(file)) })
    }

    /// The rule of the network.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// A hash of its weights: the checksum of the file.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

impl fmt::Debug for LoadedNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x}", self.rule, self.hash)
    }
}

impl PartialEq for LoadedNetwork {
    fn eq(&self, other: &LoadedNetwork) -> bool {
        (self.rule, self.hash) == (other.rule, other.hash)
    }
}

impl Eq for LoadedNetwork {}

/// The bytes of a file, at most one more than the largest network has.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(largest_file() as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The network of each rule: the embedded one, or one from a file. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks {
    loaded: [Option<LoadedNetwork>; Rule::ALL.len()],
}

impl Networks {
    /// The embedded networks.
    pub const fn embedded() -> Networks {
        Networks { loaded: [const { None }; Rule::ALL.len()] }
    }

    /// Replaces the network of its rule.
    pub fn insert(&mut self, network: LoadedNetwork) {
        let slot = network.rule.index();
        self.loaded[slot] = Some(network);
    }

    /// The network from a file that is used under this rule; `None` for the embedded one.
    pub fn loaded(&self, rule: Rule) -> Option<&LoadedNetwork> {
        self.loaded[rule.index()].as_ref()
    }

    /// A hash of the weights of all rules.
    pub fn hash(&self) -> u64 {
        let embedded = super::weights_hash();
        let loaded = self.loaded.iter().flatten();
        loaded.fold(embedded, |hash, network| {
            let bytes = [hash, network.rule.index() as u64, network.hash].map(u64::to_le_bytes);
            NetworkFile::hash(bytes.as_flattened())
        })
    }

    /// The network of this rule.
    pub(super) fn of(&self, rule: Rule) -> Arc<Network> {
        match self.loaded(rule) {
            Some(loaded) => Arc::clone(&loaded.network),
            None => Arc::clone(Network::embedded(rule)),
        }
    }
}

/// An error while loading a network from a file.
#[derive(Debug)]
pub struct NetworkError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    /// The file cannot be read.
    Read(io::Error),
    /// The content is not a valid network.
    File(FileError),
}

impl NetworkError {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error in its content; `None` when the file could not be read.
    pub fn file_error(&self) -> Option<FileError> {
        match self.reason {
            Reason::Read(_) => None,
            Reason::File(error) => Some(error),
        }
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Read(error) => {
                write!(f, "cannot read network {}: {error}", self.path.display())
            }
            Reason::File(error) => write!(f, "invalid network {}: {error}", self.path.display()),
        }
    }
}

impl std::error::Error for NetworkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::Read(error) => Some(error),
            Reason::File(error) => Some(error),
        }
    }
}
