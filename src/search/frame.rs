//! State of one ply of the current line.

use super::move_list::MoveList;
use tengen_rules::types::{Point, Score};

/// One ply.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Static evaluation; `None` where a static result alone decided.
    pub(super) evaluation: Option<Score>,
    /// Whether the move being searched makes an open three or more.
    pub(super) makes_three: bool,
    /// The cell where the opponent refuted the last move searched here.
    pub(super) refutation: Option<Point>,
    /// Moves that caused cutoffs here, the latest first.
    pub(super) killers: [Option<Point>; 2],
    /// The moves of this node.
    pub(super) moves: MoveList,
    /// The moves searched here without a cutoff.
    pub(super) moves_tried: Vec<Point>,
    /// Number of nodes at this ply that ended in a cutoff since their parent node was entered.
    pub(super) cutoff_count: u32,
    /// Best play from here.
    pub(super) pv: Vec<Point>,
}
