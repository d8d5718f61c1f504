//! Evaluation of positions without a static result.
//!
//! An [`Evaluator`] values positions and scores moves; the search has no other source of such
//! numbers. They come from a trained [`network`].

pub mod network;

pub use network::{Evaluator, weights_hash};
