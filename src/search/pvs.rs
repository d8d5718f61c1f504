//! Plays the moves of the search, each with its window.

use super::Stopped;
use super::worker::{Resources, Worker};
#[cfg(doc)]
use tengen_rules::position::Position;
use tengen_rules::types::{Point, Score};

/// The scores that still matter: below `alpha` the side to move has something better elsewhere,
/// above `beta` its opponent has.
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
    /// A score of at least beta is expected, by the first move or soon after it.
    pub(super) cut_node: bool,
}

/// Depth and reduction of one move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveSearch {
    pub(super) point: Point,
    /// Plies left after the move.
    pub(super) depth: i32,
    /// Plies less for a first look, at most `depth`; `None` for the first move of the node, which
    /// no other one has to be measured against.
    pub(super) reduction: Option<i32>,
}

impl Window {
    /// Every score matters.
    pub(super) const FULL: Window = Window { alpha: Score::MIN, beta: Score::MAX };

    /// The same scores as the other side sees them.
    #[inline]
    fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window above alpha: it tells whether a score is better than alpha and no more.
    #[inline]
    fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha.plus(1) }
    }
}

impl Worker {
    /// Plays a move, runs `look`, and takes the move back: the only place where the search plays
    /// moves. ([`Position::with_move`] does the same where no worker goes along.)
    #[inline]
    pub(super) fn after<T>(
        &mut self,
        resources: Resources<'_>,
        point: Point,
        look: impl FnOnce(&mut Worker) -> T,
    ) -> T {
        let side = self.position.side_to_move();
        // The node below wants its entry of the table; it comes while the move is made.
        resources.table.prefetch(self.position.board().key_after(point, side));
        self.position.play(point);
        let seen = look(self);
        self.position.undo();
        seen
    }

    /// The score of a move of the node at `parent` for the side that makes it (principal
    /// variation search). The first move gets the whole window. The others are searched with a null
    /// window, first reduced and then at full depth if they raise alpha, and again with the whole
    /// window if the score lies inside the window of a `PV` node.
    ///
    /// Children of a null window alternate between nodes where a cutoff is expected and nodes where
    /// it is not.
    ///
    /// # Errors
    /// When the search has to end.
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

    /// The score of the node below for the side that has just moved.
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
