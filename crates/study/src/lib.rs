//! What people ask about positions and games, and the answers as data.

pub mod board_views;
pub mod env;
pub mod features;
pub mod review;
pub mod solve;
