//! Principal variation search: plays the moves of the search, each with its window.

use super::Stopped;
use super::worker::{Resources, Worker};
#[cfg(doc)]
use tengen_rules::position::Position;
use tengen_rules::types::{Point, Score};

/// The scores that can still change the result: below `alpha` the side to move has a better move
/// elsewhere, above `beta` its opponent has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

/// Depth, ply and kind of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    /// Plies left to search.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether this is an expected cut node: a cutoff by the first move or soon after it.
    pub(super) cut_node: bool,
}

/// Depth and reduction of one move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveSearch {
    pub(super) point: Point,
    /// Plies left after the move.
    pub(super) depth: i32,
    /// Reduction of the first search (plies), at most `depth`; `None` for the first move of the
    /// node, which is searched with the full window.
    pub(super) reduction: Option<i32>,
}

impl Window {
    /// The window of all scores.
    pub(super) const FULL: Window = Window { alpha: Score::MIN, beta: Score::MAX };

    /// The same window from the opponent's point of view.
    #[inline]
    fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window above alpha: it only decides whether a score is better than alpha.
    #[inline]
    fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.plus(1) }
    }
}

impl Worker {
    /// Plays a move, runs `f`, and takes the move back: the only place where the search plays
    /// moves. ([`Position::with_move`] does the same without a worker.)
    #[inline]
    pub(super) fn after<T>(
        &mut self,
        resources: Resources<'_>,
        point: Point,
        f: impl FnOnce(&mut Worker) -> T,
    ) -> T {
        let side = self.position.side_to_move();
        // Fetch the table entry of the child while the move is made.
        resources.table.prefetch(self.position.board().key_after(point, side));
        self.position.play(point);
        let result = f(self);
        self.position.undo();
        result
    }

    /// The score of a move of the node `parent` for the side that makes it. The first move is
    /// searched with the full window. The others are searched with a null window, first reduced,
    /// then at full depth if they raise alpha, and again with the full window if the score lies
    /// inside the window of a `PV` node.
    ///
    /// With a null window, expected cut nodes alternate with expected all nodes.
    ///
    /// # Errors
    /// When the search is stopped.
    #[inline]
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        resources: Resources<'_>,
        window: Window,
        parent: NodeInfo,
        search: MoveSearch,
    ) -> Result<Score, Stopped> {
        let node = |depth, cut_node| NodeInfo { depth, ply: parent.ply + 1, cut_node };
        let MoveSearch { point, depth, reduction } = search;
        self.after(resources, point, |worker| {
            if let Some(reduction) = reduction {
                let reduced = node(depth - reduction, true);
                let mut score = worker.search_below::<false>(resources, window.null(), reduced)?;
                if reduction > 0 && score > window.alpha {
                    let full = node(depth, !parent.cut_node);
                    score = worker.search_below::<false>(resources, window.null(), full)?;
                }
                if !PV || score <= window.alpha || score >= window.beta {
                    return Ok(score);
                }
            }
            worker.search_below::<PV>(resources, window, node(depth, !PV && !parent.cut_node))
        })
    }

    /// The score of the child node for the side that has just moved.
    #[inline]
    fn search_below<const PV: bool>(
        &mut self,
        resources: Resources<'_>,
        window: Window,
        node: NodeInfo,
    ) -> Result<Score, Stopped> {
        self.search::<PV>(resources, window.flipped(), node).map(|score| -score)
    }
}
