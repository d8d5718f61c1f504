//! What a search keeps about one ply of the line it is looking at.

use crate::types::{Point, Score};

/// A move and how good it looks: what the evaluator says and what the histories know (1/256 of a
/// natural logarithm of odds).
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) point: Point,
    pub(super) score: i32,
}

/// One ply.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Static evaluation; absent where a static result alone decided.
    pub(super) evaluation: Option<Score>,
    /// Moves that caused cutoffs here, the latest first.
    pub(super) killers: [Option<Point>; 2],
    /// The moves of this node.
    pub(super) moves: Vec<ScoredMove>,
    /// The moves searched here without a cutoff.
    pub(super) failed: Vec<Point>,
    /// Nodes of this ply that ended in a cutoff since the node above them was entered.
    pub(super) cutoff_count: u32,
    /// Best play from here.
    pub(super) pv: Vec<Point>,
}
