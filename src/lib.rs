//! Tengen: a Gomoku and Renju engine.
//!
//! Two programs use this library. `pbrain-tengen` is the brain that managers and GUIs load: it
//! hands standard input and output to [`protocol::serve`]. `tengen` is the workbench: one
//! subcommand for each file of [`tools`].
//!
//! # The map
//!
//! A module imports only from those above it in this table (`scripts/check-layers`).
//!
//! | layer | module | what it knows |
//! |---|---|---|
//! | 0 | [`types`] | colours, points, board sizes, rule sets, scores |
//! | 1 | [`board`] | stones and their order, hash key, rows, diagrams |
//! | 2 | [`pattern`] | what a line through a cell is worth: tables built from definitions |
//! | 3 | [`position`] | a board with its patterns, kept up to date move by move |
//! | 4 | [`threat`] | renju fouls, answers to fives and fours, wins by fours alone |
//! | 5 | [`eval`] | the score of a quiet position |
//! | 6 | [`movegen`] | which points are tried |
//! | 7 | [`search`] | the best move within a budget |
//! | 8 | [`engine`] | time, memory and threads: what the budget is |
//! | 9 | [`protocol`], [`tools`] | conversations with managers, and with people |
//!
//! # The way of a move
//!
//! ```text
//! stdin line -> Decoder -> Command -> Session -> Engine::think(&Position, &Request) -> Report
//!            -> Reply -> one flushed write
//! ```
//!
//! # Words
//!
//! * *five*: a row that wins under the rule; *overline*: six or more in a row.
//! * *four*: one move from a five; *straight four*: a four that two points complete.
//! * *three*: one move from a straight four.
//! * *foul*: a move that renju forbids to black: overline, double-four, double-three.
//! * *VCF*: a win by fours alone, each with one answer.
//! * *ply*: one move of one side.

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
