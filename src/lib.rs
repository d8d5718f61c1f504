//! Tengen: a Gomoku and Renju engine.

pub mod board;
pub mod engine;
pub mod position;
#[cfg(test)]
mod reference;
pub mod threat;
pub mod types;
