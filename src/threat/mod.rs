//! L4: renju fouls, answers to threats, static forced results, the VCF solver.

mod answers;
mod foul;

pub use answers::{answers_to_five, answers_to_straight_four, five_cell};
pub use foul::{Foul, foul_at, fouls, is_foul};
