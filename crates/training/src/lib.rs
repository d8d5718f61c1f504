//! How the engine learns from itself: games and searches become shards of data, shards become
//! weights.

pub mod data;
pub mod genfens;
mod input;
mod manifest;
mod openings;
mod play;
mod record;
pub mod selfplay;
mod shard;
mod symmetric;
mod text;
pub mod train;

pub use input::recorded_games;
