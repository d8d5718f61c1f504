//! Scores moves: the product of a query for the board and the view of each candidate.
//!
//! A candidate's view is, as in the evaluation, a sum of rows clamped to 0..=1: for the mover's
//! pattern code, for the opponent's, for the offsets from the last two stones, and for the stones
//! near it on each line. The query, one weight per channel, is computed from the first layer of the
//! head.

use super::CHANNELS;
use super::flanks::{FLANK_PAIRS, Flanks};
use super::head::{HIDDEN, Hidden, Layer};
use super::offset::{OFFSET_CLASSES, offset_classes};
use super::simd::{Candidate, Kernel, Row, Tables};
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{Color, GRID, Point};

/// Right shift from the products of the query's layer to the query (15.875 stands for 1.0).
const QUERY_SHIFT: u32 = 18;
/// From products of views and queries to 1/256 of the natural logarithm of odds: 256 / (127 *
/// 15.875), times 2 to the power of [`SCORE_SHIFT`].
const SCORE_FACTOR: i32 = 130;
const SCORE_SHIFT: u32 = 10;

/// The weights of a policy in the order of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWeights {
    /// By pattern code.
    pub tables: Tables,
    /// By flank pair from the mover's point of view, see [`Flanks`].
    pub flanks: Box<[Row; FLANK_PAIRS]>,
    /// By class of the offset from the opponent's last stone.
    pub one_ply: [Row; OFFSET_CLASSES],
    /// By class of the offset from the mover's own last stone.
    pub two_plies: [Row; OFFSET_CLASSES],
    /// By hidden number, then by channel.
    pub query: [[i16; CHANNELS]; HIDDEN],
    /// By channel.
    pub query_bias: [i32; CHANNELS],
}

/// Lengths of tables, rounded up so that a masked index needs no bounds check.
const FLANK_SLOTS: usize = FLANK_PAIRS.next_power_of_two();
const OFFSET_SLOTS: usize = OFFSET_CLASSES.next_power_of_two();

/// The policy of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    tables: Tables,
    flanks: Box<[Row; FLANK_SLOTS]>,
    one_ply: Box<[Row; OFFSET_SLOTS]>,
    two_plies: Box<[Row; OFFSET_SLOTS]>,
    query: Layer<HIDDEN>,
    query_bias: [i32; CHANNELS],
}

impl Policy {
    /// Arranges the weights of a file.
    pub fn new(weights: PolicyWeights) -> Policy {
        let PolicyWeights { tables, flanks, one_ply, two_plies, query, query_bias } = weights;
        Policy {
            tables,
            flanks: padded(&flanks[..]),
            one_ply: padded(&one_ply),
            two_plies: padded(&two_plies),
            query: Layer::new(&query),
            query_bias,
        }
    }

    /// Scores the empty cells `points` as moves of the side to move into `scores`, one each
    /// (1/256 of a natural logarithm of odds).
    pub(super) fn score(
        &self,
        position: &Position,
        hidden: &Hidden,
        last: LastStones,
        points: &[Point],
        kernel: Kernel,
        scores: &mut Vec<i32>,
    ) {
        let query = kernel.dense(&self.query, &self.query_bias, hidden);
        let query = Row(query.map(|number| (number >> QUERY_SHIFT).clamp(-127, 127) as i8));
        scores.resize(points.len(), 0);
        let side = position.side_to_move();
        let pairs = Flanks::of(position.tables().space());
        let points = points.iter();
        let offsets = [last.theirs, last.ours].map(offset_classes);
        let candidates = Candidates { policy: self, pairs, position, side, offsets, points };
        kernel.products(candidates, &query, scores);
        for score in scores {
            *score = (*score * SCORE_FACTOR) >> SCORE_SHIFT;
        }
    }
}

/// The rows, padded with zero rows.
fn padded<const SLOTS: usize>(rows: &[Row]) -> Box<[Row; SLOTS]> {
    let mut padded = Box::new([Row::ZERO; SLOTS]);
    padded[..rows.len()].copy_from_slice(rows);
    padded
}

/// Iterator over the rows of the points to be scored.
struct Candidates<'a> {
    policy: &'a Policy,
    /// Maps the windows of a point to rows of `flanks`.
    pairs: &'static Flanks,
    position: &'a Position,
    side: Color,
    /// Classes of the offsets from the last two stones.
    offsets: [&'static [u8; GRID]; 2],
    points: std::slice::Iter<'a, Point>,
}

impl<'a> Iterator for Candidates<'a> {
    type Item = Candidate<'a>;

    // A function call would cost as much as the computation.
    #[inline(always)]
    fn next(&mut self) -> Option<Candidate<'a>> {
        let &point = self.points.next()?;
        let [class_one, class_two] =
            self.offsets.map(|classes| usize::from(classes[point.index()]) % OFFSET_SLOTS);
        let code = |color| self.position.code(point, color).index();
        let Policy { tables, flanks, one_ply, two_plies, .. } = self.policy;
        let pairs = self.pairs.pairs(self.position, point, self.side);
        Some(Candidate {
            flanks: pairs.map(|pair| &flanks[pair % FLANK_SLOTS]),
            others: [
                &tables.own[code(self.side)],
                &tables.other[code(self.side.opponent())],
                &one_ply[class_one],
                &two_plies[class_two],
            ],
        })
    }
}
