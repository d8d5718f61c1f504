//! Tengen: a Gomoku and Renju engine.

pub mod board;
pub mod engine;
pub mod eval;
pub mod movegen;
pub mod pattern;
pub mod position;
pub mod protocol;
#[cfg(test)]
mod reference;
pub mod search;
pub mod threat;
pub mod tools;
pub mod types;
