//! L14: the workbench. A file or folder for each subcommand of `tengen` or a group of them; each has its arguments and a `run`
//! that writes to the given streams and never exits the process.

pub mod analyze;
pub mod bench;
pub mod convert;
mod drawing;
pub mod features;
#[cfg(test)]
mod fixtures;
pub mod forbidden;
mod games;
pub mod judge;
pub mod levels;
pub mod r#match;
mod moves;
pub mod perft;
pub mod play;
mod progress;
pub mod puzzles;
mod replay;
pub mod review;
mod setup;
pub mod solve;
pub mod training;
#[cfg(feature = "web")]
pub mod web;
mod whole;

use sha2::{Digest, Sha256};

pub use moves::{MoveList, MoveText};
pub use setup::interrupted;

/// The commit that this program is built from, with `-dirty` behind it when files were changed
/// since; `unknown` in builds for tests and outside of a repository.
pub const COMMIT: &str = env!("TENGEN_COMMIT");

/// SHA-256 in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
