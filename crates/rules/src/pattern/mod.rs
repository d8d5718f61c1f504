//! Classification: what a stone would make on one line, and on its four lines together.
//!
//! A [`LinePattern`] classifies one line for one colour after a stone in the middle of a window.
//! Four of them, one per direction, form a [`LineKey`]. A [`PatternCode`] numbers the four patterns
//! regardless of their order, and each code has a [`Shape`]. All of them come from tables that are
//! built from the definitions when a rule is first used. The value of a shape is left to `eval`.

mod code;
mod line;
mod shape;
mod tables;
mod window;

pub use code::{CODE_SLOTS, CodeShape, PATTERN_CODES, PatternCode, lines_by_code};
pub use line::LinePattern;
pub use shape::{SHAPES, Shape};
pub use tables::{LineKey, PatternTables};
pub use window::{HALF_LONG, HALF_SHORT, WindowSpace};
