//! Classification. What a stone would make on one line, and on four lines at once.
//!
//! A [`LinePattern`] says what one colour gets on one line by placing a stone on the middle of
//! a window. Four of them, one per direction, make a [`LineKey`]; regardless of their order they
//! have a [`PatternCode`], and each code has a [`Shape`]. All of it comes from tables that are
//! built from the written definitions when a rule is first used. What any of it is worth is the
//! business of `eval`.

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
