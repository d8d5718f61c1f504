//! Renju fouls in the output of the brain and in the moves of the engine.

mod listing;
mod play;
