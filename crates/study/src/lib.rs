//! What people ask about positions and games, and the answers as data.

pub mod analysis;
pub mod board_views;
mod cell;
mod ending;
pub mod env;
pub mod features;
pub mod forbidden;
mod input;
pub mod judge;
pub mod levels;
mod named;
mod position;
pub mod puzzles;
pub mod review;
pub mod solve;

pub use cell::{Cell, CellName, cells};
pub use ending::{Ending, Reason, State};
pub use input::InputError;
pub use named::{Name, Named};
pub use position::{Extent, PositionInput, color, parse_name, point, points};
