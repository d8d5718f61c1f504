//! L9: the workbench. One file per subcommand of `tengen`; each has its arguments and a `run`
//! that writes to the given streams and never exits the process.

pub mod analyze;
pub mod bench;
pub mod convert;
pub mod forbidden;
mod games;
pub mod harvest;
pub mod judge;
pub mod r#match;
mod moves;
mod notation;
pub mod perft;
pub mod play;
pub mod referee;
pub mod selfplay;
mod setup;
mod shards;
pub mod solve;
pub mod tune;

pub use moves::{MoveList, ParseMoveError};
