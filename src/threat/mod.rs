//! L4: renju fouls, answers to threats, static forced results, the VCF solver.

mod foul;

pub use foul::{Foul, foul_at, fouls, is_foul};
