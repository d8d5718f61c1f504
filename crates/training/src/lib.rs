//! Training of the networks: self-play writes games and samples of its searches into shards, and
//! training fits weights to them.
//!
//! Each of these modules is a subcommand of the workbench:
//!
//! | module | subcommand | function |
//! |---|---|---|
//! | [`selfplay`] | `tengen selfplay` | plays games into shards, or prints balanced openings |
//! | [`data`] | `tengen data` | counts, checks and merges shards |
//! | [`train`] | `tengen train` | fits the network of one rule to shards |
//! | [`genfens`] | `tengen genfens` | prints openings for the workers of OpenBench |

mod checksums;
pub mod data;
mod data_file;
pub mod genfens;
mod manifest;
mod openings;
mod play;
mod sampler;
pub mod selfplay;
mod shard;
mod symmetric;
pub mod train;
mod training_game;

pub use data_file::recorded_games;
