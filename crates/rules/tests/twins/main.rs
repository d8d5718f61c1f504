//! The rules compared with slow twins that are written as the definitions read.

mod explain;
mod fouls;
mod named;
mod outcome;
mod position;
mod random;
