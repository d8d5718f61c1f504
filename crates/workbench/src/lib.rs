//! The workbench: one module for each subcommand of `tengen`, with its arguments and a `run` that
//! writes to the given streams and never exits the process.

pub mod analyze;
pub mod bench;
pub mod convert;
mod drawing;
pub mod features;
pub mod forbidden;
mod game_notes;
pub mod games;
pub mod judge;
pub mod language;
pub mod levels;
pub mod perft;
pub mod play;
pub mod preferences;
pub mod prove;
pub mod puzzles;
pub mod review;
pub mod shell_files;
pub mod solve;
pub mod sources;
pub mod study;
mod trees;
pub mod usage;
pub mod verify;
