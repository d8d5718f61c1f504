//! L2: what a stone is worth on one line, and on four lines at once.
//!
//! A [`LinePattern`] says what one colour gets on one line by placing a stone on the middle of
//! a window. Four of them, one per direction, make a [`Shape`]. Both come from tables that are
//! built from the written definitions when a rule is first used.

mod combination;
mod displacement;
mod line;
mod shape;
mod tables;
mod weights;
mod window;

pub use combination::{COMBINATIONS, combination, combinations};
pub use displacement::{DISPLACEMENTS, displacement};
pub use line::LinePattern;
pub use shape::{SHAPES, Shape};
pub use tables::{LineKey, PatternTables, ShapeEntry};
pub use weights::{CellWeights, NearWeights, THREAT_CLASSES, THREAT_ENTRIES, VALUE_GRAIN, Weights};
pub use window::{HALF_LONG, HALF_SHORT, WindowSpace};
