//! What the command-line tools share: arguments, Ctrl-C, progress bars, atomic files.

pub mod progress;
pub mod setup;
pub mod whole;

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
