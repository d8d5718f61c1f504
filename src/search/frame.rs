//! State of one ply of the current line.

use super::move_list::MoveList;
use tengen_rules::types::{Point, Score};

/// One ply.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Static evaluation; absent where a static result alone decided.
    pub(super) evaluation: Option<Score>,
    /// The move under search makes an open three or more.
    pub(super) makes_three: bool,
    /// The cell where the opponent refuted the last move searched here.
    pub(super) refutation: Option<Point>,
    /// Moves that caused cutoffs here, the latest first.
    pub(super) killers: [Option<Point>; 2],
    /// The moves of this node.
    pub(super) moves: MoveList,
    /// The moves searched here without a cutoff.
    pub(super) moves_tried: Vec<Point>,
    /// Nodes of this ply that ended in a cutoff since the node above them was entered.
    pub(super) cutoff_count: u32,
    /// Best play from here.
    pub(super) pv: Vec<Point>,
}
