//! Shared by the command-line tools: arguments, Ctrl-C, progress bars, files.

pub mod append_file;
pub mod args;
pub mod atomic_file;
pub mod diagram;
pub mod interrupt;
pub mod journal;
pub mod network;
pub mod overwrite;
pub mod printable;
pub mod progress;
pub mod selection;
pub mod units;

use sha2::{Digest, Sha256};

/// The SHA-256 hash in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
