//! The fitted evaluation: sums over the pattern codes of empty cells.
//!
//! The *value* adds up what every empty cell is worth to both colours, and what their threats
//! are worth; the *score of a move* adds up what its cell is worth to the mover and to the
//! opponent, both together, and where the last stones stand. All numbers are fitted, see
//! [`Weights`].

mod offset;
mod sums;
mod threats;
mod weights;

pub use offset::{OFFSET_CLASSES, offset_class};
pub use sums::Sums;
pub use threats::{THREAT_ENTRIES, threat_entry};
pub use weights::{CellScore, CellValue, EVAL_SCALE, OffsetScore, Weights};

use crate::position::{LastStones, Position};
use crate::types::{ByColor, Color, Point, Rule, Score};
use sums::LazySums;

/// The fitted evaluation of one rule, with the sums of the positions it has seen last.
pub struct Classical {
    weights: ByColor<&'static Weights>,
    sums: LazySums,
}

impl Classical {
    /// The evaluation of this rule.
    pub fn new(rule: Rule) -> Classical {
        let weights = ByColor::from_fn(|color| Weights::of(rule, color));
        Classical { weights, sums: LazySums::default() }
    }

    /// Values the position for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        let sums = self.sums.get(position, &self.weights);
        self.value_of(position, sums)
    }

    #[inline]
    fn value_of(&self, position: &Position, sums: Sums) -> Score {
        let side = position.side_to_move();
        let threats = i32::from(self.weights[side].threat(threat_entry(position)));
        Score::evaluation((sums.balance(side) + threats) / EVAL_SCALE)
    }

    /// Scores the empty cells `points` as moves of the side to move into `scores`, one each.
    #[inline]
    pub fn score_moves(
        &self,
        position: &Position,
        last: LastStones,
        points: &[Point],
        scores: &mut Vec<i32>,
    ) {
        let side = position.side_to_move();
        let (own, other) = (self.weights[side], self.weights[side.opponent()]);
        scores.clear();
        scores.extend(points.iter().map(|&point| {
            let code = |color: Color| position.code(point, color);
            let shape = |color: Color| position.shape(point, color);
            let cell = i32::from(own.score(code(side)).own)
                + i32::from(other.score(code(side.opponent())).opponent)
                + i32::from(own.pair(shape(side), shape(side.opponent())));
            let offset = |stone: Option<Point>| {
                stone.map_or(OffsetScore::default(), |stone| own.offset(stone, point))
            };
            cell + i32::from(offset(last.theirs).one_ply) + i32::from(offset(last.ours).two_plies)
        }));
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::board::Board;
    use crate::pattern::PatternCode;
    use crate::reference::random_walk;
    use crate::types::BoardSize;

    /// The value by the definition: each empty cell of a board that was set up afresh.
    fn slow_value(board: &Board) -> Score {
        let position = Position::from_board(board);
        let side = board.side_to_move();
        let mut sum = 0;
        for point in board.empty_points() {
            for color in Color::ALL {
                let code = PatternCode::of(position.lines(point, color));
                let value = Weights::of(board.rule(), color).value(code);
                sum += i32::from(if color == side { value.on_turn } else { -value.off_turn });
            }
        }
        let threats = Weights::of(board.rule(), side).threat(threat_entry(&position));
        Score::evaluation((sum + i32::from(threats)) / EVAL_SCALE)
    }

    fn value_walk(board: &Board, classical: &mut Classical, seed: u64, steps: usize) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut position = Position::from_board(board);
        random_walk(&mut position, seed, steps, |position| {
            // A search asks about some of the positions that it passes, not about all.
            if rng.random_bool(0.4) {
                assert_eq!(classical.value(position), slow_value(position.board()));
            }
        });
    }

    #[test]
    fn the_value_equals_that_of_a_fresh_board_after_any_moves() {
        for (width, height) in [(15, 15), (20, 20), (5, 5), (36, 36), (9, 30)] {
            let size = BoardSize::new(width, height).unwrap();
            for rule in Rule::ALL {
                let mut classical = Classical::new(rule);
                let seed = 31 * width as u64 + height as u64 + 7 * rule.index() as u64;
                let steps = 60_000 / size.area().max(100);
                // The second walk starts from another board than that where the first one ended.
                value_walk(&Board::new(size, rule), &mut classical, seed, steps);
                let mut board = Board::new(size, rule);
                board.wall(size.center());
                board.set_side(Color::White);
                value_walk(&board, &mut classical, seed + 1, steps);
            }
        }
    }

    #[test]
    fn a_change_of_the_side_to_move_is_noticed() {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Renju);
        for (x, y) in [(7, 7), (8, 8), (9, 7), (3, 3)] {
            board.place(Point::new(x, y), board.side_to_move());
        }
        let mut classical = Classical::new(Rule::Renju);
        for side in Color::ALL {
            board.set_side(side);
            assert_eq!(classical.value(&Position::from_board(&board)), slow_value(&board));
        }
    }

    #[test]
    fn moves_are_scored_by_cell_pair_and_last_stones() {
        let rule = Rule::Renju;
        let mut position = Position::new(BoardSize::square(15).unwrap(), rule);
        random_walk(&mut position, 5, 40, |_| ());
        let side = position.side_to_move();
        let points: Vec<Point> = position.board().empty_points().collect();
        let (mut bare, mut near) = (Vec::new(), Vec::new());
        let classical = Classical::new(rule);
        classical.score_moves(&position, LastStones::default(), &points, &mut bare);
        let last = position.last_stones();
        classical.score_moves(&position, last, &points, &mut near);
        assert_eq!((bare.len(), near.len()), (points.len(), points.len()));
        let [own, other] = [side, side.opponent()].map(|color| Weights::of(rule, color));
        for (index, &point) in points.iter().enumerate() {
            let code = |color: Color| PatternCode::of(position.lines(point, color));
            let pair =
                own.pair(position.shape(point, side), position.shape(point, side.opponent()));
            let cell = own.score(code(side)).own + other.score(code(side.opponent())).opponent;
            assert_eq!(bare[index], i32::from(cell + pair));
            let class = |stone: Option<Point>| offset_class(stone.unwrap(), point);
            let offset = own.offset_by_class(class(last.theirs)).one_ply
                + own.offset_by_class(class(last.ours)).two_plies;
            assert_eq!(near[index], i32::from(cell + pair + offset));
        }
    }
}
