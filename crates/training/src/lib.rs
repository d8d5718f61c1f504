//! How the engine learns from itself: games and searches become shards of data, shards become
//! weights.

pub mod data;
mod data_file;
pub mod genfens;
mod manifest;
mod openings;
mod play;
pub mod selfplay;
mod shard;
mod symmetric;
mod text;
pub mod train;
mod training_game;

pub use data_file::recorded_games;
